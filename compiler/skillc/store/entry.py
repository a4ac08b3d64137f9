"""What the build cache keeps: objects under the digest of their bytes, and for each key a manifest of its objects.

Whoever reads it trusts nothing: a manifest names its key and carries its own digest, an object is its digest, so what
is cut, changed or lies under another's name is seen to be so. All of it is JSON and plain bytes; nothing is executed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

from skillc.artifact.encoding import canonical
from skillc.value import value

ACTIONS, OBJECTS = "ac", "cas"
"""The two kinds of what is kept: manifests by key, bytes by their digest."""
FORMAT = "skillc.cache/1"
LIMITS: Mapping[str, int] = {ACTIONS: 1 << 20, OBJECTS: 64 << 20}
"""Bytes; what is larger is neither kept nor read."""
_HEX = frozenset("0123456789abcdef")
_NAME = 255
_FIELDS = {"digest", "files", "format", "key", "outcome"}


class Damaged(ValueError):
    """Bytes that are not what was put under their name."""


@value
class Manifest:
    """The digests of the outcome under a key, and of its files by name."""

    key: str
    outcome: str
    files: Mapping[str, str]

    @property
    def objects(self) -> frozenset[str]:
        return frozenset((self.outcome, *self.files.values()))


def digest_of(data: bytes) -> str:
    """The name under which `data` is an object."""
    return sha256(data).hexdigest()


def is_digest(name: object) -> bool:
    """Whether `name` has the form of a key or a digest."""
    return isinstance(name, str) and len(name) == 64 and _HEX.issuperset(name)


def is_file_name(name: object) -> bool:
    """Whether a file of this name stays in the folder that it is written to."""
    if not isinstance(name, str) or not name or name.startswith("."):
        return False
    if any(char in '/\\:"*?<>|' or ord(char) < 32 or 0xD800 <= ord(char) < 0xE000 for char in name):
        return False
    return len(name.encode()) <= _NAME


def manifest_bytes(manifest: Manifest) -> bytes:
    """Canonical JSON of a manifest, with the digest of all else in it."""
    data = {
        "files": dict(manifest.files),
        "format": FORMAT,
        "key": manifest.key,
        "outcome": manifest.outcome,
    }
    return canonical({**data, "digest": digest_of(canonical(data))})


def read_manifest(data: bytes, key: str) -> Manifest:
    """The manifest that `data` is. Raises Damaged for anything else, and for the manifest of another key."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Damaged("no JSON") from error
    if not isinstance(found, dict) or found.keys() != _FIELDS or found["key"] != key:
        raise Damaged("no manifest of this key")
    files = found["files"]
    if not is_digest(found["outcome"]) or not isinstance(files, dict):
        raise Damaged("no manifest")
    if not all(is_file_name(name) and is_digest(digest) for name, digest in files.items()):
        raise Damaged("no names of files")
    manifest = Manifest(key, found["outcome"], files)
    if manifest_bytes(manifest) != data:
        raise Damaged("not as it was written")
    return manifest


def checked(data: bytes, digest: str) -> bytes:
    """`data`, which is the object of that digest. Raises Damaged when it is not."""
    if digest_of(data) != digest:
        raise Damaged("other bytes")
    return data

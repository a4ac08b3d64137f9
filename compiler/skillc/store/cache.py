"""The build cache: what was made once is not made again, here or wherever the same server is asked (SPEC 15.3).

A key stands for all that an outcome follows from, so what lies under it can be taken for what would be made. Nearest
first, a folder of this machine and, where one is named, a server that a team shares.

| variable | meaning |
|---|---|
| SKILLC_CACHE | `off`: no cache at all |
| SKILLC_CACHE_DIR | the folder, instead of `.skillc/cache` of the workspace; may be shared between workspaces |
| SKILLC_CACHE_URL, SKILLC_CACHE_WRITE, SKILLC_CACHE_TOKEN, SKILLC_CACHE_AUTH | the server, which settings may name too: see `store.remote` |
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from skillc.store.entry import (
    ACTIONS,
    LIMITS,
    OBJECTS,
    Damaged,
    Manifest,
    checked,
    digest_of,
    is_file_name,
    manifest_bytes,
    read_manifest,
)
from skillc.store.folder import Folder

SWITCH, DIRECTORY, ADDRESS = "SKILLC_CACHE", "SKILLC_CACHE_DIR", "SKILLC_CACHE_URL"
OFF = ("off", "0", "no", "false")
_HERE = (".skillc", "cache")


class Tier(Protocol):
    """A place where entries are kept. It raises nothing: what cannot be had is None, what cannot be kept is not."""

    def read(self, kind: str, name: str) -> bytes | None: ...
    def write(self, kind: str, name: str, data: bytes) -> None: ...
    def damaged(self, kind: str, name: str) -> None:
        """Told that what was read under a name is not what belongs there."""


class Cache:
    """Outcomes with their files, by key, in one tier or several, nearest first.

    Never raises for what a disk or a server does: a cache that fails is a cache that has nothing.
    """

    def __init__(self, tiers: Sequence[Tier]) -> None:
        self._tiers = tuple(tiers)

    def get(self, key: bytes) -> tuple[bytes, dict[str, bytes]] | None:
        """The outcome under `key` and its files by name, each byte of it verified; None when it is to be made.

        What a farther tier gave is kept in the nearer ones.
        """
        for depth, tier in enumerate(self._tiers):
            manifest = _manifest(tier, key.hex())
            found = self._objects(manifest) if manifest else None
            if manifest is None or found is None:
                continue
            objects, deepest = found
            self._keep(manifest, objects, self._tiers[: max(depth, deepest)])
            return objects[manifest.outcome], {name: objects[it] for name, it in manifest.files.items()}
        return None

    def put(self, key: bytes, outcome: bytes, files: Mapping[str, bytes]) -> None:
        """Keep an outcome and its files under `key`; a later `get` gives all of it or nothing.

        Names that would leave a folder are a mistake of the caller: ValueError.
        """
        strange = next((name for name in files if not is_file_name(name)), None)
        if strange is not None:
            raise ValueError(f"`{strange}` is no name of a file")
        objects = {digest_of(data): data for data in (outcome, *files.values())}
        names = {name: digest_of(data) for name, data in sorted(files.items())}
        if max(map(len, objects.values())) <= LIMITS[OBJECTS]:
            self._keep(Manifest(key.hex(), digest_of(outcome), names), objects, self._tiers)

    def _objects(self, manifest: Manifest) -> tuple[dict[str, bytes], int] | None:
        """The objects of a manifest, and the depth of the farthest tier that gave one; None when one is missing."""
        objects, deepest = {}, 0
        for digest in sorted(manifest.objects):
            found = self._object(digest)
            if found is None:
                return None
            objects[digest] = found[0]
            deepest = max(deepest, found[1])
        return objects, deepest

    def _object(self, digest: str) -> tuple[bytes, int] | None:
        for depth, tier in enumerate(self._tiers):
            data = tier.read(OBJECTS, digest)
            if data is not None:
                try:
                    return checked(data, digest), depth
                except Damaged:
                    tier.damaged(OBJECTS, digest)
        return None

    @staticmethod
    def _keep(manifest: Manifest, objects: Mapping[str, bytes], tiers: Sequence[Tier]) -> None:
        """The manifest goes last: whoever finds it finds its objects too."""
        data = manifest_bytes(manifest)
        if len(data) > LIMITS[ACTIONS]:
            return
        for tier in tiers:
            for digest, found in objects.items():
                tier.write(OBJECTS, digest, found)
            tier.write(ACTIONS, manifest.key, data)


def _manifest(tier: Tier, key: str) -> Manifest | None:
    data = tier.read(ACTIONS, key)
    if data is None:
        return None
    try:
        return read_manifest(data, key)
    except Damaged:
        tier.damaged(ACTIONS, key)
        return None


def open_cache(
    root: str,
    environment: Mapping[str, str],
    warn: Callable[[str], None],
    url: str = "",
    writes: bool = False,
) -> Cache | None:
    """The cache that `environment` asks for in the workspace at `root` (absolute), whose settings may name a server
    (`url`) and let it be written; None when it is switched off.

    Touches neither disk nor network. `warn` is told, a few times at most, why something cannot be used.
    """
    if environment.get(SWITCH, "").lower() in OFF:
        return None
    tiers: list[Tier] = [local_folder(root, environment, warn)]
    if environment.get(ADDRESS, url):
        from skillc.store.remote import open_remote, shared

        remote = open_remote(shared(environment, url, writes), warn)
        tiers += [remote] if remote else []
    return Cache(tiers)


def local_folder(root: str, environment: Mapping[str, str], warn: Callable[[str], None]) -> Folder:
    """The folder of this machine: the one that is named (from `root`, and it may be a link), else that of the
    workspace."""
    named = environment.get(DIRECTORY)
    if not named:
        return Folder(root, _HERE, "/".join(_HERE), warn)
    base, step = os.path.split(os.path.realpath(os.path.join(root, os.path.expanduser(named))))
    return Folder(base, (step,), named, warn)

"""`build/index.json`: which packages have a plan, and whether it is that of their present text."""

from __future__ import annotations

import skillc
from skillc.artifact.encoding import readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

INDEX_SCHEMA = "skillc.index/1"
KEYS = ("path", "plan", "digest", "status")


def index(entries: Iterable[Mapping[str, str]], compiler: str = skillc.__version__) -> bytes:
    """The bytes of the index: entries `{path, plan, digest, status}`, sorted by path.

    `path` names the package, `plan` its plan below the build folder, `digest` that plan's bytes;
    `status` is `ok`, or `stale` when the package has errors and the plan is an earlier one (SPEC 15.3).
    """
    from json.encoder import encode_basestring as told

    # There are many rows, and one is like the other: it is spelt here as `readable` would spell it.
    rows = [
        ",\n".join([f'      "{key}": {told(entry[key])}' for key in KEYS])
        for entry in sorted(entries, key=lambda row: row["path"])
    ]
    head = readable({"schema": INDEX_SCHEMA, "compiler": compiler, "packages": []})
    if not rows:
        return head
    packages = ",".join([f"\n    {{\n{row}\n    }}" for row in rows])
    return head.removesuffix(b"]\n}\n") + f"{packages}\n  ]\n}}\n".encode()

"""`build/index.json`: which packages have a plan, and whether it is that of their present text."""

from __future__ import annotations

import skillc
from skillc.artifact.encoding import readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

INDEX_SCHEMA = "skillc.index/1"


def index(entries: Iterable[Mapping[str, str]], compiler: str = skillc.__version__) -> bytes:
    """The bytes of the index: entries `{path, plan, digest, status}`, sorted by path.

    `path` names the package, `plan` its plan below the build folder, `digest` that plan's bytes;
    `status` is `ok`, or `stale` when the package has errors and the plan is an earlier one (SPEC 15.3).
    """
    keys = ("path", "plan", "digest", "status")
    rows = sorted(({key: entry[key] for key in keys} for entry in entries), key=lambda row: row["path"])
    return readable({"schema": INDEX_SCHEMA, "compiler": compiler, "packages": rows})

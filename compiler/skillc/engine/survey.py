"""The state of a workspace against what is known of it: what is as it was, and what is to be made, before any of it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skillc.diagnostic import Diagnostic
from skillc.engine.look import Look, look
from skillc.engine.outcome import Outcome, read_outcome
from skillc.engine.setting import (
    Options,
    Setting,
    compiler_identity,
    compiler_rows,
    setting_of,
    watched_rows,
)
from skillc.engine.state import Kept, Row, load, now
from skillc.engine.trace import Trace
from skillc.engine.wire import Sources, Unknown, remembered
from skillc.model.workspace import read_surroundings
from skillc.source.decode import decode
from skillc.source.discover import read_workspace
from skillc.source.document import WorkspaceFiles
from skillc.source.reader import DiskReader, Reader
from skillc.text import Source


@dataclass(frozen=True, slots=True)
class Survey:
    """How things stand. `looks` are in the order of the packages; `outcomes`, by path, those that still hold; `found`
    is what is wrong around the packages; `around` the rows of the log outside of packages. `started` is the time of
    the file system before anything was read."""

    started: int
    old: Kept
    around: Mapping[str, Row]
    files: WorkspaceFiles
    found: tuple[Diagnostic, ...]
    setting: Setting
    looks: tuple[Look, ...]
    outcomes: Mapping[str, Outcome]
    sources: Sources
    reader: Reader

    @property
    def compiler(self) -> str:
        return self.setting.compiler["version"]


def survey(
    root: str,
    options: Options,
    compiling: bool = True,
    only: frozenset[str] | None = None,
    watched: Sequence[str] = (),
    forgetting: bool = False,
) -> Survey:
    """Look at the workspace at `root`. With `forgetting`, as if nothing were known of it.

    `watched` are other files, absolute, there or not, that decide what is said of it: settings, a baseline.
    """
    started, old = now(root), Kept() if forgetting else load(root)
    compiler = compiler_rows(started)
    reader = DiskReader(root)
    trace = Trace(reader)
    files, found = read_workspace(trace, options.skills, frozenset(), options.profiles)
    given, said = read_surroundings(files)
    setting = setting_of(options, files, given, compiler_identity(old, compiler))
    sources = remembered(_texts(reader))
    looks: list[Look] = []
    outcomes: dict[str, Outcome] = {}
    for package in files.known:
        if only is not None and package.path not in only:
            continue
        one = look(reader, root, package, setting, old.records.get(package.path), compiling)
        if one.record is not None:
            try:
                outcomes[package.path] = read_outcome(one.record.outcome, sources)
            except (Unknown, OSError):
                one = look(reader, root, package, setting, None, compiling)
        looks.append(one)
    around = {**compiler, **trace.rows(started), **watched_rows(watched, started)}
    told = (*found, *said)
    return Survey(started, old, around, files, told, setting, tuple(looks), outcomes, sources, trace)


def _texts(reader: Reader) -> Sources:
    """Gives the text of a file of the workspace as it is now."""

    def text(path: str) -> Source:
        source, _ = decode(path, reader.read(path))
        if source is None:
            raise Unknown(f"`{path}` has no text")
        return source

    return text

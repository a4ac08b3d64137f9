"""The state of a workspace against what is known of it: what is as it was, and what is to be made, before any of it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skillc.diagnostic import Diagnostic
from skillc.engine.around import Around, around
from skillc.engine.look import Look, look
from skillc.engine.outcome import Outcome
from skillc.engine.setting import Options, Setting
from skillc.engine.state import Kept, load, now
from skillc.engine.trace import Trace
from skillc.engine.wire import Later, Sources, Unknown, remembered
from skillc.source.decode import decode
from skillc.source.document import WorkspaceFiles
from skillc.source.reader import DiskReader, Reader
from skillc.store.quick import Standing
from skillc.text import Source
from skillc.value import value


@value
class Survey:
    """How things stand. `looks` are in the order of the packages; `outcomes`, by path, those that still hold; `around`
    is what stands around the packages. `sources` gives the text of a file of the workspace, `later` one that is read when
    it is wanted. `started` is the time of the file system before anything was read."""

    started: int
    old: Kept
    around: Around
    looks: tuple[Look, ...]
    outcomes: Mapping[str, Outcome]
    sources: Sources
    later: Sources
    disk: Reader
    reader: Reader

    @property
    def setting(self) -> Setting:
        return self.around.setting

    @property
    def files(self) -> WorkspaceFiles:
        return self.around.files

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        return self.around.found

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
    stood: Standing | None = None,
    postponing: bool = False,
) -> Survey:
    """Look at the workspace at `root`. With `forgetting`, as if nothing were known of it.

    `watched` are other files, absolute, there or not, that decide what is said of it: settings, a baseline. `stood` is
    how things stand by their times, where somebody has looked a moment ago; `postponing` is as in `look`.
    """
    started, old = now(root), Kept() if forgetting else load(root, options.build, stood)
    reader = DiskReader(root)
    trace = Trace(reader)
    sources = remembered(_texts(reader))
    later = remembered(lambda path: Later(path, sources))
    stands = around(trace, options, watched, old, started, later)
    looks: list[Look] = []
    outcomes: dict[str, Outcome] = {}
    for package in stands.files.known:
        if only is not None and package.path not in only:
            continue
        known = old.records.get(package.path)
        one = look(reader, root, package, stands.setting, known, compiling, postponing)
        if one.record is not None:
            kept = one.record
            outcomes[package.path] = Outcome(package.path, package.folder, kept.size, kept.marks, kept, later)
        looks.append(one)
    return Survey(started, old, stands, tuple(looks), outcomes, sources, later, reader, trace)


def _texts(reader: Reader) -> Sources:
    """Gives the text of a file of the workspace as it is now."""

    def text(path: str) -> Source:
        source, _ = decode(path, reader.read(path))
        if source is None:
            raise Unknown(f"`{path}` has no text")
        return source

    return text

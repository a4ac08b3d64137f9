"""One run over a workspace: what is as it was stays, what is not is made anew, and each decision has its reason.

The unit is the package. What is made of it depends on the bytes below its folder, on what the workspace gives to all
packages, on the options and on the compiler; only a `Trace` reads, so that what was compared is what is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from skillc import driver
from skillc.checks.renames import with_others
from skillc.checks.run import check_together
from skillc.control import Scope
from skillc.control.inline import workspace_directives
from skillc.diagnostic import Diagnostic, in_order
from skillc.engine.look import MADE, Look, look
from skillc.engine.outcome import Outcome, made_bytes, make, read_made, read_outcome, worker_digests
from skillc.engine.parallel import in_processes, processors
from skillc.engine.reasons import Reason
from skillc.engine.setting import Options, Setting, compiler_identity, compiler_rows, setting_of, watched_rows
from skillc.engine.state import Kept, Record, load, now
from skillc.engine.trace import Trace
from skillc.engine.wire import Sources, Unknown, remembered
from skillc.graph.brief import Overview
from skillc.model.workspace import build_frame, read_surroundings
from skillc.source.decode import decode
from skillc.source.discover import read_one, read_workspace
from skillc.source.document import WorkspaceFiles
from skillc.source.reader import DiskReader
from skillc.text import Source

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was done about one package: `fresh` (nothing of it was opened), `same` (read, and as it was) or `made`,
    with the reasons; `changed` are the workers that came out otherwise than before."""

    path: str
    did: str
    reasons: tuple[Reason, ...] = ()
    changed: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A workspace with what is known of its packages (`outcomes` by path), all findings in order, the bytes of the
    output of those that were made now, and what was decided about each. `kept` is to be saved when all is written."""

    workspace: WorkspaceFiles
    outcomes: Mapping[str, Outcome]
    found: tuple[Diagnostic, ...]
    files: Mapping[str, Mapping[str, bytes]]
    decisions: tuple[Decision, ...]
    kept: Kept
    scope: Scope


def run(
    root: str,
    options: Options,
    compiling: bool = True,
    only: frozenset[str] | None = None,
    progress: Progress | None = None,
    watched: Sequence[str] = (),
) -> Run:
    """Look at the workspace at `root` and make of it what is not known already. Writes nothing but its clock.

    `watched` are other files, absolute, there or not, that decide what is said of it: settings, a baseline.
    """
    started, old = now(root), load(root)
    compiler = compiler_rows(started)
    trace = Trace(DiskReader(root))
    files, found = read_workspace(trace, options.skills, frozenset(), options.profiles)
    given, said = read_surroundings(files)
    found += said
    identity = compiler_identity(old, compiler)
    setting = setting_of(options, files, given, identity)
    looked = [
        look(DiskReader(root), root, package, setting, old.records.get(package.path), compiling)
        for package in files.known
        if only is None or package.path in only
    ]
    sources = remembered(_texts(root))
    looked = [_believed(one, sources, setting, root) for one in looked]
    made = _made(setting, [one for one in looked if one.did == MADE], compiling, sources, progress)
    outcomes = {
        one.path: made[one.path].outcome if one.did == MADE else _outcome(one, sources) for one in looked
    }
    frame, said = build_frame(files, given, frozenset(outcomes))
    briefs = tuple(outcomes[path].brief for path in sorted(outcomes))
    view = Overview(briefs, frame.registry, frame.registry_source, frame.registry_broken, given.profiles)
    found += [*said, *(d for outcome in outcomes.values() for d in outcome.found), *check_together(view)]
    records = {one.path: _record(one, made, old, compiling, started) for one in looked}
    decisions = tuple(
        Decision(one.path, one.did, one.reasons, records[one.path].changed if one.did == MADE else None)
        for one in looked
    )
    untouched = {} if only is None else {p: r for p, r in old.records.items() if p not in records}
    around = {**compiler, **trace.rows(started), **watched_rows(watched, started)}
    kept = Kept((identity,), around, {**untouched, **records})
    output = {path: new.files for path, new in made.items()}
    concerned = tuple(d for d in in_order(found) if only is None or driver.concerns(d, options.skills, only))
    concerned = with_others(concerned, briefs, trace, options.skills)
    return Run(files, outcomes, concerned, output, decisions, kept, _scope(files, outcomes, only is None))


def _scope(files: WorkspaceFiles, outcomes: Mapping[str, Outcome], whole: bool) -> Scope:
    directives = dict(workspace_directives(files))
    for outcome in outcomes.values():
        directives.update(outcome.directives)
    own = [file.source.path for file in (files.registry, files.catalogue, files.profiles) if file]
    return Scope(
        files.skills,
        frozenset(outcome.folder for outcome in outcomes.values()),
        frozenset(own),
        dict(sorted(directives.items())),
        whole,
        frozenset(package.folder for package in files.known),
    )


def _texts(root: str) -> Sources:
    """Gives the text of a file of the workspace as it is now."""
    reader = DiskReader(root)

    def text(path: str) -> Source:
        source, _ = decode(path, reader.read(path))
        if source is None:
            raise Unknown(f"`{path}` has no text")
        return source

    return text


def _believed(one: Look, sources: Sources, setting: Setting, root: str) -> Look:
    """The look, or one that makes the package anew where what is kept of it cannot be read."""
    if one.record is None:
        return one
    try:
        _outcome(one, sources)
    except (Unknown, OSError):
        return look(DiskReader(root), root, one.package, setting, None, True)
    return one


def _outcome(one: Look, sources: Sources) -> Outcome:
    assert one.record is not None
    return read_outcome(one.record.outcome, sources)


@dataclass(frozen=True, slots=True)
class _New:
    """What was made of a package now: its outcome, that as bytes, and the files of its output."""

    outcome: Outcome
    data: bytes
    files: Mapping[str, bytes]


def _made(
    setting: Setting, todo: Sequence[Look], compiling: bool, sources: Sources, progress: Progress | None
) -> dict[str, _New]:
    """What is to be made, made, by path."""

    def work(one: Look) -> bytes:
        assert one.trace is not None
        files, form = read_one(one.trace, one.package)
        return made_bytes(make(files, form, setting, compiling))

    def told(done: int) -> None:
        if progress:
            progress(todo[done - 1].path, done, len(todo))

    found = {}
    for one, data in zip(todo, in_processes(work, todo, processors(), told), strict=True):
        outcome, files = read_made(data)
        seen = remembered(_captured(one, sources))
        found[one.path] = _New(read_outcome(outcome, seen), outcome, files)
    return found


def _captured(one: Look, sources: Sources) -> Sources:
    """The texts of the package as they were read, and those around it as they are for all."""
    read = one.trace.files if one.trace else {}

    def text(path: str) -> Source:
        data = read.get(path)
        source = decode(path, data)[0] if data is not None else None
        return source or sources(path)

    return text


def _record(one: Look, made: Mapping[str, _New], old: Kept, compiling: bool, started: int) -> Record:
    """What is to be kept of a package; what was written of it is not known yet."""
    if one.record is not None:
        rows = one.trace.rows(started, one.folder) if one.trace else one.record.seen
        return replace(one.record, seen=rows)
    assert one.trace is not None
    new, before = made[one.path], old.records.get(one.path)
    return Record(
        one.key,
        one.trace.rows(started, one.folder),
        {},
        one.inputs,
        new.data,
        one.reasons,
        _changed(before, new.outcome),
        compiling,
    )


def _changed(before: Record | None, outcome: Outcome) -> tuple[str, ...] | None:
    """The workers that came out otherwise than before, those that are gone included."""
    was = worker_digests(before.outcome) if before else None
    if was is None or outcome.workers is None:
        return None
    present = outcome.workers
    return tuple(sorted(id for id in {*was, *present} if was.get(id) != present.get(id)))

"""What is not known of packages, taken from the cache or made: in several processes where that pays, one ordered result."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import Any

from skillc.artifact.encoding import digest
from skillc.checks.run import all_rules
from skillc.driver import Progress
from skillc.engine.look import MADE, Look, deep_look
from skillc.engine.outcome import (
    Made,
    Outcome,
    changed_workers,
    make,
    read_brief,
    read_outcome,
)
from skillc.engine.parallel import in_processes
from skillc.engine.reasons import Reason
from skillc.engine.state import BUILT, Record, columns_of, head_of
from skillc.engine.survey import Survey
from skillc.engine.wire import Later, Sources, Unknown, remembered
from skillc.graph.brief import Brief
from skillc.processes import processors
from skillc.source.decode import decode
from skillc.source.discover import read_one
from skillc.store.cache import Cache
from skillc.store.log import Seen
from skillc.text import Source
from skillc.value import replace, value

_Plain = tuple[tuple[list[str], list[int], bytes], Mapping[str, bytes], tuple[Any, ...], tuple[Any, ...]]
"""What is new of a package, as one process can hand it to another: the rows of a log, the output, the reasons with
the workers that came out otherwise, and the rest of the record."""


@value
class New:
    """What is known of a package now that was not before: the record of it, its outcome, what others see of it, the files
    of its output, why it was made, and the workers that came out otherwise than before (None where there was no before)."""

    record: Record
    outcome: Outcome
    brief: Brief
    files: Mapping[str, bytes]
    reasons: tuple[Reason, ...]
    changed: tuple[str, ...] | None


def taken_from(cache: Cache, stands: Survey) -> dict[str, New]:
    """What is to be made and was made before, here or elsewhere, of the very same inputs; by path."""
    found: dict[str, New] = {}
    for one in stands.looks:
        kept = cache.get(one.key) if one.did == MADE else None
        if kept is None:
            continue
        made = Made(*kept)
        try:
            outcome, names = read_outcome(made, stands.later)
            # The cache proves that the bytes are what somebody put, not that they belong together.
            digests = {name: digest(data) for name, data in made.files.items()}
            if outcome.is_whole() and outcome.path == one.path and names == digests:
                made = replace(made, size=outcome.size, marks=outcome.marks)
                found[one.path] = _new(one, _plain(one, made, stands, True), stands)
        except (Unknown, OSError):
            continue
    return found


def make_all(
    stands: Survey, root: str, taken: Collection[str], compiling: bool, progress: Progress | None
) -> dict[str, New]:
    """What is to be made and was `taken` from nowhere, made; by path. What was not read yet is read by the process that
    makes it, so that no process holds the files of all packages."""
    todo = [one for one in stands.looks if one.did == MADE and one.path not in taken]

    def work(one: Look) -> _Plain:
        before = stands.old.records.get(one.path)
        if one.trace is None:
            one = deep_look(stands.disk, root, one.package, stands.setting, before, compiling)
        assert one.trace is not None
        files, form = read_one(one.trace, one.package)
        return _plain(one, make(files, form, stands.setting, compiling), stands, compiling)

    def kept(one: Look, plain: _Plain) -> New:
        new = _new(one, plain, stands)
        if not compiling:
            new.outcome.read()
        return new

    def told(done: int) -> None:
        if progress:
            progress(todo[done - 1].path, done, len(todo))

    if todo:
        all_rules()  # Loaded here, and not once in each process.
    made = in_processes(work, todo, processors(), kept, told)
    return {one.path: new for one, new in zip(todo, made, strict=True)}


def _plain(one: Look, made: Made, stands: Survey, compiling: bool) -> _Plain:
    """What is new of a package that was read. Its bytes are compared by their digests from here on."""
    assert one.trace is not None
    before = stands.old.records.get(one.path)
    built = before.whole().built if before else None
    changed = changed_workers(built.workers if built else None, made.outcome)
    rows = columns_of(one.trace.rows(stands.started, one.folder))
    reasons = tuple((reason.part, reason.name, reason.change) for reason in one.reasons)
    head = head_of(one.inputs, one.reasons, changed, None if made.marks & BUILT else built)
    return (
        (list(rows.names), list(rows.marks), rows.digests),
        made.files,
        (reasons, changed),
        (one.key, head, made.outcome, compiling, made.size, made.marks),
    )


def _new(one: Look, plain: _Plain, stands: Survey) -> New:
    rows, files, (reasons, changed), (key, *rest) = plain
    record = Record(key, stands.setting.digest, Seen(*rows), {}, *rest)
    outcome = Outcome(one.path, one.folder, record.size, record.marks, record, _as_read(record.seen, stands))
    brief = read_brief(record.outcome, stands.later)
    return New(record, outcome, brief, files, tuple(Reason(*reason) for reason in reasons), changed)


def _as_read(seen: Seen, stands: Survey) -> Sources:
    """The texts of a package as they were `seen`, for as long as they are the same, and those around it as they are for
    all; read when they are wanted."""

    def text(path: str) -> Source:
        if path not in seen.names:
            return stands.sources(path)
        data = stands.disk.read(path)
        known = seen.digest(seen.names.index(path))
        source = decode(path, data)[0] if sha256(data).digest() == known else None
        if source is None:
            raise Unknown(f"`{path}` is not what was read")
        return source

    return remembered(lambda path: Later(path, text))

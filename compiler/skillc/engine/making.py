"""What is not known of packages, taken from the cache or made: in several processes where that pays, one ordered result."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256

from skillc.artifact.codec import digest
from skillc.checks.run import all_rules
from skillc.driver import Progress
from skillc.engine.look import MADE, Look, deep_look
from skillc.engine.outcome import (
    Made,
    Outcome,
    make,
    read_brief,
    read_outcome,
)
from skillc.engine.parallel import in_processes
from skillc.engine.reasons import Inputs, Reason
from skillc.engine.state import Row
from skillc.engine.survey import Survey
from skillc.engine.wire import Later, Sources, Unknown, remembered
from skillc.processes import processors
from skillc.source.decode import decode
from skillc.source.discover import read_one
from skillc.store.cache import Cache
from skillc.text import Source
from skillc.value import replace, value

_Rows = Mapping[str, Row]
_Handed = tuple[
    tuple[bytes, Inputs, list[tuple[str, str, str]], _Rows | None],
    tuple[bytes, Mapping[str, bytes], int, int],
]
"""A look and what was made, as plain data, which one process can hand to another."""


@value
class New:
    """What is known of a package now that was not before. `look` has what it was made of, and its rows for a log."""

    look: Look
    outcome: Outcome
    made: Made

    @property
    def outcome_bytes(self) -> bytes:
        return self.made.outcome

    @property
    def files(self) -> dict[str, bytes]:
        return dict(self.made.files)


def taken_from(cache: Cache, stands: Survey) -> dict[str, New]:
    """What is to be made and was made before, here or elsewhere, of the very same inputs; by path."""
    found: dict[str, New] = {}
    for one in stands.looks:
        kept = cache.get(one.key) if one.did == MADE else None
        if kept is None:
            continue
        made, seen = Made(*kept), _seen(one, stands)
        try:
            outcome, names = read_outcome(made, _as_read(seen, stands))
            read_brief(made.outcome, stands.later)
            is_whole = outcome.is_whole()
        except (Unknown, OSError):
            continue
        # The cache proves that the bytes are what somebody put, not that they belong together.
        digests = {name: digest(data) for name, data in made.files.items()}
        if is_whole and outcome.path == one.path and names == digests:
            found[one.path] = New(seen, outcome, made)
    return found


def make_all(
    stands: Survey, root: str, taken: Collection[str], compiling: bool, progress: Progress | None
) -> dict[str, New]:
    """What is to be made and was `taken` from nowhere, made; by path. What was not read yet is read by the process that
    makes it, so that no process holds the files of all packages."""
    todo = [one for one in stands.looks if one.did == MADE and one.path not in taken]

    def work(one: Look) -> _Handed:
        read = one
        if one.trace is None:
            before = stands.old.records.get(one.path)
            read = deep_look(stands.disk, root, one.package, stands.setting, before, compiling)
        assert read.trace is not None
        files, form = read_one(read.trace, one.package)
        made, seen = make(files, form, stands.setting, compiling), _seen(read, stands)
        reasons = [(reason.part, reason.name, reason.change) for reason in seen.reasons]
        return (seen.key, seen.inputs, reasons, seen.seen), (made.outcome, made.files, made.size, made.marks)

    def told(done: int) -> None:
        if progress:
            progress(todo[done - 1].path, done, len(todo))

    if todo:
        all_rules()  # Loaded here, and not once in each process.
    found = {}
    results = in_processes(work, todo, processors(), told)
    for one, ((key, inputs, reasons, rows), parts) in zip(todo, results, strict=True):
        told_of = tuple(Reason(*reason) for reason in reasons)
        look, made = Look(one.package, one.did, inputs, key, told_of, seen=rows), Made(*parts)
        outcome = Outcome(one.path, one.folder, made.size, made.marks, made, _as_read(look, stands))
        found[one.path] = New(look, outcome, made)
    return found


def _seen(one: Look, stands: Survey) -> Look:
    """The look without the bytes that were read, which are compared by their digests from here on."""
    assert one.trace is not None
    return replace(one, trace=None, seen=one.trace.rows(stands.started, one.folder))


def _as_read(one: Look, stands: Survey) -> Sources:
    """The texts of a package as they were read, for as long as they are the same, and those around it as they are for
    all; read when they are wanted."""
    rows = one.seen or {}

    def text(path: str) -> Source:
        row = rows.get(path)
        if row is None:
            return stands.sources(path)
        data = stands.disk.read(path)
        source = decode(path, data)[0] if sha256(data).digest() == row[1] else None
        if source is None:
            raise Unknown(f"`{path}` is not what was read")
        return source

    return remembered(lambda path: Later(path, text))

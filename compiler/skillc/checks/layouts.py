"""The segment lists of a worker, and its patterns as one run sees them."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.graph import PatternIndex
from skillc.model.package import Segment, TagRef, Worker
from skillc.resemblance import Known
from skillc.tags import ROLE, Pattern, bind, covers

PERSONA = "worker.persona"


def layouts(worker: Worker) -> Iterator[tuple[Segment, ...]]:
    """Its contextSegments, then those of each variant, by name; nothing where it declares none."""
    if worker.segments is not None:
        yield worker.segments
    for name in sorted(worker.variants):
        yield worker.variants[name]


def as_bound(worker: Worker, pattern: Pattern) -> Pattern:
    """`pattern` as a run of the worker reads it: under role_pov `角色.*` is the role's own (SPEC 8.3)."""
    return bind(pattern, ROLE, True) if worker.isolation == "role_pov" else pattern


def shown_unread(worker: Worker) -> Iterator[tuple[Segment, TagRef]]:
    """What segments show and no input covers, each segment once; the persona is nobody's input."""
    read = {PERSONA, *(ref.text for ref in worker.inputs)}
    others = [
        segment
        for segments in layouts(worker)
        for segment in segments
        if any(ref.text not in read for ref in segment.tags)
    ]
    if not others:
        return
    inputs = PatternIndex(
        (pattern, pattern)
        for pattern in dict.fromkeys(as_bound(worker, ref.pattern) for ref in worker.inputs)
    )
    known = dict.fromkeys(read, True)
    for segment in dict.fromkeys(others):
        yield from ((segment, ref) for ref in segment.tags if not _is_read(worker, ref, inputs, known))


def _is_read(worker: Worker, ref: TagRef, inputs: PatternIndex[Pattern], read: dict[str, bool]) -> bool:
    """Whether an input covers what a segment shows; `read` remembers the answers."""
    if ref.text not in read:
        shown = as_bound(worker, ref.pattern)
        read[ref.text] = any(covers(pattern, shown) for pattern in inputs.overlapping(shown))
    return read[ref.text]


def inputs_meant(worker: Worker) -> Known:
    """The inputs that a segment's tag may have been meant for."""
    return Known(read.text for read in worker.inputs)


class Meant:
    """Which inputs the tags of a worker's segments were meant for; never one that the segment shows already."""

    def __init__(self, worker: Worker) -> None:
        self._inputs = [read.text for read in worker.inputs]
        self._known = inputs_meant(worker)

    def nearest(self, segment: Segment, ref: TagRef) -> str | None:
        near = self._known.nearest(ref.text)
        shown = {tag.text for tag in segment.tags}
        return (
            near
            if near not in shown
            else Known(tag for tag in self._inputs if tag not in shown).nearest(ref.text)
        )

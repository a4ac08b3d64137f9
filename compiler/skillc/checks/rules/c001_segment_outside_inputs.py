"""A segment that shows what the worker does not read."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.layouts import as_bound, layouts
from skillc.checks.rule import Rule
from skillc.checks.wording import nearest
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import Segment, TagRef, Worker
from skillc.tags import covers

PERSONA = "worker.persona"


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Each tag of a segment is covered by one of inputTags (SPEC 9.4); the persona is nobody's input."""
    for worker in graph.package.workers:
        if worker.inputs_missing or worker.broken:
            continue
        for segment, ref in _shown(worker):
            if ref.text != PERSONA and not _is_read(worker, ref):
                yield _outside(worker, segment, ref)


def _shown(worker: Worker) -> Iterator[tuple[Segment, TagRef]]:
    seen: set[Segment] = set()
    for segments in layouts(worker):
        for segment in segments:
            if segment not in seen:
                seen.add(segment)
                yield from ((segment, ref) for ref in segment.tags)


def _is_read(worker: Worker, ref: TagRef) -> bool:
    shown = as_bound(worker, ref.pattern)
    return any(covers(as_bound(worker, read.pattern), shown) for read in worker.inputs)


def _outside(worker: Worker, segment: Segment, ref: TagRef) -> Diagnostic:
    near = nearest(ref.text, (read.text for read in worker.inputs))
    hint = f"did you mean `{near}`? Else add" if near else "add"
    reads = [Label(read.span, "reads this") for read in worker.inputs if read.text == near]
    return finding(
        "segment-outside-inputs",
        ref.span,
        f"segment `{segment.id.value}` shows `{ref.text}`, which inputTags of `{worker.id}` do not cover",
        f"{hint} `{ref.text}` to inputTags, or take it out of the segment",
        reads,
    )


RULE = Rule("segment-outside-inputs", "A segment shows a tag that the worker does not read.", check)

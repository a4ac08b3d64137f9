"""A segment that shows what the worker does not read."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.layouts import near_input, shown_unread
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import Segment, TagRef, Worker


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Each tag of a segment is covered by one of inputTags (SPEC 9.4); the persona is nobody's input."""
    for worker in graph.package.workers:
        if worker.inputs_missing or worker.broken:
            continue
        for segment, ref in shown_unread(worker):
            yield _outside(worker, segment, ref)


def _outside(worker: Worker, segment: Segment, ref: TagRef) -> Diagnostic:
    near = near_input(worker, ref)
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

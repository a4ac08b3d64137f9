"""A segment that shows what the worker does not read."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.layouts import Meant, shown_unread
from skillc.checks.rule import Rule
from skillc.checks.slips import slips_of
from skillc.checks.uses import texts_of
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import Segment, TagRef, Worker
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Each tag of a segment is covered by one of inputTags (SPEC 9.4); the persona is nobody's input. Silent where
    the input that should cover it is mistyped, or looks like it: that is one cause, and has its finding."""
    slips = slips_of(graph)
    for worker in graph.package.workers:
        if worker.inputs_missing or worker.inputs_unread:
            continue
        texts = texts_of(graph)[worker.id]
        unread = () if texts.shows <= texts.reads else tuple(shown_unread(worker))
        if not unread:
            continue
        meant = Meant(worker)
        places = {read.text: read.span for read in reversed(worker.inputs)}
        told = slips.meant(worker, (ref.text for _, ref in unread))
        for segment, ref in unread:
            if ref.text not in told:
                near = meant.nearest(segment, ref)
                reads = [Label(places[near], say("reads this"))] if near else []
                yield _outside(worker, segment, ref, near, reads)


def _outside(
    worker: Worker, segment: Segment, ref: TagRef, near: str | None, reads: list[Label]
) -> Diagnostic:
    way_out = say("add `{tag}` to inputTags, or take it out of the segment", tag=ref.text)
    if near:
        way_out = say(
            "did you mean `{near}`? Else add `{tag}` to inputTags, or take it out of the segment",
            near=near,
            tag=ref.text,
        )
    return finding(
        "segment-outside-inputs",
        ref.span,
        say(
            "segment `{segment}` shows `{tag}`, which inputTags of `{worker}` do not cover",
            segment=segment.id.value,
            tag=ref.text,
            worker=worker.id,
        ),
        way_out,
        reads,
    )


RULE = Rule("segment-outside-inputs", "A segment shows a tag that the worker does not read.", check)

"""An input that is read and never shown."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.layouts import PERSONA, Meant, as_bound, layouts, shown_unread
from skillc.checks.rule import Rule
from skillc.checks.secrets import secrets_of
from skillc.checks.slips import Slips, slips_of
from skillc.checks.uses import shown as shown_in
from skillc.checks.uses import texts_of
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import PatternIndex, TagGraph
from skillc.graph.stability import before_history, is_replaced
from skillc.model.package import TagRef, Worker
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Only where a worker declares segments that could all be read. An input that a variant shows is shown; one of
    a worker whose segments the package's order replaces may be (SPEC 11.2); and an input that a mistyped tag of a
    segment is near has its finding there, as has one that is itself mistyped where a segment shows what it means; what a worker must not see has its own. What stands for
    a dialogue before it begins (SPEC 11.4) is shown then."""
    slips = slips_of(graph)
    for worker in graph.package.workers:
        if worker.segments and not worker.segments_broken and not is_replaced(graph, worker):
            yield from (_unshown(worker, ref) for ref in _in_no_segment(graph, worker, slips))


def _in_no_segment(graph: TagGraph, worker: Worker, slips: Slips) -> Iterator[TagRef]:
    texts = texts_of(graph)[worker.id]
    if texts.reads <= texts.shows:
        return
    shown = PatternIndex((as_bound(worker, ref.pattern), True) for ref in shown_in(worker))
    meant, unread = Meant(worker), tuple(shown_unread(worker))
    mistyped = {PERSONA, *(meant.nearest(segment, ref) for segment, ref in unread)}
    mistyped |= slips.slipped(worker, (ref.text for _, ref in unread)) if unread else set()
    stand_in = {ref.span for segments in layouts(worker) for ref in before_history(worker, segments)}
    for number, ref in enumerate(worker.inputs):
        if (
            ref.span not in stand_in
            and ref.text not in mistyped
            and not shown.overlapping(as_bound(worker, ref.pattern))
            and not secrets_of(graph, worker, number)
        ):
            yield ref


def _unshown(worker: Worker, ref: TagRef) -> Diagnostic:
    return finding(
        "input-in-no-segment",
        ref.span,
        say("`{worker}` reads `{tag}`, but none of its segments shows it", worker=worker.id, tag=ref.text),
        say("add it to the tags of a segment; what stands in no segment never reaches the model"),
    )


RULE = Rule("input-in-no-segment", "An input stands in no segment, so the model never sees it.", check)

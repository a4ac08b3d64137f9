"""A static segment behind a dynamic one."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from skillc.checks.layouts import layouts
from skillc.checks.orders import played
from skillc.checks.rule import Rule
from skillc.checks.wording import tier_span
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.graph.stability import is_replaced, rewrites
from skillc.model.package import Segment
from skillc.text import Span
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a worker, at the first static segment that stands behind a dynamic one (SPEC 9.2). Segments
    that an order replaces have no place in a context, and those that play rewrites are no static ones. Of an order:
    one finding a slot, at the first row that every turn brings anew before one that does not change."""
    yield from _orders(graph)
    rewritten: set[tuple[str, Span]] | None = None
    for worker in graph.package.workers:
        shown = () if is_replaced(graph, worker) else tuple(layouts(worker))
        pair = next((pair for segments in shown if (pair := _misplaced(segments))), None)
        if pair:
            if rewritten is None:
                rewritten = {(found.reader.id, found.segment.id.span) for found in rewrites(graph)}
            told = {span for reader, span in rewritten if reader == worker.id}
            pair = next((pair for segments in shown if (pair := _misplaced(segments, told))), None)
        if pair:
            dynamic, static = pair
            yield finding(
                "dynamic-before-static",
                tier_span(worker, static),
                say(
                    "static segment `{static}` of `{worker}` stands behind the dynamic `{dynamic}`, so it is never "
                    "part of a cached prefix",
                    static=static.id.value,
                    worker=worker.id,
                    dynamic=dynamic.id.value,
                ),
                say(
                    "move `{static}` in front of `{dynamic}`, or call it dynamic",
                    static=static.id.value,
                    dynamic=dynamic.id.value,
                ),
                [
                    Label(
                        tier_span(worker, dynamic),
                        say("`{dynamic}` may change with every run", dynamic=dynamic.id.value),
                    )
                ],
            )


def _misplaced(segments: tuple[Segment, ...], told: Collection[Span] = ()) -> tuple[Segment, Segment] | None:
    dynamic: Segment | None = None
    for segment in segments:
        if dynamic is not None and segment.tier == "static" and segment.id.span not in told:
            return dynamic, segment
        if dynamic is None and segment.tier == "dynamic":
            dynamic = segment
    return None


def _orders(graph: TagGraph) -> Iterator[Diagnostic]:
    for slot, _ in played(graph):
        from skillc.checks.order_tiers import early_row

        pair = None if slot.broken else early_row(graph, slot.inserts)
        if pair:
            early, behind = pair
            values = {"tag": early.pattern.text, "slot": slot.name.value, "static": behind.pattern.text}
            yield finding(
                "dynamic-before-static",
                early.ref.span,
                say(
                    "row `{tag}` of `{slot}` is another one in every turn, so `{static}` behind it is never part of a "
                    "cached prefix",
                    **values,
                ),
                say("move `{tag}` behind the rows that stay as they are, and behind the dialogue", **values),
                [Label(behind.ref.span, say("nothing in play changes `{static}`", **values))],
            )


RULE = Rule("dynamic-before-static", "A static segment stands behind a dynamic one.", check)

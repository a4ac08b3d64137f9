"""A static segment behind a dynamic one."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.layouts import layouts
from skillc.checks.rule import Rule
from skillc.checks.wording import tier_span
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.graph.stability import is_replaced
from skillc.model.package import Segment


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a worker, at the first static segment that stands behind a dynamic one (SPEC 9.2). Segments
    that an order replaces have no place in a context."""
    for worker in graph.package.workers:
        shown = () if is_replaced(graph, worker) else layouts(worker)
        pair = next((pair for segments in shown if (pair := _misplaced(segments))), None)
        if pair:
            dynamic, static = pair
            yield finding(
                "dynamic-before-static",
                tier_span(worker, static),
                f"static segment `{static.id.value}` of `{worker.id}` stands behind the dynamic `{dynamic.id.value}`, "
                "so it is never part of a cached prefix",
                f"move `{static.id.value}` in front of `{dynamic.id.value}`, or call it dynamic",
                [Label(tier_span(worker, dynamic), f"`{dynamic.id.value}` may change with every run")],
            )


def _misplaced(segments: tuple[Segment, ...]) -> tuple[Segment, Segment] | None:
    dynamic: Segment | None = None
    for segment in segments:
        if dynamic is not None and segment.tier == "static":
            return dynamic, segment
        if dynamic is None and segment.tier == "dynamic":
            dynamic = segment
    return None


RULE = Rule("dynamic-before-static", "A static segment stands behind a dynamic one.", check)

"""Rows of an order that still carry an anchor."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding an order, at the first anchor (SPEC 11.2)."""
    slots = graph.package.order.slots if graph.package.order else ()
    rows = [row for slot in slots for row in slot.inserts if row.anchor]
    keys = [row.anchor for row in rows if row.anchor]
    if keys:
        from skillc.checks.order_edits import without_anchors

        yield finding(
            "anchor",
            keys[0].span,
            say(
                "`{key}` is deprecated and ignored: where a row stands is its number alone",
                key=keys[0].span.text,
            ),
            say("remove it; a row before `对话.历史` has a smaller number than that one"),
            [Label(key.span, say("here, too")) for key in keys[1:]],
            without_anchors(rows),
        )


RULE = Rule("anchor", "A row of an order says where it stands by a deprecated anchor.", check)

"""A row of an order that shows what the worker does not read."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.layouts import inputs_meant
from skillc.checks.orders import outside, played
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Each tag of a slot once (SPEC 11.2); the persona is nobody's input."""
    for slot, worker in played(graph):
        rows = outside(graph, slot, worker)
        meant = inputs_meant(worker) if rows else None
        places = {ref.text: ref.span for ref in reversed(worker.inputs)}
        for row in rows:
            tag = row.pattern.text
            near = meant.nearest(tag) if meant else None
            help = (
                say(
                    "did you mean `{near}`? Else add `{tag}` to inputTags, or take the row out",
                    near=near,
                    tag=tag,
                )
                if near
                else say("add `{tag}` to inputTags, or take the row out", tag=tag)
            )
            yield finding(
                "order-outside-inputs",
                row.ref.span,
                say(
                    "the order shows `{tag}` to `{worker}`, whose inputTags do not cover it",
                    tag=tag,
                    worker=worker.id,
                ),
                help,
                [Label(places[near], say("reads this"))] if near else [],
            )


RULE = Rule("order-outside-inputs", "An order shows a tag that the worker does not read.", check)

"""A slot that a package turns on and nobody fills."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.orders import Names, turned_on
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.runtime.slots import slot_named
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Only slots that the package itself turns on, each once: what plays by default may come from the host."""
    on = turned_on(graph)
    if not on:
        return
    names = Names(graph)
    filled = (
        {slot.slot for slot in graph.package.order.slots if slot.worker in graph.workers}
        if graph.package.order
        else set()
    )
    for key, places in on.items():
        slot = slot_named(key)
        if slot is None or key in filled or names.worker_for(slot):
            continue
        yield finding(
            "slot-without-worker",
            places[0].span,
            say(
                "slot `{slot}` is on, but the package has no worker `{worker}` to fill it",
                slot=key,
                worker=slot.worker,
            ),
            say(
                "add workers/{worker}/SKILL.md, or turn the slot off with `{slot}: false`",
                worker=slot.worker,
                slot=key,
            ),
            [Label(place.span, say("turned on here, too")) for place in places[1:]],
        )


RULE = Rule("slot-without-worker", "A package turns a slot on that none of its workers fills.", check)

"""A slot that a package turns on and nobody fills."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from skillc.checks.orders import Names, turned_on
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.runtime.slots import Slot, slot_named
from skillc.text import Text
from skillc.wording import say

if TYPE_CHECKING:
    from skillc.model.order import OrderSlot


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Only slots that the package itself turns on, each once: what plays by default may come from the host."""
    on = turned_on(graph)
    slots = graph.package.order.slots if graph.package.order else ()
    if not on and not slots:
        return
    names = Names(graph)
    yield from _nobody(slots, names)
    given = {slot.slot: slot for slot in slots if slot.gives}
    moved = {slot.worker: slot for slot in slots if slot.gives}
    for key, places in on.items():
        slot = slot_named(key)
        if slot is None or key in given:
            continue
        if slot.worker in moved:
            yield _moved(places, slot, moved[slot.worker])
        elif not names.worker_for(slot):
            yield _unfilled(places, slot)


def _nobody(slots: Iterable[OrderSlot], names: Names) -> Iterator[Diagnostic]:
    """Slots that are given to a worker of the format which the package does not have; unknown-slot tells of others."""
    for slot in slots:
        if slot.gives and names.has(slot.worker) and not names.has_worker(slot.worker):
            yield finding(
                "slot-without-worker",
                slot.name.span,
                say(
                    "the slot `{slot}` is given to `{worker}`, but the package has no such worker",
                    slot=slot.slot,
                    worker=slot.worker,
                ),
                say("add workers/{worker}/SKILL.md, or name another worker", worker=slot.worker),
            )


def _moved(places: list[Text], slot: Slot, other: OrderSlot) -> Diagnostic:
    return finding(
        "slot-without-worker",
        places[0].span,
        say(
            "slot `{slot}` is on, but its worker `{worker}` fills the slot `{other}`",
            slot=slot.key,
            worker=slot.worker,
            other=other.slot,
        ),
        say("give the slot to another worker, or turn it off with `{slot}: false`", slot=slot.key),
        [Label(other.name.span, say("given here"))],
    )


def _unfilled(places: list[Text], slot: Slot) -> Diagnostic:
    return finding(
        "slot-without-worker",
        places[0].span,
        say(
            "slot `{slot}` is on, but the package has no worker `{worker}` to fill it",
            slot=slot.key,
            worker=slot.worker,
        ),
        say(
            "add workers/{worker}/SKILL.md, or turn the slot off with `{slot}: false`",
            worker=slot.worker,
            slot=slot.key,
        ),
        [Label(place.span, say("turned on here, too")) for place in places[1:]],
    )


RULE = Rule("slot-without-worker", "A package turns a slot on that none of its workers fills.", check)

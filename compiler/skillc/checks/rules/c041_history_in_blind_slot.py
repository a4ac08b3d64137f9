"""The dialogue, given to a slot that has none by default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skillc.checks.orders import outside, played, shows_history
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.model.package import Worker
from skillc.runtime.slots import slot_named
from skillc.wording import Said, say

if TYPE_CHECKING:
    from skillc.model.order import OrderSlot


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One note a slot (SPEC 11.1). Silent where the worker does not read the dialogue: that is the finding."""
    for slot, worker in played(graph):
        reason = _reason(slot, worker)
        row = next(filter(shows_history, slot.inserts), None)
        if reason and row and all(row.ref.value != other.ref.value for other in outside(graph, slot, worker)):
            yield finding(
                "history-in-blind-slot",
                row.ref.span,
                reason,
                say("nothing to do if that is meant; else take the row out"),
            )


def _reason(slot: OrderSlot, worker: Worker) -> Said | None:
    fixed = slot_named(slot.slot or "")
    if worker.isolation == "blind_review":
        return say("the order gives the dialogue to `{worker}`, which reviews blind", worker=worker.id)
    if fixed and not fixed.history:
        return say(
            "the order gives the dialogue to `{worker}`; slot `{slot}` gets none by default",
            worker=worker.id,
            slot=fixed.key,
        )
    return None


RULE = Rule("history-in-blind-slot", "An order gives the dialogue to a slot that has none by default.", check)

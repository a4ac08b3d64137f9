"""Who fills the slots of a package, and which of them play (SPEC 11.1). Normal forms in."""

from __future__ import annotations

from skillc.runtime.slots import SLOTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from skillc.artifact.plan import Plan


def fillers(plan: Plan, order: Mapping[str, Any]) -> dict[str, str]:
    """Who fills each slot, in turn order: whom the order says, else whom the package says, else the format's own
    worker; slots whose worker the package does not have are left out."""
    said = {slot.key: slot.worker for slot in plan.play.slots} if plan.play else {}
    said.update({entry["id"]: entry["ref"] for entry in order["slots"] if "id" in entry})
    found = {slot.key: said.get(slot.key, slot.worker) for slot in SLOTS}
    return {key: worker for key, worker in found.items() if worker in plan.workers}


def defaults(plan: Plan) -> dict[str, bool]:
    """Which slots play where an order does not say: as the package has it, else as the format has it."""
    own = {slot.key: slot.on for slot in plan.play.slots} if plan.play else {}
    return {**{slot.key: slot.on for slot in SLOTS}, **own}


def unfilled(plan: Plan, order: Mapping[str, Any]) -> list[str]:
    """The slots that `order` turns on, by a switch or by rows for a slot that plays by default, and whose worker
    the package does not have."""
    filled = fillers(plan, order)
    on = dict(order["play_slots"])
    rows = {entry["ref"] for entry in order["slots"] if entry["inserts"]}
    for slot in SLOTS:
        if slot.on and slot.worker in rows:
            on.setdefault(slot.key, True)
    return [slot.key for slot in SLOTS if on.get(slot.key) and slot.key not in filled]

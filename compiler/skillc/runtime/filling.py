"""Who fills the slots of a package, and which of them play (SPEC 11.1). Normal forms in."""

from __future__ import annotations

from skillc.runtime.slots import SLOTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from skillc.artifact.plan import Plan


def fillers(plan: Plan, order: Mapping[str, Any]) -> dict[str, str]:
    """Who fills each slot, in turn order: whom the order gives it, else whom the package says, else the format's own
    worker. A worker fills one slot: where it is given another, its own has nobody. Slots whose worker the package
    does not have are left out."""
    found = given(order)
    said = {slot.key: slot.worker for slot in plan.play.slots} if plan.play else {}
    for fallback in (said, {slot.key: slot.worker for slot in SLOTS}):
        for key, worker in fallback.items():
            if key not in found and worker not in found.values():
                found[key] = worker
    return {slot.key: found[slot.key] for slot in SLOTS if found.get(slot.key) in plan.workers}


def given(order: Mapping[str, Any]) -> dict[str, str]:
    """The slots that the entries of an order in normal form give to workers."""
    return {entry["id"]: entry["ref"] for entry in order["slots"] if "id" in entry}


def defaults(plan: Plan) -> dict[str, bool]:
    """Which slots play where an order does not say: as the package has it, else as the format has it."""
    own = {slot.key: slot.on for slot in plan.play.slots} if plan.play else {}
    return {**{slot.key: slot.on for slot in SLOTS}, **own}


def unfilled(plan: Plan, order: Mapping[str, Any]) -> list[str]:
    """The slots that `order` turns on, by a switch or by rows for a slot that plays by default, and whose worker
    the package does not have."""
    filled = fillers(plan, order)
    on = dict(order["play_slots"])
    own = {slot.worker: slot.key for slot in SLOTS if slot.on}
    for entry in order["slots"]:
        if (
            entry["inserts"]
            and entry["ref"] in own
            and entry["ref"] not in (*given(order).values(), *filled.values())
        ):
            on.setdefault(own[entry["ref"]], True)
    return [slot.key for slot in SLOTS if on.get(slot.key) and slot.key not in filled]

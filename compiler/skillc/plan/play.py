"""The play turn of a package: who fills its slots, and what each shows, compiled ahead (SPEC 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillc.artifact.plan import Plan, Play, PlaySlot
from skillc.model.package import Package
from skillc.runtime.slots import SLOTS, slot_named
from skillc.runtime.tagnames import ORDER, WORKER_SET
from skillc.tags import literal, overlaps

if TYPE_CHECKING:
    from skillc.runtime.slotplan import SlotPlan


def with_play(plan: Plan, package: Package) -> Plan:
    """`plan` with its play turn, where the package plays with slots: its manifest has `playSlots`, it has an order,
    one of its workers writes one, or it has the worker of every slot that plays by default.

    The runtime compiles the same order with the same functions, so that both get the same segments.
    """
    from skillc.runtime.order import normal_order

    order = _order(plan, package)
    if order is None and not _plays(plan, package):
        return plan
    from skillc.runtime.slotplan import play_of

    made = play_of(plan, order or normal_order({}), "package", _switches(package, order))
    if not any(slot_named(slot.key) for slot in made):
        return plan
    return plan.but(play=_play(made, order))


def _play(made: tuple[SlotPlan, ...], order: dict[str, Any] | None) -> Play:
    return Play(
        slots=tuple(
            PlaySlot(key=slot.key, worker=slot.worker, on=slot.on) for slot in made if slot_named(slot.key)
        ),
        order=order,
        origin="declared" if order is None else "package",
        segments={slot.worker: slot.segments for slot in made},
    )


def _plays(plan: Plan, package: Package) -> bool:
    manifest = package.manifest
    written = [pattern for worker in plan.workers.values() for pattern in worker.outputs]
    return (
        bool(manifest and manifest.play_slots)
        or all(slot.worker in plan.workers for slot in SLOTS if slot.on)
        or any(overlaps(pattern, literal(tag)) for tag in (WORKER_SET, ORDER) for pattern in written)
    )


def _switches(package: Package, order: dict[str, Any] | None) -> dict[str, bool]:
    """What the manifest says of slots of which the order says nothing."""
    said = package.manifest.play_slots if package.manifest else {}
    own = order["play_slots"] if order else {}
    named = {slot.key: on for name, on in said.items() if (slot := slot_named(name))}
    return {key: on for key, on in named.items() if key not in own}


def _order(plan: Plan, package: Package) -> dict[str, Any] | None:
    """The package's order in normal form, without what is for a template: that is no worker of the plan yet."""
    from skillc.runtime.order import normal_order

    if package.order is None or package.order.root is None:
        return None
    from skillc.model.embedded import plain

    data = plain(package.order.root)
    order = normal_order(data if isinstance(data, dict) else {})
    known = {*plan.workers, *(slot.worker for slot in SLOTS)}
    return {**order, "slots": [entry for entry in order["slots"] if entry["ref"] in known]}

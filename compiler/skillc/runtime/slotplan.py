"""Which segments each slot of a play turn shows: the order in force, compiled (SPEC 11). No compiler needed.

A plan carries the slot plans of its package ready made. An order that somebody wrote in mid-session is compiled
here, by the same functions, and remembered by (package plan, order document).
"""

from __future__ import annotations

from skillc.runtime.boardorder import applying
from skillc.runtime.filling import defaults, fillers
from skillc.runtime.layout import declared, shown
from skillc.runtime.order import normal_order
from skillc.runtime.orderfault import OrderFault, OrderRefused, order_faults
from skillc.runtime.refusal import AssemblyRefused
from skillc.runtime.slots import slot_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from skillc.artifact.plan import Plan, SegmentPlan
    from skillc.runtime.board import Board

REMEMBERED = 64
"""Compiled orders that are kept; the oldest goes first."""

__all__ = ["OrderFault", "OrderRefused", "SlotPlan", "compile_order", "slot_plans"]


class SlotPlan:
    """What one slot shows.

    `key` is the slot's (a worker's id for a worker that an order has rows for and that is no slot: it runs on
    demand), `worker` fills it, `on`: whether it plays in every turn. `origin` says where the segments are from:
    `worker-set` (the order in 设计.worker集), `order` (设计.上下文投影排序, or an order handed over), `package`
    (the package's file), `declared` (the worker's own segments or inputs).
    """

    __slots__ = ("key", "on", "origin", "segments", "worker")

    def __init__(
        self, key: str, worker: str, on: bool, segments: tuple[SegmentPlan, ...], origin: str
    ) -> None:
        self.key = key
        self.worker = worker
        self.on = on
        self.segments = segments
        self.origin = origin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SlotPlan):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"SlotPlan({self.key!r}, {self.worker!r}, on={self.on}, origin={self.origin!r})"


_known: dict[tuple[str, str], tuple[SlotPlan, ...]] = {}


def slot_plans(plan: Plan, board: Board | None = None) -> tuple[SlotPlan, ...]:
    """The slots that somebody of `plan` fills, in turn order, then workers that only an order has rows for.

    Which order applies (SPEC 11.5): the one inside 设计.worker集 on `board`, else 设计.上下文投影排序, else the
    package's, else what the workers declare. Switches of 设计.worker规格 and 设计.worker集 count on top of it.
    Refuses (OrderRefused, with every fault) an order on the board that cannot be followed.
    """
    found = applying(board)
    said = found.reading if found else None
    key = (plan.fingerprint, said.digest if said else "")
    if key not in _known:
        if len(_known) >= REMEMBERED:
            del _known[next(iter(_known))]
        _known[key] = _compiled(plan, said.order, said.origin, said.switches) if said else _own(plan)
    return _known[key]


def compile_order(
    plan: Plan, order: Mapping[str, Any]
) -> tuple[tuple[SlotPlan, ...], tuple[OrderFault, ...]]:
    """The slot plans of `order`, in either form under any names of its keys; or all its faults and no plans.

    A worker without rows shows what it declares. What comes out depends on `plan` and `order` alone.
    """
    faults = order_faults(plan, order)
    return ((), tuple(faults)) if faults else (play_of(plan, normal_order(order), "order"), ())


def slot_plan(plan: Plan, slot: str, board: Board | None = None) -> SlotPlan:
    """The plan of the slot that `slot` names: its key, its worker or a Chinese name of it.

    Refuses (AssemblyRefused) a slot that there is none of, naming those that there are.
    """
    fixed = slot_named(slot)
    wanted = fixed.key if fixed else slot.strip()
    plans = slot_plans(plan, board)
    found = next(
        (made for made in plans if wanted == made.key or (not fixed and wanted == made.worker)), None
    )
    if found is None:
        names = ", ".join(f"`{made.key}`" for made in plans) or "none"
        raise AssemblyRefused(f"`{plan.package.path}` has nobody for the slot `{slot}`; it has {names}")
    return found


def synthesised_order(plan: Plan) -> dict[str, Any]:
    """The order, in normal form, that says what the workers of the slots declare: their segments, else their inputs.

    The dialogue stands in it only for slots that get it by default (gm, perspective) and read it. An order has no
    policies and no constant text: a row tells of the policy that it leaves out in its note.
    """
    from skillc.runtime.synthesis import declared_rows

    made = slot_plans(plan)
    entries = [
        {"ref": slot.worker, **_id(slot), "inserts": rows}
        for slot in made
        if slot_named(slot.key) and (rows := declared_rows(plan, plan.workers[slot.worker], slot.key))
    ]
    switches = {slot.key: slot.on for slot in made if slot_named(slot.key)}
    return normal_order({"play_slots": switches, "slots": entries})


def _id(slot: SlotPlan) -> dict[str, str]:
    fixed = slot_named(slot.key)
    return {"id": slot.key} if fixed and fixed.worker != slot.worker else {}


def play_of(
    plan: Plan, order: Mapping[str, Any], origin: str, switches: Mapping[str, bool] | None = None
) -> tuple[SlotPlan, ...]:
    """The slot plans of an order in normal form that has no faults; `switches` count on top of its own."""
    entries = {entry["ref"]: entry for entry in order["slots"]}
    on = {**defaults(plan), **order["play_slots"], **(switches or {})}
    made: list[SlotPlan] = []
    for key, worker in fillers(plan, order).items():
        rows = entries.get(worker, {}).get("inserts")
        made.append(_slot(plan, key, worker, on[key], rows, origin))
    filled = {slot.worker for slot in made}
    for worker, entry in entries.items():
        if worker in plan.workers and worker not in filled and entry["inserts"]:
            made.append(_slot(plan, worker, worker, False, entry["inserts"], origin))
    return tuple(made)


def _compiled(
    plan: Plan, order: Mapping[str, Any] | None, origin: str, switches: Mapping[str, bool]
) -> tuple[SlotPlan, ...]:
    """Of an order on the board, or of the package's own under other switches."""
    if order is None:
        own = plan.play.order if plan.play else None
        made = normal_order(own or {})
        return play_of(plan, made, "package", switches)
    faults = order_faults(plan, order)
    if faults:
        raise OrderRefused(faults, origin)
    return play_of(plan, normal_order(order), origin, switches)


def _own(plan: Plan) -> tuple[SlotPlan, ...]:
    """What the package itself says: as the plan carries it, else from the declarations."""
    if plan.play is None:
        return play_of(plan, normal_order({}), "declared")
    rows = {entry["ref"] for entry in (plan.play.order or {}).get("slots", ()) if entry["inserts"]}
    slots = [SlotPlan(s.key, s.worker, s.on, plan.play.segments[s.worker], "") for s in plan.play.slots]
    filled = {slot.worker for slot in slots}
    for worker, segments in plan.play.segments.items():
        if worker not in filled:
            slots.append(SlotPlan(worker, worker, False, segments, ""))
    for slot in slots:
        slot.origin = plan.play.origin if slot.worker in rows else "declared"
    return tuple(slots)


def _slot(
    plan: Plan, key: str, worker: str, on: bool, rows: list[dict[str, Any]] | None, origin: str
) -> SlotPlan:
    if rows:
        return SlotPlan(key, worker, on, shown(plan, rows), origin)
    return SlotPlan(key, worker, on, declared(plan, plan.workers[worker], key), "declared")

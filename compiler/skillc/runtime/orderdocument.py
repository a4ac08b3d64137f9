"""The order of a session as a host edits it: what applies now, what it becomes, under which tag it is written.

    POST /api/sessions/:id/context-order  {"op": "move", "slot": "gm", "index": 3, "to": 1}

is `post_context_order(plan, board, request)`; the host then writes `content` under `tag`.
"""

from __future__ import annotations

from skillc.artifact.encoding import canonical
from skillc.runtime.boardorder import CONTEXT_ORDER, applying
from skillc.runtime.filling import fillers
from skillc.runtime.jsontext import tree_in
from skillc.runtime.order import TOP, normal_order, renamed
from skillc.runtime.orderedit import edited
from skillc.runtime.orderfault import OrderFault, OrderRefused, order_faults
from skillc.runtime.slotplan import slot_plans, synthesised_order
from skillc.runtime.tagnames import ORDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from skillc.artifact.plan import Plan
    from skillc.runtime.board import Board
    from skillc.runtime.loading import RunnablePlan
    from skillc.runtime.slotplan import SlotPlan


def order_in_force(plan: Plan, board: Board | None = None) -> tuple[dict[str, Any], str]:
    """The order that applies (SPEC 11.5) in normal form, as written and not checked, and its origin."""
    found = applying(board)
    if found is not None and isinstance(found.reading.order, dict):
        return normal_order(found.reading.order), found.reading.origin
    if plan.play is not None and plan.play.order is not None:
        return normal_order(plan.play.order), "package"
    return synthesised_order(plan), "declared"


def post_context_order(plan: Plan, board: Board, request: object) -> dict[str, Any]:
    """The answer to an edit of the order in force on `board`, which is not changed.

    `{"ok": true, "order", "tag", "content"}`: the new normal form, and what to write under which tag so that it
    applies from now on: inside 设计.worker集 where the order is in it, else 设计.上下文投影排序. Else `{"ok": false,
    "error", "faults"}`: an edit that cannot be made, or whose outcome the plan's workers do not read.
    """
    found = applying(board)
    item = found.item if found is not None else None
    order, _ = order_in_force(plan, board)
    try:
        new = edited(order, request)
        faults = order_faults(plan, new)
        if faults:
            raise OrderRefused(faults)
    except OrderRefused as refused:
        return {"ok": False, "error": str(refused), "faults": [_said(fault) for fault in refused.faults]}
    document, tag = new, ORDER
    if found is not None and item is not None:
        before, tag = tree_in(item.content), item.tag
        document = with_order(before, new) if found.reading.origin == "worker-set" else _in_shell(before, new)
    return {"ok": True, "order": new, "tag": tag, "content": canonical(document).decode()}


def _in_shell(before: object, order: dict[str, Any]) -> dict[str, Any]:
    """`order` alone, or as the body of the fragment that it was in."""
    if not isinstance(before, dict) or {"slots", "agents"} & renamed(before, TOP).keys():
        return order
    return {**before, "正文": order} if isinstance(before.get("正文"), dict) else order


def _said(fault: OrderFault) -> dict[str, Any]:
    return {"kind": fault.kind, "slot": fault.slot, "index": fault.index, "text": fault.text}


def worker_set(plan: Plan, order: Mapping[str, Any], into: object = None) -> dict[str, Any]:
    """The document for 设计.worker集: `into` (a document of it so far, or nothing) with the switches of every slot
    that somebody fills, and with `order` in normal form.

    Refuses (OrderRefused) an order that `plan` cannot follow.
    """
    faults = order_faults(plan, dict(order))
    if faults:
        raise OrderRefused(faults)
    normal = normal_order(order)
    filled = fillers(plan, normal)
    on = {slot.key: slot.on for slot in slot_plans(plan) if slot.key in filled}
    return with_order(into, {**normal, "play_slots": {**on, **normal["play_slots"]}})


def with_order(into: object, order: Mapping[str, Any]) -> dict[str, Any]:
    """The document `into` with `play_slots` and `context_order`: of a fragment in its body, else at its top.
    The rest of it stays."""
    document: dict[str, Any] = dict(into) if isinstance(into, dict) else {}
    body = document.get("正文")
    if isinstance(body, dict) and not document.keys() & set(CONTEXT_ORDER):
        return {**document, "正文": _placed(body, order)}
    return _placed(document, order)


def _placed(holder: Mapping[str, Any], order: Mapping[str, Any]) -> dict[str, Any]:
    others = {name for name, own in TOP.items() if own == "play_slots"} | set(CONTEXT_ORDER)
    kept = {key: value for key, value in holder.items() if key not in others}
    return {**kept, "play_slots": dict(order["play_slots"]), "context_order": dict(order)}


def with_segments(plan: RunnablePlan, slot: SlotPlan) -> RunnablePlan:
    """`plan`, in which the worker of `slot` has the slot's segments as its own: to ask what they would show."""
    changed = plan.workers[slot.worker].but(segments=slot.segments, variant=None)
    return plan.but(workers={**plan.workers, slot.worker: changed})

"""Edits of a projection order (SPEC 11.3): pure functions, an order in, its new normal form out.

What is asked of a slot, a row or a projection that there is not is refused (OrderRefused), and the order that was
handed over stays as it is. Rows are named by their number in the normal form, slots by any of their names.
"""

from __future__ import annotations

from skillc.runtime.order import (
    HISTORY,
    PERSONA,
    PROJECTIONS,
    is_history,
    is_worker,
    normal_order,
    normal_rows,
    projection_named,
    renamed,
)
from skillc.runtime.order import ROW as ROW_NAMES
from skillc.runtime.orderfault import OrderFault, OrderRefused, row_faults
from skillc.runtime.slots import slot_named, worker_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Order = dict[str, Any]
    Rows = list[dict[str, Any]]

OPERATIONS = ("move", "set_projection", "set_anchor", "replace")
SIDES = {"before": "before", "after": "after", "史前": "before", "史后": "after"}


def move(order: Mapping[str, Any], slot: str, index: int, to: int) -> Order:
    """Row `index` of `slot` at place `to`; nothing comes before the persona.

    >>> rows = [{"ref": "设计.实现机制"}, {"ref": "用户.最新输入"}]
    >>> moved = move({"slots": [{"ref": "gm", "inserts": rows}]}, "gm", 1, 0)
    >>> [row["ref"] for row in moved["slots"][0]["inserts"]]
    ['用户.最新输入', '设计.实现机制']
    """
    new, rows = _rows_of(order, slot)
    row = _row(rows, slot, index)
    _row(rows, slot, to)
    if row["ref"] == PERSONA and to != index:
        raise _refused("order-not-normal", f"`{PERSONA}` comes first, wherever it is moved", slot, index)
    rows.insert(to, rows.pop(index))
    return _with(new, slot, rows)


def set_projection(order: Mapping[str, Any], slot: str, index: int, projection: str) -> Order:
    """Row `index` of `slot` under `projection`: full, summary, fields or fixed, or a Chinese name of one."""
    new, rows = _rows_of(order, slot)
    row = _row(rows, slot, index)
    meant = projection_named(projection) if isinstance(projection, str) else None
    if meant is None:
        there = ", ".join(PROJECTIONS)
        text = f"there is no projection `{projection}`; there are {there}"
        raise _refused("unknown-projection", text, slot, index)
    row["projection"] = meant
    return _with(new, slot, rows)


def set_anchor(order: Mapping[str, Any], slot: str, index: int, side: str) -> Order:
    """Row `index` of `slot` before or after the row of the dialogue, next to it; a row that stands on that side stays.

    Where there is no such row one is inserted beside the row, so that no other row moves.
    """
    new, rows = _rows_of(order, slot)
    row = _row(rows, slot, index)
    wanted = SIDES.get(side) if isinstance(side, str) else None
    if wanted is None:
        raise _refused(
            "field-type", f"a row stands `before` or `after` `{HISTORY}`, not `{side}`", slot, index
        )
    if is_history(row["ref"]):
        raise _refused("field-type", f"row {index} of `{slot}` is `{HISTORY}` itself", slot, index)
    if row["ref"] == PERSONA and wanted == "after":
        raise _refused("order-not-normal", f"`{PERSONA}` comes first, before `{HISTORY}`", slot, index)
    at = next((place for place, other in enumerate(rows) if is_history(other["ref"])), None)
    if at is None:
        rows.insert(index + (wanted == "before"), {"ref": HISTORY, "projection": "summary"})
    elif (index < at) != (wanted == "before"):
        rows.pop(index)
        rows.insert(at, row)
    return _with(new, slot, rows)


def replace(order: Mapping[str, Any], slot: str, inserts: Sequence[Mapping[str, Any]]) -> Order:
    """`inserts` in place of the rows of `slot`; a fixed slot of which the order says nothing yet gets them.

    Refuses rows that cannot be read, with every fault, and no rows at all.
    """
    if not isinstance(inserts, list | tuple) or not inserts:
        raise _refused("missing-field", f"say which rows `{slot}` shows: a list, at least one", slot)
    faults = [fault for index, row in enumerate(inserts) for fault in row_faults(slot, index, row)]
    if faults:
        raise OrderRefused(faults)
    new = normal_order(order)
    if _find(new, slot) is None:
        fixed = slot_named(slot) if isinstance(slot, str) else None
        if fixed is None or any(entry["ref"] == fixed.worker for entry in new["slots"]):
            raise _no_slot(new, slot)
        new["slots"].append({"ref": fixed.worker, "inserts": []})
    return _with(new, slot, normal_rows([renamed(row, ROW_NAMES) for row in inserts]))


def edit(order: Mapping[str, Any], request: object) -> dict[str, Any]:
    """The answer to a request of a host: `{"ok": true, "order": …}`, else `{"ok": false, "error": …}`.

    `request` is `{"op": "move", "slot", "index", "to"}`, `{"op": "set_projection", "slot", "index", "projection"}`,
    `{"op": "set_anchor", "slot", "index", "anchor": "before" | "after"}` or `{"op": "replace", "slot", "inserts"}`;
    the slot may stand under `ref` as well.
    """
    try:
        return {"ok": True, "order": edited(order, request)}
    except OrderRefused as refused:
        return {"ok": False, "error": str(refused)}


def edited(order: Mapping[str, Any], request: object) -> Order:
    """The order that `edit` answers with; refuses (OrderRefused) what it answers with an error."""
    if not isinstance(request, dict):
        raise _refused("field-type", "a request is an object with `op`, `slot` and what the edit needs")
    op, slot = request.get("op"), request.get("slot", request.get("ref"))
    if op not in OPERATIONS:
        raise _refused("field-type", f"there is no edit `{op}`; there are {', '.join(OPERATIONS)}")
    if not isinstance(slot, str) or not slot.strip():
        raise _refused("missing-field", "a request says under `slot` which slot it is for")
    if op == "replace":
        return replace(order, slot, _needed(request, op, "inserts"))
    index = _needed(request, op, "index")
    if op == "move":
        return move(order, slot, index, _needed(request, op, "to"))
    if op == "set_projection":
        return set_projection(order, slot, index, _needed(request, op, "projection"))
    return set_anchor(order, slot, index, _needed(request, op, "anchor"))


def _needed(request: Mapping[str, Any], op: str, key: str) -> Any:
    if request.get(key) is None:
        raise _refused("missing-field", f"`{op}` needs `{key}`")
    return request[key]


def _rows_of(order: Mapping[str, Any], slot: str) -> tuple[Order, Rows]:
    """The normal form of `order`, which shares nothing with it, and the rows of `slot` in it."""
    new = normal_order(order)
    entry = _find(new, slot)
    if entry is None or not entry["inserts"]:
        raise _no_slot(new, slot)
    return new, entry["inserts"]


def _find(order: Order, slot: str) -> dict[str, Any] | None:
    if not isinstance(slot, str):
        return None
    fixed, worker = slot_named(slot), worker_named(slot)
    own = (entry for entry in order["slots"] if fixed and entry.get("id") == fixed.key)
    named = (entry for entry in order["slots"] if entry["ref"] in (worker, slot.strip()))
    found = next(own, None) or next(named, None)
    if found is not None and fixed and not is_worker(slot) and found.get("id", fixed.key) != fixed.key:
        return None  # Its worker fills another slot, and what is asked for is the slot.
    return found


def _row(rows: Rows, slot: str, index: int) -> dict[str, Any]:
    if type(index) is not int or not 0 <= index < len(rows):
        text = f"`{slot}` has no row {index}; its rows are 0 to {len(rows) - 1}"
        raise _refused("field-type", text, slot, index if type(index) is int else None)
    return rows[index]


def _with(new: Order, slot: str, rows: Rows) -> Order:
    """`new` with `rows` of `slot` as they stand, numbered again, the persona first."""
    entry = _find(new, slot)
    assert entry is not None
    entry["inserts"] = normal_rows([{**row, "order": at} for at, row in enumerate(rows)])
    return new


def _no_slot(order: Order, slot: object) -> OrderRefused:
    names = ", ".join(f"`{entry['ref']}`" for entry in order["slots"] if entry["inserts"])
    if names:
        text = f"the order has no rows for a slot `{slot}`; it has them for {names}"
    else:
        text = f"the order has no rows for a slot `{slot}`, nor for any other"
    return _refused("unknown-slot", text, str(slot))


def _refused(kind: str, text: str, slot: str | None = None, index: int | None = None) -> OrderRefused:
    return OrderRefused([OrderFault(kind, text, slot, index)])

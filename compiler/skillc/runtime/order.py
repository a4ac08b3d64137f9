"""A projection order as its author or a model writes it -> its normal form (SPEC 11.2). Plain data in and out.

The compiler reads an order with places and asks here what its words mean and in which order its rows stand;
a host that gets one in mid-session normalises the whole of it.
"""

from __future__ import annotations

from skillc.runtime.slots import slot_named, worker_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from skillc.runtime.slots import Slot

SCHEMA = "context-order.v1"
PERSONA = "worker.persona"
HISTORY = "对话.历史"
PROJECTIONS = ("full", "summary", "fields", "fixed")

TOP = {
    "playSlots": "play_slots",
    "启用槽": "play_slots",
    "概要": "brief",
    "槽": "slots",
    "槽位": "slots",
    "执行单元": "agents",
}
ENTRY = {
    "槽": "ref",
    "槽位": "ref",
    "worker": "ref",
    "启用": "enabled",
    "何时": "when",
    "条件": "when",
    "插入": "inserts",
    "投影序": "inserts",
    "名称": "label",
    "备注": "note",
}
ROW = {
    "序": "order",
    "顺序": "order",
    "标签": "ref",
    "源": "ref",
    "标签/源": "ref",
    "tag": "ref",
    "投影": "projection",
    "标题": "label",
    "备注": "note",
    "说明": "note",
    "锚点": "anchor",
}
"""Other names of the keys: of the whole order, of a slot in it, of a row of a slot."""
PROJECTION = {
    "全文": "full",
    "完整": "full",
    "摘要": "summary",
    "概要": "summary",
    "字段": "fields",
    "固定": "fixed",
}
"""Chinese names of the projections."""


def projection_named(word: str) -> str | None:
    """The projection that `word` means, or None.

    >>> projection_named("摘要"), projection_named("full"), projection_named("brief")
    ('summary', 'full', None)
    """
    return word if word in PROJECTIONS else PROJECTION.get(word.strip())


def is_history(ref: str) -> bool:
    return ref == HISTORY


def normal_positions(rows: Sequence[tuple[float | None, str]]) -> list[int]:
    """Which of the `rows` (number, ref) stand in the normal form, in its order.

    By number, ties and rows without a number in written order, the latter last; the persona before all;
    of several history rows the first.

    >>> normal_positions([(5, "对话.历史"), (1, "设计.实现机制"), (9, "worker.persona"), (7, "对话.历史")])
    [2, 1, 0]
    """
    last = max((number for number, _ in rows if number is not None), default=0)

    def place(at: int) -> tuple[bool, float]:
        number, ref = rows[at]
        return ref != PERSONA, last + 1 if number is None else number

    found = sorted(range(len(rows)), key=place)
    history = [at for at in found if is_history(rows[at][1])]
    return [at for at in found if at not in history[1:]]


def normal_order(data: Mapping[str, Any]) -> dict[str, Any]:
    """The order in its normal form: `slots` by the worker that each is for, rows numbered 0..n, no aliases.

    Both forms are read, `slots` and the author's `agents`; of two entries for one worker the first that has
    rows counts, and the first that gives it a slot. What is no mapping or names nothing is left out: a row that is unreadable is no row.
    """
    top = renamed(data, TOP)
    entries = [renamed(entry, ENTRY) for key in ("slots", "agents") for entry in _rows(top.get(key))]
    slots: dict[str, dict[str, Any]] = {}
    enabled = {}
    for key, value in _mapping(top.get("play_slots")).items():
        slot = slot_named(key)
        if slot:
            enabled[slot.key] = truth(value)
    for entry in entries:
        if named(entry) is not None:
            _enter(entry, slots, enabled)
    normal: dict[str, Any] = {"schema": SCHEMA}
    if isinstance(top.get("brief"), str):
        normal["brief"] = top["brief"]
    return {**normal, "play_slots": enabled, "slots": list(slots.values())}


def named(entry: Mapping[str, Any]) -> str | None:
    """What an entry under the format's own keys calls itself: its `ref`, else its `id`."""
    name = entry.get("ref") or entry.get("id")
    return name if isinstance(name, str) and name.strip() else None


class Meant:
    """Whom an entry is for: the `worker`, and the `slot` (None: no fixed one). `gives`: it names a worker in `ref`
    and a slot in `id`, and so gives that slot to that worker."""

    __slots__ = ("gives", "slot", "worker")

    def __init__(self, worker: str, slot: Slot | None, gives: bool) -> None:
        self.worker = worker
        self.slot = slot
        self.gives = gives


def meant(ref: object, id: object) -> Meant:
    """Whom an entry with this `ref` and this `id` means; at least one of them is a text.

    >>> one, other = meant("auditor", "narrator"), meant("gm", "gm")
    >>> (one.worker, one.slot, one.gives), (other.worker, other.slot, other.gives)
    (('auditor', Slot('narrator'), True), ('world-simulator', Slot('gm'), False))
    """
    slot = slot_named(id) if isinstance(id, str) else None
    if not isinstance(ref, str) or not ref.strip():
        return Meant(worker_named(str(id)), slot, False)
    gives = slot is not None and is_worker(ref)
    return Meant(worker_named(ref), slot or slot_named(ref), gives)


def is_worker(name: str) -> bool:
    """Whether `name` is a worker's, and not only that of a slot as `gm` and `主世界层` are."""
    slot = slot_named(name)
    return slot is None or name.strip() == slot.worker


def _enter(entry: dict[str, Any], slots: dict[str, dict[str, Any]], enabled: dict[str, bool]) -> None:
    whom = meant(entry.get("ref"), entry.get("id"))
    if whom.slot and "enabled" in entry:
        enabled.setdefault(whom.slot.key, truth(entry["enabled"]))
    before = slots.get(whom.worker, {})
    id = {"id": whom.slot.key} if whom.slot and whom.gives and "id" not in before else {}
    rows = normal_rows([renamed(row, ROW) for row in _rows(entry.get("inserts"))])
    if rows and not before.get("inserts"):
        kept = {key: entry[key] for key in ("label", "when", "note") if isinstance(entry.get(key), str)}
        slots[whom.worker] = {**_whose(before, whom.worker, id), **kept, "inserts": rows}
    elif id:
        rest = {key: value for key, value in before.items() if key != "ref"} or {"inserts": []}
        slots[whom.worker] = {**_whose(before, whom.worker, id), **rest}


def _whose(before: Mapping[str, Any], worker: str, id: Mapping[str, str]) -> dict[str, Any]:
    known = {"id": before["id"]} if "id" in before else {}
    return {"ref": worker, **known, **id}


def normal_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows under the format's own keys in normal form; `anchor` is dropped, an unknown projection too."""
    named = [row for row in rows if isinstance(row.get("ref"), str) and row["ref"].strip()]
    found: list[dict[str, Any]] = []
    for at in normal_positions([(number(row.get("order")), row["ref"].strip()) for row in named]):
        row = named[at]
        projection = row.get("projection")
        known = projection_named(projection) if isinstance(projection, str) else None
        kept = {key: row[key] for key in ("note", "label") if isinstance(row.get(key), str)}
        shown = {"projection": known} if known else {}
        found.append({"order": len(found), "ref": row["ref"].strip(), **shown, **kept})
    return found


def renamed(data: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """`data` under the format's own keys; where a key stands under two names, its own counts."""
    found = {names[key]: value for key, value in data.items() if key in names}
    return {**found, **{key: value for key, value in data.items() if key not in names}}


def number(value: object) -> float | None:
    """The number that a value is, as a number or as text; None for all else.

    >>> number("3"), number(0), number(True), number("x")
    (3.0, 0.0, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if abs(found) < 1e18 else None


def truth(value: object) -> bool:
    """Whether a value says yes; a text that YAML reads as `false` says no."""
    return value is True or (
        isinstance(value, str) and value.strip().lower() in ("true", "yes", "on", "是", "开")
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _rows(value: object) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list | tuple) else []

"""What keeps an order from being followed: every fault of it, each in one sentence (SPEC 11.2, 11.3).

The kinds are the slugs of the findings that a compiler makes of the same fault in a file.
"""

from __future__ import annotations

from skillc.runtime.filling import fillers, given, unfilled
from skillc.runtime.order import (
    ENTRY,
    PERSONA,
    PROJECTIONS,
    ROW,
    SCHEMA,
    TOP,
    Meant,
    is_worker,
    meant,
    named,
    normal_order,
    number,
    projection_named,
    renamed,
)
from skillc.runtime.reference import read_ref
from skillc.runtime.refusal import AssemblyRefused
from skillc.runtime.slots import ON_DEMAND, SLOTS, slot_named
from skillc.tags import ROLE, bind, covers, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from skillc.artifact.plan import Plan, WorkerPlan
    from skillc.tags import Pattern

_SWITCHES = ("true", "false", "yes", "no", "on", "off", "是", "否", "开", "关")


class OrderFault:
    """`kind` is a slug of findings; `slot` as the order names it and `index` of the row in its list as written,
    where there are such; `ref` what the row names; `text` one sentence."""

    __slots__ = ("index", "kind", "ref", "slot", "text")

    def __init__(
        self, kind: str, text: str, slot: str | None = None, index: int | None = None, ref: str | None = None
    ) -> None:
        self.kind = kind
        self.text = text
        self.slot = slot
        self.index = index
        self.ref = ref

    def __repr__(self) -> str:
        return f"OrderFault({self.kind!r}, {self.text!r})"


class OrderRefused(AssemblyRefused):
    """An order that is not followed, or an edit that is not made, as a whole; `faults` are all that is wrong.
    `origin` tells where the order was found (see SlotPlan)."""

    def __init__(self, faults: Sequence[OrderFault], origin: str = "") -> None:
        self.faults = tuple(faults)
        said = "; ".join(fault.text for fault in faults)
        super().__init__(f"{_NAMES[origin]} is refused: {said}" if origin in _NAMES else said)


_NAMES = {
    "worker-set": "the order in `设计.worker集`",
    "order": "the order `设计.上下文投影排序`",
    "package": "the package's order",
}


def order_faults(plan: Plan | None, order: object) -> list[OrderFault]:
    """All faults of `order`, from top to bottom, then slots that it turns on and nobody fills.

    Unknown keys and rows without a number are none: a model that writes more than it must is understood. Without
    a plan the faults of its form: all for which the workers need not be known.
    """
    if not isinstance(order, dict):
        return [OrderFault("field-type", "an order is a mapping with `slots` or `agents`")]
    top = renamed(order, TOP)
    found = [*_shape(top), *_switches(top)]
    said = _Said()
    for key in ("slots", "agents"):
        for entry in _list(top.get(key)):
            found += _entry(plan, entry, said)
    normal = normal_order(order)
    filled = fillers(plan, normal) if plan else given(normal)
    found += [fault for whom, name in said.rows if (fault := _elsewhere(whom, name, filled))]
    if plan is not None:
        found += _unfilled(plan, normal, filled)
    return found


class _Said:
    """What the entries of an order said so far: `rows` of whom, under which name; which worker fills a slot."""

    __slots__ = ("places", "rows", "workers")

    def __init__(self) -> None:
        self.rows: list[tuple[Meant, str]] = []
        self.workers: dict[str, str] = {}
        self.places: dict[str, str] = {}

    def gives(self, whom: Meant) -> str | None:
        """Note that a slot is given to a worker; what is wrong with that."""
        if whom.slot is None or not whom.gives:
            return None
        key, worker = whom.slot.key, whom.worker
        other, place = self.workers.setdefault(key, worker), self.places.setdefault(worker, key)
        if other != worker:
            return f"the slot `{key}` is given to two workers, `{other}` and `{worker}`"
        if place != key:
            return f"`{worker}` is given two slots, `{place}` and `{key}`; a worker fills one"
        return None


def _shape(top: Mapping[str, Any]) -> Iterator[OrderFault]:
    schema = top.get("schema")
    if schema is not None and schema != SCHEMA:
        yield OrderFault("field-type", f"its schema is `{schema}`, not `{SCHEMA}`")
    for key in ("slots", "agents"):
        if not isinstance(top.get(key), list | tuple | None):
            yield OrderFault("field-type", f"its `{key}` is no list")
    if not top.keys() & {"slots", "agents", "play_slots"}:
        yield OrderFault(
            "missing-field", "it has neither `slots` nor `agents` nor `play_slots`, so it says nothing"
        )
    if not isinstance(top.get("play_slots"), dict | None):
        yield OrderFault("field-type", "its `play_slots` is no mapping of slots to true or false")


def _switches(top: Mapping[str, Any]) -> Iterator[OrderFault]:
    switches = top.get("play_slots")
    for name, on in switches.items() if isinstance(switches, dict) else ():
        if slot_named(str(name)) is None and name not in ON_DEMAND:
            yield OrderFault("unknown-slot", f"there is no slot `{name}`; the slots are {_keys()}", str(name))
        elif not _is_switch(on):
            yield OrderFault("field-type", f"`play_slots` says `{on}` of `{name}`, not true or false", name)


def _entry(plan: Plan | None, value: object, said: _Said) -> Iterator[OrderFault]:
    if not isinstance(value, dict):
        yield OrderFault("field-type", "a slot of it is no mapping")
        return
    entry = renamed(value, ENTRY)
    name = named(entry)
    if name is None:
        yield OrderFault("missing-field", "a slot of it does not say which one it is")
        return
    whom = meant(entry.get("ref"), entry.get("id"))
    worker, known = whom.worker, slot_named(name)
    if plan and worker not in plan.workers and known is None and worker not in ON_DEMAND:
        yield OrderFault(
            "unknown-slot",
            f"there is no slot and no worker `{name}`; the slots are {_keys()}, the workers {_names(plan.workers)}",
            name,
        )
    if known and whom.slot and known is not whom.slot and not whom.gives:
        text = f"`ref` names the slot `{name}` and `id` the slot `{entry['id']}`; `ref` is the worker that fills it"
        yield OrderFault("unknown-slot", text, name)
    if wrong := said.gives(whom):
        yield OrderFault("duplicate-key", wrong, name)
    if "enabled" in entry and not _is_switch(entry["enabled"]):
        yield OrderFault(
            "field-type", f"`enabled` of `{name}` is `{entry['enabled']}`, not true or false", name
        )
    if not isinstance(entry.get("inserts"), list | tuple | None):
        yield OrderFault("field-type", f"the rows of `{name}` are no list", name)
        return
    inserts = _list(entry.get("inserts"))
    if inserts and any(other.worker == worker for other, _ in said.rows):
        yield OrderFault("duplicate-key", f"the rows of `{name}` stand twice", name)
    elif inserts:
        said.rows.append((whom, name))
    for index, row in enumerate(inserts):
        yield from row_faults(name, index, row, plan, plan.workers.get(worker) if plan else None)


def row_faults(
    slot: str, index: int, row: object, plan: Plan | None = None, worker: WorkerPlan | None = None
) -> Iterator[OrderFault]:
    """The faults of one row of `slot`; with a worker of a plan, a ref that its inputs do not cover is one."""
    where = f"row {index} of `{slot}`"
    if not isinstance(row, dict):
        yield OrderFault("field-type", f"{where} is no mapping", slot, index)
        return
    fields = renamed(row, ROW)
    ref = fields.get("ref")
    if not isinstance(ref, str) or not ref.strip():
        yield OrderFault("missing-field", f"{where} does not say what it shows (`ref`)", slot, index)
        return
    ref = ref.strip()
    pattern, wrong = read_ref(ref)
    if pattern is None:
        yield OrderFault("bad-tag", f"{where} shows `{ref}`, which is no tag: {wrong}", slot, index, ref)
    elif plan and worker and ref != PERSONA and not is_read(plan, worker, pattern):
        text = f"{where} shows `{ref}`, which the inputTags of `{worker.id}` do not cover"
        yield OrderFault("order-outside-inputs", text, slot, index, ref)
    projection = fields.get("projection")
    if projection is not None and not (isinstance(projection, str) and projection_named(projection)):
        text = f"{where} (`{ref}`) has projection `{projection}`; there are {', '.join(PROJECTIONS)}"
        yield OrderFault("unknown-projection", text, slot, index, ref)
    if fields.get("order") is not None and number(fields["order"]) is None:
        text = f"{where} (`{ref}`) has `{fields['order']}` as its number"
        yield OrderFault("field-type", text, slot, index, ref)


def is_read(plan: Plan, worker: WorkerPlan, pattern: Pattern) -> bool:
    """Whether the inputs of `worker` cover `pattern` in every run; old names count as the new ones."""
    wanted = _as_read(plan, worker, pattern)
    return any(covers(_as_read(plan, worker, i.pattern), wanted) for i in worker.inputs)


def _as_read(plan: Plan, worker: WorkerPlan, pattern: Pattern) -> Pattern:
    new = plan.moved.get(pattern.text) if pattern.is_tag else None
    now = literal(new) if new else pattern
    return bind(now, ROLE, True) if worker.isolation == "role_pov" else now


def _elsewhere(whom: Meant, name: str, filled: Mapping[str, str]) -> OrderFault | None:
    """Rows under the name of a slot that somebody else fills, while its own worker fills none: nobody would show them."""
    own = whom.slot if not whom.gives and slot_named(name) is whom.slot else None
    other = filled.get(own.key) if own else None
    if other in (None, whom.worker) or (is_worker(name) and whom.worker in filled.values()):
        return None
    text = (
        f"the rows of `{name}` are for `{whom.worker}`, but `{other}` fills that slot: write `ref: {other}`"
    )
    return OrderFault("unknown-slot", text, name)


def _unfilled(plan: Plan, order: Mapping[str, Any], filled: Mapping[str, str]) -> Iterator[OrderFault]:
    """Of an order in normal form. A worker that is no slot's own is an unknown one, which its entry tells."""
    told = given(order)
    for key, worker in told.items():
        if worker not in plan.workers and (worker in ON_DEMAND or slot_named(worker)):
            text = f"the slot `{key}` is given to `{worker}`, and there is no such worker"
            yield OrderFault("slot-without-worker", text, key)
    workers = {slot.key: slot.worker for slot in SLOTS}
    for key in unfilled(plan, order):
        own = workers[key]
        if key in told:
            continue
        place = next((other for other, worker in filled.items() if worker == own), None)
        text = (
            f"slot `{key}` is on, but its worker `{own}` fills the slot `{place}`"
            if place
            else f"slot `{key}` is on, but there is no worker `{own}` to fill it"
        )
        yield OrderFault("slot-without-worker", text, key)


def _is_switch(value: object) -> bool:
    return isinstance(value, bool) or (isinstance(value, str) and value.strip().lower() in _SWITCHES)


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _keys() -> str:
    return _names([slot.key for slot in SLOTS])


def _names(names: Mapping[str, object] | Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)

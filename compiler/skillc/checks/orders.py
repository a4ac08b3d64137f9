"""Slots and orders of a package: which names it may use, which slots it turns on, what each shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skillc.checks.layouts import PERSONA, as_bound
from skillc.checks.staff import known_ids
from skillc.graph import PatternIndex, TagGraph, under_new_name
from skillc.model.package import Worker
from skillc.resemblance import Known
from skillc.runtime.slots import ON_DEMAND, SLOTS, Slot, slot_named
from skillc.source.node import Mapping, Scalar
from skillc.tags import WHOLE, covers, literal, overlaps
from skillc.text import Text

if TYPE_CHECKING:
    from skillc.model.order import Insert, OrderSlot

HISTORY = literal("对话.历史")


class Names:
    """What may fill or name a slot: the slots themselves, workers, templates, and what missing-worker speaks of."""

    def __init__(self, graph: TagGraph) -> None:
        self._workers = known_ids(graph)
        self._known = {*self._workers, *ON_DEMAND}
        slots = [name for slot in SLOTS for name in (slot.key, slot.worker, slot.name)]
        self._near = Known([*slots, *sorted(self._known)], 0.7)

    def has(self, name: str) -> bool:
        return slot_named(name) is not None or name in self._known

    def nearest(self, name: str) -> str | None:
        return self._near.nearest(name)

    def has_worker(self, name: str) -> bool:
        """Whether there is a worker of that id, or another finding says that it is missing."""
        return name in self._workers

    def worker_for(self, slot: Slot) -> bool:
        """Whether somebody fills a slot, or another finding says that nobody does."""
        return slot.worker in self._known


def manifest_switches(graph: TagGraph) -> Iterator[tuple[Text, bool]]:
    """The slots that the manifest turns on or off, as written."""
    manifest = graph.package.manifest
    front = manifest.document.front if manifest else None
    node = front.get("playSlots") if front else None
    for key, value in node if isinstance(node, Mapping) else ():
        if isinstance(value, Scalar) and value.value in ("true", "false"):
            yield key, value.value == "true"


def _switches(graph: TagGraph) -> Iterator[tuple[str, Text, bool]]:
    """All places where the package turns a slot on or off, by the slot's key: manifest, order, its entries."""
    order = graph.package.order
    for name, on in (*manifest_switches(graph), *(order.switches if order else ())):
        slot = slot_named(name.value)
        if slot:
            yield slot.key, name, on
    for entry in order.slots if order else ():
        if entry.slot and entry.enabled is not None:
            yield entry.slot, entry.name, entry.enabled


def turned_on(graph: TagGraph) -> dict[str, list[Text]]:
    """The slots that the package itself turns on, with all places; rows for a slot that plays by default turn it
    on unless somebody turns it off."""
    places: dict[str, list[Text]] = {}
    off = turned_off(graph)
    for key, name, on in _switches(graph):
        if on:
            places.setdefault(key, []).append(name)
    for entry in graph.package.order.slots if graph.package.order else ():
        slot = slot_named(entry.slot or "")
        if slot and slot.on and entry.inserts and entry.enabled is None and slot.key not in off:
            places.setdefault(slot.key, []).append(entry.name)
    return places


def turned_off(graph: TagGraph) -> frozenset[str]:
    """The slots that somebody turns off and nobody on."""
    said: dict[str, bool] = {}
    for key, _, on in _switches(graph):
        said[key] = said.get(key, False) or on
    return frozenset(key for key, on in said.items() if not on)


def played(graph: TagGraph) -> Iterator[tuple[OrderSlot, Worker]]:
    """The slots of the order with the workers that they are for, as far as there are any."""
    for slot in graph.package.order.slots if graph.package.order else ():
        worker = graph.workers.get(slot.worker)
        if worker is not None:
            yield slot, worker


def outside(graph: TagGraph, slot: OrderSlot, worker: Worker) -> list[Insert]:
    """The rows that show what the worker does not read, each tag once; old names count as the new ones."""
    if worker.broken or worker.inputs_missing:
        return []
    reads = [as_bound(worker, under_new_name(ref.pattern, graph.names)) for ref in worker.inputs]
    index = PatternIndex((pattern, pattern) for pattern in dict.fromkeys(reads))
    found: dict[str, Insert] = {}
    for insert in slot.inserts:
        shown = as_bound(worker, under_new_name(insert.pattern, graph.names))
        is_read = any(covers(pattern, shown) for pattern in index.overlapping(shown))
        if insert.pattern.text != PERSONA and not is_read:
            found.setdefault(insert.pattern.text, insert)
    return list(found.values())


def shows_history(insert: Insert) -> bool:
    """Whether a row gives the dialogue; under `fixed` nothing of it is shown (SPEC 10.4)."""
    named = insert.pattern.parts[0] != WHOLE and overlaps(insert.pattern, HISTORY)
    return named and insert.projection != "fixed"

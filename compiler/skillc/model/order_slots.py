"""Who fills which slot by an order: what cannot be followed, with its place (SPEC 11.1, 11.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from skillc.diagnostic import Diagnostic, Label, finding
from skillc.runtime.order import is_worker
from skillc.runtime.slots import slot_named
from skillc.text import Text
from skillc.wording import say

if TYPE_CHECKING:
    from skillc.model.order import OrderSlot


def conflicts(slots: Sequence[OrderSlot]) -> Iterator[Diagnostic]:
    """What the entries of an order say against each other: rows of one worker twice (only the first count), a slot for
    two workers or a worker for two slots, rows for a slot that the order gives to somebody else (duplicate-key); an
    entry that names two slots (unknown-slot)."""
    yield from _repeated(slots)
    yield from _given_twice([slot for slot in slots if slot.gives])
    yield from _two_names(slots)
    yield from _nobodys(slots)


def _repeated(slots: Iterable[OrderSlot]) -> Iterator[Diagnostic]:
    first: dict[str, OrderSlot] = {}
    for slot in slots:
        before = first.setdefault(slot.worker, slot) if slot.inserts else slot
        if before is not slot:
            yield finding(
                "duplicate-key",
                slot.name.span,
                say(
                    "the rows of `{name}` stand in line {line} already",
                    name=slot.name.value,
                    line=_line(before.name),
                ),
                say("keep one of the two"),
                [Label(before.name.span, say("the first ones"))],
            )


def _given_twice(slots: Iterable[OrderSlot]) -> Iterator[Diagnostic]:
    workers: dict[str | None, OrderSlot] = {}
    places: dict[str, OrderSlot] = {}
    for slot in slots:
        other = workers.setdefault(slot.slot, slot)
        before = places.setdefault(slot.worker, slot)
        if other.worker != slot.worker:
            message = say(
                "the slot `{slot}` is given to `{worker}` in line {line} already",
                slot=slot.slot,
                worker=other.worker,
                line=_line(other.name),
            )
            yield _doubled(slot, other, message, say("a slot has one worker: keep one of the two"))
        elif before.slot != slot.slot:
            message = say(
                "`{worker}` is given the slot `{slot}` in line {line} already",
                worker=slot.worker,
                slot=before.slot,
                line=_line(before.name),
            )
            yield _doubled(slot, before, message, say("a worker fills one slot: keep one of the two"))


def _doubled(slot: OrderSlot, before: OrderSlot, message: str, help: str) -> Diagnostic:
    label = Label(before.name.span, say("given here"))
    return finding("duplicate-key", slot.name.span, message, help, [label])


def _two_names(slots: Iterable[OrderSlot]) -> Iterator[Diagnostic]:
    for slot in slots:
        named = slot_named(slot.name.value)
        if named and slot.id and not slot.gives and slot.slot != named.key:
            yield finding(
                "unknown-slot",
                slot.name.span,
                say("`{name}` is a slot, and `id` names another one", name=slot.name.value),
                say("write the worker that fills the slot `{slot}` as `ref`", slot=slot.slot),
                [Label(slot.id.span, say("the other one"))],
            )


def _nobodys(slots: Sequence[OrderSlot]) -> Iterator[Diagnostic]:
    given = {slot.slot: slot for slot in slots if slot.gives}
    filling = {slot.worker for slot in given.values()}
    for slot in slots:
        other = given.get(slot.slot) if slot.inserts and not slot.gives else None
        lost = not is_worker(slot.name.value) or slot.worker not in filling
        if lost and other and other.worker != slot.worker and slot_named(slot.name.value):
            yield finding(
                "duplicate-key",
                slot.name.span,
                say(
                    "the rows of `{name}` are for `{own}`, but `{worker}` fills that slot",
                    name=slot.name.value,
                    own=slot.worker,
                    worker=other.worker,
                ),
                say("write `ref: {worker}`", worker=other.worker),
                [Label(other.name.span, say("given here"))],
            )


def _line(name: Text) -> int:
    return name.span.position[0]

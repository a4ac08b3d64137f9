"""A slot that the format does not have."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.orders import Names, manifest_switches
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.runtime.slots import ON_DEMAND, SLOTS, slot_named
from skillc.text import Text
from skillc.wording import say, series


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Switches and boards name slots; an order may name any worker of the package, too (SPEC 11.1, 11.2)."""
    written, ordered = list(_slots(graph)), graph.package.order.slots if graph.package.order else ()
    if not written and not ordered:
        return
    names = Names(graph)
    for text in written:
        if slot_named(text.value) is None and text.value not in ON_DEMAND:
            yield _unknown(text, names, say("the slots are {slots}", slots=_all()))
    for slot in ordered:
        if not names.has(slot.worker):
            yield _unknown(
                slot.name, names, say("name a worker of the package, or one of {slots}", slots=_all())
            )


def _slots(graph: TagGraph) -> Iterator[Text]:
    yield from (name for name, _ in manifest_switches(graph))
    yield from (name for name, _ in graph.package.order.switches) if graph.package.order else ()
    yield from (case.slot for case in graph.package.boards if case.slot)


def _all() -> str:
    return series(f"`{slot.key}`" for slot in SLOTS)


def _unknown(text: Text, names: Names, help: str) -> Diagnostic:
    near = names.nearest(text.value)
    message = (
        say("there is no slot `{name}`; did you mean `{near}`?", name=text.value, near=near)
        if near
        else say("there is no slot `{name}`", name=text.value)
    )
    return finding("unknown-slot", text.span, message, help)


RULE = Rule("unknown-slot", "A slot is named that the format does not have.", check)

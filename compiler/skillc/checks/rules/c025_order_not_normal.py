"""Rows of an order whose numbers do not say what they look like."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile
from typing import TYPE_CHECKING

from skillc.checks.layouts import PERSONA
from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.runtime.order import is_history, normal_positions, number
from skillc.text import Text
from skillc.wording import Said, say

if TYPE_CHECKING:
    from skillc.model.order import Insert

Slip = tuple[Text, Said, Text | None]
"""The place of the first slip, what it is, and the other end."""


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a slot, at its first slip (SPEC 11.2). Rows without any number stand as they are written."""
    for slot in graph.package.order.slots if graph.package.order else ():
        rows = slot.inserts
        slip = None if slot.broken else _slip(rows)
        if slip:
            from skillc.checks.order_edits import normal_form

            place, why, other = slip
            positions = _positions(rows)
            yield finding(
                "order-not-normal",
                place.span,
                say("the rows of `{slot}` are not in normal form: {why}", slot=slot.name.value, why=why),
                say(
                    "number them 0, 1, 2 … in this order: {tags}",
                    tags=listed((rows[at].pattern.text for at in positions), 20),
                ),
                [Label(other.span, say("the other one"))] if other else [],
                normal_form(rows, positions),
            )


def _positions(rows: tuple[Insert, ...]) -> list[int]:
    return normal_positions([(number(_written(row)), row.pattern.text) for row in rows])


def _written(row: Insert) -> str | None:
    return row.number.value if row.number else None


def _slip(rows: tuple[Insert, ...]) -> Slip | None:
    """The first reason why the rows, read from top to bottom, are not what a runtime makes of them."""
    numbered = [row.number for row in rows if row.number]
    return (
        _second_history(rows)
        or _late_persona(rows)
        or (_unnumbered(rows) if numbered else None)
        or _tie(numbered)
        or _gap(numbered)
    )


def _second_history(rows: tuple[Insert, ...]) -> Slip | None:
    history = [row.ref for row in rows if is_history(row.pattern.text)]
    if len(history) < 2:
        return None
    return (
        history[1],
        say("`{tag}` stands among them twice, and one of them is shown", tag=history[1].value),
        history[0],
    )


def _late_persona(rows: tuple[Insert, ...]) -> Slip | None:
    numbers = (number(_written(row)) for row in rows)
    by_number = sorted(
        enumerate(numbers), key=lambda pair: (pair[1] is None, 0 if pair[1] is None else pair[1], pair[0])
    )
    shown = [rows[at] for at, _ in by_number]
    others = dropwhile(lambda row: row.pattern.text == PERSONA, shown)
    late = next((row for row in others if row.pattern.text == PERSONA), None)
    return (late.ref, say("`{tag}` comes first, whatever its number", tag=PERSONA), None) if late else None


def _unnumbered(rows: tuple[Insert, ...]) -> Slip | None:
    missing = next((row for row in rows if row.number is None), None)
    return (missing.ref, say("`{tag}` has no number", tag=missing.ref.value), None) if missing else None


def _tie(numbered: list[Text]) -> Slip | None:
    first: dict[float | None, Text] = {}
    for text in numbered:
        before = first.setdefault(number(text.value), text)
        if before is not text:
            return text, say("the number `{number}` stands twice", number=text.value), before
    return None


def _gap(numbered: list[Text]) -> Slip | None:
    for at, text in enumerate(numbered):
        if text.value != str(at):
            return text, say("`{number}` stands where {at} belongs", number=text.value, at=at), None
    return None


RULE = Rule(
    "order-not-normal", "The rows of an order are not in the form that a runtime makes of them.", check
)

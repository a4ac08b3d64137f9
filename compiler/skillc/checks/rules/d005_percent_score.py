"""Scores of a self-assessment on the older scale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skillc.checks.fragments import faults
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Edit, Fix, Label, finding
from skillc.graph import TagGraph
from skillc.text import Span
from skillc.wording import say

if TYPE_CHECKING:
    from skillc.model.boards import BoardFragment
    from skillc.runtime.fragment import Fault


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a fragment, at its first percentage (SPEC 10.1)."""
    for tag, fragment, found in faults(graph, "percent"):
        places = [fragment.place(fault.path) for fault in found]
        yield finding(
            "percent-score",
            places[0],
            say(
                "the score `{score}` of `{tag}` is a percentage; scores go to 10",
                score=found[0].value,
                tag=tag,
            ),
            say("write {tenth}, as which it is read", tenth=_tenth(found[0], places[0])),
            [Label(place, say("a percentage, too")) for place in places[1:]],
            _fix(fragment, found, places),
        )


def _tenth(fault: Fault, place: Span) -> str:
    """A tenth of the number as it is written, no digit lost.

    >>> from skillc.runtime.fragment import Fault
    >>> from skillc.text import Source
    >>> _tenth(Fault("percent", (), "85.1234567890123456789%"), Source("b", "").span())
    '8.51234567890123456789'
    """
    from decimal import Decimal, InvalidOperation, localcontext

    for text in (place.text.strip("\"'"), str(fault.value)):
        written = text.strip().removesuffix("%").strip()
        try:
            with localcontext(prec=len(written) + 1):
                return f"{Decimal(written).scaleb(-1).normalize():f}"
        except InvalidOperation:
            continue
    return "0"


def _fix(fragment: BoardFragment, found: list[Fault], places: list[Span]) -> Fix | None:
    if not fragment.exact:
        return None
    edits = (Edit(place, _tenth(fault, place)) for place, fault in zip(places, found, strict=True))
    return Fix(say("write scores from 0 to 10"), tuple(edits))


RULE = Rule("percent-score", "A self-assessment has percentages where scores to 10 belong.", check)

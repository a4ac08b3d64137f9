"""A score of a self-assessment that is none."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.fragments import faults
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Each score that is no number from 0 to 10 (SPEC 10.1); what may be an old percentage is percent-score."""
    for tag, fragment, found in faults(graph, "score"):
        for fault in found:
            place = fragment.place(fault.path)
            text = place.text.partition("\n")[0] if fragment.exact else str(fault.value)
            yield finding(
                "score-range",
                place,
                say("the score `{score}` of `{tag}` is no number from 0 to 10", score=text, tag=tag),
                say("write a number from 0 to 10"),
            )


RULE = Rule("score-range", "A score of a self-assessment is no number from 0 to 10.", check)

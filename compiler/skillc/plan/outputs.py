"""What of an output pattern a model must be told: which wildcards it has to fill."""

from __future__ import annotations

from collections.abc import Sequence

from skillc.tags import ONE, REST, WHOLE, Pattern
from skillc.value import value


@value
class OutputLine:
    """One pattern as written, and the kinds of wildcards in it."""

    text: str
    role: bool
    one: bool
    rest: bool


def output_lines(patterns: Sequence[Pattern]) -> list[OutputLine]:
    """A line for each pattern, in written order."""
    return [
        OutputLine(
            text=pattern.text,
            role=pattern.has_role,
            one=ONE in pattern.parts,
            rest=REST in pattern.parts or WHOLE in pattern.parts,
        )
        for pattern in patterns
    ]

"""A difference for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from skillc.compare.difference import Difference
from skillc.compare.naming import side_named
from skillc.compare.summary import summary_rows
from skillc.compare.telling import story
from skillc.wording import say

Tell = Callable[[str], str]
"""From a sentence to the words of a language, safe to print."""


def text(difference: Difference, tell: Tell) -> str:
    """Everything, indented by what belongs to what, and the numbers at the end."""
    return "".join(f"{line}\n" for line in _lines(difference, tell))


def _lines(difference: Difference, tell: Tell) -> Iterator[str]:
    base, head = side_named(difference.base), side_named(difference.head)
    yield tell(say("{base} → {head}", base=base, head=head))
    lines = story(difference)
    for line in lines:
        yield from [""] if line.depth == 0 else []
        yield "  " * line.depth + tell(line.text)
    yield ""
    if not difference.different:
        yield tell(say("no difference"))
    for name, value in summary_rows(difference):
        yield tell(say("{name}: {value}", name=name, value=value))

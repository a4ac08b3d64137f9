"""A difference for a comment on a pull request: Markdown that stays below the length that such a comment may have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from skillc.compare.difference import Difference
from skillc.compare.naming import side_named
from skillc.compare.summary import summary_rows
from skillc.compare.telling import Line, story
from skillc.wording import say

LIMIT = 65_536
"""Characters that a comment may have."""
Tell = Callable[[str], str]
_SPAN = re.compile("(`` .*? ``|`[^`\n]*`)")
_ACTIVE = re.compile(r"([\\`*_{}\[\]<>|~&!])")
_CALLING = re.compile("([@#])")
_LONGEST = 1_000
"""Characters of one line; a longer one is cut, or it might take the room of all others."""


def markdown(difference: Difference, tell: Tell, limit: int = LIMIT) -> str:
    """A table of the numbers, then everything as nested lists, at most `limit` characters long.

    Where it does not fit, the lines that weigh least go first, and the last sentence says how many went. What authors
    wrote has no effect as Markdown and calls nobody.
    """
    head = "".join(f"{line}\n" for line in _head(difference, tell))
    lines = story(difference)
    told = [_told(line, tell) for line in lines]
    if len(head) + sum(map(len, told)) <= limit:
        return head + "".join(told)
    note = _note(len(lines), tell)
    kept = _fitting(lines, told, limit - len(head) - len(note))
    return head + "".join(told[at] for at in kept) + _note(len(lines) - len(kept), tell)


def _head(difference: Difference, tell: Tell) -> Iterator[str]:
    base, head = side_named(difference.base), side_named(difference.head)
    yield f"## {escaped(tell(say('skillc: {base} → {head}', base=base, head=head)))}"
    yield ""
    if not difference.different:
        yield escaped(tell(say("no difference")))
        yield ""
    rows = summary_rows(difference)
    if rows:
        yield f"| {tell(say('what'))} | {tell(say('how many'))} |"
        yield "|---|---|"
        yield from (f"| {escaped(tell(name))} | {escaped(tell(value))} |" for name, value in rows)
        yield ""


def _told(line: Line, tell: Tell) -> str:
    text = tell(line.text)
    text = escaped(text if len(text) <= _LONGEST else text[:_LONGEST] + " …")
    return f"\n### {text}\n\n" if line.depth == 0 else f"{'  ' * (line.depth - 1)}- {text}\n"


def _fitting(lines: Sequence[Line], told: Sequence[str], room: int) -> list[int]:
    """The numbers of the lines that stay: the weightiest first, of equals the first. None stays without what it
    belongs to, since that weighs as much and stands above."""
    kept = []
    for at in sorted(range(len(lines)), key=lambda at: (lines[at].weight, at)):
        if len(told[at]) > room:
            break
        room -= len(told[at])
        kept.append(at)
    return sorted(kept)


def _note(left: int, tell: Tell) -> str:
    said = say(
        "{left} lines that weigh less did not fit here: `skillc diff` with `--format text` has all", left=left
    )
    return f"\n---\n\n{escaped(tell(said))}\n"


def escaped(text: str) -> str:
    """`text` with the effect of Markdown and HTML taken from it, but for what stands in backticks; nobody is called
    by an `@`, and no number becomes a link: an invisible blank stands behind both marks.

    >>> escaped("<b> `a_b` @all x|y")
    '\\\\<b\\\\> `a_b` @&#8203;all x\\\\|y'
    """
    parts = _SPAN.split(text)
    return "".join(part if at % 2 else _plain(part) for at, part in enumerate(parts))


def _plain(text: str) -> str:
    return _CALLING.sub(r"\1&#8203;", _ACTIVE.sub(r"\\\1", text))

"""What stands below the options of a command, and how wide text is: lines that fit a terminal in any language."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from skillc.later import later
from skillc.report.language import Words
from skillc.value import value
from skillc.wording import said_in, say

WIDTH = 100


@value
class Listing:
    """Commands under a title, each with what it does in a few words."""

    title: str
    rows: tuple[tuple[str, str], ...]


@value
class Verbatim:
    """Lines that are the same in every language."""

    text: str


Block = str | Listing | Verbatim


def examples(*rows: tuple[str, str] | str) -> Listing:
    """Commands to copy; what they do may be left out."""
    return Listing(say("examples:"), tuple((row, "") if isinstance(row, str) else row for row in rows))


class Epilog:
    """What stands below the options of a command: paragraphs, listings and verbatim text."""

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks

    def told(self, words: Words) -> str:
        """The whole text in the language of `words`, a blank line between two blocks."""
        return "\n\n".join("\n".join(_lines(block, words)) for block in self.blocks) + "\n"


def _lines(block: Block, words: Words) -> list[str]:
    if isinstance(block, Verbatim):
        return block.text.strip("\n").split("\n")
    if isinstance(block, str):
        return wrapped(said_in(words, block), WIDTH)
    return [said_in(words, block.title), *_rows(block.rows, words)]


def _rows(rows: Iterable[tuple[str, str]], words: Words) -> list[str]:
    told = [(command, said_in(words, about)) for command, about in rows]
    widest = max((cells(command) for command, about in told if about), default=0)
    return [
        f"  {command}{' ' * (widest - cells(command) + 2)}{about}" if about else f"  {command}"
        for command, about in told
    ]


def cells(text: str) -> int:
    """How wide a terminal shows `text`."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


_WORD = later(
    r"\s+|[（《「“]?[\u2e80-\uffef][，。；：、）》」”？！…]*|[^\s\u2e80-\uffef]+[，。；：、）》」”？！…]*"
)


def wrapped(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells; Chinese breaks between characters, and no line begins with a mark.

    >>> wrapped("每一个结论都有位置、理由和出路。", 14)
    ['每一个结论都', '有位置、理由和', '出路。']
    """
    lines, line = [], ""
    for word in _WORD.findall(" ".join(text.split())):
        if line and cells(line + word.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += word if line or word.strip() else ""
    return [*lines, line.rstrip()] if line or not lines else lines

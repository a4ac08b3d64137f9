"""Help texts and usage errors in the language of the user: a parser that says what it was told with `say`.

What argparse itself says is English; it is recognised by the templates in `ARGPARSE` and told from the catalogue.
"""

from __future__ import annotations

import argparse
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any, NoReturn

from skillc.cli.errors import USAGE
from skillc.later import later
from skillc.report.language import ENGLISH, Words, retold
from skillc.value import value
from skillc.wording import said_in, say

WIDTH = 100
_TITLES = {
    "positional arguments": say("positional arguments"),
    "options": say("options"),
}
_HELP = say("show this help message and exit")
ARGPARSE = (
    "argument {0}: {1}",
    "the following arguments are required: {0}",
    "unrecognized arguments: {0}",
    "invalid choice: {0} (choose from {1})",
    "invalid {0} value: {1}",
    "expected one argument",
    "expected at least one argument",
    "expected at most one argument",
    "expected {0} arguments",
    "not allowed with argument {0}",
    "ignored explicit argument {0}",
    "ambiguous option: {0} could match {1}",
    "one of the arguments {0} is required",
)
"""The usage errors of argparse; each has an entry in the catalogue."""


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


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Lines as wide as a terminal shows them; the words of the language before the usage."""

    words: Words = ENGLISH

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width)

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(
            usage, actions, groups, said_in(self.words, say("usage: ")) if prefix is None else prefix
        )


class Parser(argparse.ArgumentParser):
    """A parser whose texts were said, to be told in any language: `tell` it which one."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **{**more, "formatter_class": _Formatter, "add_help": False})
        self.words: Words = ENGLISH
        self.below: Epilog | None = None
        self._is_told = False
        self.add_argument("-h", "--help", action="help", default=argparse.SUPPRESS, help=_HELP)

    def tell(self, words: Words) -> None:
        """Say everything in the language of `words`, the parsers of its commands included."""
        self.words, self._is_told = words, True
        self.description = self.description and said_in(words, self.description)
        for group in self._action_groups:
            group.title = group.title and said_in(words, _TITLES.get(group.title, group.title))
            group.description = group.description and said_in(words, group.description)
        for action in self._actions:
            _tell(action, words)

    def format_help(self) -> str:
        self.epilog = self.below.told(self.words) if self.below else self.epilog
        return super().format_help()

    def _get_formatter(self) -> argparse.HelpFormatter:
        # While it is filled it asks whether its options can be shown; how wide is not asked before it speaks.
        formatter = _Formatter(self.prog, width=None if self._is_told else WIDTH)
        formatter.words = self.words
        return formatter

    def error(self, message: str) -> NoReturn:
        """The usage and one sentence on standard error; ends with the exit code of usage errors."""
        self.print_usage(sys.stderr)
        said = say("{prog}: error: {message}", prog=self.prog, message=retold(self.words, message))
        self.exit(USAGE, said_in(self.words, said) + "\n")


def _tell(action: argparse.Action, words: Words) -> None:
    action.help = action.help and said_in(words, action.help)
    if isinstance(action, argparse._SubParsersAction):
        for choice in action._choices_actions:
            choice.help = choice.help and said_in(words, choice.help)
        for parser in action.choices.values():
            parser.tell(words)

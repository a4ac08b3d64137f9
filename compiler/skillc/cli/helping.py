"""Help texts and usage errors in the language of the user: a parser that says what it was told with `say`.

What argparse itself says is English; it is recognised by the templates in `ARGPARSE` and told from the catalogue.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

from skillc.cli.epilog import WIDTH, Epilog, wrapped
from skillc.cli.errors import USAGE
from skillc.report.language import ENGLISH, Words, retold
from skillc.wording import said_in, say

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

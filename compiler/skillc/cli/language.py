"""Which language a command speaks: `--lang`, SKILLC_LANG, `lang` in the settings, else the locale."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from skillc.cli.early import settings_language
from skillc.cli.errors import Stop
from skillc.cli.place import Place
from skillc.config import LANGUAGES
from skillc.report.language import Words, of_locale, words_of
from skillc.wording import said_in, say

if TYPE_CHECKING:
    import argparse


def add_language_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        help=say("the language of messages (default: SKILLC_LANG, `lang` in the settings, else the locale)"),
    )


def language(args: argparse.Namespace, place: Place | None = None, form: str = "text") -> str:
    """The language for a report in the format `form`. The locale has no say in JSON, which programs read."""
    named = (
        (getattr(args, "lang", None), ""),
        (os.environ.get("SKILLC_LANG"), "SKILLC_LANG"),
        (place.config.lang if place else settings_language(os.getcwd()), ""),
    )
    chosen, where = next(((lang, where) for lang, where in named if lang), (None, ""))
    if chosen is None:
        return "en" if form == "json" else of_locale(os.environ)
    if chosen not in LANGUAGES:
        languages = " or ".join(LANGUAGES)
        raise Stop(
            say(
                "unknown language `{chosen}` in {where}: {languages}",
                chosen=chosen,
                where=where,
                languages=languages,
            )
        )
    return chosen


def words(args: argparse.Namespace, place: Place | None = None) -> Words:
    """The catalogue for what a command says to people."""
    return words_of(language(args, place))


def note(args: argparse.Namespace, place: Place | None, text: str) -> None:
    """A line on standard error."""
    sys.stderr.write(said_in(words(args, place), text) + "\n")

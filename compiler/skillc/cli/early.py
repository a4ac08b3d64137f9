"""Which language a command speaks before it knows its workspace: help, usage errors, and what stops it early."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from skillc.cli.errors import Stop
from skillc.config import FILE, LANGUAGES, PYPROJECT
from skillc.report.language import of_locale, retold, words_of


def early_language(argv: Sequence[str]) -> str:
    """What `--lang`, SKILLC_LANG or the nearest settings say, whatever else is wrong with them; else the locale."""
    named = (_option(argv), os.environ.get("SKILLC_LANG"))
    chosen = next((name for name in named if name in LANGUAGES), None) or settings_language(_start(argv))
    return chosen or of_locale(os.environ)


def stopped(stop: Stop, argv: Sequence[str] = ()) -> str:
    """Why a command stopped, in the language that is known by then."""
    return retold(words_of(early_language(argv)), stop.message)


def _option(argv: Sequence[str]) -> str | None:
    for word, following in zip(argv, [*argv[1:], ""], strict=False):
        if word == "--lang":
            return following
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
    return None


def _start(argv: Sequence[str]) -> str:
    """The first folder or file that is named, else the working folder."""
    named = next((word for word in argv if os.sep in word and os.path.exists(word)), None)
    named = named or next((word for word in argv[1:] if os.path.exists(word)), os.curdir)
    path = os.path.realpath(named)
    return path if os.path.isdir(path) else os.path.dirname(path)


def settings_language(start: str) -> str | None:
    """`lang` in the nearest settings at or above a folder, also where these cannot be used otherwise."""
    folder = start
    while True:
        for name in (FILE, PYPROJECT):
            text = _text(os.path.join(folder, name))
            table = None if text is None else _settings(text, whole=name == FILE)
            if table is not None:
                return next((lang for lang in LANGUAGES if table.get("lang") == lang), None)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _text(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return None


def _settings(text: str, whole: bool) -> Mapping[str, object] | None:
    """The settings in a file; of one that is no TOML the line that names the language."""
    import re
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        line = re.search(r"""^\s*lang\s*=\s*["'](\w+)["']""", text, re.MULTILINE)
        return {"lang": line[1]} if line else {}
    tool = data.get("tool", {})
    table = data if whole else tool.get("skillc") if isinstance(tool, Mapping) else None
    return table if isinstance(table, Mapping) else None

"""The legal set of a user's turn: what the board says may be chosen (SPEC 12.8)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from skillc.execute.listing import Entry, entries_of
from skillc.runtime import Item

_MARK = "合法"
"""A tag with a segment that begins so says what the user may do."""
_LONGEST = 24
_PROSE = re.compile(r"[，。：；！？,:;|#{}]")


def legal_choices(items: Iterable[Item]) -> tuple[str, ...]:
    """The choices, and the numbers they were given, in the newest item whose tag says that it holds what is
    legal; none means anything."""
    lists = [item for item in items if any(part.startswith(_MARK) for part in item.tag.split("."))]
    entries = _entries(max(lists, key=lambda item: item.seq).content) if lists else ()
    return (*(entry.name for entry in entries), *(entry.number for entry in entries if entry.number))


def choices_in(text: str) -> tuple[str, ...]:
    """The entries of a list: JSON, lines, or names with `、` between them. Prose holds none: a rule that
    nobody can satisfy would be worse than none.

    >>> choices_in("1. 要牌（再拿一张）\\n2. 停牌"), choices_in("可以要牌，也可以停牌。")
    (('要牌', '停牌'), ())
    """
    return tuple(entry.name for entry in _entries(text))


def _entries(text: str) -> tuple[Entry, ...]:
    entries = entries_of(text, keys=False)
    is_list = all(len(entry.name) <= _LONGEST and not _PROSE.search(entry.name) for entry in entries)
    alone = len(entries) == 1 and not entries[0].bare
    return entries if is_list and not alone else ()


def is_legal(answer: str, choices: tuple[str, ...]) -> bool:
    """Whether `answer` is one of the choices, alone or with something said behind it.

    >>> is_legal("要牌，我感觉不错", ("要牌", "停牌")), is_legal("要牌桌", ("要牌",))
    (True, False)
    """
    said = answer.strip()
    return not choices or any(
        said.startswith(choice) and not said[len(choice) : len(choice) + 1].isalnum() for choice in choices
    )

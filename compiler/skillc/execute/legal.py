"""The legal set of a user's turn: what the board says may be chosen (SPEC 12.8)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import category

from skillc.execute.listing import Entry, entries_of
from skillc.runtime import Item

_MARK = "合法"
"""A tag with a segment that begins so says what the user may do."""
_LONGEST = 24
_ALONE = re.compile(r"(?:^|[，。、：；！？,.:;!?/+和与或\n])\s*|\s*(?:$|[，。、：；！？,.:;!?/+和与或\n])")
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
    """Whether `answer` is one of the choices, alone or with something said behind it that names no other.

    >>> is_legal("要牌，我感觉不错", ("要牌", "停牌")), is_legal("要牌桌", ("要牌",))
    (True, False)
    >>> is_legal("要牌 停牌", ("要牌", "停牌")), is_legal("要牌，不停牌", ("要牌", "停牌"))
    (False, False)
    """
    return choice_fault(answer, choices) is None


def choice_fault(answer: str, choices: tuple[str, ...]) -> str | None:
    """Why `answer` is none of `choices`: it begins with none, names two of them, or holds what nobody sees, since it
    is written as it is. None when it is one, or nothing is chosen from."""
    said = answer.strip()
    chosen = [choice for choice in choices if _begins(said, choice)]
    if not choices:
        return None
    shown = ", ".join(f"`{choice}`" for choice in choices)
    told = " ".join(said.split())[:20]
    if any(_is_unseen(said, at) for at in range(len(said))):
        return f"the answer holds a character that nobody sees; possible is {shown}"
    if not chosen:
        return f"`{told}` is not possible; possible is {shown}"
    first = max(chosen, key=len)
    same = _same(first, choices)
    others = [choice for choice in choices if choice not in same and choice not in first]
    if any(_is_named(choice, said[len(first) :]) for choice in others):
        return f"`{told}` names more than one choice: say one of {shown}"
    return None


def _begins(said: str, choice: str) -> bool:
    return said.startswith(choice) and not said[len(choice) : len(choice) + 1].isalnum()


def _same(choice: str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """The choice and its number: numbers stand behind the names, in their order, where every name has one."""
    names = [one for one in choices if not one.isdecimal()]
    numbers = choices[len(names) :]
    if len(names) != len(numbers):
        return (choice, *numbers) if names else (choice,)
    return tuple(one for pair in zip(names, numbers, strict=True) if choice in pair for one in pair)


def _is_named(choice: str, said: str) -> bool:
    """Whether `said` has the choice in it. A number or a single character is one where it stands for itself only: `拿 2 张`
    and `看过了` choose nothing."""
    if choice.isdecimal() or len(choice) == 1:
        return choice in _ALONE.split(said)
    return re.search(rf"(?<![0-9A-Za-z]){re.escape(choice)}(?![0-9A-Za-z])", said) is not None


def _is_unseen(said: str, at: int) -> bool:
    """Whether nobody sees the character there, and it is neither a blank nor what joins two pictures to one."""
    joins = said[at] == "\u200d" and category(said[at - 1]) in ("So", "Sk", "Mn")
    return category(said[at]) in ("Cc", "Cf") and not said[at].isspace() and not joins

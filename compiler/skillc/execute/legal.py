"""The legal set of a user's turn: what the board says may be chosen (SPEC 12.8)."""

from __future__ import annotations

from collections.abc import Iterable

from skillc.execute.roles import roles_in
from skillc.runtime import Item

_MARK = "合法"
"""A tag with a segment that begins so lists what the user may do: a JSON list, or lines or names."""


def legal_choices(items: Iterable[Item]) -> tuple[str, ...]:
    """The choices in the newest item whose tag says that it lists what is legal; none means anything."""
    lists = [item for item in items if any(part.startswith(_MARK) for part in item.tag.split("."))]
    return roles_in(max(lists, key=lambda item: item.seq).content) if lists else ()


def is_legal(answer: str, choices: tuple[str, ...]) -> bool:
    """Whether `answer` is one of the choices, alone or with something said behind it.

    >>> is_legal("要牌，我感觉不错", ("要牌", "停牌")), is_legal("要牌桌", ("要牌",))
    (True, False)
    """
    said = answer.strip()
    return not choices or any(
        said.startswith(choice) and not said[len(choice) : len(choice) + 1].isalnum() for choice in choices
    )

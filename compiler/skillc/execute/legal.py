"""The legal set of a user's turn: what the board says may be chosen (SPEC 12.8)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from skillc.runtime import Item

_MARK = "合法"
"""A tag with a segment that begins so says what the user may do."""
_LONGEST = 24
_PROSE = re.compile(r"[，。：；！？,:;|#]")


def legal_choices(items: Iterable[Item]) -> tuple[str, ...]:
    """The choices in the newest item whose tag says that it holds what is legal; none means anything."""
    lists = [item for item in items if any(part.startswith(_MARK) for part in item.tag.split("."))]
    return choices_in(max(lists, key=lambda item: item.seq).content) if lists else ()


def choices_in(text: str) -> tuple[str, ...]:
    """The entries of a list: JSON, lines, or names with `、` between them. Prose holds none: a rule that
    nobody can satisfy would be worse than none.

    >>> choices_in("- 要牌\\n- 停牌"), choices_in("可以要牌，也可以停牌。")
    (('要牌', '停牌'), ())
    """
    try:
        data = json.loads(text)
    except ValueError:
        data = [part.strip().lstrip("-*•").strip() for part in re.split(r"[\n、]", text)]
    names = [name for name in data if name] if isinstance(data, list) else []
    is_list = all(
        isinstance(name, str) and len(name) <= _LONGEST and not _PROSE.search(name) for name in names
    )
    return tuple(names) if is_list else ()


def is_legal(answer: str, choices: tuple[str, ...]) -> bool:
    """Whether `answer` is one of the choices, alone or with something said behind it.

    >>> is_legal("要牌，我感觉不错", ("要牌", "停牌")), is_legal("要牌桌", ("要牌",))
    (True, False)
    """
    said = answer.strip()
    return not choices or any(
        said.startswith(choice) and not said[len(choice) : len(choice) + 1].isalnum() for choice in choices
    )

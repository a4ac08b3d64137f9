"""JSON that stands in texts of a board: written by models and users, so anything may be in it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 100
"""Levels of nesting; what is nested deeper is text, and no program walks into it."""


def tree_of(text: str) -> dict[str, Any] | list[Any] | None:
    """The JSON object or list that `text` is as a whole; None when it is none, or none that can be used.

    >>> tree_of('["A", "B"]'), tree_of("A、B"), tree_of("[" * 100_000)
    (['A', 'B'], None, None)
    """
    if text.lstrip()[:1] not in ("{", "["):
        return None
    import json

    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if text.count("[") + text.count("{") > DEEPEST and is_deep(tree):
        return None
    return tree if isinstance(tree, dict | list) else None


def is_deep(value: object) -> bool:
    """Whether lists and mappings in `value` are nested deeper than anybody means to."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [item for value in level for item in _children(value)]
        if not level:
            return False
    return True


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def tree_in(text: str) -> dict[str, Any] | list[Any] | None:
    """The JSON object or list that `text` is, or that stands in it: in a fence, or between prose.

    >>> tree_in('好的：\\n```json\\n{"a": 1}\\n```\\n'), tree_in('见 {"a": 1}。'), tree_in("没有")
    ({'a': 1}, {'a': 1}, None)
    """
    from skillc.runtime.findjson import FoundJson, find_json

    found = find_json(text)
    return found.tree if isinstance(found, FoundJson) else None

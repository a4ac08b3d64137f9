"""JSON that stands in texts of a board: written by models and users, so anything may be in it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 100
"""Levels of nesting; what is nested deeper is text, and no program walks into it."""
LONGEST_NUMBER = 1000
"""Digits of a whole number."""
BEYOND = 10**LONGEST_NUMBER
HALF = "a text in it holds half a surrogate pair, which is no character"
_SURROGATES = ("\\ud8", "\\ud9", "\\uda", "\\udb", "\\udc", "\\udd", "\\ude", "\\udf")
"""How escapes of half a character begin."""


def tree_of(text: str) -> dict[str, Any] | list[Any] | None:
    """The JSON object or list that `text` is as a whole; None when it is none, or none that can be used.

    >>> tree_of('["A", "B"]'), tree_of("A、B"), tree_of("[" * 100_000), tree_of('["\\\\ud83d"]')
    (['A', 'B'], None, None, None)
    """
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        tree = read_json(text)
    except (ValueError, RecursionError):
        return None
    if text.count("[") + text.count("{") > DEEPEST and is_deep(tree):
        return None
    return tree if isinstance(tree, dict | list) else None


def read_json(text: str) -> Any:
    """The JSON value that `text` is as a whole; also NaN and its kind, which models write. Refuses (ValueError) what
    is none, and text in it that UTF-8 cannot carry: it could be neither stored nor sent. RecursionError: too deep."""
    import json

    value = json.loads(text)
    if has_halves(text, value):
        raise ValueError(HALF)
    return value


def has_halves(written: str, value: object) -> bool:
    """Whether a text or a key in `value`, which stands `written` so, holds half a surrogate pair: an escape without
    its other half, or one that somebody put there. Such a text is no text, so what holds it is no JSON."""
    escaped = "\\u" in written and any(start in written.lower() for start in _SURROGATES)
    if not escaped and (written.isascii() or is_encodable(written)):
        return False
    import json

    return not is_encodable(json.dumps(value, ensure_ascii=False))


def json_fault(value: object) -> str | None:
    """Why `value` can be no JSON value that everybody reads alike, in words that follow its name; None where it is
    one. Numbers are finite, whole ones have at most 1,000 digits.

    >>> json_fault([1, {"a": None}]), json_fault(float("inf")), json_fault({1: 2})
    (None, 'holds `inf`, which is no number', 'holds a key that is no text')
    """
    level = [value]
    for _ in range(DEEPEST + 1):
        fault = next((fault for item in level if (fault := _scalar_fault(item))), None)
        if fault:
            return fault
        level = [child for item in level for child in _parts(item)]
        if not level:
            return None
    return "is nested too deeply"


def _scalar_fault(value: object) -> str | None:
    if isinstance(value, str):
        return None if is_encodable(value) else "holds half a surrogate pair, which is no character"
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f"holds `{value}`, which is no number"
    if isinstance(value, int) and not -BEYOND < value < BEYOND:
        return f"holds a number with more than {LONGEST_NUMBER} digits"
    if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
        return "holds a key that is no text"
    if value is None or isinstance(value, str | int | float | dict | list | tuple):
        return None
    return f"holds a {type(value).__name__}, which JSON does not have"


def _parts(value: object) -> list[object]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return list(value) if isinstance(value, list | tuple) else []


def is_encodable(text: str) -> bool:
    """Whether UTF-8 can carry `text`."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


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


def missed(message: str) -> str:
    """What the JSON decoder misses, said to whoever is to write it anew.

    >>> missed("Expecting ':' delimiter")
    'a colon is wanted'
    """
    return _MISSED.get(message, message.lower())


_MISSED = {
    "Expecting value": "a value is wanted (texts stand in straight quotes)",
    "Expecting property name enclosed in double quotes": "a key in straight double quotes is wanted",
    "Expecting ':' delimiter": "a colon is wanted",
    "Expecting ',' delimiter": "a comma is wanted, or a closing bracket",
    "Illegal trailing comma before end of object": "no comma may stand before a closing bracket",
    "Illegal trailing comma before end of array": "no comma may stand before a closing bracket",
    "Invalid control character at": "a line break or control character stands in a text; it is written as an escape",
    "Invalid \\escape": "there is no such escape",
    "Invalid \\uXXXX escape": "there is no such escape",
}

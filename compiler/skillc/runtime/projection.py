"""Projections: how much of one text is shown (SPEC 10.4). `full` and `fixed` are the text as stored."""

from __future__ import annotations

from skillc.runtime.jsontext import tree_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERBATIM = (None, "full", "fixed")
"""Projections that show a text as it is stored."""
FENCE = "```"
SUMMARY_LENGTH = 800
VALUE_LENGTH = 120


def project(text: str, projection: str | None) -> str:
    """`text` under `projection`.

    summary: `brief` of a JSON object that has one, else the first 800 characters.
    fields: `brief`, then a line `key = value` for every other top-level key of a JSON object (a `brief` that is no
    text, or an empty one, is a key like any other), or for each row of a table (a JSON list of objects with `key` and `value`); any other text has no fields and gives its summary.
    JSON that is alone in one fence counts as if it stood there without it: models like to fence.

    >>> project('{"brief": "短", "血量": 3}', "fields")
    '短\\n血量 = 3'
    """
    if projection == "summary":
        return _summary(text, _tree(text))
    if projection == "fields":
        tree = tree_of(_unfenced(text))
        if isinstance(tree, dict):
            return _fields(tree)
        return _summary(text, None) if tree is None or not _is_table(tree) else _rows(tree)
    return text


def _tree(text: str) -> dict[str, Any] | None:
    """The JSON object that `text` is, or None; what does not parse is shown as it is (SPEC 10.5)."""
    tree = tree_of(_unfenced(text))
    return tree if isinstance(tree, dict) else None


def _unfenced(text: str) -> str:
    """What stands in a text that is one fence; any other text as it is."""
    inner = text.strip()
    if len(inner) < 2 * len(FENCE) or not (inner.startswith(FENCE) and inner.endswith(FENCE)):
        return text
    _, line, rest = inner[len(FENCE) : -len(FENCE)].partition("\n")
    return rest if line else text


def _summary(text: str, tree: dict[str, Any] | None) -> str:
    brief = (tree or {}).get("brief")
    return brief if isinstance(brief, str) and brief else text[:SUMMARY_LENGTH]


def _fields(tree: dict[str, Any]) -> str:
    brief = tree.get("brief")
    first = [brief] if isinstance(brief, str) and brief else []
    rest = (f"{_line(key)} = {_value(value)}" for key, value in tree.items() if key != "brief" or not first)
    return "\n".join([*first, *rest])


def _is_table(rows: list[Any]) -> bool:
    return bool(rows) and all(isinstance(row, dict) and "key" in row and "value" in row for row in rows)


def _rows(table: list[dict[str, Any]]) -> str:
    return "\n".join(f"{_value(row['key'])} = {_value(row['value'])}" for row in table)


def _value(value: object) -> str:
    import json

    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    line = _line(text)
    return line if len(line) <= VALUE_LENGTH else line[: VALUE_LENGTH - 1] + "…"


def _line(text: str) -> str:
    return " ".join(text.split())

"""Lists as models and people write them: JSON, bullets, numbers, or names with `、` between them.

What decorates a name is taken off: numbers, bullets, boxes, emphasis, quotes, final punctuation, and what follows
`：` or `（`. Where some lines are entries of a list, the others are prose about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from skillc.runtime.jsontext import tree_of

_MARK = re.compile(
    r"(?:[-•·●]|[*+](?=\s)|[(（]?(?P<number>\d{1,3})(?:[、)）]|[.．](?!\d))|[①-⑳]|[一二三四五六七八九十]{1,3}、)\s*"
    r"(?:\[[ xX✓√]?\]\s*)?(?=\S)"
)
_REMARK = re.compile(r"[：:（(]|\s[-–—]\s|——")
_AROUND = " \t\r\u3000*`~\"'“”‘’「」『』《》"
_BEHIND = _AROUND + "。．.，,；;、！!"
_NAME_KEYS = ("id", "name", "role", "choice", "名字", "名称", "姓名", "角色", "选项")


@dataclass(frozen=True, slots=True)
class Entry:
    """One name, the number it was given where it has one, and whether it stood alone in its line."""

    name: str
    number: str = ""
    bare: bool = True


def entries_of(text: str, separators: str = "、", keys: bool = True) -> tuple[Entry, ...]:
    """The entries of the list that `text` is, in its order. Prose gives sentences: callers look at the names.
    A JSON object gives the one list in it, else (with `keys`) its keys.

    >>> [entry.name for entry in entries_of("# 名单\\n1. **阿离**：女\\n2. 阿青。")]
    ['阿离', '阿青']
    """
    body = _without_fence(text)
    tree = tree_of(body)
    names = _names_in(tree, keys) if tree is not None else None
    found = _lines(body, separators) if names is None else map(Entry, names)
    return tuple(entry for entry in found if entry.name)


def _without_fence(text: str) -> str:
    body = text.strip()
    return body.partition("\n")[2].removesuffix("```") if body.startswith("```") else body


def _names_in(tree: dict[str, object] | list[object], keys: bool) -> list[str]:
    if isinstance(tree, list):
        return [_clean(_name_of(value)) for value in tree]
    lists = [value for value in tree.values() if isinstance(value, list)]
    if len(lists) == 1:
        return _names_in(lists[0], keys)
    return [_clean(key) for key in tree] if keys else []


def _name_of(value: object) -> str:
    if isinstance(value, dict):
        value = next((value[key] for key in _NAME_KEYS if key in value), None)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _lines(text: str, separators: str) -> Iterable[Entry]:
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    marked = [(line, mark) for line in lines if (mark := _MARK.match(line.lstrip()))]
    if marked:
        margin = min(_indent(line) for line, _ in marked)
        return [
            Entry(_clean(line.lstrip()[mark.end() :]), mark["number"] or "")
            for line, mark in marked
            if _indent(line) == margin
        ]
    if len(lines) == 1:
        lines = [_behind_title(lines[0])]
    else:
        lines = [line for line in lines if not line.rstrip().endswith(("：", ":"))]
    parts = [part for line in lines for part in re.split(f"[{separators}]", line)]
    return [Entry(_clean(part), bare=not _REMARK.search(part)) for part in parts]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _behind_title(line: str) -> str:
    """`名单：A、B` is a list with its title."""
    title, colon, rest = line.replace(":", "：").partition("：")
    return rest if colon and "、" in rest and "、" not in title else line


def _clean(name: str) -> str:
    """The name without remark and decoration."""
    decorated = name.strip(_AROUND)
    remark = _REMARK.search(decorated)
    return (decorated[: remark.start()] if remark else decorated).strip(_BEHIND)

"""Context fragments as models write them, read as far as they can be (SPEC 10.1, 10.2). Plain data in and out.

What is wrong is a named fault at a path, never an exception; a text that is no fragment is None.
"""

from __future__ import annotations

from skillc.runtime.findjson import FoundJson, find_json
from skillc.runtime.flat import FLAT, FRAGMENT, to_tree
from skillc.runtime.fragmentform import KEYS as KEYS
from skillc.runtime.fragmentform import OwnForm
from skillc.runtime.fragmentform import Path as Path
from skillc.runtime.jsontext import read_json
from skillc.runtime.order import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

STABILITY = {
    "稳": "稳",
    "少变": "稳",
    "stable": "稳",
    "中": "中",
    "偶发": "中",
    "semi": "中",
    "变": "变",
    "常变": "变",
    "volatile": "变",
}
HIGHEST, PERCENT = 10, 100
"""Scores go from 0 to 10; up to 100 they are percentages of the older form."""


class Fault:
    """`kind`: order (a fragment may not say where it stands), score (none from 0 to 10), percent (an old
    percentage, read as a tenth). `path` leads to it by the keys as written, `value` is what stands there."""

    __slots__ = ("kind", "path", "value")

    def __init__(self, kind: str, path: Path, value: object) -> None:
        self.kind = kind
        self.path = path
        self.value = value

    def __repr__(self) -> str:
        return f"Fault({self.kind!r}, {self.path!r}, {self.value!r})"


class Score:
    """One dimension of the self-assessment; `value` is on the scale to 10, None where it is no score."""

    __slots__ = ("name", "note", "value")

    def __init__(self, name: str, value: float | None, note: str) -> None:
        self.name = name
        self.value = value
        self.note = note


class Question:
    __slots__ = ("choices", "example", "text")

    def __init__(self, text: str, choices: tuple[str, ...], example: str) -> None:
        self.text = text
        self.choices = choices
        self.example = example


class Fragment:
    """A fragment. `form` is it under the format's own keys; `mounts`: where it wants to be shown, each name with the
    path to it; `stability` is 稳, 中, 变 or None; `body` a tree, that of the flat form restored; `lead` goes before
    the `questions`."""

    __slots__ = (
        "body",
        "brief",
        "faults",
        "form",
        "lead",
        "mounts",
        "open",
        "questions",
        "schema",
        "scores",
        "skill",
        "stability",
        "weak",
    )

    def __init__(self, data: Mapping[str, Any]) -> None:
        form = self.form = OwnForm(data)
        shell = form.tree
        assessed, asked = _mapping(shell.get("自评")), _mapping(shell.get("追问"))
        faults: list[Fault] = []
        if "order" in shell:
            faults.append(Fault("order", ("order",), shell["order"]))
        self.schema = _text(shell.get("schema")) or FRAGMENT
        self.skill = _text(shell.get("技能"))
        self.brief = _text(shell.get("brief"))
        mounts = list(_mounts(shell.get("mount"), ("mount",), faults))
        self.mounts = [(name, form.written(path)) for name, path in mounts]
        self.stability = STABILITY.get(_text(shell.get("稳变")))
        self.body = to_tree(shell)["正文"] if self.schema == FLAT else shell.get("正文")
        self.scores = list(_scores(assessed.get("维度"), ("自评", "维度"), faults))
        self.weak = _said(assessed.get("薄弱点"))
        self.lead = _text(asked.get("导语"))
        self.questions = [_question(row) for row in _rows(asked.get("题目")) if _text(row.get("问"))]
        self.open = _texts(shell.get("开放问题"))
        self.faults = [Fault(fault.kind, form.written(fault.path), fault.value) for fault in faults]


def read_fragment(value: object) -> Fragment | None:
    """The fragment that a text, or a tree that was a text, is; None for anything else.

    >>> read_fragment('{"schema": "context-fragment.v1", "brief": "短", "mount": ["gm"], "正文": {}}').brief
    '短'
    >>> read_fragment("一段散文") is None
    True
    """
    tree = _tree(value) if isinstance(value, str) else value
    return Fragment(tree) if isinstance(tree, dict) and is_fragment(tree) else None


def find_fragment(text: str) -> Fragment | None:
    """The first fragment in a text, wherever it stands: alone, in a fence, in prose.

    >>> find_fragment('好的：{"schema": "context-fragment.v1", "brief": "短", "正文": {}}').brief
    '短'
    """
    found = find_json(text, is_fragment)
    return read_fragment(found.tree) if isinstance(found, FoundJson) else None


def is_fragment(tree: Mapping[str, Any]) -> bool:
    """Whether a mapping is one by its schema, or, where it states none, by having a brief and a body."""
    schema = tree.get("schema")
    if schema is not None:
        return schema in (FRAGMENT, FLAT)
    return any(isinstance(tree.get(key), str) for key in ("brief", "概要")) and "正文" in tree


def json_part(text: str, brackets: str = "{}") -> tuple[int, int] | None:
    """Where in `text` the JSON object begins and ends that it is, alone or in one fence; None for other texts.
    With other `brackets` the list.

    >>> text = "```json\\n{}\\n```"
    >>> start, end = json_part(text)
    >>> text[start:end]
    '{}'
    """
    start, end = _trimmed(text, 0, len(text))
    if text.startswith("```", start) and text.endswith("```", start, end):
        line = text.find("\n", start, end)
        if line < 0:
            return None
        start, end = _trimmed(text, line, end - 3)
    whole = end - start >= 2 and text[start] == brackets[0] and text[end - 1] == brackets[1]
    return (start, end) if whole else None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return end - len(inner.lstrip()), start + len(inner.rstrip())


def _tree(text: str) -> object:
    part = json_part(text)
    if part is None:
        return None
    try:
        return read_json(text[part[0] : part[1]])
    except (ValueError, RecursionError):
        return None


def _mounts(value: object, path: Path, faults: list[Fault]) -> Iterator[tuple[str, Path]]:
    """The names under `mount`: a text, a list of texts, or of mappings that name a slot and may not number it."""
    if isinstance(value, str):
        yield from ((name, path) for name in [value.strip()] if name)
    elif isinstance(value, dict):
        for key, on in value.items():
            if on not in (False, "false", None):
                yield key, (*path, key)
    for at, row in enumerate(_list(value)):
        inner = (*path, at)
        if isinstance(row, str) and row.strip():
            yield row.strip(), inner
        elif isinstance(row, dict):
            faults += [Fault("order", (*inner, key), row[key]) for key in ("order", "序") if key in row]
            name = next((key for key in ("ref", "slot", "槽", "id") if isinstance(row.get(key), str)), None)
            if name:
                yield row[name].strip(), (*inner, name)


def _scores(value: object, path: Path, faults: list[Fault]) -> Iterator[Score]:
    for at, row in enumerate(_list(value)):
        if not isinstance(row, dict):
            continue
        read, kind = _score(row.get("分数"))
        if kind and row.get("分数") is not None:
            faults.append(Fault(kind, (*path, at, "分数"), row["分数"]))
        yield Score(_text(row.get("名")), read, _text(row.get("说明")))


def _score(value: object) -> tuple[float | None, str]:
    """A score on the scale to 10, and what is wrong with how it is written: nothing, `percent` or `score`."""
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, str) and text.endswith("%"):
        found = number(text[:-1])
        return (
            (found / HIGHEST, "percent") if found is not None and 0 <= found <= PERCENT else (None, "score")
        )
    if isinstance(text, str) and text.replace(" ", "").endswith(f"/{HIGHEST}"):
        text = text.rpartition("/")[0]
    found = number(text)
    if found is None or not 0 <= found <= PERCENT:
        return None, "score"
    return (found, "") if found <= HIGHEST else (found / HIGHEST, "percent")


def _question(row: Mapping[str, Any]) -> Question:
    choices = tuple(_texts(row.get("建议选项")))
    return Question(_text(row.get("问")), choices, _text(row.get("示例")))


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _said(value: object) -> str:
    """A text, or several of them as one."""
    return "；".join(_texts(value)) if isinstance(value, list) else _text(value)


def _texts(value: object) -> list[str]:
    return [text for text in map(_text, [value] if isinstance(value, str) else _list(value)) if text]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _rows(value: object) -> list[Mapping[str, Any]]:
    return [row for row in _list(value) if isinstance(row, dict)]

"""Context fragments as models write them, read as far as they can be (SPEC 10.1, 10.2). Plain data in and out.

What is wrong is a named fault at a path, never an exception; a text that is no fragment is None.
"""

from __future__ import annotations

from skillc.runtime.order import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

FRAGMENT = "context-fragment.v1"
FLAT = "artifact.flat.v1"
KEYS = {
    "概要": "brief",
    "挂载": "mount",
    "skill": "技能",
    "stability": "稳变",
    "body": "正文",
    "open_questions": "开放问题",
    "序": "order",
}
"""Other names of the keys of a fragment's shell."""
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
Path = tuple[str | int, ...]


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
    """A fragment. `mounts`: where it wants to be shown, each name with the path to it; `stability` is 稳, 中, 变
    or None; `body` a tree, that of the flat form restored; `lead` goes before the `questions`."""

    __slots__ = (
        "body",
        "brief",
        "faults",
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
        keys: dict[str, str] = {KEYS[key]: key for key in data if key in KEYS}
        keys.update({key: key for key in data if key not in KEYS})
        shell = {own: data[key] for own, key in keys.items()}
        assessed, asked = _mapping(shell.get("自评")), _mapping(shell.get("追问"))
        self.faults: list[Fault] = []
        self.schema = _text(shell.get("schema")) or FRAGMENT
        self.skill = _text(shell.get("技能"))
        self.brief = _text(shell.get("brief"))
        self.mounts = list(_mounts(shell.get("mount"), (keys.get("mount", "mount"),), self.faults))
        self.stability = STABILITY.get(_text(shell.get("稳变")))
        self.body = _flat_body(shell.get("sections")) if self.schema == FLAT else shell.get("正文")
        self.scores = list(_scores(assessed.get("维度"), ("自评", "维度"), self.faults))
        self.weak = _text(assessed.get("薄弱点"))
        self.lead = _text(asked.get("导语"))
        self.questions = [_question(row) for row in _rows(asked.get("题目"))]
        self.open = [text for text in map(_text, _list(shell.get("开放问题"))) if text]
        if "order" in shell:
            self.faults.insert(0, Fault("order", (keys["order"],), shell["order"]))


def read_fragment(value: object) -> Fragment | None:
    """The fragment that a text, or a tree that was a text, is; None for anything else.

    >>> read_fragment('{"schema": "context-fragment.v1", "brief": "短", "mount": ["gm"], "正文": {}}').brief
    '短'
    >>> read_fragment("一段散文") is None
    True
    """
    tree = _tree(value) if isinstance(value, str) else value
    return Fragment(tree) if isinstance(tree, dict) and is_fragment(tree) else None


def is_fragment(tree: Mapping[str, Any]) -> bool:
    """Whether a mapping is one by its schema, or, where it states none, by having a brief and a body."""
    schema = tree.get("schema")
    if schema is not None:
        return schema in (FRAGMENT, FLAT)
    return isinstance(tree.get("brief"), str) and "正文" in tree


def json_part(text: str) -> tuple[int, int] | None:
    """Where in `text` the JSON object begins and ends that it is, alone or in one fence; None for other texts.

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
    whole = end - start >= 2 and text[start] == "{" and text[end - 1] == "}"
    return (start, end) if whole else None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return end - len(inner.lstrip()), start + len(inner.rstrip())


def _tree(text: str) -> object:
    part = json_part(text)
    if part is None:
        return None
    import json

    try:
        return json.loads(text[part[0] : part[1]])
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


def _flat_body(sections: object) -> dict[str, Any]:
    """The tree of a flat artifact: each section under its id; a text that is JSON becomes what it says."""
    body: dict[str, Any] = {}
    for row in _rows(sections):
        name = _text(row.get("id")) or _text(row.get("title"))
        text = row.get("text")
        tree = _restored(text) if isinstance(text, str) else text
        body.setdefault(name, text if tree is None else tree)
    return body


def _restored(text: str) -> object:
    if not text.lstrip().startswith(("{", "[")):
        return None
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _question(row: Mapping[str, Any]) -> Question:
    choices = tuple(text for text in map(_text, _list(row.get("建议选项"))) if text)
    return Question(_text(row.get("问")), choices, _text(row.get("示例")))


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _rows(value: object) -> list[Mapping[str, Any]]:
    return [row for row in _list(value) if isinstance(row, dict)]

"""The flat form of a fragment, artifact.flat.v1, and back (SPEC 10.2): what either cannot carry is told."""

from __future__ import annotations

from skillc.runtime.jsontext import is_deep, tree_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

FRAGMENT = "context-fragment.v1"
FLAT = "artifact.flat.v1"
BODY = "正文"
SECTIONS = "sections"
FLAT_CANNOT = {
    "body-form": "a body that is no mapping: a text or a list comes back under one key",
    "json-text": "a text directly under the body that is itself a JSON object or list: it comes back as a tree",
    "scalar": "a number, true, false or null directly under the body: it comes back as text",
    "name": "a key of the body that is empty or has blanks at its ends: ids are trimmed",
    "depth": "a value nested more than 100 levels deep: it stays text",
    "number": "NaN and infinite numbers: they are no JSON",
    "shell-key": "a key of the shell that is called `sections`",
}
"""What the flat form cannot carry. All else comes back as it was."""
TREE_CANNOT = {
    "section-form": "a section that is no mapping, or sections that are no list",
    "id": "a section without an id, or with blanks at its ends",
    "duplicate-id": "a second section of the same id: it comes back under another one",
    "title": "a title that is not the id",
    "text": "a section whose text is missing or no text",
    "formatting": "the blanks, escapes, and repeated keys of a JSON text: it comes back in its plain form",
    "section-key": "any other key of a section",
    "shell-key": "a key of the shell that is called `正文`",
}
"""What a tree cannot carry of a flat form."""
Path = tuple[str | int, ...]


class Loss:
    """Something at `path` that the other form cannot carry; `kind` is a key of one of the lists."""

    __slots__ = ("kind", "path")

    def __init__(self, kind: str, path: Path) -> None:
        self.kind = kind
        self.path = path

    def __repr__(self) -> str:
        return f"Loss({self.kind!r}, {self.path!r})"


def to_flat(fragment: Mapping[str, Any]) -> dict[str, Any]:
    """The flat form of a fragment: each key of its body is a section, a tree in it a JSON text.

    >>> to_flat({"schema": "context-fragment.v1", "brief": "短", "正文": {"尺度": "一城", "区": ["港"]}})["sections"]
    [{'id': '尺度', 'title': '尺度', 'text': '一城'}, {'id': '区', 'title': '区', 'text': '["港"]'}]
    """
    body = fragment.get(BODY, {})
    tree = body if isinstance(body, dict) else {BODY: body}
    rows = [{"id": name, "title": name, "text": _written(value)} for name, value in tree.items()]
    shell = {key: value for key, value in fragment.items() if key not in ("schema", BODY, SECTIONS)}
    return {"schema": FLAT, **shell, SECTIONS: rows}


def flat_losses(fragment: Mapping[str, Any]) -> list[Loss]:
    """What `to_flat` cannot carry of this fragment; none: `to_tree` gives it back as it was."""
    losses = [Loss("shell-key", (SECTIONS,))] if SECTIONS in fragment else []
    body = fragment.get(BODY, {})
    if not isinstance(body, dict):
        return [*losses, Loss("body-form", (BODY,))]
    for name, value in body.items():
        if not isinstance(name, str) or not name.strip() or name != name.strip():
            losses.append(Loss("name", (BODY, name)))
        kind = _loss(value)
        if kind:
            losses.append(Loss(kind, (BODY, name)))
    return losses


def to_tree(flat: Mapping[str, Any]) -> dict[str, Any]:
    """The fragment that a flat artifact was: each section under its id; a text that is JSON becomes what it says.

    Nothing is thrown away: a second section of one id stands under `id (2)`, one without an id under its title.
    """
    body: dict[str, Any] = {}
    for at, row in enumerate(_rows(flat.get(SECTIONS)), 1):
        name = _name(row, at)
        body[_free(name, body)] = restored(row.get("text") if isinstance(row, dict) else row)
    shell = {key: value for key, value in flat.items() if key not in ("schema", BODY, SECTIONS)}
    return {"schema": FRAGMENT, **shell, BODY: body}


def tree_losses(flat: Mapping[str, Any]) -> list[Loss]:
    """What `to_tree` cannot carry of this flat form; none: `to_flat` gives it back as it was."""
    losses = [Loss("shell-key", (BODY,))] if BODY in flat else []
    if not isinstance(flat.get(SECTIONS), list):
        losses.append(Loss("section-form", (SECTIONS,)))
    seen: set[str] = set()
    for at, row in enumerate(_rows(flat.get(SECTIONS))):
        if not isinstance(row, dict):
            losses.append(Loss("section-form", (SECTIONS, at)))
            continue
        losses += [Loss(kind, (SECTIONS, at, key)) for kind, key in _section_losses(row, seen)]
    return losses


def restored(text: object) -> Any:
    """What a value of a flat form says: a JSON object or list where it is the text of one."""
    tree = tree_of(text) if isinstance(text, str) else None
    return text if tree is None else tree


def _section_losses(row: Mapping[str, Any], seen: set[str]) -> Iterator[tuple[str, str]]:
    name, text = row.get("id"), row.get("text")
    if not isinstance(name, str) or not name.strip() or name != name.strip():
        yield "id", "id"
    elif name in seen:
        yield "duplicate-id", "id"
    else:
        seen.add(name)
    if row.get("title") != name:
        yield "title", "title"
    if not isinstance(text, str):
        yield "text", "text"
    elif _written(restored(text)) != text:
        yield "formatting", "text"
    yield from (("section-key", key) for key in row if key not in ("id", "title", "text"))


def _loss(value: object) -> str:
    if isinstance(value, str):
        return "" if tree_of(value) is None else "json-text"
    if not isinstance(value, dict | list):
        return "scalar"
    if is_deep(value):
        return "depth"
    try:
        _written(value, odd_numbers=False)
    except ValueError:
        return "number"
    return ""


def _written(value: object, odd_numbers: bool = True) -> str:
    if isinstance(value, str):
        return value
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=odd_numbers)


def _name(row: object, at: int) -> str:
    found = (row.get(key) for key in ("id", "title")) if isinstance(row, dict) else ()
    return next((name.strip() for name in found if isinstance(name, str) and name.strip()), f"section {at}")


def _free(name: str, body: Mapping[str, Any]) -> str:
    number = 2
    free = name
    while free in body:
        free = f"{name} ({number})"
        number += 1
    return free


def _rows(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []

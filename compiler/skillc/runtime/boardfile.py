"""The board file (SPEC 17.1) <-> Board. Strict: a key that the form does not have is refused; `x-…` is its author's."""

from __future__ import annotations

from skillc.runtime.board import STATUSES, check_content, check_encodable
from skillc.runtime.history import ROLES
from skillc.runtime.jsontext import BEYOND, DEEPEST, LONGEST_NUMBER
from skillc.runtime.variables import read_table, table_data
from skillc.tags import stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from skillc.runtime.board import Board, Item

_CASE = ("role", "variant", "worker", "slot")
_KEYS = ("items", "history", "variables", *_CASE)
_ITEM_KEYS = (
    "tag",
    "content",
    "source",
    "status",
    "id",
    "superseded_by",
    "dependencies",
    "metadata",
    "scope",
)
_LEGACY = ("key", "summary", "tags", "readableBy", "writableBy", "owner", "visibleTo", "type")
"""Routing fields of the older model: read past here, reported where files are checked (SPEC 16.5, D)."""
_SOURCE = "board"
"""Who wrote an item that does not say it."""


def read_board_data(board: Board, data: object) -> Board:
    """Fill the empty `board` from `data`, in writing order: what supersedes what is as with `write`,
    unless an item states its own status."""
    root = _mapping(data, "a board", _KEYS)
    _check_plain(root)
    stated: list[tuple[Item, dict[str, Any]]] = []
    for number, entry in enumerate(_list(root.get("items"), "`items`"), 1):
        stated.append(_read_item(board, entry, number))
    for item, fields in stated:
        if "status" in fields:
            _state(board, item, fields)
    board.history.extend(_read_block(e, n) for n, e in enumerate(_list(root.get("history"), "`history`"), 1))
    board.variables.update(_variables(_given(root, "variables", {})))
    board.case.update({key: _text(root[key], f"`{key}`") for key in _CASE if root.get(key) is not None})
    return board


def board_data(board: Board) -> dict[str, Any]:
    """`board` in the form that `read_board_data` reads; parts that say nothing are left out."""
    data: dict[str, Any] = {"items": [_item_data(item) for item in board.items]}
    if board.history:
        data["history"] = [dict(block) for block in board.history]
    if board.variables:
        data["variables"] = table_data(board.variables)
    return data | board.case


def _variables(value: object) -> dict[str, Any]:
    """Values by key, or the list of cells that a session's table is."""
    return read_table(value if isinstance(value, list | tuple) else _mapping(value, "`variables`"))


def _item_data(item: Item) -> dict[str, Any]:
    data: dict[str, Any] = {"tag": item.tag, "content": item.content, "source": item.source}
    data["status"] = item.status
    if item.id != f"i{item.seq}":
        data["id"] = item.id
    if item.superseded_by is not None:
        data["superseded_by"] = item.superseded_by
    if item.dependencies:
        data["dependencies"] = list(item.dependencies)
    if item.metadata:
        data["metadata"] = dict(item.metadata)
    if item.scope is not None:
        data["scope"] = item.scope
    return data


def _read_item(board: Board, entry: object, number: int) -> tuple[Item, dict[str, Any]]:
    name = f"item {number}"
    if isinstance(entry, dict) and isinstance(entry.get("tag"), str):
        name = f"item {number} (`{entry['tag']}`)"
    fields = _mapping(entry, name, _ITEM_KEYS + _LEGACY)
    tag = fields.get("tag", fields.get("key"))
    if tag is None or "content" not in fields:
        raise ValueError(f"{name} of the board needs `tag` and `content`")
    scope = fields.get("scope")
    try:
        item = board.write(
            _text(tag, f"`tag` of {name}"),
            _content(fields["content"], name),
            _text(_given(fields, "source", _SOURCE), f"`source` of {name}"),
            id=None if fields.get("id") is None else _text(fields["id"], f"`id` of {name}"),
            dependencies=[
                _text(d, "a dependency") for d in _list(fields.get("dependencies"), "`dependencies`")
            ],
            metadata=_mapping(_given(fields, "metadata", {}), f"`metadata` of {name}"),
            scope=None if scope is None else _text(scope, "`scope`"),
        )
    except ValueError as error:
        raise ValueError(str(error) if name in str(error) else f"{name} of the board: {error}") from None
    return item, fields


def _content(value: object, name: str) -> str:
    """Text as it is; a tree as canonical JSON, as with a reply (SPEC 12.3)."""
    if isinstance(value, dict | list):
        from skillc.artifact.encoding import canonical

        return canonical(value).decode()
    return _text(value, f"`content` of {name}")


def _state(board: Board, item: Item, fields: dict[str, Any]) -> None:
    status, heir = fields["status"], fields.get("superseded_by")
    if heir is not None:
        heir = _text(heir, f"`superseded_by` of item {item.seq} (`{item.tag}`)")
    if status not in STATUSES:
        raise ValueError(
            f"item {item.seq} (`{item.tag}`) of the board has status `{status}`; there are {', '.join(STATUSES)}"
        )
    if status == "superseded" and heir is None:
        heir = _likely_heir(board, item)
    elif heir is not None and board.get(heir) is None:
        raise ValueError(
            f"item {item.seq} (`{item.tag}`) of the board was superseded by `{heir}`, which is not there"
        )
    if (status, heir) != (item.status, item.superseded_by):
        board.set_status(item.id, status, heir)


def _likely_heir(board: Board, item: Item) -> str | None:
    """A file that calls an item superseded need not say by what: the first later item of the same
    tag, else (a draft) the first later 确认稿 of it."""
    wanted = [item.tag]
    if stage(item.tag) == "草稿":
        name, mark, slot = item.tag.partition("#")
        wanted.append(name.removesuffix("草稿") + "确认稿" + mark + slot)
    later = board.items[item.seq :]
    return next((other.id for tag in wanted for other in later if other.tag == tag), None)


def _read_block(entry: object, number: int) -> dict[str, str]:
    name = f"entry {number} of `history`"
    fields = _mapping(entry, name, ("role", "content"))
    if fields.get("role") not in ROLES:
        raise ValueError(f"{name} of the board needs a `role`: {', '.join(ROLES)}")
    content = _text(fields.get("content"), f"`content` of {name}")
    check_content(name, content)
    return {"role": fields["role"], "content": content}


def _check_plain(root: dict[str, Any]) -> None:
    """Refuse (ValueError) what JSON cannot carry anywhere in a board: it could be neither stored nor sent."""
    level: list[tuple[str, object]] = list(root.items())
    for _ in range(DEEPEST):
        for place, value in level:
            _check_scalar(place, value)
        level = [(f"{place}.{key}", child) for place, value in level for key, child in _children(value)]
        if not level:
            return
    raise ValueError(f"`{level[0][0][:40]}…` of the board is nested more than {DEEPEST} levels deep")


def _children(value: object) -> list[tuple[object, object]]:
    if isinstance(value, dict):
        return [*value.items()]
    return list(enumerate(value, 1)) if isinstance(value, list | tuple) else []


def _check_scalar(place: str, value: object) -> None:
    check_encodable("a key of the board", place)
    if isinstance(value, str):
        check_encodable(f"`{place}` of the board", value)
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        raise ValueError(f"`{place}` of the board is `{value}`, which is no number")
    if isinstance(value, int) and not -BEYOND < value < BEYOND:
        raise ValueError(f"`{place}` of the board is a number with more than {LONGEST_NUMBER} digits")
    if not (value is None or isinstance(value, str | int | float | dict | list | tuple)):
        raise ValueError(f"`{place}` of the board is {_kind(value)}, which is no JSON value")


def _given(fields: dict[str, Any], key: str, default: object) -> object:
    """The value of a key; a null is the same as none."""
    value = fields.get(key)
    return default if value is None else value


def _mapping(value: object, name: str, keys: tuple[str, ...] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be a mapping, not {_kind(value)}")
    for key in value:
        free = keys is None or key in keys or (isinstance(key, str) and key.startswith("x-"))
        if not isinstance(key, str) or not free:
            known = f"; there are {', '.join(k for k in keys if k not in _LEGACY)}" if keys else ""
            raise ValueError(f"{name} has the key `{key}`, which is unknown{known}")
    return value


def _list(value: object, name: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise ValueError(f"{name} of the board must be a list, not {_kind(value)}")
    return list(value)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} must be text, not {_kind(value)}")
    return value


def _kind(value: object) -> str:
    return "nothing" if value is None else type(value).__name__

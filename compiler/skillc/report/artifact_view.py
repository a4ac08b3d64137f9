"""What an artifact looks like, whatever shows it: groups of blocks, made of plain values. Never a wall of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from skillc.model.artifact_schema import DIAGNOSIS, Spec, kinds
from skillc.value import value

COLUMNS = 6
"""Columns of a table; rows with more keys are cards."""
TITLES = ("名", "名称", "名字", "name", "title", "rule_id", "id", "key", "ref")
"""Keys that name a card where its specification does not say which."""
Side = Literal["product", "assessment"]


@value
class Prose:
    """A text, line breaks and all."""

    text: str


@value
class Texts:
    """Short texts, one below the other."""

    items: tuple[str, ...]


@value
class Pairs:
    """Keys with what stands under them."""

    rows: tuple[tuple[str, Block], ...]


@value
class Table:
    """Rows of texts under a head; `marked` rows stand out."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: frozenset[int] = frozenset()


@value
class Card:
    """One thing: its title, what stands beside the title, and the rest."""

    title: str
    pills: tuple[str, ...]
    blocks: tuple[Block, ...]


@value
class Cards:
    """Things of one kind."""

    items: tuple[Card, ...]


Block = Prose | Texts | Pairs | Table | Cards


@value
class Group:
    """A part of the body. The product goes into play; the assessment is for those who accept it."""

    title: str
    side: Side
    blocks: tuple[Block, ...]


def text_of(value: object) -> str:
    """A value that is no tree, as text.

    >>> text_of(8.0), text_of(True), text_of(None)
    ('8', '是', '—')
    """
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "是" if value else "否"
    return f"{value:g}" if isinstance(value, float) else str(value)


def block_of(value: object, spec: Spec | None = None) -> Block:
    """The block for any value; `spec` says which key names a card, and what is a row."""
    if isinstance(value, dict):
        return _of_mapping(value, spec or {})
    if isinstance(value, list):
        return _of_list(value, spec or {})
    return Prose(text_of(value))


def _of_list(values: Sequence[Any], spec: Spec) -> Block:
    if not any(isinstance(value, dict | list) for value in values):
        return Texts(tuple(map(text_of, values)))
    inner: Spec = spec.get("of", {})
    rows = [value for value in values if isinstance(value, dict)]
    if len(rows) == len(values):
        return table_of(rows) if is_table(rows) else Cards(tuple(cards_of(rows, inner)))
    return Pairs(tuple((str(at), block_of(value, inner)) for at, value in enumerate(values, 1)))


def _of_mapping(value: Mapping[str, Any], spec: Spec) -> Block:
    keys = spec.get("keys", {})
    inner = spec.get("of") if "map" in kinds({"kind": "", **spec}) else None
    if value and all(map(is_diagnosis, value.values())):
        return Cards(tuple(diagnosis(key, item) for key, item in value.items()))
    if is_diagnosis(value):
        return Cards((diagnosis("", value),))
    return Pairs(tuple((key, block_of(item, keys.get(key, inner))) for key, item in value.items()))


def is_diagnosis(value: object) -> bool:
    return isinstance(value, dict) and DIAGNOSIS[0] in value and bool(set(value) & set(DIAGNOSIS[1:]))


def diagnosis(title: str, value: Mapping[str, Any]) -> Card:
    """A diagnosis as a card: how complete it is stands beside the title."""
    complete = value.get(DIAGNOSIS[2])
    pills = (
        ()
        if complete is None or isinstance(complete, dict | list)
        else (f"{DIAGNOSIS[2]} {text_of(complete)}",)
    )
    rest = {key: item for key, item in value.items() if not pills or key != DIAGNOSIS[2]}
    return Card(title, pills, (Pairs(tuple((key, block_of(item)) for key, item in rest.items())),))


def is_table(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether rows have one layer and few enough columns to stand below each other."""
    columns = {key for row in rows for key in row}
    flat = all(not isinstance(item, dict | list) for row in rows for item in row.values())
    return bool(rows) and flat and len(columns) <= COLUMNS


def table_of(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Rows as a table, columns in the order of their first mention."""
    head = tuple(dict.fromkeys(key for row in rows for key in row))
    return Table(head, tuple(tuple(text_of(row[key]) if key in row else "" for key in head) for row in rows))


def cards_of(rows: Sequence[Mapping[str, Any]], spec: Spec) -> Iterator[Card]:
    """A card for each row, named by the key that its specification says, else by a key that usually names."""
    for at, row in enumerate(rows, 1):
        name = title_key(row, spec)
        rest = {key: value for key, value in row.items() if key != name}
        block = _of_mapping(rest, {key: value for key, value in spec.items() if key != "of"})
        yield Card(text_of(row[name]) if name else str(at), (), (block,) if rest else ())


def title_key(row: Mapping[str, Any], spec: Spec) -> str | None:
    """The key of `row` that names it."""
    names = (spec["title"], *TITLES) if "title" in spec else TITLES
    return next((key for key in names if key in row and not isinstance(row[key], dict | list)), None)

"""`context-order.json` or `.yaml`: which tags a slot shows, in which order, how much of each (SPEC 11.2)."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as MappingType
from typing import Annotated, Any, ClassVar

from skillc.diagnostic import Diagnostic, finding
from skillc.grammar import parse_pattern
from skillc.model.fields import read_fields
from skillc.model.order_slots import conflicts
from skillc.model.projections import Projection, read_projection
from skillc.model.scalars import Count, Truth, Word, one_of
from skillc.model.schema import Fields, Key
from skillc.runtime.order import ENTRY, ROW, SCHEMA, TOP, meant
from skillc.source.document import YamlFile
from skillc.source.jsontree import duplicate_key
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.tags import Pattern
from skillc.text import Source, Span, Text
from skillc.value import value
from skillc.wording import say


@value
class Insert:
    """One row of a slot. `node` is the row under the format's own keys; `number` its order as written."""

    ref: Text
    pattern: Pattern
    node: Mapping
    number: Text | None = None
    projection: Projection | None = None

    @property
    def anchor(self) -> Text | None:
        """The key of a deprecated anchor."""
        return self.node.key("anchor")


@value
class OrderSlot:
    """What one slot shows. `name` as written, `worker` whom it means, `slot` the key of the fixed slot, if it
    is one; `gives`: it names both, and so gives the slot to the worker; `enabled` is None where the entry does not
    say."""

    name: Text
    worker: str
    slot: str | None
    span: Span
    inserts: tuple[Insert, ...]
    enabled: bool | None = None
    broken: bool = False
    """Something in its rows could not be read: how they stand proves nothing."""
    id: Text | None = None
    gives: bool = False


@value
class Order:
    """A projection order. `switches`: each slot that `play_slots` turns on or off, as written; `shown`: the
    workers for whom it has rows."""

    source: Source
    slots: tuple[OrderSlot, ...] = ()
    switches: tuple[tuple[Text, bool], ...] = ()
    shown: frozenset[str] = frozenset()
    broken: bool = False
    root: Node | None = None
    """The whole of it, as written."""

    def replaces(self, worker: str) -> bool:
        """Whether it says what the worker shows, so that its segments do not count; when broken, it may."""
        return self.broken or worker in self.shown


class RowFields(Fields):
    """One row of a slot."""

    noun: ClassVar[str] = say("a row of an order")
    order: Count | None = None
    ref: Word
    projection: Word | None = None
    note: Word | None = None
    label: Word | None = None
    anchor: Any = None


class EntryFields(Fields):
    """One slot of an order."""

    noun: ClassVar[str] = say("a slot of an order")
    ref: Word | None = None
    id: Word | None = None
    label: Word | None = None
    enabled: Truth | None = None
    when: Word | None = None
    note: Word | None = None
    inserts: list[RowFields] | None = None


class OrderFields(Fields):
    """A context-order file."""

    noun: ClassVar[str] = say("a projection order")
    schema_: Annotated[Annotated[Text, one_of(SCHEMA)] | None, Key("schema")] = None
    brief: Word | None = None
    note: Word | None = None
    play_slots: Annotated[dict[str, Truth] | None, Key("play_slots")] = None
    slots: list[EntryFields] | None = None
    agents: list[EntryFields] | None = None


def read_order(file: YamlFile | None) -> tuple[Order | None, list[Diagnostic]]:
    """The order of a package; None where it has none. Both forms are read, under all names of their keys.

    Codes: those of fields and tags, unknown-projection, duplicate-key (a key under two names), missing-field (an order
    that says nothing), and those of `conflicts`.
    """
    if file is None or (file.root is None and not file.broken):
        return None, []
    if file.root is None:
        return Order(file.source, broken=True), []
    found: list[Diagnostic] = []
    root = _canonical(file.root, found)
    reading = read_fields(OrderFields, root, file.source.span())
    entries = [entry for key in ("slots", "agents") for entry in _mappings(_get(root, key))]
    slots = tuple(slot for entry in entries if (slot := _slot(entry, found)))
    found += [*reading.diagnostics, *conflicts(slots)]
    if not found and not file.broken and isinstance(root, Mapping):
        found += _nothing(root)
    unread = file.broken or bool(reading.faults & {"slots", "agents"})
    shown = frozenset(slot.worker for slot in slots if slot.inserts or slot.broken)
    return Order(file.source, slots, tuple(_switches(root)), shown, unread, file.root), found


def _nothing(root: Mapping) -> Iterator[Diagnostic]:
    if not any(key.value in ("slots", "agents", "play_slots") for key, _ in root):
        yield finding(
            "missing-field",
            root.span,
            say("the order has neither `slots` nor `agents` nor `play_slots`, so it says nothing"),
            say("write what the slots show under `slots`, or delete the file"),
        )


def _canonical(node: Node, found: list[Diagnostic]) -> Node:
    """The tree under the format's own keys, each in its place."""
    top = _renamed(node, TOP, found)
    return _within(top, ("slots", "agents"), lambda entry: _entry(entry, found))


def _entry(node: Node, found: list[Diagnostic]) -> Node:
    return _within(_renamed(node, ENTRY, found), ("inserts",), lambda row: _renamed(row, ROW, found))


def _within(node: Node, keys: tuple[str, ...], change: Any) -> Node:
    """`node` with every item of the lists under `keys` changed."""
    if not isinstance(node, Mapping):
        return node
    return Mapping(
        tuple(
            (key, Sequence(*value.span.place, tuple(map(change, value.items))))
            if key.value in keys and isinstance(value, Sequence)
            else (key, value)
            for key, value in node
        ),
        node.span,
    )


def _renamed(node: Node, names: MappingType[str, str], found: list[Diagnostic]) -> Node:
    if not isinstance(node, Mapping):
        return node
    entries: dict[str, tuple[Text, Node]] = {}
    for key, given in node:
        own = Text(names.get(key.value, key.value), key.span)
        if own.value in entries:
            found.append(duplicate_key(own, entries[own.value][0]))
        else:
            entries[own.value] = (own, given)
    return Mapping(tuple(entries.values()), node.span)


def _slot(node: Mapping, found: list[Diagnostic]) -> OrderSlot | None:
    name = _text(node, "ref") or _text(node, "id")
    if name is None:
        at = node.entries[0][0].span if node.entries else node.span
        found.append(
            finding("missing-field", at, say("a slot of an order does not say which one it is"), _WHICH)
        )
        return None
    rows = _get(node, "inserts")
    items = rows.items if isinstance(rows, Sequence) else ()
    inserts = tuple(insert for item in items if (insert := _insert(item, found)))
    ref, id, enabled = (_text(node, key) for key in ("ref", "id", "enabled"))
    whom = meant(ref and ref.value, id and id.value)
    return OrderSlot(
        name,
        whom.worker,
        whom.slot.key if whom.slot else None,
        node.span,
        inserts,
        enabled.value == "true" if enabled else None,
        len(inserts) < len(items) or not all(_is_count(insert.number) for insert in inserts),
        id,
        whom.gives,
    )


_WHICH = say("write `ref: world-simulator`, or in the form of agents `id: gm`")


def _insert(node: Node, found: list[Diagnostic]) -> Insert | None:
    """A row; None for one that cannot be read, of which a finding tells."""
    ref = _text(node, "ref")
    if not isinstance(node, Mapping) or ref is None:
        return None
    projection = read_projection(_text(node, "projection"), found, aliases=True)
    pattern, said = parse_pattern(ref)
    found += said
    if pattern is None:
        return None
    return Insert(ref, pattern, node, _text(node, "order"), projection)


def _is_count(number: Text | None) -> bool:
    return number is None or (number.value.isascii() and number.value.isdigit())


def _switches(root: Node) -> Iterator[tuple[Text, bool]]:
    node = _get(root, "play_slots")
    for key, switch in node if isinstance(node, Mapping) else ():
        if isinstance(switch, Scalar) and switch.value in ("true", "false"):
            yield key, switch.value == "true"


def _mappings(node: Node | None) -> list[Mapping]:
    return [item for item in node.items if isinstance(item, Mapping)] if isinstance(node, Sequence) else []


def _get(node: Node, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None


def _text(node: Node, key: str) -> Text | None:
    value = _get(node, key)
    return Text(value.value, value.span) if isinstance(value, Scalar) and not value.is_null else None

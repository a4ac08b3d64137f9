"""YAML as a tree in which every key and value knows its place; all scalars are text."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.text import Span, Text
from skillc.value import value

NULLS = frozenset(("", "~", "null", "Null", "NULL"))
"""What a plain scalar says that is a null."""


@value
class Scalar:
    """A scalar as text. `plain` tells an unquoted one; an empty plain one is a null."""

    value: str
    span: Span
    plain: bool = True

    @property
    def is_null(self) -> bool:
        return self.plain and self.value in NULLS


@value
class Sequence:
    items: tuple[Node, ...]
    span: Span


class Mapping:
    """Entries in written order, of which `values` has the node of each key; keys are unique, since a duplicate was a
    finding. Few keys are ever pointed at, so `placed` ones become texts when somebody asks for them. Never changed."""

    __slots__ = ("_entries", "_starts", "span", "values")

    def __init__(self, entries: tuple[tuple[Text, Node], ...], span: Span) -> None:
        self._entries: tuple[tuple[Text, Node], ...] | None = entries
        self._starts: list[int] = []
        self.span = span
        self.values: dict[str, Node] = {}
        for key, node in entries:
            self.values.setdefault(key.value, node)

    @classmethod
    def placed(cls, values: dict[str, Node], starts: list[int], span: Span) -> Mapping:
        """The mapping of these values, whose keys stand as they are from these offsets on in the source of `span`."""
        made = cls.__new__(cls)
        made._entries = None
        made._starts = starts
        made.span = span
        made.values = values
        return made

    @property
    def entries(self) -> tuple[tuple[Text, Node], ...]:
        if self._entries is None:
            source = self.span.source
            self._entries = tuple(
                [
                    (Text(name, Span(source, start, start + len(name))), node)
                    for (name, node), start in zip(self.values.items(), self._starts, strict=True)
                ]
            )
        return self._entries

    def get(self, key: str) -> Node | None:
        return self.values.get(key)

    def key(self, key: str) -> Text | None:
        """The key as written, with its place."""
        if key not in self.values:
            return None
        return next(name for name, _ in self.entries if name.value == key)

    def __iter__(self) -> Iterator[tuple[Text, Node]]:
        return iter(self.entries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return self.entries == other.entries and self.span == other.span

    def __hash__(self) -> int:
        return hash((self.entries, self.span))

    def __repr__(self) -> str:
        return f"Mapping(entries={self.entries!r}, span={self.span!r})"


Node = Scalar | Sequence | Mapping

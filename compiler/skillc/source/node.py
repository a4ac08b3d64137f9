"""YAML as a tree in which every key and value knows its place; all scalars are text."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.text import Placed, Source, Span, Text

NULLS = frozenset(("", "~", "null", "Null", "NULL"))
"""What a plain scalar says that is a null."""


class Scalar(Text):
    """A scalar as text. `plain` tells an unquoted one; an empty plain one is a null."""

    __slots__ = ("plain",)

    def __init__(self, value: str, source: Source, start: int, end: int, plain: bool = True) -> None:
        self.value = value
        self.source = source
        self.start = start
        self.end = end
        self.plain = plain

    @property
    def is_null(self) -> bool:
        return self.plain and self.value in NULLS

    def moved(self, source: Source, by: int) -> Scalar:
        """The same, read of a part of `source` that begins `by` characters from its start."""
        return Scalar(self.value, source, self.start + by, self.end + by, self.plain)

    def __eq__(self, other: object) -> bool:
        """Two scalars are written alike; any other text of this value and place is the same text."""
        return Text.__eq__(self, other) and (not isinstance(other, Scalar) or self.plain == other.plain)

    __hash__ = Text.__hash__


class Sequence(Placed):
    """Nodes in written order. Never changed."""

    __slots__ = ("items",)

    def __init__(self, source: Source, start: int, end: int, items: tuple[Node, ...]) -> None:
        self.source = source
        self.start = start
        self.end = end
        self.items = items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.items == other.items and self.span == other.span

    def __hash__(self) -> int:
        return hash((self.items, self.start))

    def __repr__(self) -> str:
        return f"Sequence(items={self.items!r}, span={self.span!r})"

    def moved(self, source: Source, by: int) -> Sequence:
        items = tuple([item.moved(source, by) for item in self.items])
        return Sequence(source, self.start + by, self.end + by, items)


class Mapping(Placed):
    """Entries in written order, of which `values` has the node of each key; keys are unique, since a duplicate was a
    finding. Few keys are ever pointed at, so `placed` ones become texts when somebody asks for them. Never changed."""

    __slots__ = ("_entries", "_starts", "values")

    def __init__(self, entries: tuple[tuple[Text, Node], ...], span: Span) -> None:
        self._entries: tuple[tuple[Text, Node], ...] | None = entries
        self._starts: list[int] = []
        self.source, self.start, self.end = span.place
        self.values: dict[str, Node] = {}
        for key, node in entries:
            self.values.setdefault(key.value, node)

    @classmethod
    def placed(
        cls, values: dict[str, Node], starts: list[int], source: Source, start: int, end: int
    ) -> Mapping:
        """The mapping of these values, whose keys stand as they are from these offsets on in the source."""
        made = cls.__new__(cls)
        made._entries = None
        made._starts = starts
        made.source = source
        made.start = start
        made.end = end
        made.values = values
        return made

    def moved(self, source: Source, by: int) -> Mapping:
        values = {key: node.moved(source, by) for key, node in self.values.items()}
        starts = [key.start + by for key, _ in self.entries]
        return Mapping.placed(values, starts, source, self.start + by, self.end + by)

    @property
    def entries(self) -> tuple[tuple[Text, Node], ...]:
        if self._entries is None:
            source = self.source
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
        return isinstance(other, Mapping) and self.entries == other.entries and self.span == other.span

    def __hash__(self) -> int:
        return hash((self.entries, self.start))

    def __repr__(self) -> str:
        return f"Mapping(entries={self.entries!r}, span={self.span!r})"


Node = Scalar | Sequence | Mapping

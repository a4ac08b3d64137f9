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


@value
class Mapping:
    """Entries in written order; keys are unique, since a duplicate was a finding."""

    entries: tuple[tuple[Text, Node], ...]
    span: Span

    def get(self, key: str) -> Node | None:
        for name, node in self.entries:
            if name.value == key:
                return node
        return None

    def key(self, key: str) -> Text | None:
        """The key as written, with its place."""
        for name, _ in self.entries:
            if name.value == key:
                return name
        return None

    def __iter__(self) -> Iterator[tuple[Text, Node]]:
        return iter(self.entries)


Node = Scalar | Sequence | Mapping

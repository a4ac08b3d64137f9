"""Patterns in a tree by their parts, so that asking who overlaps costs what the answer costs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern, family, overlaps

T = TypeVar("T")


class _Node:
    __slots__ = ("children", "entries")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.entries: list[int] = []


class PatternIndex(Generic[T]):
    """Values filed under patterns; `overlapping` gives those of all patterns that overlap one.

    >>> index = PatternIndex([(Pattern(("大纲", "草稿")), 1), (Pattern(("正文", REST)), 2)])
    >>> index.overlapping(Pattern(("正文", "草稿")))
    [2]
    """

    def __init__(self, entries: Iterable[tuple[Pattern, T]]) -> None:
        self._filed: list[tuple[Pattern, T]] = list(entries)
        self._root = _Node()
        for number, (pattern, _) in enumerate(self._filed):
            node = self._root
            for part in pattern.parts:
                node = node.children.setdefault(family(part), _Node())
            node.entries.append(number)

    def overlapping(self, pattern: Pattern) -> list[T]:
        """The values whose pattern overlaps `pattern`, in the order they were filed."""
        return [value for _, value in self.entries(pattern)]

    def entries(self, pattern: Pattern) -> list[tuple[Pattern, T]]:
        """As `overlapping`, with the pattern of each value."""
        found = (self._filed[number] for number in sorted(self._candidates(pattern)))
        return [entry for entry in found if overlaps(pattern, entry[0])]

    def _candidates(self, pattern: Pattern) -> list[int]:
        numbers = list(_entries_at(self._root.children.get(WHOLE)))
        level = [self._root]
        for part in pattern.parts:
            if part in (REST, WHOLE):
                return sorted({*numbers, *(n for node in level for n in _entries_below(node))})
            numbers += [n for node in level for n in _entries_at(node.children.get(REST))]
            level = [child for node in level for child in _meeting(node, family(part))]
        return numbers + [n for node in level for n in node.entries]


def _entries_at(node: _Node | None) -> list[int]:
    return node.entries if node else []


def _entries_below(node: _Node) -> list[int]:
    found: list[int] = []
    stack = [node]
    while stack:
        top = stack.pop()
        found += top.entries
        stack += top.children.values()
    return found


def _meeting(node: _Node, part: str) -> list[_Node]:
    if part in (ONE, ROLE):
        return [child for key, child in node.children.items() if key not in (REST, WHOLE)]
    return [node.children[key] for key in (part, ONE, ROLE) if key in node.children]

"""Patterns by the tags that they are, or in a tree by their parts: asking who overlaps costs what the answer costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern, family, overlaps

T = TypeVar("T")
FEW = 8
"""So few patterns are compared one by one."""


class PatternIndex(Generic[T]):
    """Values filed under patterns; `overlapping` gives those of all patterns that overlap one.

    >>> index = PatternIndex([(Pattern(("大纲", "草稿")), 1), (Pattern(("正文", REST)), 2)])
    >>> index.overlapping(Pattern(("正文", "草稿")))
    [2]
    """

    def __init__(self, entries: Iterable[tuple[Pattern, T]]) -> None:
        self._filed: list[tuple[Pattern, T]] = list(entries)
        self._tags: dict[str, list[int]] = {}
        self._open: list[int] = []
        for number, (pattern, _) in enumerate(self._filed):
            tag = pattern.exact
            if tag is None:
                self._open.append(number)
            else:
                self._tags.setdefault(family(tag), []).append(number)

    def overlapping(self, pattern: Pattern) -> list[T]:
        """The values whose pattern overlaps `pattern`, in the order they were filed."""
        return [value for known, value in self._near(pattern) if overlaps(pattern, known)]

    def entries(self, pattern: Pattern) -> list[tuple[Pattern, T]]:
        """As `overlapping`, with the pattern of each value."""
        return [entry for entry in self._near(pattern) if overlaps(pattern, entry[0])]

    def _near(self, pattern: Pattern) -> Sequence[tuple[Pattern, T]]:
        """All that may overlap `pattern`, and some more, in the order of filing."""
        filed = self._filed
        if pattern.exact is None:
            return filed if len(filed) <= FEW else [filed[number] for number in self._tree.near(pattern)]
        named = self._tags.get(family(pattern.exact), [])
        if self._open:
            wide = self._open if len(self._open) <= FEW else self._open_tree.near(pattern)
            named = sorted([*named, *wide]) if named else wide
        return [filed[number] for number in named]

    @cached_property
    def _tree(self) -> _Tree:
        return _Tree((number, pattern) for number, (pattern, _) in enumerate(self._filed))

    @cached_property
    def _open_tree(self) -> _Tree:
        return _Tree((number, self._filed[number][0]) for number in self._open)


class _Node:
    __slots__ = ("children", "entries")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.entries: list[int] = []


class _Tree:
    """Numbers of patterns, part by part."""

    def __init__(self, patterns: Iterable[tuple[int, Pattern]]) -> None:
        self._root = _Node()
        for number, pattern in patterns:
            node = self._root
            for part in pattern.parts:
                node = node.children.setdefault(family(part), _Node())
            node.entries.append(number)

    def near(self, pattern: Pattern) -> list[int]:
        """The numbers of those that overlap `pattern`, and of some that do not, sorted."""
        numbers = list(_entries_at(self._root.children.get(WHOLE)))
        level = [self._root]
        for part in pattern.parts:
            if part in (REST, WHOLE):
                return sorted({*numbers, *(n for node in level for n in _entries_below(node))})
            numbers += [n for node in level for n in _entries_at(node.children.get(REST))]
            level = [child for node in level for child in _meeting(node, family(part))]
        return sorted(numbers + [n for node in level for n in node.entries])


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

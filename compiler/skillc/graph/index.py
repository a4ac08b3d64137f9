"""Patterns by the tags that they are, or in a tree by their parts: asking who overlaps costs what the answer costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern, family, overlaps

T = TypeVar("T")
FEW = 24
"""So few patterns are compared one by one."""
_ANY_HEAD = (WHOLE, ONE, ROLE)
_NONE: Sequence[int] = ()


class PatternIndex(Generic[T]):
    """Values filed under patterns; `overlapping` gives those of all patterns that overlap one. What is filed
    `beneath` stands before them all.

    >>> index = PatternIndex([(Pattern(("大纲", "草稿")), 1), (Pattern(("正文", REST)), 2)])
    >>> index.overlapping(Pattern(("正文", "草稿")))
    [2]
    """

    def __init__(self, entries: Iterable[tuple[Pattern, T]], beneath: PatternIndex[T] | None = None) -> None:
        self._beneath = beneath
        self._filed: list[tuple[Pattern, T]] = list(entries)
        self._tags: dict[str, list[int]] = {}
        self._open: dict[str, list[int]] = {}
        self._anywhere: list[int] = []
        for number, (pattern, _) in enumerate(self._filed):
            if pattern.exact is not None:
                self._tags.setdefault(family(pattern.exact), []).append(number)
            elif pattern.parts[0] in _ANY_HEAD:
                self._anywhere.append(number)
            else:
                self._open.setdefault(family(pattern.parts[0]), []).append(number)

    def overlapping(self, pattern: Pattern) -> list[T]:
        """The values whose pattern overlaps `pattern`, in the order they were filed."""
        near = self._near(pattern)
        found = [value for known, value in near if overlaps(pattern, known)] if near else []
        return self._beneath.overlapping(pattern) + found if self._beneath else found

    def entries(self, pattern: Pattern) -> list[tuple[Pattern, T]]:
        """As `overlapping`, with the pattern of each value."""
        found = [entry for entry in self._near(pattern) if overlaps(pattern, entry[0])]
        return self._beneath.entries(pattern) + found if self._beneath else found

    def _near(self, pattern: Pattern) -> Sequence[tuple[Pattern, T]]:
        """All that may overlap `pattern`, and some more, in the order of filing."""
        filed = self._filed
        if pattern.exact is None:
            return filed if len(filed) <= FEW else [filed[number] for number in self._tree.near(pattern)]
        named = self._tags.get(family(pattern.exact), _NONE)
        wide = self._wide(pattern) if self._open or self._anywhere else _NONE
        if named and wide:
            named = sorted([*named, *wide])
        return [filed[number] for number in named or wide]

    def _wide(self, tag: Pattern) -> Sequence[int]:
        """The patterns with wildcards that a tag may belong to, in the order of filing."""
        wide: Sequence[int] = self._open.get(family(tag.parts[0]), _NONE)
        if self._anywhere:
            wide = sorted([*wide, *self._anywhere])
        return wide if len(wide) <= FEW else self._open_tree.near(tag)

    @cached_property
    def _tree(self) -> _Tree:
        return _Tree((number, pattern) for number, (pattern, _) in enumerate(self._filed))

    @cached_property
    def _open_tree(self) -> _Tree:
        wide = sorted([*self._anywhere, *(number for numbers in self._open.values() for number in numbers)])
        return _Tree((number, self._filed[number][0]) for number in wide)


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

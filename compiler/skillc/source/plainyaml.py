"""The YAML that nearly all files are written in, read in one pass over its lines (SPEC 2.3).

What is read here has the tree that `yamltree` makes of it and no finding; a test compares the two on generated
texts. Everything else — comments, block texts, values over several lines, anchors, escapes, anything odd — is left
to `yamltree`, which knows what to say about it. PyYAML gives an event for every value and takes six times as long.
"""

from __future__ import annotations

import re

from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Source, Span, Text

_ODD = re.compile(
    "[^\n\x20-\x7e"
    "\xa1-\xac\xae-\u034e\u0350-\u061b\u061d-\u115e\u1161-\u167f\u1681-\u17b3\u17b6-\u180a\u1810-\u1fff"
    "\u2010-\u2027\u2030-\u205e\u2070-\u27ff\u2801-\u2fff\u3001-\u3163\u3165-\ud7ff\uf900-\ufdff\ufe10-\ufefe"
    "\uff00-\uff9f\uffa1-\uffef\U00010000-\U000dffff]"
)
"""Whatever is no ordinary printable character: controls, blanks that are no space, what cannot be seen."""
_PLAIN = r"[^\s\-?:,\[\]{}#&*!|>'\"%@`](?:[^\s:#]|:(?=[^\s,\[\]{}])|(?<=\S)#| +(?=[^\s#]))*"
_LINE = re.compile(
    r"( *)(- )?(?:([^\W\d][\w.-]*):(?: |$))?"
    rf"(?:({_PLAIN})|\"([^\"\\\n]*)\"|'([^'\n]*)'|([\[{{].*[\]}}]))?$",
    re.MULTILINE,
)
_INDENT, _DASH, _KEY, _VALUE, _DOUBLE, _SINGLE, _FLOW = range(1, 8)
_PART = re.compile(
    r" *(?:([\[\]{},])|\"([^\"\\\n]*)\"|'([^'\n]*)'"
    r"|([^\s\-?:,\[\]{}#&*!|>'\"%@`](?:[^\s,?\[\]{}:#]|(?<=\S)#| +(?=[^\s,?\[\]{}:#]))*)(: )?)"
)
_DEPTH = 12


class _Other(Exception):
    """The text is not of the plain kind."""


def read_plain(region: Span) -> Mapping | None:
    """The mapping that `region` holds, or None where it is not plain enough to be read here.

    >>> text = Span(Source("a.yaml", "id: a\\ntags: [x, y]\\n"), 0, 20)
    >>> [key.value for key, _ in read_plain(text)]
    ['id', 'tags']
    >>> read_plain(Span(Source("a.yaml", "id: &a b"), 0, 8)) is None
    True
    """
    if _ODD.search(region.source.text, region.start, region.end):
        return None
    try:
        return _Lines(region).whole()
    except _Other:
        return None


class _Lines:
    """The lines that hold something, and how far they are read."""

    __slots__ = ("at", "indents", "matches", "source")

    def __init__(self, region: Span) -> None:
        self.source: Source = region.source
        self.matches: list[re.Match[str]] = []
        self.indents: list[int] = []
        self.at = 0
        position = region.start
        while position < region.end:
            match = _LINE.match(self.source.text, position, region.end)
            if match is None:
                raise _Other
            position = match.end() + 1
            if match[0].strip(" "):
                self.matches.append(match)
                self.indents.append(match.end(_INDENT) - match.start())
        self.indents.append(-1)

    def whole(self) -> Mapping | None:
        if not self.matches or self.indents[0] or self.matches[0][_DASH]:
            return None
        found = self.mapping(0, 0)
        return found if self.at == len(self.matches) else None

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)

    def mapping(self, indent: int, depth: int) -> Mapping:
        """The mapping whose first key is in the current line; its keys stand `indent` blanks from the left."""
        entries: list[tuple[Text, Node]] = []
        names: set[str] = set()
        compact = True
        while True:
            match = self.matches[self.at]
            key = match[_KEY]
            if key is None or key in names or (match[_DASH] and not compact):
                raise _Other
            compact = False
            names.add(key)
            span = Span(self.source, match.start(_KEY), match.end(_KEY))
            entries.append((Text(key, span), self.value(match, indent, depth, match.end(_KEY) + 1)))
            below = self.indents[self.at]
            if below < indent or (below == indent and self.matches[self.at][_DASH]):
                break
            if below > indent:
                raise _Other
        first = entries[0][0].span.start
        return Mapping(tuple(entries), Span(self.source, first, max(first, entries[-1][1].span.end)))

    def value(self, match: re.Match[str], indent: int, depth: int, behind: int) -> Node:
        """The value behind a key or a dash in the line of `match`: there, in the lines below, or nowhere."""
        self.at += 1
        kind = match.lastindex or 0
        if kind == _VALUE:
            return Scalar(match[_VALUE], Span(self.source, match.start(_VALUE), match.end(_VALUE)))
        if kind in (_DOUBLE, _SINGLE):
            return Scalar(match[kind], Span(self.source, match.start(kind), match.end(kind)), False)
        if kind == _FLOW:
            return self.flow(match.start(_FLOW), match.end(_FLOW), depth)
        below = self.indents[self.at]
        if below > indent and depth < _DEPTH:
            line = self.matches[self.at]
            return self.sequence(below, depth + 1) if line[_DASH] else self.mapping(below, depth + 1)
        if below == indent and match[_KEY] is not None and self.matches[self.at][_DASH]:
            return self.sequence(below, depth + 1)
        return Scalar("", Span(self.source, behind, behind))

    def sequence(self, indent: int, depth: int) -> Sequence:
        """The entries whose dashes stand `indent` blanks from the left, from the current line on."""
        items: list[Node] = []
        first = self.matches[self.at].start(_DASH)
        while self.indents[self.at] == indent and self.matches[self.at][_DASH]:
            match = self.matches[self.at]
            if match[_KEY] is not None:
                items.append(self.mapping(indent + 2, depth + 1))
            else:
                items.append(self.value(match, indent, depth, match.end(_DASH) - 1))
        if self.indents[self.at] > indent:
            raise _Other
        return Sequence(tuple(items), Span(self.source, first, max(first, items[-1].span.end)))

    def flow(self, start: int, end: int, depth: int) -> Node:
        """The list or mapping in one line from `start` to `end`."""
        reader = _Flow(self.source, start + 1, end, depth)
        node = reader.sequence(start) if self.source.text[start] == "[" else reader.mapping(start)
        if reader.at != end:
            raise _Other
        return node


class _Flow:
    """A list or mapping in brackets, read from `at` to at most `end`."""

    __slots__ = ("at", "depth", "end", "source")

    def __init__(self, source: Source, at: int, end: int, depth: int) -> None:
        self.source = source
        self.at = at
        self.depth = depth
        self.end = end

    def part(self) -> re.Match[str]:
        match = _PART.match(self.source.text, self.at, self.end)
        if match is None:
            raise _Other
        self.at = match.end()
        return match

    def sequence(self, start: int) -> Sequence:
        items: list[Node] = []
        match = self.part()
        while match[1] != "]" or items:
            items.append(self.node(match))
            if self.part_after() == "]":
                break
            match = self.part()
        return Sequence(tuple(items), Span(self.source, start, self.at))

    def mapping(self, start: int) -> Mapping:
        entries: list[tuple[Text, Node]] = []
        match = self.part()
        while match[1] != "}" or entries:
            if match[5] is None or any(key.value == match[4] for key, _ in entries):
                raise _Other
            key = Text(match[4], Span(self.source, match.start(4), match.end(4)))
            entries.append((key, self.node(self.part())))
            if self.part_after() == "}":
                break
            match = self.part()
        return Mapping(tuple(entries), Span(self.source, start, self.at))

    def part_after(self) -> str:
        """The comma or the closing bracket behind an entry."""
        return self.part()[1] or ""

    def node(self, match: re.Match[str]) -> Node:
        kind = match.lastindex or 0
        if kind == 1 and match[1] in "[{" and self.depth < _DEPTH:
            start = match.start(1)
            self.depth += 1
            inner = self.sequence(start) if match[1] == "[" else self.mapping(start)
            self.depth -= 1
            return inner
        if kind in (2, 3, 4):
            return Scalar(match[kind], Span(self.source, match.start(kind), match.end(kind)), kind == 4)
        raise _Other

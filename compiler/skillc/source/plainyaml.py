"""The YAML that nearly all files are written in, read in one pass over its lines (SPEC 2.3).

What is read here has the tree that `yamltree` makes of it and no finding; a test compares the two on generated
texts. Everything else — comments, block texts, values over several lines, anchors, escapes, anything odd — is left
to `yamltree`, which knows what to say about it. PyYAML gives an event for every value and takes six times as long.
"""

from __future__ import annotations

import re
from functools import lru_cache

from skillc.later import later
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Source, Span

_ODD = re.compile(
    "[\x00-\t\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u2800\u3000\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U0010ffff]"
)
"""Whatever is no ordinary printable character: controls, blanks that are no space, what cannot be seen."""
_PLAIN = r"[^ \n\-?:,\[\]{}#&*!|>'\"%@`](?:[^ \n:#]++|:(?=[^ \n,\[\]{}])|(?<=[^ \n])#| +(?=[^ \n#]))*+"
_LINE = re.compile(
    r"( *+)(- )?(?:([^\W\d][\w.-]*+):(?: |$))?"
    rf"(?:({_PLAIN})|\"([^\"\\\n]*+)\"|'([^'\n]*+)'|([\[{{].*[\]}}]))?"
)
_INDENT, _DASH, _KEY, _VALUE, _DOUBLE, _SINGLE, _FLOW = range(1, 8)
_QUOTED = later(r'"([^"\\\n]*)"')
_QUOTED_LIST = later(r'\["[^"\\\n]*"(?:, *"[^"\\\n]*")*\]')
_PART = later(
    r" *(?:([\[\]{},])|\"([^\"\\\n]*)\"|'([^'\n]*)'"
    r"|([^ \n\-?:,\[\]{}#&*!|>'\"%@`](?:[^ \n,?\[\]{}:#]++|(?<=[^ \n])#| +(?=[^ \n,?\[\]{}:#]))*+)(: )?)"
)
_DEPTH = 12
_SHORT = 120


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


class _Line:
    """What a line says, wherever it stands: how far it is indented, whether a dash begins it, its key, and its value,
    of which `kind` tells how it is written, 0 where there is none. `quoted` are the entries of a list of quoted texts.
    Places count from the start of the line."""

    __slots__ = ("dash", "indent", "key", "key_start", "kind", "quoted", "value", "value_end", "value_start")

    def __init__(self, match: re.Match[str]) -> None:
        self.indent = match.end(_INDENT)
        self.dash = match[_DASH] is not None
        self.key: str | None = match[_KEY]
        self.key_start = self.indent + (2 if self.dash else 0)
        kind = match.lastindex or 0
        self.kind = kind if kind > _KEY else 0
        self.value = match[kind]
        self.value_start, self.value_end = match.span(kind)
        self.quoted: list[tuple[str, int, int]] = []
        if kind == _FLOW and _QUOTED_LIST.fullmatch(self.value):
            found = _QUOTED.finditer(match.string, self.value_start, self.value_end)
            self.quoted = [(entry[1], *entry.span(1)) for entry in found]


def _read_line(text: str) -> _Line | None:
    """What a line of the plain kind says; None for a blank one."""
    match = _LINE.fullmatch(text)
    if match is None:
        raise _Other
    return _Line(match) if match.lastindex != _INDENT else None


_remembered = lru_cache(maxsize=8192)(_read_line)
"""Files of one kind have most of their lines in common."""


class _End(_Line):
    """Stands further left than any line."""

    __slots__ = ()

    def __init__(self) -> None:
        self.indent, self.dash, self.key, self.kind, self.quoted = -1, False, None, 0, []


_END = _End()


class _Lines:
    """The lines that hold something with where each begins, and how far they are read. Behind the last one stands one
    that ends all blocks."""

    __slots__ = ("at", "lines", "source", "starts")

    def __init__(self, region: Span) -> None:
        self.source: Source = region.source
        self.lines: list[_Line] = []
        self.starts: list[int] = []
        self.at = 0
        start = region.start
        for text in region.text.split("\n"):
            line = _remembered(text) if len(text) < _SHORT else _read_line(text)
            if line is not None:
                self.lines.append(line)
                self.starts.append(start)
            start += len(text) + 1
        self.lines.append(_END)
        self.starts.append(start)

    def whole(self) -> Mapping | None:
        first = self.lines[0]
        if first.indent or first.dash:
            return None
        found = self.mapping(0, 0)
        return found if self.at == len(self.lines) - 1 else None

    def mapping(self, indent: int, depth: int) -> Mapping:
        """The mapping whose first key is in the current line; its keys stand `indent` blanks from the left."""
        values: dict[str, Node] = {}
        keys: list[int] = []
        source, lines, starts, at = self.source, self.lines, self.starts, self.at
        line = lines[at]
        while True:
            key, kind, start = line.key, line.kind, starts[at]
            if key is None or key in values:
                raise _Other
            keys.append(start + line.key_start)
            if kind and kind != _FLOW:
                span = Span(source, start + line.value_start, start + line.value_end)
                node: Node = Scalar(line.value, span, kind == _VALUE)
                at += 1
            else:
                self.at = at
                node = self.value(line, indent, depth, keys[-1] + len(key) + 1)
                at = self.at
            values[key] = node
            line = lines[at]
            if line.indent != indent or line.dash:
                break
        if line.indent > indent:
            raise _Other
        self.at = at
        return Mapping.placed(values, keys, Span(source, keys[0], node.span.end))

    def value(self, line: _Line, indent: int, depth: int, behind: int) -> Node:
        """The value behind a key or a dash in `line`: there, in the lines below, or nowhere."""
        source, at = self.source, self.starts[self.at]
        self.at += 1
        if line.quoted:
            items = [
                Scalar(text, Span(source, at + start, at + end), False) for text, start, end in line.quoted
            ]
            return Sequence(tuple(items), Span(source, at + line.value_start, at + line.value_end))
        kind = line.kind
        if kind:
            start, end = at + line.value_start, at + line.value_end
            if kind == _FLOW:
                return self.flow(start, end, depth)
            return Scalar(line.value, Span(source, start, end), kind == _VALUE)
        below = self.lines[self.at]
        if below.indent > indent and depth < _DEPTH:
            under = self.sequence if below.dash else self.mapping
            return under(below.indent, depth + 1)
        if below.indent == indent and line.key is not None and below.dash:
            return self.sequence(indent, depth + 1)
        return Scalar("", Span(source, behind, behind))

    def sequence(self, indent: int, depth: int) -> Sequence:
        """The entries whose dashes stand `indent` blanks from the left, from the current line on."""
        items: list[Node] = []
        line = self.lines[self.at]
        first = self.starts[self.at] + line.indent
        while line.indent == indent and line.dash:
            if line.key is not None:
                items.append(self.mapping(indent + 2, depth + 1))
            else:
                behind = self.starts[self.at] + line.key_start - 1
                items.append(self.value(line, indent, depth, behind))
            line = self.lines[self.at]
        if line.indent > indent:
            raise _Other
        return Sequence(tuple(items), Span(self.source, first, max(first, items[-1].span.end)))

    def flow(self, start: int, end: int, depth: int) -> Node:
        """The list or mapping in one line from `start` to `end`."""
        source = self.source
        reader = _Flow(source, start + 1, end, depth)
        node = reader.sequence(start) if source.text[start] == "[" else reader.mapping(start)
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
        values: dict[str, Node] = {}
        keys: list[int] = []
        match = self.part()
        while match[1] != "}" or values:
            if match[5] is None or match[4] in values:
                raise _Other
            keys.append(match.start(4))
            values[match[4]] = self.node(self.part())
            if self.part_after() == "}":
                break
            match = self.part()
        return Mapping.placed(values, keys, Span(self.source, start, self.at))

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

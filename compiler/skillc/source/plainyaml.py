"""The YAML that nearly all files are written in, read in one pass over its lines (SPEC 2.3).

What is read here has the tree that `yamltree` makes of it and no finding; a test compares the two on generated
texts. Everything else — comments, block texts, values over several lines, anchors, escapes, anything odd — is left
to `yamltree`, which knows what to say about it. PyYAML gives an event for every value and takes six times as long.
"""

from __future__ import annotations

import re

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
    rf"(?:({_PLAIN})|\"([^\"\\\n]*+)\"|'([^'\n]*+)'|([\[{{].*[\]}}]))?\n?"
)
_INDENT, _DASH, _KEY, _VALUE, _DOUBLE, _SINGLE, _FLOW = range(1, 8)
_QUOTED = later(r'"([^"\\\n]*)"')
_QUOTED_LIST = later(r'\["[^"\\\n]*"(?:, *"[^"\\\n]*")*\]')
_PART = later(
    r" *(?:([\[\]{},])|\"([^\"\\\n]*)\"|'([^'\n]*)'"
    r"|([^ \n\-?:,\[\]{}#&*!|>'\"%@`](?:[^ \n,?\[\]{}:#]++|(?<=[^ \n])#| +(?=[^ \n,?\[\]{}:#]))*+)(: )?)"
)
_BLOCKS = 10
_FLOWS = 4
"""How deep blocks, and lists and mappings within a line, are read here; together no deeper than anything may be."""
_SHORT, _MOST = 120, 8192
"""Characters of a line that is remembered, and how many lines are."""
_LOOSE = Source("", "")
"""Where the values of a line are that is not yet part of any text."""


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
    try:
        return _Lines(region).whole()
    except _Other:
        return None


class _Line:
    """What a line says, wherever it stands: how far it is indented, whether a dash begins it, its key, and its value.
    Places count from the start of the line."""

    __slots__ = ("dash", "indent", "key", "key_start", "value")

    def __init__(self, indent: int, dash: bool, key: str | None, value: Node | None) -> None:
        self.indent = indent
        self.dash = dash
        self.key = key
        self.key_start = indent + 2 if dash else indent
        self.value = value


_END = _Line(-1, False, None, None)
"""Stands further left than any line."""


def _read_line(text: str) -> _Line | None:
    """What a line of the plain kind says; None for a blank one."""
    match = None if _ODD.search(text) else _LINE.fullmatch(text)
    if match is None:
        raise _Other
    kind = match.lastindex or 0
    if kind == _INDENT:
        return None
    value: Node | None = None
    if kind == _FLOW:
        value = _flow(text, *match.span(kind))
    elif kind > _KEY:
        value = Scalar(match[kind], _LOOSE, *match.span(kind), kind == _VALUE)
    return _Line(match.end(_INDENT), match[_DASH] is not None, match[_KEY], value)


_KNOWN: dict[str, _Line] = {}
"""What lines say that were read before: files of one kind have most of theirs in common."""


def _learn(text: str) -> _Line | None:
    """As `_read_line`, for a line that is not known; a short one is from now on."""
    line = _read_line(text)
    if line is not None and len(text) < _SHORT:
        if len(_KNOWN) == _MOST:
            _KNOWN.clear()
        _KNOWN[text] = line
    return line


class _Lines:
    """The lines that hold something with where each begins, and how far they are read. Behind the last one stands one
    that ends all blocks."""

    __slots__ = ("at", "lines", "source", "starts")

    def __init__(self, region: Span) -> None:
        lines: list[_Line] = []
        starts: list[int] = []
        start, known = region.start, _KNOWN.get
        for text in region.text.splitlines(keepends=True):
            line = known(text) or _learn(text)
            if line is not None:
                lines.append(line)
                starts.append(start)
            start += len(text)
        self.source: Source = region.source
        self.lines = [*lines, _END]
        self.starts = [*starts, start]
        self.at = 0

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
            key, value, start = line.key, line.value, starts[at]
            if key is None or key in values:
                raise _Other
            keys.append(start + line.key_start)
            if value is not None:
                node = value.moved(source, start)
                at += 1
            else:
                self.at = at
                node = self.below(line, indent, depth, keys[-1] + len(key) + 1)
                at = self.at
            values[key] = node
            line = lines[at]
            if line.indent != indent or line.dash:
                break
        if line.indent > indent:
            raise _Other
        self.at = at
        return Mapping.placed(values, keys, source, keys[0], node.end)

    def below(self, line: _Line, indent: int, depth: int, behind: int) -> Node:
        """The value of a key or a dash behind which `line` has none: in the lines below it, or nowhere."""
        self.at += 1
        below = self.lines[self.at]
        if below.indent > indent and depth < _BLOCKS:
            under = self.sequence if below.dash else self.mapping
            return under(below.indent, depth + 1)
        if below.indent == indent and line.key is not None and below.dash:
            return self.sequence(indent, depth + 1)
        return Scalar("", self.source, behind, behind)

    def sequence(self, indent: int, depth: int) -> Sequence:
        """The entries whose dashes stand `indent` blanks from the left, from the current line on."""
        items: list[Node] = []
        line = self.lines[self.at]
        first = self.starts[self.at] + indent
        while line.indent == indent and line.dash:
            start = self.starts[self.at]
            if line.key is not None:
                items.append(self.mapping(indent + 2, depth + 1))
            elif line.value is not None:
                items.append(line.value.moved(self.source, start))
                self.at += 1
            else:
                items.append(self.below(line, indent, depth, start + indent + 1))
            line = self.lines[self.at]
        if line.indent > indent:
            raise _Other
        return Sequence(self.source, first, max(first, items[-1].end), tuple(items))


def _flow(text: str, start: int, end: int) -> Node:
    """The list or mapping from `start` to `end` of a line."""
    if _QUOTED_LIST.fullmatch(text, start, end):
        found = _QUOTED.finditer(text, start, end)
        return Sequence(_LOOSE, start, end, tuple([Scalar(m[1], _LOOSE, *m.span(1), False) for m in found]))
    reader = _Flow(text, start + 1, end)
    node = reader.sequence(start) if text[start] == "[" else reader.mapping(start)
    if reader.at != end:
        raise _Other
    return node


class _Flow:
    """A list or mapping in brackets, read from `at` to at most `end` of a line."""

    __slots__ = ("at", "depth", "end", "text")

    def __init__(self, text: str, at: int, end: int) -> None:
        self.text = text
        self.at = at
        self.depth = 1
        self.end = end

    def part(self) -> re.Match[str]:
        match = _PART.match(self.text, self.at, self.end)
        if match is None:
            raise _Other
        self.at = match.end()
        return match

    def sequence(self, start: int) -> Sequence:
        items: list[Node] = []
        match = self.part()
        while match[1] != "]" or items:
            items.append(self.node(match))
            if self.closes("]"):
                break
            match = self.part()
        return Sequence(_LOOSE, start, self.at, tuple(items))

    def mapping(self, start: int) -> Mapping:
        values: dict[str, Node] = {}
        keys: list[int] = []
        match = self.part()
        while match[1] != "}" or values:
            if match[5] is None or match[4] in values:
                raise _Other
            keys.append(match.start(4))
            values[match[4]] = self.node(self.part())
            if self.closes("}"):
                break
            match = self.part()
        return Mapping.placed(values, keys, _LOOSE, start, self.at)

    def closes(self, bracket: str) -> bool:
        """Whether the bracket stands behind an entry; if not, a comma does."""
        found = self.part()[1]
        if found not in (bracket, ","):
            raise _Other
        return found == bracket

    def node(self, match: re.Match[str]) -> Node:
        kind = match.lastindex or 0
        if kind == 1 and match[1] in "[{" and self.depth < _FLOWS:
            start = match.start(1)
            self.depth += 1
            inner = self.sequence(start) if match[1] == "[" else self.mapping(start)
            self.depth -= 1
            return inner
        if kind in (2, 3, 4):
            return Scalar(match[kind], _LOOSE, *match.span(kind), kind == 4)
        raise _Other

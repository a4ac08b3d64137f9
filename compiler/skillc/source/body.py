"""What a body is made of, put together from its blocks: sections with their tables, fences and items; mentions."""

from __future__ import annotations

import re

from skillc.source.codespans import code_spans
from skillc.source.document import Fence, ListItem, Mention, Section, Table
from skillc.source.rows import read_row
from skillc.text import Source, Span, Text

_MARKS = re.compile(r"^(?:\*\*|__|`)+|(?:\*\*|__|`)+$")
_OF_MARKS = frozenset("*_`")


class Body:
    """Takes the blocks of a body one by one, in written order, whoever finds them. Lines count from 0.

    `content` is a block's text without the marks and blanks that make it a block; where it stands is looked up here.
    """

    __slots__ = ("_first", "_mentions", "_now", "_sections", "_starts", "lines", "source", "span")

    def __init__(self, source: Source, span: Span) -> None:
        self.source = source
        self.span = span
        self.lines = source.text[span.start : span.end].split("\n")
        self._starts = source.line_starts()
        self._first = source.position(span.start)[0] - 1
        self._now = _Open(Text("", source.span(span.start)), 0, span.start, span.start)
        self._sections = [self._now]
        self._mentions: list[Mention] = []

    def start(self, line: int) -> int:
        """The offset of the first character of a line; the end of the text behind the last one."""
        at = self._first + line
        return self._starts[at] if at < len(self._starts) else len(self.source.text)

    def heading(self, line: int, below: int, level: int, content: str) -> None:
        """A heading outside lists and quotes, whose section begins in the line `below`."""
        written = self._located(line, content.partition("\n")[0])
        title = written
        if not _OF_MARKS.isdisjoint(content):
            value = _MARKS.sub("", written.value)
            at = written.value.find(value)
            title = Text(value, written.span.part(at, at + len(value)))
        self._now = _Open(title, level, self.start(line), self.start(below))
        self._sections.append(self._now)

    def item(self, line: int, content: str) -> None:
        """An entry of a list that begins with text."""
        self._now.items.append(ListItem(self._located(line, content.partition("\n")[0])))

    def text(self, line: int, content: str) -> None:
        """Words of any block but a table, in which code may be quoted."""
        if "`" not in content:
            return
        if "\n" not in content:
            self._mentions += [Mention(text) for text in code_spans([self._located(line, content)])]
        else:
            parts = content.split("\n")
            places = [self._located(at, part) for at, part in enumerate(parts, line)]
            self._mentions += [Mention(text) for text in code_spans(places)]

    def fence(self, line: int, info: str, content: str, below: int) -> None:
        """A block of code: its content lies between its first line and the line `below`."""
        start, end = self.start(line + 1), self.start(below)
        self._now.fences.append(Fence(info, Text(content, Span(self.source, start, max(start, end)))))

    def table(self, line: int, below: int, nested: bool) -> None:
        """A table whose header is `line`; `nested` tells that it stands in a quote or a list."""
        header = read_row(self._line(line), None, nested)
        rows = [read_row(self._line(at), len(header), nested) for at in range(line + 2, below)]
        for cell in (*header, *(cell for row in rows for cell in row)):
            self._mentions += [Mention(text, True) for text in cell.mentions]
        span = Span(self.source, self.start(line), self.start(below))
        cells = tuple(tuple(cell.text for cell in row) for row in rows)
        self._now.tables.append(Table(tuple(cell.text for cell in header), cells, span))

    def sections(self) -> tuple[Section, ...]:
        """From each heading to the next; what stands before the first one is a section if it is anything."""
        top, *headed = self._sections
        ends = [*(section.line for section in headed), self.span.end]
        below = Span(self.source, self.span.start, ends[0])
        found = [] if headed and not below.text.strip() else [top.closed(self.source, ends[0], ())]
        outline: list[_Open] = []
        for section, end in zip(headed, ends[1:], strict=True):
            while outline and outline[-1].level >= section.level:
                outline.pop()
            found.append(section.closed(self.source, end, tuple([above.title.value for above in outline])))
            outline.append(section)
        return tuple(found)

    def mentions(self) -> tuple[Mention, ...]:
        return tuple(sorted(self._mentions, key=lambda mention: mention.text.span.start))

    def _located(self, line: int, content: str) -> Text:
        """A line of a block at its place: what stands before it belongs to the block around it."""
        found = self.lines[line].find(content)
        start = self.start(line) + (found if found > 0 else 0)
        return Text(content, Span(self.source, start, start + len(content)))

    def _line(self, line: int) -> Span:
        start = self.start(line)
        return Span(self.source, start, start + len(self.lines[line]))


class _Open:
    """A section that blocks are still added to. `line` is where its heading begins, `below` where its text does."""

    __slots__ = ("below", "fences", "items", "level", "line", "tables", "title")

    def __init__(self, title: Text, level: int, line: int, below: int) -> None:
        self.title = title
        self.level = level
        self.line = line
        self.below = below
        self.tables: list[Table] = []
        self.fences: list[Fence] = []
        self.items: list[ListItem] = []

    def closed(self, source: Source, end: int, outline: tuple[str, ...]) -> Section:
        body = Span(source, min(self.below, end), end)
        parts = tuple(self.tables), tuple(self.fences), tuple(self.items)
        return Section(self.title, self.level, outline, body, *parts)

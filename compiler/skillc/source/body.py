"""What a body is made of, put together from its blocks: sections with their tables and fences; mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillc.later import later
from skillc.source.document import Fence, Mention, Section, Table
from skillc.text import Source, Span, Text

_MARKS = later(r"^(?:\*\*|__|`)+|(?:\*\*|__|`)+$")
_OF_MARKS = frozenset("*_`")
_GAP = re.compile("\n\n+")


class Body:
    """Takes the blocks of a body one by one, in written order, whoever finds them. Places are offsets of the source.

    Of words only the place is kept: what code they quote is worked out when somebody asks for the mentions.
    """

    __slots__ = (
        "_cells",
        "_headings",
        "_mentions",
        "_parts",
        "_said",
        "_sections",
        "_words",
        "source",
        "span",
    )

    def __init__(self, source: Source, span: Span) -> None:
        self.source = source
        self.span = span
        self._headings: list[tuple[Text, int, int, int]] = []
        self._parts: dict[int, tuple[list[Table], list[Fence]]] = {}
        self._words: list[tuple[int, int, int]] = []
        self._said: list[list[Text]] = []
        self._cells: list[Mention] = []
        self._sections: tuple[Section, ...] | None = None
        self._mentions: tuple[Mention, ...] | None = None

    def heading(self, level: int, title: Text, start: int, below: int) -> None:
        """A heading outside lists and quotes with its first line, which stands between the beginnings of two lines."""
        if not _OF_MARKS.isdisjoint(title.value):
            plain = _MARKS.sub("", title.value)
            at = title.value.find(plain)
            title = Text(plain, title.span.part(at, at + len(plain)))
        self._headings.append((title, level, start, below))

    def words(self, start: int, end: int, indent: int = 0) -> None:
        """Paragraphs with blank lines between them. Up to `indent` blanks at the start of each line but the first are
        none of theirs."""
        self._words.append((start, end, indent))

    def lines(self, lines: list[Text]) -> None:
        """A paragraph line by line: what stands between its lines is none of it."""
        self._said.append(lines)

    def fence(self, info: str, content: str, start: int, end: int) -> None:
        """A block of code: its content lies between `start` and `end`."""
        self._inside()[1].append(Fence(info, Text(content, Span(self.source, start, max(start, end)))))

    def table(self, start: int, end: int, nested: bool) -> None:
        """A table whose header is the line at `start`; `nested` tells that it stands in a quote or a list."""
        from skillc.source.rows import read_row

        first, _, *below = _lines(self.source, start, end)
        header = read_row(Span(self.source, *first), None, nested)
        rows = [read_row(Span(self.source, *line), len(header), nested) for line in below]
        for cell in (*header, *(cell for row in rows for cell in row)):
            self._cells += [Mention(text, True) for text in cell.mentions]
        cells = tuple(tuple(cell.text for cell in row) for row in rows)
        table = Table(tuple(cell.text for cell in header), cells, Span(self.source, start, end))
        self._inside()[0].append(table)

    def _inside(self) -> tuple[list[Table], list[Fence]]:
        """The tables and fences below the last heading so far."""
        return self._parts.setdefault(len(self._headings), ([], []))

    def sections(self) -> tuple[Section, ...]:
        """From each heading to the next; what stands before the first one is a section if it is anything."""
        if self._sections is None:
            self._sections = tuple(self._headed())
        return self._sections

    def _headed(self) -> list[Section]:
        source, start = self.source, self.span.start
        ends = [heading[2] for heading in self._headings]
        ends.append(self.span.end)
        found = []
        if len(ends) == 1 or source.text[start : ends[0]].strip():
            title, body = Text("", Span(source, start, start)), Span(source, start, ends[0])
            found.append(Section(title, 0, (), body, *self._parts_of(0)))
        above: list[tuple[int, str]] = []
        for number, (title, level, _, below) in enumerate(self._headings, 1):
            while above and above[-1][0] >= level:
                above.pop()
            outline = tuple([name for _, name in above])
            body = Span(source, min(below, ends[number]), ends[number])
            found.append(Section(title, level, outline, body, *self._parts_of(number)))
            above.append((level, title.value))
        return found

    def _parts_of(self, number: int) -> tuple[tuple[Table, ...], tuple[Fence, ...]]:
        tables, fences = self._parts.get(number, ((), ()))
        return tuple(tables), tuple(fences)

    def mentions(self) -> tuple[Mention, ...]:
        """All that stands in backticks outside fences, in written order."""
        if self._mentions is None:
            from skillc.source.codespans import code_spans

            found = [
                Mention(text) for lines in (*self._said, *self._paragraphs()) for text in code_spans(lines)
            ]
            self._mentions = tuple(sorted(found + self._cells, key=lambda mention: mention.text.span.start))
        return self._mentions

    def _paragraphs(self) -> Iterator[list[Text]]:
        for start, end, indent in self._words:
            for gap in _GAP.finditer(self.source.text, start, end):
                yield list(_without_indent(self.source, start, gap.start(), indent))
                start = gap.end()
            yield list(_without_indent(self.source, start, end, indent))


def _lines(source: Source, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where each line lies."""
    while start < end:
        stop = source.text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield start, stop
        start = stop + 1


def _without_indent(source: Source, start: int, end: int, indent: int) -> Iterator[Text]:
    """The lines of a paragraph, all but the first without up to `indent` blanks."""
    for at, stop in _lines(source, start, end):
        line = source.text[at:stop]
        if at > start:
            blanks = min(indent, len(line) - len(line.lstrip(" ")))
            line, at = line[blanks:], at + blanks
        yield Text(line, Span(source, at, stop))

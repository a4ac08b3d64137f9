"""Markdown files: frontmatter, then sections, tables, fences, list items and mentions with places (SPEC 2.5).

markdown-it-py says which lines are what; its inline rules are off, since it knows no columns: cells
and code spans are found in the lines themselves, where every character has its place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from skillc.diagnostic import Diagnostic
from skillc.source.characters import bidi_controls
from skillc.source.codespans import code_spans
from skillc.source.commonmark import parser
from skillc.source.directives import bad_directives, without_directives
from skillc.source.document import Document, Fence, ListItem, Mention, Section, Table
from skillc.source.frontmatter import Head, read_head, read_optional_head
from skillc.source.rows import read_row
from skillc.text import Source, Span, Text

if TYPE_CHECKING:
    from markdown_it.token import Token

_Part = TypeVar("_Part")
_MARKS = re.compile(r"^(?:\*\*|__|`)+|(?:\*\*|__|`)+$")


def read_document(source: Source, head: bool = True) -> tuple[Document, list[Diagnostic]]:
    """The document of a Markdown file; `head` tells whether it must have frontmatter.

    Refuses what `read_head` refuses, and bad-suppression; warns bidi-in-body. `broken` tells that the head
    has an error; its fields are given all the same where they can be read.

    >>> read_document(Source("a.md", "---\\nid: w\\n---\\n# T\\n"))[0].sections[0].title.value
    'T'
    """
    read, found = (read_head if head else read_optional_head)(source)
    found.extend(bidi_controls(read.body))
    document = _document(source, read)
    found.extend(bad_directives(document))
    return without_directives(document), found


def _document(source: Source, head: Head) -> Document:
    reading = _Reading(source, source.position(head.body.start)[0])
    tokens = parser().parse(head.body.text)
    for at, token in enumerate(tokens):
        _take(reading, tokens, at, token)
    sections = tuple(_sections(reading, head.body))
    mentions = tuple(sorted(reading.mentions, key=lambda mention: mention.text.span.start))
    return Document(source, head.front, head.span, head.body, sections, mentions, head.broken, head.faults)


@dataclass(slots=True)
class _Heading:
    title: Text
    level: int
    line: int
    below: int


@dataclass(slots=True)
class _Reading:
    """What one walk over the tokens collects. Lines are those of the source, from 1."""

    source: Source
    first: int
    headings: list[_Heading] = field(default_factory=list)
    tables: list[tuple[int, Table]] = field(default_factory=list)
    fences: list[tuple[int, Fence]] = field(default_factory=list)
    items: list[tuple[int, ListItem]] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)

    def lines(self, token: Token) -> tuple[int, int]:
        """The first line of a block and the line behind it."""
        begin, end = token.map or (0, 0)
        return self.first + begin, self.first + end

    def start(self, line: int) -> int:
        starts = self.source.line_starts()
        return starts[line - 1] if line <= len(starts) else len(self.source.text)


def _take(reading: _Reading, tokens: list[Token], at: int, token: Token) -> None:
    if token.type == "inline":
        if "`" not in token.content or tokens[at - 1].type in ("th_open", "td_open"):
            return
        reading.mentions.extend(Mention(text) for text in code_spans(list(_content_lines(reading, token))))
    elif token.type == "heading_open" and token.level == 0:
        reading.headings.append(_heading(reading, token, tokens[at + 1]))
    elif token.type == "fence":
        reading.fences.append((reading.lines(token)[0], _fence(reading, token)))
    elif token.type == "list_item_open" and at + 2 < len(tokens) and tokens[at + 2].type == "inline":
        lines = list(_content_lines(reading, tokens[at + 2]))
        reading.items.append((reading.lines(token)[0], ListItem(lines[0])))
    elif token.type == "table_open":
        line = reading.lines(token)[0]
        reading.tables.append((line, _table(reading, tokens, at)))


def _content_lines(reading: _Reading, token: Token) -> Iterator[Text]:
    """The lines of an inline token, each at its place: what stands before it belongs to containers."""
    line = reading.lines(token)[0]
    for content in token.content.split("\n"):
        found = reading.source.line(line).find(content)
        start = reading.start(line) + max(found, 0)
        yield Text(content, reading.source.span(start, start + len(content)))
        line += 1


def _heading(reading: _Reading, token: Token, inline: Token) -> _Heading:
    line, below = reading.lines(token)
    written = next(_content_lines(reading, inline))
    value = _MARKS.sub("", written.value)
    at = written.value.find(value)
    title = Text(value, written.span.part(at, at + len(value)))
    return _Heading(title, int(token.tag[1:]), line, below)


def _fence(reading: _Reading, token: Token) -> Fence:
    line, below = reading.lines(token)
    last = reading.source.line(below - 1).strip(" \t>")
    closed = below - line > 1 and len(last) >= len(token.markup) and not last.strip(token.markup[0])
    start, end = reading.start(line + 1), reading.start(below - closed)
    info = token.info.split()
    return Fence(info[0] if info else "", Text(token.content, reading.source.span(start, max(start, end))))


def _table(reading: _Reading, tokens: list[Token], at: int) -> Table:
    begin, below = reading.lines(tokens[at])
    nested = tokens[at].level > 0
    header = read_row(_line_span(reading, begin), None, nested)
    rows = [read_row(_line_span(reading, line), len(header), nested) for line in range(begin + 2, below)]
    for cell in (*header, *(cell for row in rows for cell in row)):
        reading.mentions.extend(Mention(text, True) for text in cell.mentions)
    span = reading.source.span(reading.start(begin), reading.start(below))
    return Table(
        tuple(cell.text for cell in header), tuple(tuple(cell.text for cell in row) for row in rows), span
    )


def _line_span(reading: _Reading, line: int) -> Span:
    start = reading.start(line)
    return reading.source.span(start, start + len(reading.source.line(line)))


def _sections(reading: _Reading, body: Span) -> Iterator[Section]:
    source, headings = reading.source, reading.headings
    ends = [reading.start(heading.line) for heading in headings] + [body.end]
    tables, fences, items = (
        _by_section(reading, found) for found in (reading.tables, reading.fences, reading.items)
    )
    top = source.span(body.start, ends[0])
    if top.text.strip() or not headings:
        title = Text("", source.span(body.start))
        yield Section(title, 0, (), top, tuple(tables[0]), tuple(fences[0]), tuple(items[0]))
    outline: list[_Heading] = []
    for at, heading in enumerate(headings, 1):
        while outline and outline[-1].level >= heading.level:
            outline.pop()
        titles = tuple(above.title.value for above in outline)
        below = source.span(min(reading.start(heading.below), ends[at]), ends[at])
        parts = tuple(tables[at]), tuple(fences[at]), tuple(items[at])
        yield Section(heading.title, heading.level, titles, below, *parts)
        outline.append(heading)


def _by_section(reading: _Reading, found: list[tuple[int, _Part]]) -> list[list[_Part]]:
    """What stands before the first heading, then what stands below each."""
    lines = [heading.line for heading in reading.headings]
    parts: list[list[_Part]] = [[] for _ in range(len(lines) + 1)]
    for line, part in found:
        parts[bisect_right(lines, line)].append(part)
    return parts

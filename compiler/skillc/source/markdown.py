"""Markdown files: frontmatter, then sections, tables, fences, list items and mentions with places (SPEC 2.5).

Lines say which blocks there are; cells and code spans are found in the lines themselves, where every character has
its place. markdown-it-py reads the bodies that are not plain (`plainmarkdown`).
"""

from __future__ import annotations

from skillc.diagnostic import Diagnostic
from skillc.source.body import Body
from skillc.source.characters import bidi_controls
from skillc.source.directives import bad_directives, without_directives
from skillc.source.document import Document, Mention, Section
from skillc.source.frontmatter import Head, read_head, read_optional_head
from skillc.source.plainmarkdown import read_plain_blocks
from skillc.text import Source, Span


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
    inside = _Inside(head.body)
    return Document(
        source, head.front, head.span, head.body, inside.sections, inside.mentions, head.broken, head.faults
    )


class _Inside:
    """What is in a body, read when somebody asks."""

    __slots__ = ("_body", "_span")

    def __init__(self, span: Span) -> None:
        self._span = span
        self._body: Body | None = None

    def sections(self) -> tuple[Section, ...]:
        return self._read().sections()

    def mentions(self) -> tuple[Mention, ...]:
        return self._read().mentions()

    def _read(self) -> Body:
        if self._body is None:
            self._body = _blocks(self._span)
        return self._body


def _blocks(span: Span) -> Body:
    """The body with its blocks, read the short way if it is plain enough."""
    body = Body(span.source, span)
    if not read_plain_blocks(body):
        from skillc.source.commonmark import read_blocks

        body = Body(span.source, span)
        read_blocks(body)
    return body

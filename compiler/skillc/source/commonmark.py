"""The one parser of Markdown: block structure by lines; its inline rules are off, since it knows no columns."""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from skillc.source.body import Body
from skillc.text import Span, Text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


@cache
def parser() -> MarkdownIt:
    """CommonMark with pipe tables, loaded when the first file needs it."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")


def read_blocks(body: Body) -> None:
    """Give `body` its blocks, whatever they are."""
    blocks = _Blocks(body)
    tokens = parser().parse(body.span.text)
    for at, token in enumerate(tokens):
        blocks.take(tokens, at, token)


class _Blocks:
    """The lines of a body with the place of each: a token tells no more than the lines it stands in, counted from 0.
    The content of one is without the marks and blanks that make it a block; where it stands is looked up here."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.lines = body.span.text.split("\n")
        self.starts = list(accumulate((len(line) + 1 for line in self.lines), initial=body.span.start))

    def take(self, tokens: list[Token], at: int, token: Token) -> None:
        line, below = token.map or (0, 0)
        if token.type == "inline":
            if "`" in token.content and tokens[at - 1].type not in ("th_open", "td_open"):
                places = enumerate(token.content.split("\n"), line)
                self.body.lines([self.located(number, content) for number, content in places])
        elif token.type == "heading_open" and token.level == 0:
            title = self.located(line, tokens[at + 1].content.partition("\n")[0])
            self.body.heading(int(token.tag[1:]), title, self.start(line), self.start(below))
        elif token.type == "fence":
            self.fence(token, line, below)
        elif token.type == "table_open":
            self.body.table(self.start(line), self.start(below), token.level > 0)

    def fence(self, token: Token, line: int, below: int) -> None:
        last = self.lines[below - 1].strip(" \t>")
        closed = below - line > 1 and len(last) >= len(token.markup) and not last.strip(token.markup[0])
        info = token.info.split()
        start, end = self.start(line + 1), self.start(below - closed)
        self.body.fence(info[0] if info else "", token.content, start, end)

    def start(self, line: int) -> int:
        """The offset of the first character of a line; the end of the text behind the last one."""
        return min(self.starts[min(line, len(self.lines))], self.body.span.end)

    def located(self, line: int, content: str) -> Text:
        """A line of a block at its place: what stands before it belongs to the block around it."""
        found = self.lines[line].find(content)
        start = self.start(line) + (found if found > 0 else 0)
        return Text(content, Span(self.body.source, start, start + len(content)))

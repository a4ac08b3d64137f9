"""The one parser of Markdown: block structure by lines; its inline rules are off, since it knows no columns."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from skillc.source.body import Body

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
    tokens = parser().parse(body.span.text)
    for at, token in enumerate(tokens):
        _take(body, tokens, at, token)


def _take(body: Body, tokens: list[Token], at: int, token: Token) -> None:
    line, below = token.map or (0, 0)
    if token.type == "inline":
        if tokens[at - 1].type not in ("th_open", "td_open"):
            body.text(line, token.content)
    elif token.type == "heading_open" and token.level == 0:
        body.heading(line, below, int(token.tag[1:]), tokens[at + 1].content)
    elif token.type == "fence":
        _fence(body, token, line, below)
    elif token.type == "list_item_open" and at + 2 < len(tokens) and tokens[at + 2].type == "inline":
        inner = tokens[at + 2]
        body.item((inner.map or (0, 0))[0], inner.content)
    elif token.type == "table_open":
        body.table(line, below, token.level > 0)


def _fence(body: Body, token: Token, line: int, below: int) -> None:
    last = body.lines[below - 1].strip(" \t>")
    closed = below - line > 1 and len(last) >= len(token.markup) and not last.strip(token.markup[0])
    info = token.info.split()
    body.fence(line, info[0] if info else "", token.content, below - closed)

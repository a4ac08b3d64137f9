"""The one parser of Markdown: block structure by lines; its inline rules are off, since it knows no columns."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


@cache
def parser() -> MarkdownIt:
    """CommonMark with pipe tables, loaded when the first file is read."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")

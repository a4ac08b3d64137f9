"""Code spans of inline Markdown: what stands between two equal runs of backticks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from skillc.text import Text

_RUN = re.compile("`+")


def code_spans(lines: Sequence[Text]) -> Iterator[Text]:
    """Each code span of a paragraph, given as its lines with places, without backticks.

    A backslash before the first backtick makes it text. A span over two lines has a blank for the break.
    """
    content = "\n".join(line.value for line in lines)
    if "`" not in content:
        return
    for start, end in code_ranges(content):
        yield _located(lines, content, start, end)


def code_ranges(content: str) -> Iterator[tuple[int, int]]:
    """Where the inside of each code span lies, the padding blank of both sides left out."""
    at = 0
    while run := _RUN.search(content, at):
        start = run.start() + _escaped(content, run.start())
        if start == run.end():
            at = run.end()
            continue
        length = run.end() - start
        close = next((r for r in _RUN.finditer(content, run.end()) if r.end() - r.start() == length), None)
        if close is None:
            at = run.end()
            continue
        yield _trimmed(content, run.end(), close.start())
        at = close.end()


def _escaped(content: str, at: int) -> bool:
    return (at - len(content[:at].rstrip("\\"))) % 2 == 1


def _trimmed(content: str, start: int, end: int) -> tuple[int, int]:
    inside = content[start:end]
    if len(inside) > 1 and inside[0] in " \n" and inside[-1] in " \n" and inside.strip():
        return start + 1, end - 1
    return start, end


def _located(lines: Sequence[Text], content: str, start: int, end: int) -> Text:
    first = content.count("\n", 0, start)
    last = content.count("\n", 0, end)
    begin = lines[first].span.start + start - (content.rfind("\n", 0, start) + 1)
    finish = lines[last].span.start + end - (content.rfind("\n", 0, end) + 1)
    span = lines[first].span.source.span(begin, finish)
    return Text(content[start:end].replace("\n", " "), span)

"""Rows of pipe tables: cells with places, `\\|` inside them, code spans of a cell."""

from __future__ import annotations

from skillc.later import later
from skillc.source.codespans import code_ranges
from skillc.text import Span, Text
from skillc.value import value

_CONTAINER = later(r"[\s>]*(?:(?:[-*+]|[0-9]{1,9}[.)])\s+)?[\s>]*")
_BORDER = later(r"(?<!\\)\|")


@value
class Cell:
    """The text of a cell without backticks, and the code spans that stood in it."""

    text: Text
    mentions: tuple[Text, ...] = ()


def read_row(line: Span, width: int | None, nested: bool) -> tuple[Cell, ...]:
    """The cells of one line of a table: as many as `width` says, missing ones empty, more ones dropped.

    `nested` tells that the table stands in a quote or a list, whose marks the line may begin with.
    """
    text = line.text
    start = _start(text, nested)
    end = len(text.rstrip())
    start += text.startswith("|", start)
    if end > start and text[end - 1] == "|" and text[end - 2] != "\\":
        end -= 1
    borders = [match.start() for match in _BORDER.finditer(text, start, end)]
    parts = zip([start, *(at + 1 for at in borders)], [*borders, end], strict=True)
    cells = [_cell(line.part(begin, max(begin, finish))) for begin, finish in parts]
    if width is None:
        return tuple(cells)
    empty = Cell(Text("", line.part(end, end)))
    return tuple((cells + [empty] * width)[:width])


def _start(text: str, nested: bool) -> int:
    match = _CONTAINER.match(text) if nested else None
    return match.end() if match else len(text) - len(text.lstrip())


def _cell(span: Span) -> Cell:
    raw = span.text
    left = len(raw) - len(raw.lstrip())
    inner = span.part(left, max(left, len(raw.rstrip())))
    content = inner.text
    ranges = list(code_ranges(content)) if "`" in content else []
    mentions = tuple(_text(inner.part(start, end)) for start, end in ranges)
    if (
        len(ranges) == 1
        and not content[: ranges[0][0]].strip("` ")
        and not content[ranges[0][1] :].strip("` ")
    ):
        return Cell(mentions[0], mentions)
    return Cell(Text(_plain(content).replace("`", ""), inner), mentions)


def _text(span: Span) -> Text:
    return Text(_plain(span.text), span)


def _plain(text: str) -> str:
    return text.replace("\\|", "|")

"""Code spans of inline Markdown: what stands between two equal runs of backticks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from skillc.later import later
from skillc.text import Span, Text

_RUN = later("`+")


def code_spans(lines: Sequence[Text]) -> Iterator[Text]:
    """Each code span of a paragraph, given as its lines with places, without backticks.

    A backslash before the first backtick makes it text. A span over two lines has a blank for the break.
    """
    content = lines[0].value if len(lines) == 1 else "\n".join([line.value for line in lines])
    if "`" not in content:
        return
    if len(lines) == 1 and "``" not in content and "\\" not in content:
        yield from _simple(lines[0])
        return
    starts = list(accumulate((len(line.value) + 1 for line in lines[:-1]), initial=0))
    for start, end in code_ranges(content):
        yield _located(lines, starts, content, start, end)


def _simple(line: Text) -> Iterator[Text]:
    """The code spans of a line in which each run of backticks is a single one."""
    parts = line.value.split("`")
    at = line.span.start
    for number in range(1, len(parts) - 1, 2):
        at += len(parts[number - 1]) + 1
        inside = parts[number]
        start, end = _trimmed(inside, 0, len(inside))
        yield Text(inside[start:end], Span(line.span.source, at + start, at + end))
        at += len(inside) + 1


def code_ranges(content: str) -> Iterator[tuple[int, int]]:
    """Where the inside of each code span lies, the padding blank of both sides left out.

    Linear: the runs of backticks are filed by their length, where the one that closes a span is looked up.
    """
    runs = [match.span() for match in _RUN.finditer(content)]
    filed: dict[int, list[int]] = {}
    for number, (begin, end) in enumerate(runs):
        filed.setdefault(end - begin, []).append(number)
    number = 0
    while number < len(runs):
        begin, end = runs[number]
        alike = filed.get(end - begin - _escaped(content, begin), [])
        at = bisect_right(alike, number)
        if at < len(alike):
            number = alike[at]
            yield _trimmed(content, end, runs[number][0])
        number += 1


def _escaped(content: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before `at`."""
    first = at
    while first and content[first - 1] == "\\":
        first -= 1
    return (at - first) % 2 == 1


def _trimmed(content: str, start: int, end: int) -> tuple[int, int]:
    inside = content[start:end]
    if len(inside) > 1 and inside[0] in " \n" and inside[-1] in " \n" and inside.strip():
        return start + 1, end - 1
    return start, end


def _located(lines: Sequence[Text], starts: Sequence[int], content: str, start: int, end: int) -> Text:
    """The text from `start` to `end` of the lines, which begin at `starts` in their `content`."""
    first, last = bisect_right(starts, start) - 1, bisect_right(starts, end) - 1
    begin = lines[first].span.start + start - starts[first]
    finish = lines[last].span.start + end - starts[last]
    span = lines[first].span.source.span(begin, finish)
    return Text(content[start:end].replace("\n", " "), span)

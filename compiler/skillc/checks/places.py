"""Where in a document a name stands: its paragraph, what leads it in, its cell, the headings above it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from skillc.model.prose import normal, without_annotations
from skillc.source.document import Fence, Section, Table
from skillc.text import Source, Span, Text

Kind = Literal["heading", "cell", "item", "prose", "fence"]
Said = Literal["reads", "writes"] | None
"""What a place itself says of the tags in it."""

_INPUT = ("输入", "上下文", "读取", "inputtag", "input", "context")
_OUTPUT = ("输出", "产物", "产出", "写入", "outputtag", "output")
_EXAMPLE = ("示例", "样例", "例子", "范例", "举例", "案例", "example")
_TAG_HEADERS = ("tag", "tags", "标签", "标签名", "tag名", "黑板标签")
_STAFF_HEADERS = ("worker", "workers", "workerid", "执行者", "谁", "技能", "skill", "角色", "步骤", "环节")
_MARKER = re.compile(r"\s*(?:>\s*)*([-*+]\s+|\d+[.)、]\s*)?(?:\[[ xX]\]\s+)?")
_BOUNDARY = re.compile(r"\s*(?:>\s*)*(?:#{1,6}\s|\||```|~~~|$)")
_HEAD_END = re.compile(r"[`\"'」』”*_\s]*(?:$|[：:（(—–\-=|，,])")
_JOINTS = re.compile(r"[`*_\s、，,；;/+|]|和|与|及|或")
FAR = 200
"""Lines that are looked at above a name, at most, to find what leads its list in."""


@dataclass(frozen=True, slots=True)
class Place:
    """`text` is the paragraph, item, cell, title or line of a fence that holds the name, `at` the name's offset in
    it, line ends as blanks. `leads` are the lines, or the header, that speak for it, `titles` the headings above.
    `alone`: only tags stand in the cell or heading, or the name heads its item. `said` is what place alone says, `beside` how the other
    cells of its row begin."""

    kind: Kind
    text: str
    at: int
    titles: tuple[str, ...]
    leads: tuple[str, ...] = ()
    alone: bool = False
    said: Said = None
    beside: tuple[str, ...] = ()


def place_of(span: Span, section: Section) -> Place:
    """The place of a name in a section, of which the heading is a part."""
    if section.level and span.start < section.body.start:
        return _in_heading(span, section)
    titles = (section.title.value, *section.outline)
    fence = next((f for f in section.fences if _holds(f.content.span, span)), None)
    if fence:
        return _in_fence(span, fence, section, titles)
    table = next((t for t in section.tables if _holds(t.span, span)), None)
    return _in_table(span, table, section, titles) if table else _in_prose(span, section, titles)


def _holds(outer: Span, span: Span) -> bool:
    return outer.start <= span.start < outer.end


def _in_heading(span: Span, section: Section) -> Place:
    raw = section.title.span.text
    said = next((said for title in reversed(section.outline) if (said := _topic(title))), None)
    alone = _only_tags(without_annotations(raw))
    return Place(
        "heading", raw, span.start - section.title.span.start, (raw, *section.outline), (), alone, said
    )


def _in_fence(span: Span, fence: Fence, section: Section, titles: tuple[str, ...]) -> Place:
    source = span.source
    number, column = span.position
    opening = source.position(fence.content.span.start)[0] - 1
    return Place(
        "fence", source.line(number), column - 1, titles, _before_fence(source, opening, _top(section))
    )


def _in_table(span: Span, table: Table, section: Section, titles: tuple[str, ...]) -> Place:
    row, at = _cell(span, table)
    cell = row[at]
    header = table.header[at].value
    others = tuple(other.value[:6] for other in row if other is not cell)
    staff = normal(table.header[0].value) in _STAFF_HEADERS
    said = None if row is table.header or staff else _column(header, titles)
    text = cell.span.text
    alone = _only_tags(without_annotations(text))
    return Place("cell", text, max(0, span.start - cell.span.start), titles, (header,), alone, said, others)


def _cell(span: Span, table: Table) -> tuple[tuple[Text, ...], int]:
    for row in (table.header, *table.rows):
        for at, cell in enumerate(row):
            if cell.span.start <= span.start < cell.span.end:
                return row, at
    return table.header, 0


def _column(header: str, titles: tuple[str, ...]) -> Said:
    name = normal(header)
    if name in ("读", "写"):
        return "reads" if name == "读" else "writes"
    return _topic(titles[0]) if name in _TAG_HEADERS else _topic(header)


def _topic(title: str) -> Said:
    """Whether a heading or a header speaks of what is read or of what is written; None of both, or of examples."""
    name = normal(title)
    if any(word in name for word in _EXAMPLE):
        return None
    reads, writes = (any(word in name for word in words) for words in (_INPUT, _OUTPUT))
    return None if reads == writes else "reads" if reads else "writes"


def _only_tags(text: str) -> bool:
    return all("." in word for word in _JOINTS.split(text) if word)


def _in_prose(span: Span, section: Section, titles: tuple[str, ...]) -> Place:
    source, top = span.source, _top(section)
    number = span.position[0]
    first, last = _block(source, number, top, source.position(section.body.end)[0])
    start = source.line_starts()[first - 1]
    text = " ".join(source.line(n) for n in range(first, last + 1))
    mark = _MARKER.match(text)
    is_item = bool(mark and mark.group(1))
    at = span.start - start
    heads = is_item and not text[mark.end() if mark else 0 : at].strip("`\"'「『“*_ ")
    alone = heads and _HEAD_END.match(text, at + span.end - span.start) is not None
    indent = len(text) - len(text.lstrip()) if is_item else None
    leads = tuple(_leads(source, first, top, indent))
    said = _topic(titles[0]) if alone else None
    return Place("item" if is_item else "prose", text, at, titles, leads, alone, said)


def _top(section: Section) -> int:
    return section.body.position[0]


def _block(source: Source, number: int, top: int, bottom: int) -> tuple[int, int]:
    """The first and the last line of the paragraph or item that holds a line."""
    first = number
    while (
        first > top and not _starts_item(source.line(first)) and not _BOUNDARY.match(source.line(first - 1))
    ):
        first -= 1
    last = number
    while (
        last < bottom
        and not _BOUNDARY.match(source.line(last + 1))
        and not _starts_item(source.line(last + 1))
    ):
        last += 1
    return first, last


def _starts_item(line: str) -> bool:
    mark = _MARKER.match(line)
    return bool(mark and mark.group(1))


def _leads(source: Source, number: int, top: int, indent: int | None) -> Iterator[str]:
    """The items that an item stands below, and the paragraph that leads its list in; of a paragraph, the line
    before it when that ends in a colon."""
    for at in range(number - 1, max(top, number - FAR) - 1, -1):
        raw = source.line(at)
        if not raw.strip():
            continue
        if _BOUNDARY.match(raw):
            return
        depth = len(raw) - len(raw.lstrip())
        if indent is None:
            if raw.rstrip(" *_").endswith(("：", ":")):
                yield raw
            return
        if not _starts_item(raw) and (depth == 0 or depth < indent):
            yield from _paragraph(source, at, top)
            return
        if _starts_item(raw) and depth < indent:
            yield raw
            indent = depth


def _paragraph(source: Source, number: int, top: int) -> Iterator[str]:
    first = _block(source, number, top, number)[0]
    return (source.line(at) for at in range(first, number + 1))


def _before_fence(source: Source, opening: int, top: int) -> tuple[str, ...]:
    """The paragraph above the line that opens a fence."""
    for at in range(opening - 1, max(top, opening - 3) - 1, -1):
        if source.line(at).strip():
            return tuple(_paragraph(source, at, top))
    return ()

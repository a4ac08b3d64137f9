"""Where in a document a name stands: its paragraph, what leads it in, its cell, the headings above it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from skillc.later import later
from skillc.model.prose import normal, without_annotations
from skillc.source.document import Fence, Section, Table
from skillc.text import Source, Span, Text
from skillc.value import value

Kind = Literal["heading", "cell", "item", "prose", "fence"]
Said = Literal["reads", "writes"] | None
"""What a place itself says of the tags in it."""

_INPUT = ("输入", "上下文", "读取", "inputtag", "input", "context")
_OUTPUT = ("输出", "产物", "产出", "写入", "outputtag", "output")
_EXAMPLE = ("示例", "样例", "例子", "范例", "举例", "案例", "example")
_TAG_HEADERS = ("tag", "tags", "标签", "标签名", "tag名", "黑板标签")
_STAFF_HEADERS = frozenset(
    [
        "worker",
        "workers",
        "workerid",
        "执行者",
        "谁",
        "谁写",
        "谁做",
        "技能",
        "skill",
        "角色",
        "步骤",
        "环节",
        "岗位",
        "阶段",
        "工序",
        "负责",
        "负责人",
        "由谁",
        "who",
        "step",
        "steps",
        "phase",
        "stage",
        "role",
    ]
)
_OF_OTHERS = later(
    r"下游|前一步|上一步|后一步|下一步|其他|其它|别人|他人|别的|对方|谁|怎么用|如何用|流程|总览|全貌|流水线"
    r"|pipeline|workflow|overview|downstream|other"
)
_OWN_OUTPUTS = later(
    r"(?:你的|我的|本步|本步骤|本worker)?(?:输出|产物|产出|写入)(?:的?(?:格式|要求|标签|规范|约定|内容|结构|tags?))?"
    r"|outputs?(?:tags?|format)?"
)
_UPSTREAM = later("上游|upstream")
"""What is upstream is read: `上游输入` is an input, `上游的输出` is nobody's output."""
_COLUMNS: dict[str, Said] = {"读": "reads", "reads": "reads", "写": "writes", "writes": "writes"}
_MARKED_YOU = later(r"[（(]\s*(?:就是)?(?:你|本\s?worker|you)\s*[）)]", re.IGNORECASE)
_YOU = ("你", "本worker", "本步", "you", "me", "thisworker")
_MARKER = later(r"\s*(?:>\s*)*([-*+]\s+|\d+[.)、]\s*)?(?:\[[ xX]\]\s+)?")
_BOUNDARY = later(r"\s*(?:>\s*)*(?:#{1,6}\s|\||```|~~~|$)")
_HEAD_END = later(r"[`\"'」』”*_\s]*(?:$|[：:（(—–\-=|，,])")
_JOINTS = later(r"[`*_\s、，,；;/+|]|和|与|及|或")
COMMENT = later(r"<!--.*?-->", re.DOTALL)
_REMARK = later(r"（[^（）]*(?:）|$)|\([^()]*(?:\)|$)|【[^【】]*】")
FAR = 200
"""Lines that are looked at above a name, at most, to find what leads its list in."""
BESIDE = 24
"""Characters of the other cells of a row that are looked at."""


def without_comments(text: str) -> str:
    """`text` with its comments blanked out, line ends and all places kept: they are no part of what is said."""
    return COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text) if "<!--" in text else text


@lru_cache(maxsize=8)
def _said_in(source: Source) -> Source:
    """A source as it speaks, place by place."""
    return Source(source.path, without_comments(source.text)) if "<!--" in source.text else source


def _in_remark(text: str, at: int) -> bool:
    """Whether a place stands in brackets behind something: `甲.乙`（由 `丙.丁` 升级而来）."""
    return any(m.start() < at < m.end() and text[: m.start()].strip() for m in _REMARK.finditer(text))


@value
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
    sure: bool = False
    """What the place says is said of the worker itself: its output section, or its own row of a table."""
    table: Table | None = None
    own: bool = False
    """Its row of the table is the worker's own, since it names the worker."""


def place_of(span: Span, section: Section, own: tuple[str, ...] = ()) -> Place:
    """The place of a name in a section, of which the heading is a part. `own`: what the worker is called."""
    if section.level and span.start < section.body.start:
        return _in_heading(span, section)
    titles = (section.title.value, *section.outline)
    fence = next((f for f in section.fences if _holds(f.content.span, span)), None)
    if fence:
        return _in_fence(span, fence, section, titles)
    table = next((t for t in section.tables if _holds(t.span, span)), None)
    return _in_table(span, table, titles, own) if table else _in_prose(span, section, titles)


def _holds(outer: Span, span: Span) -> bool:
    return outer.start <= span.start < outer.end


def _in_heading(span: Span, section: Section) -> Place:
    raw = without_comments(section.title.span.text)
    above = tuple(reversed(section.outline))
    title = next((title for title in above if _topic(title)), "")
    at = span.start - section.title.span.start
    remarked = _in_remark(raw, at)
    said = None if remarked or _of_others(above) else _topic(title)
    alone = _only_tags(without_annotations(raw)) and not remarked
    sure = _is_own_outputs(title)
    return Place("heading", raw, at, (raw, *section.outline), (), alone, said, sure=sure)


def _in_fence(span: Span, fence: Fence, section: Section, titles: tuple[str, ...]) -> Place:
    source = span.source
    number, column = span.position
    opening = source.position(fence.content.span.start)[0] - 1
    leads = _before_fence(_said_in(source), opening, _top(section))
    return Place("fence", source.line(number), column - 1, titles, leads)


def _in_table(span: Span, table: Table, titles: tuple[str, ...], own: tuple[str, ...]) -> Place:
    """A row of a table of the whole pipeline speaks for the worker only where it names it."""
    row, at = _cell(span, table)
    cell = row[at]
    header = table.header[at].value
    others = tuple(without_comments(other.value)[:BESIDE] for other in row if other is not cell)
    mine = any(_is_own_name(other.value, own) for other in row if other is not cell)
    silent = row is table.header or not (mine or _is_of_one(table, titles))
    said = None if silent else _column(header, titles)
    text = without_comments(cell.span.text)
    start = max(0, span.start - cell.span.start)
    remarked = _in_remark(text, start)
    alone = _only_tags(without_annotations(text)) and not remarked
    said = None if remarked else said
    sure = mine or _is_own_outputs(titles[0]) or normal(header) in ("outputtag", "outputtags")
    return Place("cell", text, start, titles, (header,), alone, said, others, sure, table, mine)


def _is_of_one(table: Table, titles: tuple[str, ...]) -> bool:
    """Whether a table can be a worker's own: it has no column of staff or steps, does not both read and write, and
    stands below no heading that speaks of others."""
    headers = [cell.value for cell in table.header]
    if any(normal(header) in _STAFF_HEADERS for header in headers) or _of_others(titles):
        return False
    return not {"reads", "writes"} <= {_column(header, ("",)) for header in headers}


def _is_own_name(cell: str, own: tuple[str, ...]) -> bool:
    """Whether a cell is the worker: its id, its name, 你, or anything that is marked so (`第二步（你）`)."""
    return normal(cell) in (*_YOU, *map(normal, own)) or _MARKED_YOU.search(cell) is not None


def _of_others(titles: tuple[str, ...]) -> bool:
    """Whether one of the headings speaks of other workers, or of all of them."""
    return any(_OF_OTHERS.search(normal(title)) for title in titles)


def _is_own_outputs(title: str) -> bool:
    return _OWN_OUTPUTS.fullmatch(normal(title)) is not None


def _cell(span: Span, table: Table) -> tuple[tuple[Text, ...], int]:
    for row in (table.header, *table.rows):
        for at, cell in enumerate(row):
            if cell.span.start <= span.start < cell.span.end:
                return row, at
    return table.header, 0


def _column(header: str, titles: tuple[str, ...]) -> Said:
    name = normal(header)
    if name in _COLUMNS:
        return _COLUMNS[name]
    return _topic(titles[0]) if name in _TAG_HEADERS else _topic(header)


def _topic(title: str) -> Said:
    """Whether a heading or a header speaks of what is read or of what is written; None of both, or of examples."""
    name = normal(title)
    if any(word in name for word in _EXAMPLE):
        return None
    reads, writes = (any(word in name for word in words) for words in (_INPUT, _OUTPUT))
    if reads == writes or (writes and _UPSTREAM.search(name)):
        return None
    return "reads" if reads else "writes"


def _only_tags(text: str) -> bool:
    return all("." in word for word in _JOINTS.split(text) if word)


def _in_prose(span: Span, section: Section, titles: tuple[str, ...]) -> Place:
    source, top = _said_in(span.source), _top(section)
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
    said = _topic(titles[0]) if alone and not _of_others(titles) else None
    kind: Kind = "item" if is_item else "prose"
    return Place(kind, text, at, titles, leads, alone, said, sure=_is_own_outputs(titles[0]))


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

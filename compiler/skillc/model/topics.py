"""Which sections of a manifest speak of what, and the labelled values in them (SPEC 6.2).

A label is a word that the format knows (写入目标, prerequisiteTags …). Authors write it before a colon,
in bold, as a heading, as the first cell of a row or as the header of a column; its values stand behind it
or in the list below it. All of these are read alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from skillc.later import later
from skillc.model.prose import normal, without_parentheses
from skillc.source.document import Document, Section, Table
from skillc.text import Span, Text
from skillc.value import value

STARTUP = ("启动询问", "启动问询", "startup", "startupinquiry")
REGISTRY = ("注册表", "skillregistry", "registry")
INSTANCE = ("实例化", "instantiate", "instantiation", "instanceready", "instanceready规则", "就绪条件")
STAGES = ("阶段定义", "stages")
ACCEPTANCE = ("验收策略", "验收")
ASKS = ("询问策略",)
PROFILE = ("contextprofile",)
USER_TURN = ("用户回合", "userturn")
FORBIDDEN = ("禁用行为", "禁止行为", "禁止注入")

_MARKER = later(r"(\s*)(?:>\s*)*([-*+]\s+|\d+[.)、]\s*)?(?:\[[ xX]\]\s+)?")
_FENCE = later(r"\s*(`{3,}|~{3,})\s*([A-Za-z0-9_+-]*)")
_JOINT = later("(?:为|是|有|包括|包含|如下|列表)+$")
_ENGLISH = later(r"[a-z]+(?![a-z0-9_])")
_SEPARATOR = later("[：:→]|-+>|=+>?")
_BELOW = later(r"^[\s*]*(?:如下|以下|见下|下列|\||>)")


@value
class Line:
    """One line of a section without its list marker; `indent` counts the blanks before the marker;
    `gap` tells a blank line above."""

    text: Span
    indent: int
    is_item: bool
    gap: bool = False


@value
class Value:
    """A value with the label that it belongs to."""

    label: str
    text: Span


def sections_about(
    document: Document, names: tuple[str, ...], labels: Collection[str] = ()
) -> tuple[Section, ...]:
    """The sections whose heading, or an enclosing one, is one of `names` or a label."""
    return tuple(
        section
        for section in document.sections
        if _is_about(section, names) or (labels and normal(section.title.value) in labels)
    )


def lines(section: Section, skip: tuple[str, ...] = ("json", "jsonc", "json5")) -> Iterator[Line]:
    """The lines of a section, those of fenced blocks included; no rows of tables, no blocks in `skip`."""
    fence, skipped, gap = "", False, False
    at = 0
    for raw in section.body.text.split("\n"):
        said = raw.strip()
        mark = _FENCE.match(raw) if said.startswith(("```", "~~~")) else None
        if mark and (not fence or (said == said[0] * len(said) and mark.group(1) >= fence)):
            skipped = not fence and mark.group(2).casefold() in skip
            fence = "" if fence else mark.group(1)
        elif said and not skipped and not said.startswith(("|", "<!--")):
            yield _line(section.body, at, raw, gap)
        gap = not said
        at += len(raw) + 1


def labelled(
    sections: Iterable[Section], labels: Mapping[str, str], skip: tuple[str, ...] = ("json", "jsonc", "json5")
) -> list[Value]:
    """All values of `labels` (normal form → name) in the sections, in written order."""
    found: list[Value] = []
    for section in sections:
        own = labels.get(normal(section.title.value))
        found += _in_lines(section, own, labels, skip)
        for table in section.tables:
            found += _in_table(table, labels)
    return sorted(found, key=lambda value: value.text.start)


def column(table: Table, *names: str) -> int | None:
    """The number of the first column whose header is one of `names`, tried in that order."""
    headers = [normal(cell.value) for cell in table.header]
    return next((headers.index(name) for name in names if name in headers), None)


def column_like(table: Table, *parts: str) -> int | None:
    """The number of the first column whose header contains one of `parts`."""
    headers = [normal(cell.value) for cell in table.header]
    return next((n for n, header in enumerate(headers) if any(part in header for part in parts)), None)


def _is_about(section: Section, names: tuple[str, ...]) -> bool:
    return _named(section.title.value, names) or any(_named(title, names) for title in section.outline)


@lru_cache(maxsize=4096)
def _named(title: str, names: tuple[str, ...]) -> bool:
    plain = normal(title)
    return any(
        plain == name or (not name.isascii() and (plain.startswith(name) or plain.endswith(name)))
        for name in names
    )


def _line(body: Span, at: int, raw: str, gap: bool) -> Line:
    mark = _MARKER.match(raw)
    start = mark.end() if mark else 0
    indent = len(mark.group(1)) if mark else 0
    end = len(raw.rstrip())
    return Line(body.part(at + start, at + max(start, end)), indent, bool(mark and mark.group(2)), gap)


def _in_lines(
    section: Section, own: str | None, labels: Mapping[str, str], skip: tuple[str, ...]
) -> Iterator[Value]:
    """Values behind a label on its line, or in the list (or the one paragraph) below it."""
    current: str | None = own
    opened: Line | None = None
    first = True
    for line in lines(section, skip):
        label, rest = _label(line, labels)
        if label is not None:
            said = rest is not None and not _BELOW.match(rest.text)
            if said and rest is not None:
                yield Value(label, rest)
            current, opened, first = (own if said else label), (None if said else line), True
        elif current is not None and _belongs(line, opened, first):
            yield Value(current, line.text)
            first = False
        else:
            current, opened = own, None


def _belongs(line: Line, opened: Line | None, first: bool) -> bool:
    """Whether a line is a value of the label that was opened last, or of the section's own."""
    if opened is None:
        return True
    if opened.is_item or not line.is_item:
        return line.indent > opened.indent or (not opened.is_item and (first or not line.gap))
    return True


def _label(line: Line, labels: Mapping[str, str]) -> tuple[str | None, Span | None]:
    """The label that a line begins with, and what stands behind its colon."""
    raw = without_parentheses(line.text.text)
    mark = _SEPARATOR.search(raw)
    label = _meant(raw[: mark.start()], labels) if mark else labels.get(normal(raw))
    start = mark.end() if mark else len(raw)
    if label is None and (tick := raw.find("`")) > 0:
        label, start = _meant(raw[:tick], labels), tick
    start += len(raw[start:]) - len(raw[start:].lstrip(" *_"))
    return label, line.text.part(start, len(raw)) if raw[start:].strip() else None


def _meant(head: str, labels: Mapping[str, str]) -> str | None:
    """The label that the words before a value are: itself, or with a few words to join it to the value."""
    plain = normal(head)
    english = _ENGLISH.match(plain)
    words = (plain, _JOINT.sub("", plain), english.group() if english else "")
    return next((labels[word] for word in words if word in labels), None)


def _in_table(table: Table, labels: Mapping[str, str]) -> Iterator[Value]:
    headers = [labels.get(normal(cell.value)) for cell in table.header]
    for row in table.rows:
        if any(headers):
            yield from (_value(label, cell) for label, cell in zip(headers, row, strict=False) if label)
        elif row and (label := labels.get(normal(row[0].value))):
            yield from (_value(label, cell) for cell in row[1:])


def _value(label: str, cell: Text) -> Value:
    return Value(label, cell.span)

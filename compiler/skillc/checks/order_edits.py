"""Edits of the rows of an order, in JSON, in flow and in block form; None where the form is not a plain one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from skillc.diagnostic import Edit, Fix
from skillc.later import later
from skillc.source.node import Mapping, Node, Scalar
from skillc.text import Span, Text
from skillc.wording import say

if TYPE_CHECKING:
    from skillc.model.order import Insert

_GAP = later(r"[\s,]*(?:-[ \t]+)?")
_QUOTES = "\"'"


def normal_form(rows: Sequence[Insert], positions: Sequence[int]) -> Fix | None:
    """Rows at `positions`, and numbered so; rows that stand in order already get their numbers only."""
    message = say("write the rows in normal form")
    numbered = any(row.number for row in rows)
    if list(positions) == list(range(len(rows))):
        edits = [_numbering(row, at) for at, row in enumerate(rows) if _number(row) != str(at)]
        return Fix(message, tuple(edits))
    spans = [_row(row.node) for row in rows]
    if None in spans:
        return None
    return _moved(rows, [span for span in spans if span], positions, numbered)


def _moved(rows: Sequence[Insert], spans: list[Span], positions: Sequence[int], numbered: bool) -> Fix | None:
    source = spans[0].source
    gaps = [source.text[a.end : b.start] for a, b in pairwise(spans)]
    level = len({span.position[1] for span in spans}) == 1 or _is_flow(spans[0])
    if not level or not all(_GAP.fullmatch(gap) for gap in gaps):
        return None
    texts = []
    for number, at in enumerate(positions):
        edits = [_numbering(rows[at], number)] if numbered and _number(rows[at]) != str(number) else []
        texts.append(_edited(spans[at], edits))
    joined = "".join(text + gap for text, gap in zip(texts, [*gaps[: len(texts) - 1], ""], strict=True))
    return Fix(
        say("write the rows in normal form"), (Edit(source.span(spans[0].start, spans[-1].end), joined),)
    )


def without_anchors(rows: Sequence[Insert]) -> Fix | None:
    """The rows without their anchors; None where one cannot be taken out by itself."""
    spans = [span for row in rows if (span := _entry(row.node, "anchor"))]
    if len(spans) < len(rows):
        return None
    return Fix(say("remove the anchors"), tuple(Edit(span, "") for span in spans))


def _number(row: Insert) -> str | None:
    return row.number.value if row.number else None


def _numbering(row: Insert, number: int) -> Edit:
    """The edit that gives a row its number."""
    if row.number:
        return Edit(row.number.span, str(number))
    span = row.node.span
    if _is_flow(span):
        name = '"order"' if span.path.endswith(".json") else "order"
        return Edit(span.part(1, 1), f"{name}: {number}, ")
    return Edit(span.part(0, 0), f"order: {number}\n" + " " * (span.position[1] - 1))


def _edited(span: Span, edits: Sequence[Edit]) -> str:
    text, at = "", span.start
    for edit in edits:
        text += span.source.text[at : edit.span.start] + edit.text
        at = edit.span.end
    return text + span.source.text[at : span.end]


def _row(node: Mapping) -> Span | None:
    """All characters of a row; None for a row in block form that does not end in a plain value."""
    if _is_flow(node.span):
        return node.span
    last = node.entries[-1][1] if node.entries else None
    return Span(node.span.source, node.span.start, _end(last)) if isinstance(last, Scalar) else None


def _is_flow(span: Span) -> bool:
    return span.text.startswith("{")


def _entry(node: Mapping, name: str) -> Span | None:
    """What goes when the entry `name` goes: with the comma beside it, or with its line."""
    at = next((at for at, (key, _) in enumerate(node.entries) if key.value == name), None)
    if at is None or not isinstance(node.entries[at][1], Scalar):
        return None
    key, value = node.entries[at]
    source, start, end = node.span.source, _start(key), _end(value)
    if at + 1 < len(node.entries) and (at == 0 or _is_flow(node.span)):
        return source.span(start, _start(node.entries[at + 1][0]))
    if _is_flow(node.span):
        before = _end(node.entries[at - 1][1]) if at else start
        return source.span(before, end)
    line, following = source.text.rfind("\n", 0, start), source.text.find("\n", end)
    return source.span(line, len(source.text) if following < 0 else following) if at else None


def _start(key: Text) -> int:
    start = key.span.start
    return start - (key.span.source.text[start - 1 : start] in tuple(_QUOTES))


def _end(node: Node) -> int:
    quoted = isinstance(node, Scalar) and not node.plain
    end = node.span.end
    return end + (quoted and node.span.source.text[end : end + 1] in tuple(_QUOTES))

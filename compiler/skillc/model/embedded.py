"""JSON inside a value of a YAML file, as nodes whose places are in that file."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from skillc.runtime.fragment import json_part
from skillc.source.jsontree import read_json_tree
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Source, Span, Text

Place = Callable[[int, int], Span]


def json_in(scalar: Scalar) -> tuple[Node, bool] | None:
    """The JSON object that a scalar holds, alone or in a fence, and whether its places are exact.

    They are where the value stands in the file as it is: plain, quoted without escapes, or a literal block.
    Elsewhere every part has the place of the whole.
    """
    part = json_part(scalar.value)
    return _tree_in(scalar, part) if part else None


def array_in(scalar: Scalar) -> Node | None:
    """As `json_in`, for a JSON list."""
    part = json_part(scalar.value, "[]")
    found = _tree_in(scalar, part) if part else None
    return found[0] if found else None


def _tree_in(scalar: Scalar, part: tuple[int, int]) -> tuple[Node, bool] | None:
    source = Source(scalar.span.path, scalar.value[: part[1]])
    node, found = read_json_tree(source.span(*part))
    if node is None or found:
        return None
    place = _place(scalar)
    return (
        (_moved(node, place), True) if place else (_moved(node, lambda *_: _first_line(scalar.span)), False)
    )


def plain(node: Node) -> object:
    """A tree as lists, dicts, text and None."""
    if isinstance(node, Scalar):
        return None if node.is_null else node.value
    if isinstance(node, Mapping):
        return {key.value: plain(value) for key, value in node}
    return [plain(item) for item in node.items]


def node_at(node: Node, path: tuple[str | int, ...]) -> Node:
    """What stands at `path`, or the last part of the way that is there."""
    for step in path:
        inner: Node | None = None
        if isinstance(node, Mapping) and isinstance(step, str):
            inner = node.get(step)
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            inner = node.items[step]
        if inner is None:
            return node
        node = inner
    return node


def _place(scalar: Scalar) -> Place | None:
    """Offsets in the value to places in the file; None where the file does not hold the value as it is."""
    span = scalar.span
    if span.text == scalar.value:
        return span.part
    return _in_block(scalar) if span.text.startswith("|") else None


def _in_block(scalar: Scalar) -> Place | None:
    """As `_place` for a literal block: each of its lines is a line of the file behind an indentation."""
    span = scalar.span
    lines = scalar.value.split("\n")
    written = span.text.split("\n")[1:]
    starts: list[tuple[int, int]] = []
    own, at = 0, len(span.text.partition("\n")[0]) + 1
    for line, raw in zip(lines, written, strict=False):
        indent = len(raw) - len(line)
        if line and raw[indent:] != line:
            return None
        starts.append((own, at + max(indent, 0)))
        own, at = own + len(line) + 1, at + len(raw) + 1
    starts.append((own, at))

    def place(start: int, end: int) -> Span:
        return span.part(_shifted(starts, start), _shifted(starts, end))

    return place


def _shifted(starts: list[tuple[int, int]], offset: int) -> int:
    for (own, at), (following, _) in pairwise(starts):
        if offset < following:
            return at + offset - own
    return starts[-1][1]


def _first_line(span: Span) -> Span:
    return span.part(0, len(span.text.partition("\n")[0]))


def _moved(node: Node, place: Place) -> Node:
    span = place(node.start, node.end)
    if isinstance(node, Scalar):
        return Scalar(node.value, *span.place, node.plain)
    if isinstance(node, Sequence):
        return Sequence(*span.place, tuple(_moved(item, place) for item in node.items))
    entries = tuple((Text(key.value, place(key.start, key.end)), _moved(value, place)) for key, value in node)
    return Mapping(entries, span)

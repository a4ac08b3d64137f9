"""JSON text to the same nodes as YAML: every value with its place, all scalars text.

Not read as YAML, which refuses tabs and pairs of `\\u` escapes that JSON writers produce.
"""

from __future__ import annotations

import json
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import NamedTuple

from skillc.diagnostic import Diagnostic, Label, finding
from skillc.grammar import invisible_in_name
from skillc.later import later
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Source, Span, Text
from skillc.wording import say

DEPTH_LIMIT = 16
_BLANKS = later(r"[ \t\n\r]*")
_PLAIN = later(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")


class _Refused(Exception):
    """Ends a reading; carries its finding."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class _Reading(NamedTuple):
    source: Source
    found: list[Diagnostic]

    def skip(self, at: int) -> int:
        match = _BLANKS.match(self.source.text, at)
        return match.end() if match else at

    def char(self, at: int) -> str:
        return self.source.text[at : at + 1]

    def refuse(self, at: int, message: str, help: str = "") -> _Refused:
        span = self.source.span(at, min(at + 1, len(self.source.text)))
        return _Refused(finding("yaml-syntax", span, message, help))


def read_json_tree(region: Span) -> tuple[Node | None, list[Diagnostic]]:
    """The node of a whole JSON text; None when it is empty or broken. Refuses like `read_tree`."""
    reading = _Reading(region.source, [])
    start = reading.skip(region.start)
    if start == region.end:
        return None, []
    try:
        node, end = _value(reading, start, 0)
        end = reading.skip(end)
        if end != region.end:
            raise reading.refuse(end, say("text stands behind the JSON value"), say("a file holds one value"))
    except _Refused as refused:
        return None, [*reading.found, refused.diagnostic]
    return node, reading.found


def _value(reading: _Reading, at: int, depth: int) -> tuple[Node, int]:
    char = reading.char(at)
    if char == '"':
        return _string(reading, at)
    if char and char in "[{":
        if depth == DEPTH_LIMIT:
            span = reading.source.span(at, at + 1)
            message = say("the value is nested more than {limit} deep", limit=DEPTH_LIMIT)
            raise _Refused(finding("too-large", span, message, say("write it flatter")))
        return (_list if char == "[" else _object)(reading, at, depth + 1)
    match = _PLAIN.match(reading.source.text, at)
    if not match:
        shown = say("`{char}` is no JSON value", char=char) if char.strip() else say("a value is missing")
        raise reading.refuse(at, shown, say("text stands in double quotes; JSON has no comments"))
    return Scalar(match.group(), reading.source, *match.span()), match.end()


def _string(reading: _Reading, at: int) -> tuple[Scalar, int]:
    try:
        value, end = scanstring(reading.source.text, at + 1, True)
    except json.JSONDecodeError as error:
        raise reading.refuse(
            error.pos, say("the JSON string is broken here"), say("close it, or escape the character")
        ) from None
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise reading.refuse(at, say("an escape names half a character"), say("write the character itself"))
    return Scalar(value, reading.source, at + 1, end - 1, plain=False), end


def _list(reading: _Reading, start: int, depth: int) -> tuple[Sequence, int]:
    items: list[Node] = []
    at = reading.skip(start + 1)
    while reading.char(at) != "]":
        if items:
            at = _comma(reading, at, "]")
        node, at = _value(reading, at, depth)
        items.append(node)
        at = reading.skip(at)
    return Sequence(reading.source, start, at + 1, tuple(items)), at + 1


def _object(reading: _Reading, start: int, depth: int) -> tuple[Mapping, int]:
    entries: list[tuple[Text, Node]] = []
    keys: dict[str, Text] = {}
    at = reading.skip(start + 1)
    while reading.char(at) != "}":
        if keys:
            at = _comma(reading, at, "}")
        key, at = _key(reading, at)
        node, at = _value(reading, at, depth)
        first = keys.setdefault(key.value, key)
        if first is key:
            entries.append((key, node))
        else:
            reading.found.append(duplicate_key(key, first))
        at = reading.skip(at)
    return Mapping(tuple(entries), reading.source.span(start, at + 1)), at + 1


def _key(reading: _Reading, at: int) -> tuple[Text, int]:
    if reading.char(at) != '"':
        raise reading.refuse(at, say("a key in double quotes is missing"))
    key, at = _string(reading, at)
    reading.found.extend(invisible_in_name(key))
    at = reading.skip(at)
    if reading.char(at) != ":":
        raise reading.refuse(at, say("a `:` is missing behind the key `{key}`", key=key.value))
    return key, reading.skip(at + 1)


def _comma(reading: _Reading, at: int, closing: str) -> int:
    if reading.char(at) != ",":
        raise reading.refuse(at, say("a comma or `{closing}` is missing here", closing=closing))
    following = reading.skip(at + 1)
    if reading.char(following) == closing:
        raise reading.refuse(
            at, say("a comma stands before `{closing}`", closing=closing), say("remove the comma")
        )
    return following


def duplicate_key(key: Text, first: Text) -> Diagnostic:
    """The finding for a `key` that its mapping has already."""
    return finding(
        "duplicate-key",
        key.span,
        say("the key `{key}` stands in line {line} already", key=key.value, line=first.span.position[0]),
        say("keep one of the two"),
        [Label(first.span, say("the first one"))],
    )

"""YAML text to nodes with places. Strict: all scalars are text, what would surprise is refused (SPEC 2.3).

The tree is built from PyYAML's events rather than its nodes: events still know anchors, aliases and
tags, which are errors here. Event places count code points, in libyaml and in the pure loader alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from skillc.diagnostic import Diagnostic, Label, finding
from skillc.grammar import invisible_in_name
from skillc.source.folding import folded_cjk
from skillc.source.jsontree import duplicate_key
from skillc.source.linestarts import false_entries, wide_indentation
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.source.plainyaml import read_plain
from skillc.source.slips import not_a_mapping, syntax_error, unprintable
from skillc.text import Source, Span, Text
from skillc.value import field, value
from skillc.wording import say

DEPTH_LIMIT = 16
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ENTRY = re.compile(r"^\w[^\n]*[:：]", re.MULTILINE)
_HEADER = re.compile(r"[|>][+-]?[0-9]?[+-]?")
_SURROGATE = re.compile("[\ud800-\udfff]")


_COLLECTIONS = (yaml.SequenceStartEvent, yaml.MappingStartEvent)


class _TooDeep(Exception):
    """Ends a reading; its finding is recorded already."""


@value(frozen=False)
class _Reading:
    """One pass over the events of a text that begins at `offset` of its source."""

    source: Source
    offset: int
    events: Iterator[Any]
    found: list[Diagnostic] = field(default_factory=list)
    anchors: dict[str, Span] = field(default_factory=dict)
    anchored: dict[str, Scalar] = field(default_factory=dict)
    unreadable: bool = False

    def span(self, start: int, end: int) -> Span:
        return self.source.span(self.offset + start, self.offset + end)

    def refuse(self, span: Span, message: str, help: str, *related: Label) -> None:
        self.found.append(finding("yaml-syntax", span, message, help, related))


def read_tree(region: Span, loader: Any = None, strict: bool = False) -> tuple[Node | None, list[Diagnostic]]:
    """The node that `region` holds; None when it is empty or cannot be read.

    Refuses with yaml-syntax, duplicate-key, too-large, invisible-character (in keys); notes
    folded-cjk. After a syntax error the top-level entries are read one by one, so that each broken
    one is named in the same run. What is plain enough is read the short way, but where `strict` says not to.
    """
    plain = None if strict or loader else read_plain(region)
    if plain is not None:
        return plain, []
    found = list(unprintable(region))
    if found:
        return None, found
    node, found = _read(region, loader or LOADER)
    if node is None and _refused(found):
        apart = _entry_by_entry(region, loader or LOADER)
        return None, apart if _refused(apart) else found
    return node, found


def _refused(found: list[Diagnostic]) -> bool:
    return any(diagnostic.code.slug == "yaml-syntax" for diagnostic in found)


def _read(region: Span, loader: Any) -> tuple[Node | None, list[Diagnostic]]:
    reading = _Reading(region.source, region.start, yaml.parse(region.text, Loader=loader))
    try:
        node = _document(reading)
    except yaml.YAMLError as error:
        return None, [*reading.found, syntax_error(region, error)]
    except _TooDeep:
        return None, reading.found
    return (None if reading.unreadable else node), reading.found


def _entry_by_entry(region: Span, loader: Any) -> list[Diagnostic]:
    """What is wrong with each top-level entry read alone, and with keys that two of them share."""
    text = region.source.text
    starts = [match.start() for match in _ENTRY.finditer(text, region.start, region.end)]
    found: list[Diagnostic] = []
    keys: dict[str, Text] = {}
    for start, end in zip([region.start, *starts], [*starts, region.end], strict=True):
        entry = region.source.span(start, end)
        node, problems = _read(entry, loader)
        found.extend(problems)
        if not problems and node is not None and not isinstance(node, Mapping):
            found.append(not_a_mapping(entry))
        for key, _ in node.entries if isinstance(node, Mapping) else ():
            found.extend(_duplicate(keys, key))
    return found


def _duplicate(keys: dict[str, Text], key: Text) -> list[Diagnostic]:
    """duplicate-key when `key` is among `keys` already, where it is added otherwise."""
    first = keys.setdefault(key.value, key)
    return [] if first is key else [duplicate_key(key, first)]


def _document(reading: _Reading) -> Node | None:
    next(reading.events)
    event: Any = next(reading.events)
    if isinstance(event, yaml.StreamEndEvent):
        return None
    node = _node(reading, next(reading.events), 0)
    next(reading.events)
    event = next(reading.events)
    if not isinstance(event, yaml.StreamEndEvent):
        start = event.start_mark.index
        reading.refuse(
            reading.span(start, start + 3),
            say("a second document begins here"),
            say("a file holds one YAML document"),
        )
    return node


def _node(reading: _Reading, event: Any, depth: int) -> Node:
    if isinstance(event, yaml.AliasEvent):
        return _alias(reading, event)
    _refuse_properties(reading, event)
    node = _collection(reading, event, depth) if event.__class__ in _COLLECTIONS else _scalar(reading, event)
    if event.anchor is not None and isinstance(node, Scalar):
        reading.anchored[event.anchor] = node
    return node


def _collection(reading: _Reading, event: Any, depth: int) -> Node:
    start = event.start_mark.index
    if depth == DEPTH_LIMIT:
        span = reading.span(start, start + 1)
        message = say("the value is nested more than {limit} deep", limit=DEPTH_LIMIT)
        reading.found.append(finding("too-large", span, message, say("write it flatter")))
        raise _TooDeep
    if isinstance(event, yaml.SequenceStartEvent):
        return _sequence(reading, event, depth + 1)
    return _mapping(reading, event, depth + 1)


def _alias(reading: _Reading, event: Any) -> Scalar:
    """The scalar that the alias stands for, so that only the alias itself is reported.

    Anything larger makes the text unreadable: following it would let a small file grow without bound.
    """
    span = reading.span(event.start_mark.index, event.end_mark.index)
    anchor = reading.anchors.get(event.anchor)
    related = [Label(anchor, say("the anchor"))] if anchor else []
    help = say('write the value out; quote it if it is text: `"{text}"`', text=span.text)
    reading.refuse(span, say("`{text}` is an alias in YAML", text=span.text), help, *related)
    node = reading.anchored.get(event.anchor)
    reading.unreadable |= node is None
    return node or Scalar("", *span.place)


def _refuse_properties(reading: _Reading, event: Any) -> None:
    """Anchors and explicit tags are errors: both change what a value means without showing it."""
    start = event.start_mark.index
    if event.anchor is not None:
        at = reading.source.text.index("&", reading.offset + start)
        span = reading.source.span(at, at + 1 + len(event.anchor))
        reading.anchors[event.anchor] = span
        reading.refuse(
            span,
            say("`{text}` is an anchor in YAML", text=span.text),
            say("remove it; quote the value if it is text"),
        )
    if event.tag is not None:
        at = reading.source.text.index("!", reading.offset + start)
        word = re.compile(r"[^\s,\]}]+").match(reading.source.text, at)
        span = reading.source.span(at, word.end() if word else at + 1)
        help = say("remove it, all values are text; quote the value if it is text")
        reading.refuse(span, say("`{text}` is a type tag in YAML", text=span.text), help)


def _scalar(reading: _Reading, event: Any) -> Scalar:
    start, end, style = event.start_mark.index, event.end_mark.index, event.style
    span = reading.span(start, end)
    if style in ("'", '"') and event.anchor is None and event.tag is None:
        span = span.part(1, end - start - 1)
    elif style in ("|", ">"):
        span = span.part(0, len(span.text.rstrip()))
        header = _HEADER.match(span.text)
        end = start + header.end() if header else end
    _refuse_tight_comment(reading, end)
    if not style:
        reading.found.extend(false_entries(span))
    if style != "|" and "\n" in span.text:
        reading.found.extend(folded_cjk(span, style == ">"))
    if not event.value.isascii() and _SURROGATE.search(event.value):
        reading.refuse(span, say("an escape names half a character"), say("write the character itself"))
        return Scalar("", *span.place, not style)
    return Scalar(event.value, *span.place, not style)


def _refuse_tight_comment(reading: _Reading, at: int) -> None:
    """yaml-syntax for a `#` right behind a value: loaders differ in whether it begins a comment."""
    span = reading.span(at, at + 1)
    if span.text == "#":
        reading.refuse(span, say("no blank stands before the comment"), say("write a blank before `#`"))


def _sequence(reading: _Reading, event: Any, depth: int) -> Sequence:
    items: list[Node] = []
    for inner in reading.events:
        if isinstance(inner, yaml.SequenceEndEvent):
            break
        items.append(_node(reading, inner, depth))
    return Sequence(*_extent(reading, event, inner, items).place, tuple(items))


def _mapping(reading: _Reading, event: Any, depth: int) -> Mapping:
    entries: list[tuple[Text, Node]] = []
    keys: dict[str, Text] = {}
    for inner in reading.events:
        if isinstance(inner, yaml.MappingEndEvent):
            break
        key = _key(reading, inner, depth)
        value = _node(reading, next(reading.events), depth)
        if key is None:
            continue
        problems = _duplicate(keys, key)
        reading.found.extend(problems)
        if not problems:
            entries.append((key, value))
    spans = [part for key, value in entries for part in (key, value)]
    return Mapping(tuple(entries), _extent(reading, event, inner, spans))


def _key(reading: _Reading, event: Any, depth: int) -> Text | None:
    node = _node(reading, event, depth)
    if isinstance(node, Scalar) and node.value:
        wide = wide_indentation(reading.source, node.start) if node.plain else None
        if wide:
            reading.found.append(wide)
            return None
        reading.found.extend(invisible_in_name(node))
        return node
    if isinstance(node, Scalar) and isinstance(event, yaml.AliasEvent):
        return None
    message = say("a key is empty") if isinstance(node, Scalar) else say("a key is a list or a mapping")
    reading.refuse(node.span, message, say("write a word as the key"))
    return None


def _extent(reading: _Reading, start: Any, end: Any, parts: list[Any]) -> Span:
    """From the first part to the last: the end of a block is marked only where the next thing begins."""
    if start.flow_style:
        _refuse_tight_comment(reading, end.end_mark.index)
        return reading.span(start.start_mark.index, end.end_mark.index)
    first = reading.offset + start.start_mark.index
    return reading.source.span(first, max([first, *(part.end for part in parts)]))

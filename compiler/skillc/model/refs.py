"""Lists of texts read as tags and patterns: what parses is kept, what does not is a finding."""

from __future__ import annotations

from collections.abc import Iterable

from skillc.diagnostic import Diagnostic
from skillc.grammar import parse_input, parse_pattern
from skillc.model.package import TagRef
from skillc.text import Placed, Span, Text

Refs = tuple[tuple[TagRef, ...], list[Diagnostic]]


def read_patterns(words: Iterable[Text]) -> Refs:
    """The patterns among `words`, in order; codes bad-tag, not-nfc, invisible-character."""
    refs: list[TagRef] = []
    found: list[Diagnostic] = []
    for word in words:
        pattern, said = parse_pattern(word)
        if pattern is not None:
            refs.append(TagRef(pattern, word))
        else:
            found += said
    return tuple(refs), found


def read_inputs(words: Iterable[Text]) -> Refs:
    """As `read_patterns`; a trailing `?` makes an entry optional and is no part of its place."""
    refs: list[TagRef] = []
    found: list[Diagnostic] = []
    for word in words:
        pattern, optional, said = parse_input(word)
        if pattern is not None:
            refs.append(TagRef(pattern, _without_mark(word) if optional else word, optional))
        else:
            found += said
    return tuple(refs), found


def _without_mark(word: Text) -> Placed | Span:
    mark = word.source.text.rfind("?", word.start, word.end)
    return word if mark < 0 else word.span.part(0, mark - word.start)

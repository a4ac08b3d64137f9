"""What makes a line another one than it looks: blanks that do not indent, characters that end a line unseen, a `-`
that begins no entry, the dots that end a document (SPEC 2.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillc.diagnostic import Diagnostic, Edit, Fix, finding
from skillc.grammar import character_name
from skillc.later import later
from skillc.text import Source, Span
from skillc.wording import say

_WIDE = "\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_WIDE_BLANK = later(f"[ \t]*([{_WIDE}][ \t{_WIDE}]*)")
_UNSEEN_BREAK = later("[\x85\u2028\u2029]")
_DOTS = later(r"^\.\.\.[ \t]*$", re.MULTILINE)
_DASH = later(r"[ \t]*(-)(?:[ \t]|(?=[^\W\d]))")
_ENTRY = later(r"[ \t]*(?:- +)+")


def wide_indentation(source: Source, start: int) -> Diagnostic | None:
    """yaml-syntax for a line, beginning at `start`, that something else than spaces seems to indent."""
    match = _WIDE_BLANK.match(source.text, start)
    if not match:
        return None
    span = source.span(*match.span(1))
    fix = Fix(say("indent with spaces"), (Edit(span, "  " * len(span.text)),), safe=False)
    return finding(
        "yaml-syntax",
        span,
        say("{character} does not indent the line in YAML", character=character_name(span.text[0])),
        say("indent with spaces"),
        fix=fix,
    )


def unseen_break(source: Source, start: int, end: int) -> Diagnostic | None:
    """yaml-syntax for the first character between `start` and `end` that ends a line in YAML only."""
    match = _UNSEEN_BREAK.search(source.text, start, end)
    if not match:
        return None
    span = source.span(*match.span())
    return finding(
        "yaml-syntax",
        span,
        say("{character} ends the line in YAML, though nobody sees it", character=character_name(span.text)),
        say("remove it, or write a line break"),
        fix=Fix(say("remove the character"), (Edit(span, ""),), safe=False),
    )


def early_end(source: Source, start: int, end: int) -> Diagnostic | None:
    """yaml-syntax for the last line of three dots between `start` and `end`."""
    last = next(reversed(list(_DOTS.finditer(source.text, start, end))), None)
    if last is None:
        return None
    return finding(
        "yaml-syntax",
        source.span(*last.span()),
        say("`...` ends the document in YAML, and more text stands behind it"),
        say("remove the line; a frontmatter ends with `---`"),
    )


def false_entries(span: Span) -> Iterator[Diagnostic]:
    """yaml-syntax for each line of a plain scalar that looks like an entry of a list and is part of the text: the
    scalar is an entry itself, or begins with such a line. In a text behind its key a dash may mean anything."""
    source = span.source
    first = source.text.rfind("\n", 0, span.start) + 1
    before = source.text[first : span.start]
    if not _ENTRY.fullmatch(before) and (before.strip() or not span.text.startswith("-")):
        return
    start = first if not before.strip() else source.text.find("\n", span.start) + 1
    while 0 < start < span.end or start == first == 0:
        match = _DASH.match(source.text, start, span.end)
        if match and match.start(1) >= span.start:
            yield _false_entry(source.span(*match.span(1)), match.end() > match.end(1))
        start = source.text.find("\n", start) + 1
        if start == 0:
            return


def tight_dash(source: Source, start: int) -> Diagnostic | None:
    """yaml-syntax for a line, beginning at `start`, with a `-` and no blank behind it."""
    match = _DASH.match(source.text, start)
    if match and match.end() == match.end(1):
        return _false_entry(source.span(*match.span(1)), False)
    return None


def _false_entry(dash: Span, is_deeper: bool) -> Diagnostic:
    if is_deeper:
        return finding(
            "yaml-syntax",
            dash,
            say("`-` begins no entry here: the line goes on with the entry above, which is indented less"),
            say("give the entries of a list the same indentation"),
        )
    return finding(
        "yaml-syntax",
        dash,
        say("no blank stands behind `-`, so it begins no entry"),
        say("write `- ` before each entry"),
        fix=Fix(say("write `- `"), (Edit(dash, "- "),)),
    )


_BETWEEN_QUOTES = later(r"(?<=[\"'])\s*([，、；])(?=\s*[\"'])")


def wide_comma(source: Source, at: int) -> Diagnostic | None:
    """yaml-syntax for a Chinese comma at `at`, which parts no entries; the fix is of all those between quoted
    entries of its line."""
    if source.text[at : at + 1] not in ("，", "、", "；"):
        return None
    end = source.text.find("\n", at)
    commas = _BETWEEN_QUOTES.finditer(source.text, at, end if end >= 0 else len(source.text))
    places = [match.start(1) for match in commas] or [at]
    edits = tuple(Edit(source.span(place, place + 1), ", ") for place in places)
    return finding(
        "yaml-syntax",
        source.span(at, at + 1),
        say("`{char}` stands where `,` belongs", char=source.text[at]),
        say("write `, `"),
        fix=Fix(say("write `, `"), edits),
    )

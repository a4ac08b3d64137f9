"""Characters that no text may hold, and those that reorder what a reader sees."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillc.diagnostic import Diagnostic, finding
from skillc.grammar import character_name, invisible
from skillc.text import Source, Span

_HIDDEN = re.compile("[\ufeff\U000e0000-\U000e007f]+")
_FLAG = re.compile(
    "\U0001f3f4\U000e0067\U000e0062"
    "(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
"""The flags of England, Scotland and Wales: the only emoji that are spelt with tag characters."""
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")


def hidden_characters(source: Source) -> Iterator[Diagnostic]:
    """invisible-character for tag characters and byte order marks inside a text: one a run of them."""
    if source.text.isascii():
        return
    text = _FLAG.sub(lambda flag: " " * len(flag.group()), source.text)
    for run in _HIDDEN.finditer(text):
        yield invisible(source.span(run.start(), run.start() + 1), run.group()[0])


def bidi_controls(span: Span) -> Iterator[Diagnostic]:
    """bidi-in-body for each line of `span` with controls that change the order of what is shown."""
    reported = 0
    for match in _BIDI.finditer(span.source.text, span.start, span.end):
        line = span.source.position(match.start())[0]
        if line == reported:
            continue
        reported = line
        yield finding(
            "bidi-in-body",
            span.source.span(match.start(), match.end()),
            f"{character_name(match.group())} changes the order in which the line is shown",
            "remove the control character: a reviewer does not see what the model reads",
        )

"""Characters that no text may hold, and those that reorder what a reader sees."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.diagnostic import Diagnostic, Edit, finding
from skillc.grammar import character_name, invisible, invisible_in_name
from skillc.later import later
from skillc.source.node import Node, Scalar, Sequence
from skillc.text import Source, Span
from skillc.value import replace
from skillc.wording import say

_HIDDEN = later("[\ufeff\U000e0000-\U000e007f]+")
_FLAG = later(
    "\U0001f3f4\U000e0067\U000e0062"
    "(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
"""The flags of England, Scotland and Wales: the only emoji that are spelt with tag characters."""
_BIDI = later("[\u202a-\u202e\u2066-\u2069]")
_BIDI_BYTES = later(rb"\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])")


def is_plain(text: str, data: bytes) -> bool:
    """Whether a text, which is `data` in UTF-8, holds none of the characters above. One byte that all of a kind begin
    with is found as fast as memory is read."""
    if "\ufeff" in text or b"\xf3" in data:
        return False
    return b"\xe2" not in data or _BIDI_BYTES.search(data) is None


def hidden_characters(source: Source) -> Iterator[Diagnostic]:
    """invisible-character for tag characters and byte order marks inside a text: one a run of them."""
    if source.is_plain:
        return
    text = _FLAG.sub(lambda flag: " " * len(flag.group()), source.text)
    for run in _HIDDEN.finditer(text):
        found = invisible(source.span(run.start(), run.start() + 1), run.group()[0])
        edit = Edit(source.span(*run.span()), "")
        yield replace(found, fix=found.fix and replace(found.fix, edits=(edit,)))


def bidi_controls(span: Span) -> Iterator[Diagnostic]:
    """bidi-in-body for each line of `span` with controls that change the order of what is shown."""
    if span.source.is_plain:
        return
    reported = 0
    for match in _BIDI.finditer(span.source.text, span.start, span.end):
        line = span.source.position(match.start())[0]
        if line == reported:
            continue
        reported = line
        yield finding(
            "bidi-in-body",
            span.source.span(match.start(), match.end()),
            say("{name} changes the order in which the line is shown", name=character_name(match.group())),
            say("remove the control character: a reviewer does not see what the model reads"),
        )


_PROSE_KEYS = {"name", "description", "label", "persona", "inline", "uiPrompt", "reason", "text"}
_PROSE_KEYS |= {"prompt", "content", "title", "note", "docs"}
_SUSPECT = later(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_WORD = later(r"[\w.#*{}?·-]+")


def value_characters(node: Node | None) -> Iterator[Diagnostic]:
    """invisible-character in values that are ids or tags, bidi-in-body in those that are prose.

    Which is which: below a key for people (`description`) all is prose, elsewhere what looks like one
    word of the format is a name. A name for people may hold what its script needs, emoji included.
    """
    if node is not None and _SUSPECT.search(node.span.text):
        yield from _values(node, "")


def _values(node: Node, key: str) -> Iterator[Diagnostic]:
    if isinstance(node, Scalar):
        if key not in _PROSE_KEYS and _WORD.fullmatch(_SUSPECT.sub("", node.value)):
            yield from invisible_in_name(node)
        else:
            yield from bidi_controls(node.span)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _values(item, key)
    else:
        for name, value in node.entries:
            yield from _values(value, name.value)

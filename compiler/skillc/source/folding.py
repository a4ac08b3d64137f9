"""Folds that put a blank between two Chinese or Japanese characters (folded-cjk)."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.diagnostic import Diagnostic, finding
from skillc.later import later
from skillc.text import Span
from skillc.wording import say

_CJK = "[\u2e80-\u2fdf\u3001-\u30ff\u3105-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\U00020000-\U0003ffff]"
"""Scripts written without blanks between words, and their punctuation; Hangul is not among them."""
_FOLD = later(f"{_CJK}[ \t]*(\n)[ \t]*{_CJK}")
_NAME = later(r"[\w#*{}·-]+(?:\.[\w#*{}·-]+)+[ \t]*\n")
"""A first line that is a dotted name: a tag, and what is wrong with the second line is said of the tag."""
_MORE = later(r"\n([ \t]*)")


def folded_cjk(span: Span, block: bool) -> Iterator[Diagnostic]:
    """folded-cjk, once, for a folded (`>`) or multi-line plain or quoted scalar that covers `span`."""
    text = span.text
    if _NAME.match(text):
        return
    indent = _indent(text) if block else None
    for match in _FOLD.finditer(text):
        at = match.start(1)
        if indent is not None and _kept(text, at, indent):
            continue
        line = span.part(at, at).position[0]
        yield finding(
            "folded-cjk",
            span.part(match.start(), match.start() + 1),
            say("the end of line {line} becomes a blank between two characters", line=line),
            say("use `|` to keep the lines, or write the text in one line"),
        )
        return


def _indent(text: str) -> int:
    """How far the first line of a block that holds anything is indented."""
    lines = (match for match in _MORE.finditer(text) if text[match.end() : match.end() + 1].strip())
    return next((len(match.group(1)) for match in lines), 0)


def _kept(text: str, at: int, indent: int) -> bool:
    """Whether the line break at `at` of a folded block stays one: beside a line indented more."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    after = _MORE.match(text, at)
    own = len(line) - len(line.lstrip(" \t"))
    return own > indent or (after is not None and len(after.group(1)) > indent)

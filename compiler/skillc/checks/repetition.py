"""The edit that takes a repeated entry out of its list, in block or in flow form."""

from __future__ import annotations

from collections.abc import Iterable

from skillc.diagnostic import Edit, Fix
from skillc.later import later
from skillc.model.package import TagRef
from skillc.text import Span
from skillc.wording import say

_ENTRY = later(r"[ \t]*- +(?P<quote>[\"']?)(?P<tag>[^\"'\n]*?)(?P=quote)[ \t]*\n?")
_COMMA = later(r"\??[\"']?(?P<cut>\s*,\s*[\"']?)")
_CLOSING = later(r"\??[\"']?")


def without_repeated(ref: TagRef, refs: Iterable[TagRef]) -> Fix | None:
    """Takes `ref`, which an earlier entry of `refs` repeats, out of its list; None where comments or another
    form of writing stand in the way. The list means the same without it."""
    cut = _line(ref) or _behind_comma(ref, refs)
    return Fix(say("remove the second `{tag}`", tag=ref.text), (Edit(cut, ""),)) if cut else None


def _line(ref: TagRef) -> Span | None:
    source, text = ref.span.source, ref.span.source.text
    start = text.rfind("\n", 0, ref.span.start) + 1
    end = text.find("\n", ref.span.end)
    line = source.span(start, len(text) if end < 0 else end + 1)
    match = _ENTRY.fullmatch(line.text)
    return line if match and match["tag"].removesuffix("?") == ref.span.text else None


def _behind_comma(ref: TagRef, refs: Iterable[TagRef]) -> Span | None:
    source, text = ref.span.source, ref.span.source.text
    before = max((other.span.end for other in refs if other.span.end < ref.span.start), default=None)
    match = _COMMA.fullmatch(text, before, ref.span.start) if before is not None else None
    closing = _CLOSING.match(text, ref.span.end)
    return source.span(match.start("cut"), closing.end()) if match and closing else None

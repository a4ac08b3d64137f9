"""Edits of lists of tags in frontmatter, in block and in flow form; None where the form is not a plain one."""

from __future__ import annotations

from collections.abc import Sequence

from skillc.diagnostic import Edit, Fix
from skillc.model.package import TagRef
from skillc.text import Span
from skillc.wording import say


def without(ref: TagRef, refs: Sequence[TagRef]) -> Fix | None:
    """Takes the entry `ref` out of its list; not when it is the only one."""
    span = _line(ref.span)
    if len(refs) < 2 or not span.text.lstrip().startswith("- ") or not _alone(ref):
        return None
    return Fix(say("remove `{tag}`", tag=ref.text), (Edit(span, ""),), safe=False)


def with_entry(tag: str, refs: Sequence[TagRef]) -> Fix | None:
    """Adds `tag` behind the last entry of a list in block form; None for an empty or a flow list."""
    if not refs:
        return None
    last = max(refs, key=lambda ref: ref.span.start)
    span = _line(last.span)
    text = span.text
    if not text.lstrip().startswith("- ") or not _alone(last):
        return None
    indent = text[: len(text) - len(text.lstrip())]
    end = Span(span.source, span.end, span.end)
    return Fix(say("add `{tag}`", tag=tag), (Edit(end, f'{indent}- "{tag}"\n'),), safe=False)


def _line(span: Span) -> Span:
    """The whole line in which `span` starts, its line end included."""
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    return Span(span.source, start, len(text) if end < 0 else end + 1)


def _alone(ref: TagRef) -> bool:
    """Whether the line of an entry holds nothing else."""
    mark = "?" if ref.optional else ""
    rest = _line(ref.span).text.strip().removeprefix("- ").strip()
    return ref.span.text == ref.text and rest in (
        f'"{ref.text}{mark}"',
        f"'{ref.text}{mark}'",
        f"{ref.text}{mark}",
    )

"""A pattern that another one of the same list covers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skillc.checks.rule import Rule
from skillc.checks.uses import all_concrete
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import PatternIndex, TagGraph
from skillc.model.package import TagRef
from skillc.tags import WHOLE, covers
from skillc.wording import say

FEW = 8
"""So few wide patterns are compared with all others without an index."""


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Speaks at the narrower pattern of inputTags or outputTags. Not of segments, where the order of the
    entries is the order of the texts."""
    for worker in graph.package.workers:
        if worker.id in all_concrete(graph):
            continue
        for field, refs in (("inputTags", worker.inputs), ("outputTags", worker.outputs)):
            for narrow, wide in _covered(refs):
                from skillc.checks.edits import without

                yield finding(
                    "redundant-pattern",
                    narrow.span,
                    say(
                        "`{narrow}` is covered by `{wide}` in {field} of `{worker}`",
                        narrow=narrow.text,
                        wide=wide.text,
                        field=field,
                        worker=worker.id,
                    ),
                    say(
                        "remove `{narrow}`, or name the tags that are meant instead of `{wide}`",
                        narrow=narrow.text,
                        wide=wide.text,
                    ),
                    [Label(wide.span, say("`{wide}` covers it", wide=wide.text))],
                    without(narrow, refs),
                )


def _covered(refs: Sequence[TagRef]) -> Iterator[tuple[TagRef, TagRef]]:
    """Each entry that another one covers, with the first one that does. `**` covers all and is whole-board."""
    wides = [ref for ref in refs if ref.pattern.exact is None and ref.text != WHOLE]
    if any("#" in ref.text for ref in refs):
        wides = [ref for ref in refs if ref in wides or (ref.pattern.is_tag and "#" not in ref.text)]
    if not wides:
        return
    index = PatternIndex((ref.pattern, ref) for ref in wides) if len(wides) > FEW else None
    for ref in refs:
        for wide in index.overlapping(ref.pattern) if index else wides:
            if (
                wide.pattern != ref.pattern
                and covers(wide.pattern, ref.pattern)
                and not _says_more(ref, wide)
            ):
                yield ref, wide
                break


def _says_more(narrow: TagRef, wide: TagRef) -> bool:
    """Whether the narrower entry means something beside the wider one: it must be there while the rest is
    optional, or it binds the run to a role."""
    return (wide.optional and not narrow.optional) or (narrow.pattern.has_role and not wide.pattern.has_role)


RULE = Rule("redundant-pattern", "A pattern is covered by another one of the same list.", check)

"""A confirmed text that is read, and whose drafts nobody confirms."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.gaps import Gap, gaps
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """`X.确认稿` is read, `X.草稿` is written, but by workers with no_confirmation only (SPEC 4.4)."""
    for gap in gaps(graph):
        if gap.drafts:
            yield _unconfirmed(graph, gap)


def _unconfirmed(graph: TagGraph, gap: Gap) -> Diagnostic:
    reader, writer = gap.readers[0], gap.drafts[0]
    draft = graph.output(writer)
    related = [Label(draft.span, f"`{writer[0]}` writes the draft")]
    related += [Label(graph.acceptance_of(writer[0]).span, f"`{writer[0]}` has no_confirmation")]
    related += [Label(graph.input(key).span, f"`{key[0]}` reads it too") for key in gap.readers[1:]]
    return finding(
        "never-promoted",
        graph.input(reader).span,
        f"`{reader[0]}` reads `{gap.pattern.text}`, but `{draft.text}` of `{writer[0]}` is never confirmed: "
        "no_confirmation leaves a draft a draft",
        f"give `{writer[0]}` the acceptance user_confirmed or programmatic_review",
        related,
    )


RULE = Rule("never-promoted", "A confirmed text is read, and no acceptance ever confirms its draft.", check)

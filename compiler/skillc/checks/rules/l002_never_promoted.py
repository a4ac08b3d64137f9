"""A confirmed text that is read, and whose drafts nobody confirms."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.gaps import Gap, gaps
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """`X.确认稿` is read, `X.草稿` is written, but by workers with no_confirmation only (SPEC 4.4)."""
    for gap in gaps(graph):
        if gap.drafts:
            yield _unconfirmed(graph, gap)


def _unconfirmed(graph: TagGraph, gap: Gap) -> Diagnostic:
    reader, writer = gap.readers[0], gap.drafts[0]
    draft = graph.output(writer)
    related = [Label(draft.span, say("`{writer}` writes the draft", writer=writer[0]))]
    related += [
        Label(graph.acceptance_of(writer[0]).span, say("`{writer}` has no_confirmation", writer=writer[0]))
    ]
    related += [
        Label(graph.input(key).span, say("`{worker}` reads it too", worker=key[0])) for key in gap.readers[1:]
    ]
    return finding(
        "never-promoted",
        graph.input(reader).span,
        say(
            "`{reader}` reads `{tag}`, but `{draft}` of `{writer}` is never confirmed: no_confirmation "
            "leaves a draft a draft",
            reader=reader[0],
            tag=gap.pattern.text,
            draft=draft.text,
            writer=writer[0],
        ),
        say("give `{writer}` the acceptance user_confirmed or programmatic_review", writer=writer[0]),
        related,
    )


RULE = Rule("never-promoted", "A confirmed text is read, and no acceptance ever confirms its draft.", check)

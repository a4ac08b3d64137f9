"""A worker that writes a confirmed text itself."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph, drafts_of, under_new_name
from skillc.graph.lifecycle import Hand, may_move, stage_named
from skillc.graph.promotion import CONFIRMED
from skillc.model.package import TagRef, Worker
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Outputs whose stage is 确认稿. Acceptance makes those, or the user: what a user's turn writes is his own
    word. A host program may bring back what was confirmed before."""
    for worker in graph.package.workers:
        hand: Hand = "worker" if worker.actor == "llm" else "user"
        for ref in worker.outputs:
            named = stage_named(ref.pattern, graph.names)
            if named == CONFIRMED and not may_move(hand, named):
                yield _direct(graph, worker, ref)


def _direct(graph: TagGraph, worker: Worker, ref: TagRef) -> Diagnostic:
    draft = drafts_of(under_new_name(ref.pattern, graph.names))
    return finding(
        "direct-confirm",
        ref.span,
        say(
            "`{id}` writes the confirmed text `{tag}` itself, so nobody confirms it",
            id=worker.id,
            tag=ref.text,
        ),
        say(
            "let it write `{draft}`: acceptance makes the confirmed text of it",
            draft=draft.text if draft else ref.text,
        ),
    )


RULE = Rule("direct-confirm", "A worker writes a confirmed text directly.", check)

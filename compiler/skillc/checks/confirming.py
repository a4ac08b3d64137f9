"""Workers that write a confirmed text themselves, so that nobody confirms it."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.gaps import Gap
from skillc.graph import TagGraph, drafts_of, under_new_name
from skillc.graph.lifecycle import Hand, may_move, stage_named
from skillc.graph.promotion import CONFIRMED
from skillc.model.package import TagRef, Worker


def direct_confirms(graph: TagGraph) -> Iterator[tuple[Worker, TagRef, str]]:
    """Outputs whose stage is 确认稿, with the draft that belongs there. Acceptance makes those, or the user: what a
    user's turn writes is his own word. A host program may bring back what was confirmed before."""
    for worker in graph.package.workers:
        hand: Hand = "worker" if worker.actor == "llm" else "user"
        for ref in worker.outputs:
            if CONFIRMED not in ref.pattern.text and ref.pattern.text not in graph.names:
                continue
            named = stage_named(ref.pattern, graph.names)
            if named == CONFIRMED and not may_move(hand, named):
                draft = drafts_of(under_new_name(ref.pattern, graph.names))
                yield worker, ref, draft.text if draft else ref.text


def is_cause_of(draft: str, gap: Gap) -> bool:
    """Whether nobody writes what is read because the confirmed text is written in place of its `draft`: this is told
    as the unproduced input that it is."""
    return gap.pattern.is_tag and gap.pattern.text == draft and not gap.drafts and not gap.injected

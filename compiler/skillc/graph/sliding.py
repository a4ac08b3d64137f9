"""Tails that slide: segments that keep exactly the last N of a growing log, with more text behind (SPEC 9.4)."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.graph.hysteresis import WINDOWS, Saving, saving
from skillc.graph.stability import Again, is_replaced, layouts_of, players
from skillc.graph.types import Producer, TagGraph
from skillc.model.package import Policy, Segment, TagRef, Worker
from skillc.runtime.history import takes_history
from skillc.tags import stage
from skillc.value import value

WORTH = 50
"""The percentage that a window must save to be advised; a tail of one or two items is meant as it is."""
REPLACED = ("草稿", "当前")
"""Stages whose tags a writer replaces; all other tags grow (SPEC 7.4)."""


@value
class Slide:
    """`segment`, at `position` in a layout of `worker`, slides under `policy`; `behind` is the segment
    that stands next, None when only other tags of the segment itself do."""

    worker: Worker
    variant: str | None
    position: int
    segment: Segment
    policy: Policy
    saves: Saving
    behind: Segment | None


def slides(graph: TagGraph) -> Iterator[Slide]:
    """The first sliding tail of each layout of a play worker, where it is what breaks the cache.

    Nothing is said where something before the tail is written anew in play: the cache ends there already.
    A tag that its writer replaces does not slide, nor does a log that nothing in play adds to; segments that
    an order replaces are not shown.
    """
    shown = (worker for worker in players(graph) if not is_replaced(graph, worker))
    found = [row for worker in shown for row in _candidates(graph, worker)]
    again = Again(graph) if found else None
    for worker, variant, position, segments in found:
        segment = segments[position]
        policy = segment.policy
        if again is None or policy is None or policy.n is None or not _grows(graph, again, segment):
            continue
        if not any(_restless(again, worker, before) for before in segments[:position]):
            behind = segments[position + 1] if position + 1 < len(segments) else None
            yield Slide(worker, variant, position, segment, policy, saving(policy.kind, policy.n), behind)


Candidate = tuple[Worker, str | None, int, tuple[Segment, ...]]


def _candidates(graph: TagGraph, worker: Worker) -> Iterator[Candidate]:
    """The first tail of each layout with text behind it, by its policy alone."""
    for variant, segments in layouts_of(worker):
        for position, segment in enumerate(segments or ()):
            if not segment.policy or not _is_tail(segment.policy):
                continue
            chosen = _history_chosen(graph, worker)
            if not (chosen and takes_history(ref.pattern for ref in segment.tags)):
                last = position + 1 == len(segments or ()) and len(segment.tags) < 2
                if segments and not last:
                    yield worker, variant, position, segments
                break


def _history_chosen(graph: TagGraph, worker: Worker) -> bool:
    """Whether the manifest's contextProfile says how much of the dialogue the worker sees (SPEC 9.6)."""
    manifest = graph.package.manifest
    return bool(manifest and manifest.context_profile.get(worker.id, {}).get("historyPolicy"))


def _is_tail(policy: Policy) -> bool:
    return policy.kind in WINDOWS and policy.n is not None and saving(policy.kind, policy.n).percent >= WORTH


def _grows(graph: TagGraph, again: Again, segment: Segment) -> bool:
    return any(_adds(graph, ref, p) for ref in segment.tags for p in again.producers(ref))


def _adds(graph: TagGraph, ref: TagRef, producer: Producer) -> bool:
    if producer.worker is None:
        return producer.origin in ("user", "runtime", "rag")
    return graph.stage_of(producer.worker) == "play" and stage(ref.text) not in REPLACED


def _restless(again: Again, worker: Worker, segment: Segment) -> bool:
    """Whether a segment is more than added to at its end between two runs of the worker."""
    kind = segment.policy.kind if segment.policy else worker.merge
    appends = kind == "concat" or kind.startswith("window_")
    return not appends and next(again.rewriters(worker, segment), None) is not None

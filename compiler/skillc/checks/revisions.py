"""Notes on a rejection that never reach who is to work them in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from skillc.checks.uses import texts_of
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import Producer, TagGraph, new_names, outputs_index
from skillc.later import later
from skillc.model.package import Acceptance, Catalogue, TagRef, Worker
from skillc.once import once
from skillc.tags import Pattern, covers, literal
from skillc.text import Span
from skillc.wording import say

NOTES = ("用户.修改说明", "用户.修订说明")
LIKE_NOTES = later(
    "修改|修订|退回|退稿|驳回|返工|返修|意见|反馈|批注|评语|评价|建议|要求|notes|feedback|comment|revision",
    re.IGNORECASE,
)
"""Words in the names that a package may give to the notes."""


@once
def unreachable(graph: TagGraph) -> tuple[Diagnostic, ...]:
    """A worker reruns when somebody wrote down that the user confirms its work, or that a reviewer reviews it. It
    needs the user's notes, or something that the reviewer writes; another worker that writes the same tags and
    reads the notes will do. Silent for workers that cannot be read, and for those that are no model."""
    return tuple(_unreachable(graph))


def _unreachable(graph: TagGraph) -> Iterator[Diagnostic]:
    for worker in graph.package.workers:
        entry = graph.acceptance.get(worker.id)
        confirmed = entry and entry.explicit and entry.mode == "user_confirmed" and _reworks(worker)
        if not entry or not confirmed or _reads_notes(graph, worker):
            continue
        if not any(_reads_notes(graph, other) for other in _writers(graph, worker)):
            yield _no_notes(worker, entry)
    for reviewer in graph.package.workers:
        entry = graph.acceptance_of(reviewer.id)
        if entry.mode == "programmatic_review" and reviewer.outputs and not reviewer.provides_unknown:
            yield from _unheard(graph, reviewer, entry)


def _reworks(worker: Worker) -> bool:
    """Whether it is a model that writes something, and what it reads is known."""
    known = not worker.broken and not worker.inputs_missing and not worker.injected
    return known and worker.actor == "llm" and bool(worker.outputs)


def _writers(graph: TagGraph, worker: Worker) -> list[Worker]:
    """The worker, and all others that write one of its tags."""
    keys = (key for ref in worker.outputs for key in outputs_index(graph).overlapping(ref.pattern))
    return [graph.workers[id] for id in dict.fromkeys((worker.id, *(id for id, _ in keys)))]


def _reads_notes(graph: TagGraph, worker: Worker) -> bool:
    if worker.broken or worker.inputs_missing:
        return True
    notes = _notes(graph.package.catalogue)
    if not texts_of(graph)[worker.id].reads.isdisjoint(notes):
        return True
    for number, ref in enumerate(worker.inputs):
        if any(covers(ref.pattern, note) for note in notes.values()):
            return True
        if _may_be_notes(ref, graph.producers[worker.id, number]):
            return True
    return False


@once
def _notes(catalogue: Catalogue) -> Mapping[str, Pattern]:
    """The notes on a rejection, under old and new names."""
    names = new_names(catalogue)
    return {name: literal(name) for tag in NOTES for name in (tag, names.get(tag, tag))}


def _may_be_notes(ref: TagRef, producers: tuple[Producer, ...]) -> bool:
    """Whether it is called like notes, or is something that the user is asked for and need not say; what a worker
    writes is none, and the task itself is none."""
    origins = {producer.origin for producer in producers}
    if "startup" in origins or any(producer.kind == "worker" for producer in producers):
        return False
    by_user = ref.pattern.parts[0] != "用户" and not origins.isdisjoint(("ask", "user"))
    return bool(LIKE_NOTES.search(ref.text)) or (ref.optional and by_user)


def _unheard(graph: TagGraph, reviewer: Worker, entry: Acceptance) -> Iterator[Diagnostic]:
    readers = {
        key[0] for number in range(len(reviewer.outputs)) for key in graph.consumers[reviewer.id, number]
    }
    for id in dict.fromkeys(review.value for review in entry.reviews):
        worker = graph.workers.get(id)
        if worker and id not in readers and worker is not reviewer and _reworks(worker):
            others = _writers(graph, worker)
            if not any(other.id in readers or other.broken or other.inputs_missing for other in others):
                yield _not_heard(worker, reviewer, entry)


def _no_notes(worker: Worker, entry: Acceptance) -> Diagnostic:
    return finding(
        "unreachable-revision",
        _inputs(worker),
        say("the user may reject what `{id}` writes, but `{id}` never reads the notes on it", id=worker.id),
        say("add `{notes}?` to its inputTags: the notes on a rejection are written there", notes=NOTES[0]),
        [Label(entry.span, say("the user confirms its work"))],
    )


def _not_heard(worker: Worker, reviewer: Worker, entry: Acceptance) -> Diagnostic:
    tags = listed(ref.text for ref in reviewer.outputs)
    return finding(
        "unreachable-revision",
        _inputs(worker),
        say(
            "`{reviewer}` sends `{id}` back, but `{id}` reads nothing of what `{reviewer}` writes",
            id=worker.id,
            reviewer=reviewer.id,
        ),
        say("add {tags} to its inputTags, marked with `?`: the first run has no review yet", tags=tags),
        [
            Label(entry.span, say("`{reviewer}` reviews it", reviewer=reviewer.id)),
            Label(reviewer.outputs[0].span, say("the review is written here")),
        ],
    )


def _inputs(worker: Worker) -> Span:
    """The field inputTags of a worker, else its id."""
    front = worker.document.front if worker.document else None
    key = front.key("inputTags") or front.key("inputKeys") if front else None
    return key.span if key else worker.span

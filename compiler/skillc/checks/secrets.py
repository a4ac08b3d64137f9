"""What inputs of blind reviewers and of roles would show them of what is hidden."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.labels import hidden_from, labelled
from skillc.checks.layouts import as_bound
from skillc.graph import Producer, TagGraph, meet
from skillc.graph.table import CHANGES
from skillc.model.package import TagRef, Worker
from skillc.tags import REST, ROLE, WHOLE, Pattern, family
from skillc.value import value


@value
class Secret:
    """A hidden tag, and who gives it."""

    tag: Pattern
    producer: Producer


def secrets_of(graph: TagGraph, worker: Worker, number: int) -> list[Secret]:
    """The hidden tags that an input of the worker, by its number, would show it (blind-reads-hidden); none for one
    that is kept from nothing."""
    if worker.isolation == "none":
        return []
    return list(_secrets(graph, worker, worker.inputs[number], graph.producers[worker.id, number]))


def _secrets(
    graph: TagGraph, worker: Worker, ref: TagRef, producers: tuple[Producer, ...]
) -> Iterator[Secret]:
    pattern = as_bound(worker, ref.pattern)
    if pattern.parts[0] == WHOLE or (worker.isolation == "role_pov" and _all_of_its_own(pattern)):
        return
    for producer in producers:
        written = meet(producer.pattern, pattern)
        hidden = (_hidden(graph, worker, written) or _change(written, pattern, producer)) if written else None
        if hidden is not None:
            yield Secret(hidden, producer)


def _all_of_its_own(pattern: Pattern) -> bool:
    """A role may ask for all that is its own: what is hidden among it is left out by rule (SPEC 8.3)."""
    return pattern.parts[:2] == ("角色", ROLE) and pattern.parts[-1] == REST


def _change(written: Pattern, pattern: Pattern, producer: Producer) -> Pattern | None:
    """The changes of variables that `producer` gives as such to a reader of `pattern`."""
    meant = pattern.is_tag or producer.kind != "source"
    return written if meant and written.exact and is_change(written.exact) else None


def is_change(tag: str) -> bool:
    """Whether a tag holds changes of variables."""
    return any(family(tag) == change.text for change in CHANGES)


def _hidden(graph: TagGraph, worker: Worker, written: Pattern) -> Pattern | None:
    if worker.isolation == "blind_review":
        return hidden_from(graph, worker, written)
    return labelled(graph, "hidden", written)

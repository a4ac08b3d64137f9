"""A draft that others build on and that nobody ever confirms."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import InputKey, Producer, TagGraph
from skillc.graph.lifecycle import stage_named
from skillc.graph.promotion import DRAFT
from skillc.model.package import Acceptance
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a draft, at its first reader. An input counts that names the stage and all of whose producers
    are other workers, each with a no_confirmation that somebody wrote down. Silent for reviewers, and for who
    works on the draft together with its writer, in a loop."""
    if not any(_is_never_confirmed(entry) for entry in graph.acceptance.values()):
        return
    from skillc.graph.ordering import Ordering

    ordering: Ordering | None = None
    readers: dict[tuple[Producer, ...], list[InputKey]] = {}
    for key, producers in graph.producers.items():
        ref = graph.input(key)
        if stage_named(ref.pattern, graph.names) != DRAFT or not _never_confirmed(graph, key[0], producers):
            continue
        ordering = ordering or Ordering(graph, optional=True)
        if graph.acceptance_of(key[0]).mode != "programmatic_review" and not any(
            ordering.leads(key[0], producer.worker) for producer in producers if producer.worker
        ):
            readers.setdefault(producers, []).append(key)
    for producers, keys in readers.items():
        yield _as_fact(graph, producers, keys)


def _never_confirmed(graph: TagGraph, reader: str, producers: tuple[Producer, ...]) -> bool:
    return bool(producers) and all(
        producer.kind == "worker"
        and producer.worker != reader
        and (entry := graph.acceptance.get(producer.worker or "")) is not None
        and _is_never_confirmed(entry)
        for producer in producers
    )


def _is_never_confirmed(entry: Acceptance) -> bool:
    return entry.explicit and entry.mode == "no_confirmation"


def _as_fact(graph: TagGraph, producers: tuple[Producer, ...], keys: list[InputKey]) -> Diagnostic:
    first, *others = keys
    ref = graph.input(first)
    ids = list(dict.fromkeys(producer.worker for producer in producers if producer.worker))
    labels = [Label(p.ref.span, say("`{id}` writes the draft", id=p.worker)) for p in producers if p.ref]
    labels += [Label(graph.acceptance_of(id).span, say("`{id}` has no_confirmation", id=id)) for id in ids]
    labels += [Label(graph.input(key).span, say("`{id}` reads it too", id=key[0])) for key in others]
    return finding(
        "draft-as-fact",
        ref.span,
        say(
            "`{reader}` builds on the draft `{tag}`, which nobody ever confirms: {writers} has no_confirmation",
            reader=first[0],
            tag=ref.text,
            writers=listed(ids),
        ),
        say(
            "let {writers} be accepted by user_confirmed or programmatic_review; if it is no draft, name the tag "
            "without 草稿",
            writers=listed(ids),
        ),
        labels,
    )


RULE = Rule("draft-as-fact", "A worker builds on a draft that nobody ever confirms.", check)

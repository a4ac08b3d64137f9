"""Inputs that nobody gives, each tag once: one missing producer is one finding, however many read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skillc.checks.wording import nearest_written
from skillc.graph import InputKey, OutputKey, PatternIndex, TagGraph, drafts_of
from skillc.tags import Pattern

COMPARED = 100
"""For how many gaps of a package a nearest tag is looked for; a package with more has another trouble."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A pattern that `readers` read and nobody is known to produce.

    `near`: the produced tag most like it. `drafts`: outputs that would become it if they were accepted.
    `injected`: a worker with an injected contract that may write it all the same.
    """

    pattern: Pattern
    readers: tuple[InputKey, ...]
    near: str | None
    drafts: tuple[OutputKey, ...]
    injected: str | None


def gaps(graph: TagGraph) -> Iterator[Gap]:
    """The gaps of a package, in the order in which workers first read them."""
    drafts = PatternIndex(
        (ref.pattern, (worker.id, number))
        for worker in graph.package.workers
        for number, ref in enumerate(worker.outputs)
    )
    for count, (pattern, readers) in enumerate(_unproduced(graph).items()):
        draft = drafts_of(pattern)
        yield Gap(
            pattern,
            tuple(readers),
            nearest_written(graph, pattern.text) if count < COMPARED else None,
            tuple(drafts.overlapping(draft)) if draft else (),
            next((p.worker for p in graph.producers[readers[0]] if p.origin == "injected"), None),
        )


def _unproduced(graph: TagGraph) -> dict[Pattern, list[InputKey]]:
    found: dict[Pattern, list[InputKey]] = {}
    for key, producers in graph.producers.items():
        ref = graph.input(key)
        if not ref.optional and all(producer.origin == "injected" for producer in producers):
            found.setdefault(ref.pattern, []).append(key)
    return found

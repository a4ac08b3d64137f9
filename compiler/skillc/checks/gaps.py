"""Inputs that nobody gives, each tag once: one missing producer is one finding, however many read it."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.wording import nearest_written
from skillc.graph import InputKey, OutputKey, PatternIndex, TagGraph, drafts_of, outputs_index
from skillc.once import once
from skillc.tags import ROLE, Pattern
from skillc.value import value

COMPARED = 100
"""For how many gaps of a package a nearest tag is looked for; a package with more has another trouble."""


@value
class Gap:
    """A pattern that `readers` read and nobody is known to produce.

    `near`: the produced tag most like it; where it names nobody of the listed roles, what is written for these. `drafts`: outputs that would become it if they were accepted.
    `injected`: a worker with an injected contract that may write it all the same.
    """

    pattern: Pattern
    readers: tuple[InputKey, ...]
    near: str | None
    drafts: tuple[OutputKey, ...]
    injected: str | None


@once
def gaps(graph: TagGraph) -> tuple[Gap, ...]:
    """The gaps of a package, in the order in which workers first read them."""
    return tuple(_gaps(graph))


@once
def missed(graph: TagGraph) -> PatternIndex[bool]:
    """What the gaps of a package lack."""
    return PatternIndex((gap.pattern, True) for gap in gaps(graph))


def _gaps(graph: TagGraph) -> Iterator[Gap]:
    for count, (pattern, readers) in enumerate(_unproduced(graph).items()):
        draft = drafts_of(pattern)
        yield Gap(
            pattern,
            tuple(readers),
            (_for_roles(graph, pattern) or nearest_written(graph, pattern.text))
            if count < COMPARED
            else None,
            tuple(outputs_index(graph).overlapping(draft)) if draft else (),
            next((p.worker for p in graph.producers[readers[0]] if p.origin == "injected"), None),
        )


def _for_roles(graph: TagGraph, pattern: Pattern) -> str | None:
    """The output with `{id}` that would be read, if it did not mean the listed roles alone."""
    keys = outputs_index(graph).overlapping(pattern)
    texts = (graph.workers[id].outputs[number].text for id, number in keys)
    return next((text for text in texts if ROLE in text), None)


def _unproduced(graph: TagGraph) -> dict[Pattern, list[InputKey]]:
    found: dict[Pattern, list[InputKey]] = {}
    maybe = bool(graph.unknowns.injected)
    for key, producers in graph.producers.items():
        if not producers or (maybe and all(producer.origin == "injected" for producer in producers)):
            ref = graph.input(key)
            if not ref.optional:
                found.setdefault(ref.pattern, []).append(key)
    return found

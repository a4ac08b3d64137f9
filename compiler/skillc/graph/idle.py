"""Declassify entries that cut nothing (SPEC 8.4)."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.graph.compartments import PLANES
from skillc.graph.flow_types import ASKED, DENIED
from skillc.graph.meeting import any_role
from skillc.graph.promotion import promoted
from skillc.graph.reach import Reach
from skillc.graph.receiving import ANSWER, Receiving
from skillc.graph.types import OutputKey, TagGraph
from skillc.model.package import Declassify
from skillc.tags import Pattern, overlaps


def idle_tags(graph: TagGraph, receiving: Receiving, reach: Reach) -> Iterator[tuple[int, int]]:
    """The (entry, tag) numbers of tags under which the entry's worker writes nothing that carries the label."""
    carrying: dict[tuple[str, str], list[OutputKey]] = {}
    for number, entry in enumerate(graph.package.catalogue.declassify):
        key = (entry.worker.value, entry.label)
        if key not in carrying:
            carrying[key] = list(_carrying(graph, reach, entry))
        for at, ref in enumerate(entry.tags):
            if not any(_speaks_of(receiving, ref.pattern, output) for output in carrying[key]):
                yield number, at


def _carrying(graph: TagGraph, reach: Reach, entry: Declassify) -> Iterator[OutputKey]:
    """The outputs of the entry's worker that carry its label, by their content or by their name."""
    labels = ("hidden", DENIED) if entry.label == "hidden" else (entry.label,)
    members = reach.parts.members(lambda secret: secret.label in labels)
    bits = reach.parts.bits(members, *PLANES)
    named = {(s.writer, s.number) for s in reach.parts.secrets if s.label in labels}
    worker = graph.workers.get(entry.worker.value)
    for number in (ASKED, *range(len(worker.outputs))) if worker else ():
        key = (entry.worker.value, number)
        if key in named or reach.carried.get(key, 0) & bits:
            yield key


def _speaks_of(receiving: Receiving, tag: Pattern, output: OutputKey) -> bool:
    if output[1] == ASKED:
        return tag.text == ANSWER
    confirmed = promoted(tag)
    return any(
        overlaps(any_role(p), any_role(written))
        for written in receiving.written(output)
        for p in (tag, confirmed)
        if p is not None
    )

"""Which flows of secrets are in force, so that a new one shows in a diff of plans (SPEC 8.4)."""

from __future__ import annotations

from typing import Any

from skillc.graph import TagGraph
from skillc.graph.flow import flows_of
from skillc.graph.flow_types import DENIED, USER, End, Leak
from skillc.model.package import Declassify

Row = dict[str, Any]


def disclosures(graph: TagGraph) -> list[Row]:
    """Every way of a secret to somebody from whom it is kept, that nothing cuts: sorted, one row for how it begins
    and how it ends."""
    rows = [_row(leak, end) for leak in flows_of(graph).leaks for end in leak.ends]
    return sorted(rows, key=lambda row: [str(value) for value in row.values()])


def _row(leak: Leak, end: End) -> Row:
    arrival = end.arrival
    return {
        "label": "hidden" if end.secret.label == DENIED else end.secret.label,
        "secret": end.secret.pattern.text,
        "kind": "created" if leak.created else "read" if leak.steps else "delivered",
        "worker": leak.steps[0].worker if leak.steps else end.secret.writer,
        "writes": end.wrote.text if end.wrote else None,
        "to": "user" if arrival.reader == USER else arrival.reader,
        "reads": arrival.pattern.text,
    }


def declassified(graph: TagGraph) -> list[Row]:
    """The declassify entries of this package's workers, in written order, without what cuts nothing."""
    return [
        {
            "worker": entry.worker.value,
            "tags": [
                ref.text for at, ref in enumerate(entry.tags) if (number, at) not in flows_of(graph).idle
            ],
            "label": entry.label,
            "reason": entry.reason,
        }
        for number, entry in enumerate(graph.package.catalogue.declassify)
        if _in_force(graph, number, entry)
    ]


def _in_force(graph: TagGraph, number: int, entry: Declassify) -> bool:
    idle = sum(1 for of, _ in flows_of(graph).idle if of == number)
    return entry.worker.value in graph.workers and idle < len(entry.tags)

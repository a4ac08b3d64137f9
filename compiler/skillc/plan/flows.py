"""Which flows of secrets are in force, so that a new one shows in a diff of plans (SPEC 8.4)."""

from __future__ import annotations

from typing import Any

from skillc.graph import TagGraph
from skillc.graph.flow_types import DENIED, HISTORY, USER, Leak, Way
from skillc.model.package import Declassify

Row = dict[str, Any]


def disclosures(graph: TagGraph) -> list[Row]:
    """Every way of a secret to somebody from whom it is kept, that nothing cuts: sorted, one row a way."""
    rows = [_row(leak, way) for leak in graph.flows.leaks for way in leak.ways]
    return sorted(rows, key=lambda row: [str(value) for value in row.values()])


def _row(leak: Leak, way: Way) -> Row:
    start = way.steps[0] if way.steps else None
    names = ("对话.历史" if step.worker == HISTORY else step.worker for step in way.steps)
    return {
        "label": "hidden" if way.secret.label == DENIED else way.secret.label,
        "secret": way.secret.pattern.text,
        "kind": "created" if leak.created else "read" if start else "delivered",
        "through": list(names),
        "writes": start.wrote.text if start and start.wrote else None,
        "to": "user" if way.end.reader == USER else way.end.reader,
        "reads": way.end.pattern.text,
    }


def declassified(graph: TagGraph) -> list[Row]:
    """The declassify entries of this package's workers, in written order, without what cuts nothing."""
    return [
        {
            "worker": entry.worker.value,
            "tags": [ref.text for at, ref in enumerate(entry.tags) if (number, at) not in graph.flows.idle],
            "label": entry.label,
            "reason": entry.reason,
        }
        for number, entry in enumerate(graph.package.catalogue.declassify)
        if _in_force(graph, number, entry)
    ]


def _in_force(graph: TagGraph, number: int, entry: Declassify) -> bool:
    idle = sum(1 for of, _ in graph.flows.idle if of == number)
    return entry.worker.value in graph.workers and idle < len(entry.tags)

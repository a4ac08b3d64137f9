"""What people read, not workers (SPEC 4.3)."""

from __future__ import annotations

from skillc.artifact.labels import labels_of
from skillc.artifact.plan import LabelRule
from skillc.graph import TagGraph
from skillc.tags import Pattern


def deliverables(graph: TagGraph) -> tuple[Pattern, ...]:
    """The catalogue's, and what a worker with an *explicit* user_confirmed writes and nobody reads:
    the user reads that on acceptance. A hidden tag is never one."""
    found = list(graph.package.catalogue.deliverables)
    for (worker, at), readers in sorted(graph.consumers.items()):
        entry = graph.acceptance.get(worker)
        read = readers or (worker, at) in graph.read_on_demand
        if entry is None or not entry.explicit or entry.mode != "user_confirmed" or read:
            continue
        pattern = graph.output((worker, at)).pattern
        if not _hidden(graph, pattern):
            found.append(pattern)
    return tuple(dict.fromkeys(found))


def _hidden(graph: TagGraph, pattern: Pattern) -> bool:
    """Judged by the pattern's own parts, as though a wildcard were a plain segment."""
    rules = [
        LabelRule(label=r.label, pattern=r.pattern, segment=r.segment, exceptions=r.exceptions)
        for r in graph.package.catalogue.labels
    ]
    tag = pattern.text.replace(".*", ".x")
    return "hidden" in labels_of(tag, rules, graph.names)

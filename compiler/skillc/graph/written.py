"""What the workers of a package write, by what it overlaps."""

from __future__ import annotations

from skillc.graph.index import PatternIndex
from skillc.graph.types import OutputKey, TagGraph
from skillc.once import once


@once
def outputs_index(graph: TagGraph) -> PatternIndex[OutputKey]:
    """What workers declare to write, in manifest order."""
    return PatternIndex(
        (ref.pattern, (worker.id, number))
        for worker in graph.package.workers
        for number, ref in enumerate(worker.outputs)
    )

"""Inputs that are one slip away from the tag they mean: the input has its finding, so what else in the worker
shows or speaks of the tag as it should be gets none."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from skillc.checks.confusions import confused_tags
from skillc.checks.gaps import gaps
from skillc.checks.lookalikes import simplified, skeleton
from skillc.checks.mistyped import mistyped
from skillc.graph import TagGraph
from skillc.model.package import Worker
from skillc.once import once


@once
def slips_of(graph: TagGraph) -> Slips:
    """The slips of a package."""
    return Slips(graph)


class Slips:
    """What the mistyped inputs of a package mean (unproduced-input, unknown-tag), and which tags look like another
    one (confusable-tags). Looked up when first asked."""

    def __init__(self, graph: TagGraph) -> None:
        self._graph = graph

    def meant(self, worker: Worker, shown: Iterable[str]) -> set[str]:
        """Those of the tags `shown` that an input of the worker is but for a slip."""
        reads = {ref.text for ref in worker.inputs}
        near = {tag for read in reads for tag in self._near.get((worker.id, read), ())}
        alike = self._skeletons(reads)
        return {tag for tag in shown if tag in near or (tag not in reads and self._skeletons([tag]) & alike)}

    def has_finding(self, worker: Worker, read: str) -> bool:
        """Whether the worker's input `read` is reported as one slip away from another tag."""
        return (worker.id, read) in self._near

    def slipped(self, worker: Worker, shown: Iterable[str]) -> set[str]:
        """Those of its inputs that are one of the tags `shown` but for a slip."""
        tags = set(shown)
        alike = self._skeletons(tags)
        return {
            ref.text
            for ref in worker.inputs
            if not tags.isdisjoint(self._near.get((worker.id, ref.text), ()))
            or (ref.text not in tags and self._skeletons([ref.text]) & alike)
        }

    def _skeletons(self, tags: Iterable[str]) -> set[str]:
        """How those tags look that look like another one."""
        return {skeleton(simplified(tag)) for tag in tags if tag in self._confused}

    @cached_property
    def _near(self) -> dict[tuple[str, str], tuple[str, ...]]:
        graph = self._graph
        found = {
            (key[0], gap.pattern.text): (gap.near,) for gap in gaps(graph) if gap.near for key in gap.readers
        }
        return {
            **found,
            **{(key[0], graph.input(key).text): near.tags for key, near in mistyped(graph).items()},
        }

    @cached_property
    def _confused(self) -> frozenset[str]:
        return confused_tags(self._graph)

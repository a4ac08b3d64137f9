"""Every place of a package's contract that names a tag: who declares what, where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skillc.graph import TagGraph, promoted, under_new_name
from skillc.model.package import Manifest, TagRef, Worker
from skillc.tags import Pattern, literal
from skillc.text import Span


@dataclass(frozen=True, slots=True)
class Use:
    """A pattern at its place. `worker` is None in the manifest and the catalogue. `derived`: the tag stands
    nowhere; it is what accepting the draft at `span` makes."""

    pattern: Pattern
    span: Span
    worker: str | None = None
    derived: bool = False


def uses(graph: TagGraph) -> Iterator[Use]:
    """All places, workers first in manifest order, then the manifest, then the package's own catalogue."""
    for worker in graph.package.workers:
        yield from _of_worker(graph, worker)
    if graph.package.manifest:
        for ref in _of_manifest(graph.package.manifest):
            yield Use(ref.pattern, ref.span)
    folder = graph.package.folder + "/"
    for source in graph.package.catalogue.sources:
        if source.span is not None and source.span.path.startswith(folder):
            yield Use(source.pattern, source.span)


def uses_beside(graph: TagGraph) -> Iterator[Use]:
    """The places outside of the contract that name tags: rows of the order, items of boards."""
    for slot in graph.package.order.slots if graph.package.order else ():
        for row in slot.inserts:
            yield Use(row.pattern, row.ref.span, slot.worker)
    for case in graph.package.boards:
        for item in case.items:
            if item.tag:
                yield Use(literal(item.tag.value), item.tag.span)


def _of_worker(graph: TagGraph, worker: Worker) -> Iterator[Use]:
    for ref in (*worker.inputs, *worker.outputs, *shown(worker)):
        yield Use(ref.pattern, ref.span, worker.id)
    for ref in worker.outputs:
        confirmed = promoted(under_new_name(ref.pattern, graph.names))
        if confirmed:
            yield Use(confirmed, ref.span, worker.id, derived=True)


def shown(worker: Worker) -> tuple[TagRef, ...]:
    """The tags of a worker's segments, those of its variants included."""
    lists = (worker.segments or (), *worker.variants.values())
    return tuple(ref for segments in lists for segment in segments for ref in segment.tags)


def _of_manifest(manifest: Manifest) -> Iterator[TagRef]:
    yield from manifest.startup.targets if manifest.startup else ()
    yield from manifest.prerequisites
    yield from manifest.asks
    yield from (manifest.roles_from,) if manifest.roles_from else ()

"""Every place of a package's contract that names a tag: who declares what, where."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.graph import TagGraph, promoted, under_new_name
from skillc.model.package import Catalogue, Manifest, TagRef, Worker
from skillc.once import once
from skillc.tags import Pattern, literal
from skillc.text import Span
from skillc.value import value


@value
class Use:
    """A pattern at its place. `worker` is None in the manifest and the catalogue. `derived`: the tag stands
    nowhere; it is what accepting the draft at `span` makes."""

    pattern: Pattern
    span: Span
    worker: str | None = None
    derived: bool = False


@once
def uses(graph: TagGraph) -> tuple[Use, ...]:
    """All places, workers first in manifest order, then the manifest, then the package's own catalogue."""
    return tuple(_uses(graph))


def _uses(graph: TagGraph) -> Iterator[Use]:
    for worker in graph.package.workers:
        yield from _of_worker(graph, worker)
    if graph.package.manifest:
        for ref in _of_manifest(graph.package.manifest):
            yield Use(ref.pattern, ref.span)
    folder = graph.package.folder + "/"
    for pattern, span in _written_sources(graph.package.catalogue):
        if span.path.startswith(folder):
            yield Use(pattern, span)


@once
def _written_sources(catalogue: Catalogue) -> tuple[tuple[Pattern, Span], ...]:
    """The sources that somebody wrote down: those that are built in have no place."""
    return tuple((source.pattern, source.span) for source in catalogue.sources if source.span is not None)


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

"""Every place of a package's contract that names a tag: who declares what, where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
def tags_used(graph: TagGraph) -> tuple[Pattern, ...]:
    """The patterns of all places, each once, in the order in which they are met."""
    found: dict[str, Pattern] = {}
    for worker in graph.package.workers:
        for ref in (*worker.inputs, *worker.outputs, *shown(worker)):
            found[ref.pattern.text] = ref.pattern
        for _, pattern in _derived(graph, worker):
            found[pattern.text] = pattern
    for ref in _of_manifest(graph.package.manifest) if graph.package.manifest else ():
        found[ref.pattern.text] = ref.pattern
    for pattern, _ in _own_sources(graph):
        found[pattern.text] = pattern
    return tuple(found.values())


@once
def texts_used(graph: TagGraph) -> frozenset[str]:
    """Those of them that are concrete tags."""
    return frozenset([pattern.text for pattern in tags_used(graph) if pattern.exact is not None])


@once
def segments_used(graph: TagGraph) -> frozenset[str]:
    """The segments of all these patterns."""
    return frozenset([part for pattern in tags_used(graph) for part in pattern.parts])


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
    for pattern, span in _own_sources(graph):
        yield Use(pattern, span)


def _own_sources(graph: TagGraph) -> list[tuple[Pattern, Span]]:
    written = _written_sources(graph.package.catalogue)
    folder = graph.package.folder + "/"
    return [row for row in written if row[1].path.startswith(folder)] if written else []


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
    for span, confirmed in _derived(graph, worker):
        yield Use(confirmed, span, worker.id, derived=True)


@value
class Texts:
    """What a worker reads, writes and shows, as texts."""

    reads: frozenset[str]
    writes: frozenset[str]
    shows: frozenset[str]


@once
def texts_of(graph: TagGraph) -> Mapping[str, Texts]:
    """The patterns of each worker's contract, by its id."""
    return {
        worker.id: Texts(
            frozenset([ref.pattern.text for ref in worker.inputs]),
            frozenset([ref.pattern.text for ref in worker.outputs]),
            frozenset([ref.pattern.text for ref in shown(worker)]),
        )
        for worker in graph.package.workers
    }


@once
def all_concrete(graph: TagGraph) -> frozenset[str]:
    """The workers that declare nothing but tags without a slot: none of these covers another one but itself."""
    return frozenset(worker.id for worker in graph.package.workers if _is_concrete(worker))


def _is_concrete(worker: Worker) -> bool:
    for ref in (*worker.inputs, *worker.outputs):
        exact = ref.pattern.exact
        if exact is None or "#" in exact:
            return False
    return True


def _derived(graph: TagGraph, worker: Worker) -> Iterator[tuple[Span, Pattern]]:
    """What accepting the drafts of a worker makes."""
    for ref in worker.outputs:
        confirmed = promoted(under_new_name(ref.pattern, graph.names))
        if confirmed:
            yield ref.span, confirmed


def shown(worker: Worker) -> list[TagRef]:
    """The tags of a worker's segments, those of its variants included."""
    found = [ref for segment in worker.segments or () for ref in segment.tags]
    for segments in worker.variants.values():
        found += [ref for segment in segments for ref in segment.tags]
    return found


def _of_manifest(manifest: Manifest) -> Iterator[TagRef]:
    yield from manifest.startup.targets if manifest.startup else ()
    yield from manifest.prerequisites
    yield from manifest.asks
    yield from (manifest.roles_from,) if manifest.roles_from else ()

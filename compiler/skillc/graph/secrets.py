"""The secrets of a package: every labelled tag that somebody writes or gives, and every forbidden one."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.graph.flow_types import DENIED, KEPT, Secret
from skillc.graph.index import PatternIndex
from skillc.graph.labels import Labels, labels_of
from skillc.graph.meeting import meet
from skillc.graph.promotion import new_names
from skillc.graph.table import TABLE
from skillc.graph.types import InputKey, OutputKey, Producer, TagGraph
from skillc.model.package import Catalogue, Worker
from skillc.once import once
from skillc.tags import ONE, ROLE, Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from skillc.graph.receiving import Receiving


def secrets_of(graph: TagGraph, receiving: Receiving) -> Iterator[Secret]:
    """All secrets: of workers in manifest order, then of sources, then what manifests forbid."""
    for worker in graph.package.workers:
        for number in range(len(worker.outputs)):
            yield from _written(graph, receiving, (worker.id, number))
    yield from {secret: True for _, _, secret in given(graph, receiving)}
    yield from _forbidden(graph, receiving)


def may_have_secrets(graph: TagGraph) -> bool:
    """Whether anything that is read, written or given may be a secret: a quick look that misses none."""
    manifest, labels = graph.package.manifest, labels_of(graph)
    if (manifest and manifest.forbidden) or _may_be_given(graph.package.catalogue):
        return True
    patterns = [ref.pattern for worker in graph.package.workers for ref in (*worker.inputs, *worker.outputs)]
    if manifest:
        asked = manifest.startup.targets if manifest.startup else ()
        patterns += [ref.pattern for ref in (*asked, *manifest.asks)]
    return labels.may_meet(patterns)


@once
def _may_be_given(catalogue: Catalogue) -> bool:
    """The same of what the sources give that packages with this catalogue have alike."""
    patterns = (TABLE, *(source.pattern for source in catalogue.sources))
    return Labels(catalogue, new_names(catalogue)).may_meet(patterns)


def _written(graph: TagGraph, receiving: Receiving, key: OutputKey) -> Iterator[Secret]:
    ref = graph.output(key)
    written = [pattern for pattern in receiving.written(key) if receiving.labels.may_carry(pattern)]
    for label in KEPT if written else ():
        parts = (receiving.labels.part(label, pattern) for pattern in written)
        part = next((part for part in parts if part is not None), None)
        if part is not None:
            yield Secret(label, part, *key, ref=ref, role=_role(receiving, label, part))


def given(graph: TagGraph, receiving: Receiving) -> Iterator[tuple[InputKey, Pattern, Secret]]:
    """The labelled tags that sources give, with the input that reads them and the part that it receives."""
    for key, producers in graph.producers.items():
        for producer in producers:
            if producer.kind == "source":
                yield from _from_source(graph, receiving, key, producer)


def _from_source(
    graph: TagGraph, receiving: Receiving, key: InputKey, producer: Producer
) -> Iterator[tuple[InputKey, Pattern, Secret]]:
    common = meet(producer.pattern, graph.input(key).pattern)
    if common is None or not receiving.labels.may_carry(common):
        return
    for label in KEPT:
        part = receiving.labels.part(label, common)
        if part is not None:
            role = _role(receiving, label, part)
            yield key, common, Secret(label, part, origin=producer.origin, ref=producer.ref, role=role)


def _forbidden(graph: TagGraph, receiving: Receiving) -> Iterator[Secret]:
    """What the manifest forbids to a worker that isolation keeps from secrets, and no label hides anyway."""
    readers = [w for w in graph.package.workers if w.isolation != "none" and receiving.denied(w.id)]
    if not readers:
        return
    outputs = PatternIndex(
        (pattern, (worker.id, number))
        for worker in graph.package.workers
        for number in range(len(worker.outputs))
        for pattern in receiving.written((worker.id, number))
    )
    for reader in readers:
        yield from _forbidden_to(graph, receiving, reader, outputs)


def _forbidden_to(
    graph: TagGraph, receiving: Receiving, reader: Worker, outputs: PatternIndex[OutputKey]
) -> Iterator[Secret]:
    seen: set[OutputKey] = set()
    for denied in receiving.denied(reader.id):
        for written, key in outputs.entries(denied):
            part = meet(denied, written)
            hidden = part is None or receiving.labels.part("hidden", part) is not None
            if key not in seen and key[0] != reader.id and part is not None and not hidden:
                seen.add(key)
                yield Secret(DENIED, part, *key, ref=graph.output(key), only=reader.id)


def _role(receiving: Receiving, label: str, part: Pattern) -> str | None:
    if label != "role_private":
        return None
    owner = receiving.owner(part)
    return ONE if owner in (None, ROLE) else owner

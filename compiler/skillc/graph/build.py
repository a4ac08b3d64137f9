"""Package -> TagGraph: one pass over what everybody writes, one over what everybody reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from skillc.graph.flow import flows_of
from skillc.graph.index import PatternIndex
from skillc.graph.loops import components, shortest_loop
from skillc.graph.need import closed_components, needed_inputs, reachable_workers
from skillc.graph.promotion import PROMOTING, new_names, promoted, under_new_name
from skillc.graph.terms import acceptance, role_bound, stages
from skillc.graph.types import InputKey, OutputKey, Producer, TagGraph, Unknowns
from skillc.graph.unknown import unknown_producers, unknowns_of
from skillc.model.package import Acceptance, Package, TagRef
from skillc.tags import Pattern, literal

Writers = list[tuple[Producer, OutputKey | None]]


def build_graph(package: Package) -> TagGraph:
    """The graph of a package. Total: broken workers and a missing manifest leave unknowns, not holes.

    Linear in practice: patterns meet through an index of their parts.
    """
    accepted = acceptance(package)
    unknowns = unknowns_of(package)
    names = new_names(package.catalogue)
    writers = writers_of(package, accepted, names)
    producers, consumers = _meet(package, writers, unknowns)
    edges = _edges(package, producers)
    loops = components(edges)
    closed = closed_components(package, loops, producers, unknowns)
    needed = needed_inputs(package, loops, closed, producers)
    shortest = {members: shortest_loop(members, edges) for members in loops}
    graph = TagGraph(
        package=package,
        workers=MappingProxyType({worker.id: worker for worker in package.workers}),
        order=MappingProxyType({worker.id: number for number, worker in enumerate(package.workers)}),
        producers=MappingProxyType(producers),
        consumers=MappingProxyType(consumers),
        needed=needed,
        loops=tuple(sorted(shortest.values())),
        deadlocked=tuple(sorted(shortest[members] for members in closed)),
        dead=frozenset(id for members in closed for id in members),
        reachable=reachable_workers(package, needed, producers, unknowns),
        unknowns=unknowns,
        stages=MappingProxyType(stages(package)),
        acceptance=MappingProxyType(accepted),
        names=MappingProxyType(names),
        bound=role_bound(package),
    )
    return replace(graph, flows=flows_of(graph))


def writers_of(package: Package, accepted: Mapping[str, Acceptance], names: Mapping[str, str]) -> Writers:
    """Everything that puts tags on the board: sources, then outputs and what accepting them makes."""
    found: Writers = [(producer, None) for producer in _sources(package)]
    for worker in package.workers:
        entry = accepted.get(worker.id)
        promotes = entry is None or entry.mode in PROMOTING
        for number, ref in enumerate(worker.outputs):
            key = (worker.id, number)
            found.append((Producer("worker", ref.pattern, worker.id, None, ref), key))
            confirmed = promoted(under_new_name(ref.pattern, names)) if promotes else None
            if confirmed:
                found.append((Producer("promotion", confirmed, worker.id, None, ref), key))
    return found


READY_LIST = literal("设计.run_skill清单")
"""What declaring the instance ready writes (SPEC 12.6)."""


def _sources(package: Package) -> list[Producer]:
    found = [Producer("source", s.pattern, None, s.origin) for s in package.catalogue.sources]
    found.append(Producer("source", READY_LIST, None, "runtime"))
    if package.manifest is None:
        return found
    startup = package.manifest.startup
    for origin, refs in (("startup", startup.targets if startup else ()), ("ask", package.manifest.asks)):
        found += [Producer("source", ref.pattern, None, origin, ref) for ref in refs]
    return found


def _meet(
    package: Package, writers: Writers, unknowns: Unknowns
) -> tuple[dict[InputKey, tuple[Producer, ...]], dict[OutputKey, tuple[InputKey, ...]]]:
    index = PatternIndex((producer.pattern, (producer, key)) for producer, key in writers)
    seen: dict[Pattern, tuple[list[Producer], list[OutputKey]]] = {}
    producers: dict[InputKey, tuple[Producer, ...]] = {}
    readers: dict[OutputKey, list[InputKey]] = {key: [] for _, key in writers if key}
    for worker in package.workers:
        for number, ref in enumerate(worker.inputs):
            if ref.pattern not in seen:
                seen[ref.pattern] = _answer(index, ref)
            known, written = seen[ref.pattern]
            producers[worker.id, number] = tuple(known) or unknown_producers(ref.pattern, unknowns)
            for key in written:
                readers[key].append((worker.id, number))
    return producers, {key: tuple(inputs) for key, inputs in readers.items()}


def _answer(
    index: PatternIndex[tuple[Producer, OutputKey | None]], ref: TagRef
) -> tuple[list[Producer], list[OutputKey]]:
    hits = index.overlapping(ref.pattern)
    written = dict.fromkeys(key for _, key in hits if key)
    return [producer for producer, _ in hits], list(written)


def _edges(
    package: Package, producers: Mapping[InputKey, tuple[Producer, ...]]
) -> dict[str, tuple[str, ...]]:
    targets: dict[str, set[str]] = {worker.id: set() for worker in package.workers}
    for (reader, _), found in producers.items():
        for producer in found:
            if producer.worker in targets and producer.kind != "unknown" and producer.worker != reader:
                targets[producer.worker].add(reader)
    return {worker: tuple(sorted(readers)) for worker, readers in targets.items()}

"""Package -> TagGraph: one pass over what everybody writes, one over what everybody reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from skillc.graph.index import PatternIndex
from skillc.graph.loops import Hubs, components_of, shortest_loop
from skillc.graph.need import closed_components, needed_inputs, reachable_workers
from skillc.graph.promotion import PROMOTING, new_names, promoted, under_new_name
from skillc.graph.table import in_table
from skillc.graph.terms import acceptance, role_bound, stages
from skillc.graph.types import InputKey, OutputKey, Producer, TagGraph, Unknowns, Writers
from skillc.graph.unknown import unknown_producers, unknowns_of
from skillc.model.package import Acceptance, Package
from skillc.tags import Pattern, literal

Written = list[tuple[Producer, OutputKey | None]]


def build_graph(package: Package) -> TagGraph:
    """The graph of a package. Total: broken workers and a missing manifest leave unknowns, not holes.

    Linear in practice: patterns meet through an index of their parts.
    """
    accepted = acceptance(package)
    unknowns = unknowns_of(package)
    names = new_names(package.catalogue)
    writers = writers_of(package, accepted, names)
    index = PatternIndex((producer.pattern, (producer, key)) for producer, key in writers)
    producers, consumers = _meet(package, index, unknowns)
    hubs = _hubs(package, producers)
    loops = components_of(hubs)
    closed = closed_components(package, loops, producers, unknowns)
    needed = needed_inputs(package, loops, closed, producers)
    shortest = {members: shortest_loop(members, hubs) for members in loops}
    return TagGraph(
        package=package,
        workers=MappingProxyType({worker.id: worker for worker in package.workers}),
        order=MappingProxyType({worker.id: number for number, worker in enumerate(package.workers)}),
        producers=MappingProxyType(producers),
        consumers=MappingProxyType(consumers),
        needed=needed,
        loops=tuple(sorted(shortest.values())),
        sizes=MappingProxyType({loop: len(members) for members, loop in shortest.items()}),
        deadlocked=tuple(sorted(shortest[members] for members in closed)),
        dead=frozenset(id for members in closed for id in members),
        reachable=reachable_workers(package, needed, producers, unknowns),
        unknowns=unknowns,
        stages=MappingProxyType(stages(package)),
        acceptance=MappingProxyType(accepted),
        names=names,
        writers=index,
        bound=role_bound(package),
        read_on_demand=frozenset(
            key
            for template in package.templates
            for ref in template.inputs
            for _, key in index.overlapping(ref.pattern)
            if key
        ),
    )


def writers_of(package: Package, accepted: Mapping[str, Acceptance], names: Mapping[str, str]) -> Written:
    """Everything that puts tags on the board: sources, then outputs with what accepting them makes, and what they
    change in the table of variables."""
    found: Written = [(producer, None) for producer in _sources(package)]
    for worker in package.workers:
        entry = accepted.get(worker.id)
        promotes = entry is None or entry.mode in PROMOTING
        for number, ref in enumerate(worker.outputs):
            key = (worker.id, number)
            found.append((Producer("worker", ref.pattern, worker.id, None, ref), key))
            confirmed = promoted(under_new_name(ref.pattern, names)) if promotes else None
            if confirmed:
                found.append((Producer("promotion", confirmed, worker.id, None, ref), key))
            table = in_table(ref.pattern)
            if table:
                found.append((Producer("update", table, worker.id, None, ref), key))
    return found + [(producer, None) for producer in _on_demand(package, names)]


def _on_demand(package: Package, names: Mapping[str, str]) -> Iterator[Producer]:
    """What workers made of templates may write, and what accepting it may make."""
    for template in package.templates:
        for ref in template.outputs:
            for pattern in (ref.pattern, promoted(under_new_name(ref.pattern, names))):
                if pattern:
                    yield Producer("unknown", pattern, template.id, "template", ref)


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
    package: Package, index: Writers, unknowns: Unknowns
) -> tuple[dict[InputKey, tuple[Producer, ...]], dict[OutputKey, tuple[InputKey, ...]]]:
    """Inputs of one pattern share one answer, and so do outputs that the same patterns read."""
    readers: dict[Pattern, list[InputKey]] = {}
    for worker in package.workers:
        for number, ref in enumerate(worker.inputs):
            readers.setdefault(ref.pattern, []).append((worker.id, number))
    producers: dict[InputKey, tuple[Producer, ...]] = {
        (worker.id, number): () for worker in package.workers for number in range(len(worker.inputs))
    }
    read_by: dict[OutputKey, list[Pattern]] = {
        (worker.id, number): [] for worker in package.workers for number in range(len(worker.outputs))
    }
    for pattern, inputs in readers.items():
        hits = index.overlapping(pattern)
        found = tuple(producer for producer, _ in hits) or unknown_producers(pattern, unknowns)
        producers.update(dict.fromkeys(inputs, found))
        for key in dict.fromkeys(key for _, key in hits if key):
            read_by[key].append(pattern)
    return producers, _consumers(package, read_by, readers)


def _consumers(
    package: Package, read_by: Mapping[OutputKey, list[Pattern]], readers: Mapping[Pattern, list[InputKey]]
) -> dict[OutputKey, tuple[InputKey, ...]]:
    """The inputs of each output, in order of the workers."""
    order = {worker.id: number for number, worker in enumerate(package.workers)}
    joined: dict[tuple[Pattern, ...], tuple[InputKey, ...]] = {}
    consumers = {}
    for output, read in read_by.items():
        patterns = tuple(read)
        if patterns not in joined:
            inputs = [key for pattern in patterns for key in readers[pattern]]
            joined[patterns] = tuple(sorted(inputs, key=lambda key: (order[key[0]], key[1])))
        consumers[output] = joined[patterns]
    return consumers


def _hubs(package: Package, producers: Mapping[InputKey, tuple[Producer, ...]]) -> Hubs:
    """Who feeds whom: a hub for each pattern that is read. Nobody waits for a change of the table."""
    patterns: dict[Pattern, list[str]] = {}
    written: dict[str, dict[int, None]] = {worker.id: {} for worker in package.workers}
    for worker in package.workers:
        for number, ref in enumerate(worker.inputs):
            if ref.pattern not in patterns:
                hub = len(patterns)
                for producer in producers[worker.id, number]:
                    if producer.worker in written and producer.kind in ("worker", "promotion"):
                        written[producer.worker][hub] = None
            patterns.setdefault(ref.pattern, []).append(worker.id)
    return Hubs(
        {id: tuple(hubs) for id, hubs in written.items()},
        tuple(tuple(sorted(set(readers))) for readers in patterns.values()),
    )

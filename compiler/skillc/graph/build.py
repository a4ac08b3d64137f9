"""Package -> TagGraph: one pass over what everybody writes, one over what everybody reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from skillc.graph.index import PatternIndex
from skillc.graph.loops import Hubs, components_of, shortest_loop
from skillc.graph.need import closed_components, needed_inputs, reachable_workers
from skillc.graph.promotion import PROMOTING, new_names, promoted, under_new_name
from skillc.graph.table import in_table
from skillc.graph.terms import acceptance, listed_roles, role_bound, stages
from skillc.graph.types import InputKey, OutputKey, Producer, TagGraph, Unknowns, Writers
from skillc.graph.unknown import unknown_producers, unknowns_of
from skillc.model.package import Acceptance, Catalogue, Package
from skillc.once import once
from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern, literal

Filed = tuple[Producer, OutputKey | None]
Written = list[Filed]


def build_graph(package: Package) -> TagGraph:
    """The graph of a package. Total: broken workers and a missing manifest leave unknowns, not holes.

    Linear in practice: patterns meet through an index of their parts.
    """
    accepted = acceptance(package)
    unknowns = unknowns_of(package)
    names = new_names(package.catalogue)
    own = _filed(_own_writers(package, accepted, names))
    index = PatternIndex(own, beneath=_around(package.catalogue))
    reading = _Reading(package, index, unknowns)
    producers, hubs = reading.of_inputs(), reading.hubs()
    loops = components_of(hubs)
    closed = closed_components(package, loops, producers, unknowns)
    needed = needed_inputs(package, loops, closed, producers)
    shortest = {members: shortest_loop(members, hubs) if members[2:] else members for members in loops}
    return TagGraph(
        package=package,
        workers=MappingProxyType({worker.id: worker for worker in package.workers}),
        order=MappingProxyType({worker.id: number for number, worker in enumerate(package.workers)}),
        producers=MappingProxyType(producers),
        consumers=MappingProxyType(reading.of_outputs()),
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
    around: Written = [(producer, None) for producer in _given_around(package.catalogue)]
    return around + _own_writers(package, accepted, names)


def _own_writers(package: Package, accepted: Mapping[str, Acceptance], names: Mapping[str, str]) -> Written:
    found: Written = [(producer, None) for producer in _asked(package)]
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


def _given_around(catalogue: Catalogue) -> list[Producer]:
    """The sources that packages with this catalogue have alike."""
    found = [Producer("source", s.pattern, None, s.origin) for s in catalogue.sources]
    return [*found, Producer("source", READY_LIST, None, "runtime")]


@once
def _around(catalogue: Catalogue) -> Writers:
    return PatternIndex(_filed((producer, None) for producer in _given_around(catalogue)))


def _filed(written: Iterable[Filed]) -> Iterator[tuple[Pattern, Filed]]:
    return ((producer.pattern, (producer, key)) for producer, key in written)


def _asked(package: Package) -> list[Producer]:
    """What the user gives at the start, and when asked."""
    if package.manifest is None:
        return []
    startup = package.manifest.startup
    found: list[Producer] = []
    for origin, refs in (("startup", startup.targets if startup else ()), ("ask", package.manifest.asks)):
        found += [Producer("source", ref.pattern, None, origin, ref) for ref in refs]
    return found


def for_roles(found: Sequence[Filed], read: Pattern, roles: frozenset[str]) -> Sequence[Filed]:
    """What of `found` runs of `roles` can write: `{id}` is one of them, so whose `read` names another is not given
    by it. All of it where no roles are listed."""
    if not roles or not any(ROLE in producer.pattern.parts for producer, _ in found):
        return found
    return [filed for filed in found if not _of_another(filed[0].pattern, read, roles)]


def _of_another(written: Pattern, read: Pattern, roles: frozenset[str]) -> bool:
    return any(
        part == ROLE and named not in roles and named not in (ONE, ROLE, REST, WHOLE)
        for part, named in zip(written.parts, read.parts, strict=False)
    )


class _Reading:
    """What is read, each pattern once: by its number the pattern, the inputs that have it, and who may give it."""

    def __init__(self, package: Package, writers: Writers, unknowns: Unknowns) -> None:
        numbers: dict[str, int] = {}
        self.readers: list[list[InputKey]] = []
        self.producers: list[tuple[Producer, ...]] = []
        self.outputs: list[Iterable[OutputKey]] = []
        self._package = package
        roles = listed_roles(package)
        for worker in package.workers:
            for at, ref in enumerate(worker.inputs):
                number = numbers.setdefault(ref.pattern.text, len(numbers))
                if number == len(self.readers):
                    hits = for_roles(writers.overlapping(ref.pattern), ref.pattern, roles)
                    found = tuple(producer for producer, _ in hits)
                    self.readers.append([])
                    self.producers.append(found or unknown_producers(ref.pattern, unknowns))
                    self.outputs.append(dict.fromkeys(key for _, key in hits if key))
                self.readers[number].append((worker.id, at))

    def of_inputs(self) -> dict[InputKey, tuple[Producer, ...]]:
        """Who may give each input, workers in order."""
        found: dict[InputKey, tuple[Producer, ...]] = {
            (worker.id, at): () for worker in self._package.workers for at in range(len(worker.inputs))
        }
        for inputs, producers in zip(self.readers, self.producers, strict=True):
            found.update(dict.fromkeys(inputs, producers))
        return found

    def of_outputs(self) -> dict[OutputKey, tuple[InputKey, ...]]:
        """The inputs that read each output, in order of the workers; outputs that the same patterns read share one
        answer."""
        read_by: dict[OutputKey, list[int]] = {
            (worker.id, at): [] for worker in self._package.workers for at in range(len(worker.outputs))
        }
        for number, keys in enumerate(self.outputs):
            for key in keys:
                read_by[key].append(number)
        order = {worker.id: number for number, worker in enumerate(self._package.workers)}
        joined: dict[tuple[int, ...], tuple[InputKey, ...]] = {}
        for numbers in set(map(tuple, read_by.values())):
            inputs = [key for number in numbers for key in self.readers[number]]
            joined[numbers] = tuple(sorted(inputs, key=lambda key: (order[key[0]], key[1])))
        return {key: joined[tuple(numbers)] for key, numbers in read_by.items()}

    def hubs(self) -> Hubs:
        """Who feeds whom: a hub for each pattern. Nobody waits for a change of the table."""
        written: dict[str, dict[int, None]] = {worker.id: {} for worker in self._package.workers}
        for number, producers in enumerate(self.producers):
            for producer in producers:
                if producer.worker in written and producer.kind in ("worker", "promotion"):
                    written[producer.worker][number] = None
        return Hubs(
            {id: tuple(numbers) for id, numbers in written.items()},
            tuple(tuple(sorted({id for id, _ in inputs})) for inputs in self.readers),
        )

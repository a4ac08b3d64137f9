"""Which inputs a worker waits for, and which workers can ever run (SPEC 5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from skillc.graph.types import InputKey, Producer, Unknowns
from skillc.model.package import Package, TagRef
from skillc.tags import covers, overlaps

Producers = Mapping[InputKey, tuple[Producer, ...]]
Members = tuple[str, ...]

NEVER_AWAITED = ("runtime", "pseudo")


def needed_inputs(
    package: Package, loops: Sequence[Members], closed: Sequence[Members], producers: Producers
) -> frozenset[InputKey]:
    """The inputs without which a worker is not scheduled.

    Optional are: those marked so; 用户.* but for the startup target; those that only the worker itself
    writes, or only workers of its own feedback loop that come later in manifest order. A loop that
    nothing can start is no feedback loop: what its workers wait for stays needed. What the runtime
    provides is never waited for.
    """
    order = {worker.id: number for number, worker in enumerate(package.workers)}
    dead = set(closed)
    home = {id: number for number, members in enumerate(loops) if members not in dead for id in members}

    def comes_later(reader: str, producer: Producer) -> bool:
        writer = producer.worker
        if producer.kind not in ("worker", "promotion") or writer is None:
            return False
        if writer == reader:
            return True
        together = reader in home and home[reader] == home.get(writer)
        return together and order[writer] > order[reader]

    return frozenset(
        key
        for key, found in producers.items()
        if not _optional_by_itself(package, _input(package, order, key), found)
        and not (found and all(comes_later(key[0], producer) for producer in found))
    )


def closed_components(
    package: Package, loops: Sequence[Members], producers: Producers, unknowns: Unknowns
) -> tuple[Members, ...]:
    """The loops that nothing from outside starts: every member waits for what only members write."""
    if unknowns.feed:
        return ()
    order = {worker.id: number for number, worker in enumerate(package.workers)}

    def starts(id: str, members: frozenset[str]) -> bool:
        worker = package.workers[order[id]]
        keys = [(id, number) for number in range(len(worker.inputs))]
        fed = any(_from_outside(members, producers[key]) for key in keys)
        waits = any(not _optional_by_itself(package, _input(package, order, k), producers[k]) for k in keys)
        return fed or not waits

    def is_closed(members: frozenset[str]) -> bool:
        return not any(starts(id, members) for id in members)

    return tuple(members for members in loops if is_closed(frozenset(members)))


def reachable_workers(
    package: Package, needed: frozenset[InputKey], producers: Producers, unknowns: Unknowns
) -> frozenset[str]:
    """The workers that can run at some time. An input without any producer holds nobody up here: it has
    its own finding. Where unknown tags may come in, everybody can run."""
    everybody = frozenset(worker.id for worker in package.workers)
    if unknowns.feed:
        return everybody
    waiting: dict[str, set[InputKey]] = {id: set() for id in everybody}
    fed_by: dict[str, list[InputKey]] = {id: [] for id in everybody}
    for key in needed:
        writers = _only_workers(producers[key])
        if writers:
            waiting[key[0]].add(key)
            for writer in writers:
                fed_by[writer].append(key)
    queue = deque(id for id in everybody if not waiting[id])
    found = set(queue)
    while queue:
        for key in fed_by[queue.popleft()]:
            waiting[key[0]].discard(key)
            if not waiting[key[0]] and key[0] not in found:
                found.add(key[0])
                queue.append(key[0])
    return frozenset(found)


def _only_workers(found: tuple[Producer, ...]) -> list[str]:
    """The writers of an input that has no other producers; else nothing, for it can come anyway."""
    if any(producer.kind not in ("worker", "promotion") for producer in found):
        return []
    return [producer.worker for producer in found if producer.worker]


def _from_outside(members: frozenset[str], found: tuple[Producer, ...]) -> bool:
    if not found:
        return True
    return any(p.worker not in members and p.origin != "pseudo" for p in found)


def _optional_by_itself(package: Package, ref: TagRef, found: tuple[Producer, ...]) -> bool:
    if ref.optional or any(_never_awaited(producer, ref) for producer in found):
        return True
    return ref.pattern.parts[0] == "用户" and not _is_startup_target(package, ref)


def _never_awaited(producer: Producer, ref: TagRef) -> bool:
    return producer.origin in NEVER_AWAITED and covers(producer.pattern, ref.pattern)


def _is_startup_target(package: Package, ref: TagRef) -> bool:
    startup = package.manifest.startup if package.manifest else None
    return startup is not None and any(overlaps(ref.pattern, target.pattern) for target in startup.targets)


def _input(package: Package, order: Mapping[str, int], key: InputKey) -> TagRef:
    return package.workers[order[key[0]]].inputs[key[1]]

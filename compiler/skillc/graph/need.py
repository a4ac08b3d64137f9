"""Which inputs a worker waits for, and which workers can ever run (SPEC 5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from skillc.graph.types import InputKey, Producer, Unknowns
from skillc.model.package import Package, TagRef
from skillc.runtime.tagnames import EDITS
from skillc.tags import covers, overlaps

Producers = Mapping[InputKey, tuple[Producer, ...]]
Members = tuple[str, ...]

NEVER_AWAITED = ("runtime", "pseudo")


def needed_inputs(
    package: Package, loops: Sequence[Members], closed: Sequence[Members], producers: Producers
) -> frozenset[InputKey]:
    """The inputs without which a worker is not scheduled.

    Optional are: those marked so; 用户.* but for the startup target, and 变量.用户; those that only the worker itself
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

    asked = _Asked(package)
    return frozenset(
        [
            key
            for key, ref in _inputs(package)
            if not asked.optional(ref, producers[key])
            and not (producers[key] and all(comes_later(key[0], producer) for producer in producers[key]))
        ]
    )


def _inputs(package: Package) -> Iterator[tuple[InputKey, TagRef]]:
    for worker in package.workers:
        for number, ref in enumerate(worker.inputs):
            yield (worker.id, number), ref


def closed_components(
    package: Package, loops: Sequence[Members], producers: Producers, unknowns: Unknowns
) -> tuple[Members, ...]:
    """The loops that nothing from outside starts: every member waits for what only members write."""
    if unknowns.feed:
        return ()
    workers = {worker.id: worker for worker in package.workers}
    asked = _Asked(package)

    def is_closed(members: Members) -> bool:
        inside = frozenset(members)
        outside: dict[str, bool] = {}
        for id in members:
            waits = False
            if workers[id].inputs_unread:
                return False
            for number, ref in enumerate(workers[id].inputs):
                found = producers[id, number]
                if ref.pattern.text not in outside:
                    outside[ref.pattern.text] = _from_outside(inside, found)
                if outside[ref.pattern.text]:
                    return False
                waits = waits or not asked.optional(ref, found)
            if not waits:
                return False
        return True

    return tuple(members for members in loops if is_closed(members))


def reachable_workers(
    package: Package, needed: frozenset[InputKey], producers: Producers, unknowns: Unknowns
) -> frozenset[str]:
    """The workers that can run at some time. An input without any producer holds nobody up here: it has
    its own finding. Where unknown tags may come in, everybody can run."""
    everybody = frozenset(worker.id for worker in package.workers)
    if unknowns.feed:
        return everybody
    awaited, writes, readers = _gates(package, needed, producers)
    queue = deque(id for id in everybody if not awaited.get(id))
    found = set(queue)
    while queue:
        for text in writes.get(queue.popleft(), ()):
            for id in readers.pop(text, ()):
                awaited[id].discard(text)
                if not awaited[id] and id not in found:
                    found.add(id)
                    queue.append(id)
    return frozenset(found)


def _gates(
    package: Package, needed: frozenset[InputKey], producers: Producers
) -> tuple[dict[str, set[str]], dict[str, list[str]], dict[str, list[str]]]:
    """The patterns (their texts) that somebody needs and that no one but workers gives: by reader, by writer, and the
    readers of each."""
    awaited: dict[str, set[str]] = {}
    writes: dict[str, list[str]] = {}
    readers: dict[str, list[str]] = {}
    open: set[str] = set()
    for key, ref in _inputs(package):
        text = ref.pattern.text
        if key not in needed or text in open:
            continue
        if text not in readers:
            writers = _only_workers(producers[key])
            if not writers:
                open.add(text)
                continue
            for writer in writers:
                writes.setdefault(writer, []).append(text)
        readers.setdefault(text, []).append(key[0])
        awaited.setdefault(key[0], set()).add(text)
    return awaited, writes, readers


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
    by_user = ref.pattern.parts[0] == "用户" or ref.text == EDITS
    return by_user and not _is_startup_target(package, ref)


def _never_awaited(producer: Producer, ref: TagRef) -> bool:
    return producer.origin in NEVER_AWAITED and covers(producer.pattern, ref.pattern)


def _is_startup_target(package: Package, ref: TagRef) -> bool:
    startup = package.manifest.startup if package.manifest else None
    return startup is not None and any(overlaps(ref.pattern, target.pattern) for target in startup.targets)


class _Asked:
    """Whether inputs are optional by themselves: asked once for all that read the same in the same way."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._answers: dict[str, bool] = {}

    def optional(self, ref: TagRef, found: tuple[Producer, ...]) -> bool:
        if ref.optional:
            return True
        key = ref.pattern.text
        if key not in self._answers:
            self._answers[key] = _optional_by_itself(self._package, ref, found)
        return self._answers[key]

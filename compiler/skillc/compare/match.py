"""The two plans of one package side by side, and the difference of each of its workers."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.artifact.plan import Plan, WorkerPlan
from skillc.compare.cost import Counters, counter_of, prefixes, reach, whole
from skillc.compare.difference import KINDS, WorkerDifference
from skillc.compare.layers import layers_of
from skillc.compare.pairing import Renames, renamed_workers
from skillc.compare.side import Side
from skillc.compare.worker import worker_changes
from skillc.tokens import Counter
from skillc.value import value


@value
class Counting:
    """What counts tokens: the vocabulary of the model that the profiles name, those of the head first."""

    sides: tuple[Side, Side]
    counters: Counters

    def of(self, worker: WorkerPlan) -> Counter:
        return counter_of(worker, self.sides, self.counters)


@value
class Match:
    """`renames` are old ids by new ones, `names` new ids by old ones; `moved`: the package itself has another path."""

    base: Plan
    head: Plan
    renames: Renames
    names: Renames
    moved: bool
    counting: Counting

    def name(self, id: str) -> str:
        """What a worker of the base is called in the head."""
        return self.names.get(id, id)


def match(base: Plan, head: Plan, counting: Counting) -> Match:
    """Who is who in the two plans."""
    moved = base.package.path != head.package.path
    renames = renamed_workers(base, head)
    return Match(base, head, renames, {old: new for new, old in renames.items()}, moved, counting)


def added_workers(plan: Plan, counting: Counting) -> Iterator[WorkerDifference]:
    """All workers of a package that is new."""
    for id in plan.order:
        yield _added(plan, plan.workers[id], counting)


def removed_workers(plan: Plan) -> Iterator[WorkerDifference]:
    """All workers of a package that is gone."""
    for id in plan.order:
        yield WorkerDifference(id, "removed", resumes=False)


def _added(plan: Plan, worker: WorkerPlan, counting: Counting) -> WorkerDifference:
    if worker.actor != "llm":
        return WorkerDifference(worker.id, "added")
    counter = counting.of(worker)
    rows = whole(layers_of(plan, worker), counter)
    return WorkerDifference(worker.id, "added", counter=counter, prefixes=rows)


def workers(found: Match) -> Iterator[WorkerDifference]:
    """The workers that are not as before, in the order of the head; then those that are gone."""
    base, head = found.base, found.head
    for id in head.order:
        was = found.renames.get(id, id)
        if was not in base.workers:
            yield _added(head, head.workers[id], found.counting)
        else:
            one = _compared(found, base.workers[was], head.workers[id])
            if one:
                yield one
    for id in base.order:
        if found.name(id) not in head.workers:
            yield WorkerDifference(id, "removed", resumes=False)


def _compared(found: Match, was: WorkerPlan, now: WorkerPlan) -> WorkerDifference | None:
    changes = worker_changes(found.base, found.head, (was, now), found.name)
    layouts = (layers_of(found.base, was), layers_of(found.head, now))
    reached = reach(*layouts, (was.variant, now.variant))
    same, renamed = was.digest == now.digest, was.id != now.id
    if same and not changes and reached is None:
        return None
    kinds = {change.kind for change in changes} | ({reached} if reached else set())
    counter = found.counting.of(now) if now.actor == "llm" else None
    return WorkerDifference(
        now.id,
        "renamed" if renamed else "changed",
        kinds=tuple(kind for kind in KINDS if kind in kinds),
        was=was.id if renamed else None,
        changes=changes,
        counter=counter,
        prefixes=prefixes(*layouts, counter) if counter else None,
        resumes=same and not renamed and not found.moved,
    )

"""Whether a package can become ready to play, proven: a monotone fixpoint from sources and startup (SPEC 6.4, 12.6).

Only workers of the design stage run before play, each once its needed inputs are there; acceptance is taken to
succeed. What comes out is a shortest producing schedule, or the fewest tags whose absence keeps the package from
playing. Where somebody unknown might write what is missing, nothing is proven either way.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeVar

from skillc.graph.build import for_roles, writers_of
from skillc.graph.goals import Goal as Asked
from skillc.graph.goals import asked, contradiction, goals_of, parts, whole
from skillc.graph.index import PatternIndex
from skillc.graph.search import TRIALS, Goal, Joined, Need, Needs, derived, fewest, opening, shortest
from skillc.graph.terms import listed_roles
from skillc.graph.types import InputKey, Producer, TagGraph
from skillc.graph.unknown import patterns_of, unknown_producers
from skillc.model.package import Condition, Readiness
from skillc.once import once
from skillc.tags import Pattern, covers
from skillc.value import value

Verdict = Literal["ready", "never", "unknown"]
Gifts = PatternIndex[Pattern]
"""Tags that are taken to be there without a maker."""
NO_GIFTS: Gifts = PatternIndex(())
_HOLDS = Joined()
T = TypeVar("T")


@value
class Given:
    """A tag that is there without any worker: `origin` is startup, ask, user, runtime, book, rag …"""

    pattern: Pattern
    origin: str


@value
class Step:
    """A worker that runs, what it waits for, what it writes, and what accepting that adds."""

    worker: str
    needs: tuple[Pattern, ...]
    writes: tuple[Pattern, ...]
    confirms: tuple[Pattern, ...]


@value
class Missing:
    """A tag without which the package never plays: `readers` wait for it; `late` write it, but only in play."""

    pattern: Pattern
    readers: tuple[str, ...] = ()
    late: tuple[str, ...] = ()


@value
class Proof:
    """What is proven of a package. `smallest`: no shorter schedule, no smaller set of missing tags would do.

    `impossible` are conditions that hold on no board; `prose` those that only a reader can judge;
    `unknown` the workers that nobody can know and on which the answer depends.
    """

    verdict: Verdict
    given: tuple[Given, ...] = ()
    steps: tuple[Step, ...] = ()
    missing: tuple[Missing, ...] = ()
    impossible: tuple[Readiness, ...] = ()
    prose: tuple[Readiness, ...] = ()
    unknown: tuple[str, ...] = ()
    smallest: bool = True


@value
class Blocked:
    """A goal that nobody makes before play. `producers`: who would make it at all; `late`: those that write
    it in play, where no design worker does. Where design workers would make it, `waiting` are the inputs that
    keep them from it, and `late` those that write these in play."""

    goal: Asked
    producers: tuple[Producer, ...]
    late: tuple[str, ...]
    waiting: tuple[InputKey, ...] = ()


@value
class Skipped:
    """An input of a play worker that only design workers write, all of which are skipped."""

    key: InputKey
    writers: tuple[str, ...]


@value
class Rules:
    """A package as something to derive from: `workers` are those that run before play, in manifest order;
    `waits` what each waits for, with the numbers of those that may make it (None: it is there anyway);
    `made` who may make what is asked for, by pattern."""

    graph: TagGraph
    workers: tuple[str, ...]
    waits: tuple[tuple[tuple[Pattern, Need | None], ...], ...]
    made: Mapping[Pattern, tuple[Producer, ...]]
    numbers: Mapping[str, int]

    def needs(self, gifts: Gifts = NO_GIFTS) -> Needs:
        """What each worker still needs when `gifts` are there."""
        return [
            tuple(need for pattern, need in waits if need is not None and not _is_given(pattern, gifts))
            for waits in self.waits
        ]

    def goal(self, condition: Condition, gifts: Gifts = NO_GIFTS) -> Goal:
        """When `condition` can hold. What it denies is taken to be absent; contradictions are found elsewhere."""
        kind = condition[0]
        if kind in ("and", "or"):
            return Joined(tuple(self.goal(part, gifts) for part in parts(condition)), kind == "or")
        if kind in ("not", "startupCompleted") or condition[2:] == (0,):
            return _HOLDS
        need = _need(self.numbers, self.made[asked(condition)])
        return _HOLDS if need is None or _is_given(asked(condition), gifts) else need


@once
def rules_of(graph: TagGraph) -> Rules:
    """What is needed and made before play."""
    manifest = graph.package.manifest
    goals = [goal for goal in goals_of(manifest) if not goal.denied] if manifest else []
    workers = tuple(id for id in graph.order if runs_before_play(graph, id))
    numbers = {id: number for number, id in enumerate(workers)}
    waits = [
        tuple(
            (ref.pattern, _need(numbers, graph.producers[id, at]))
            for at, ref in enumerate(graph.workers[id].inputs)
            if (id, at) in graph.needed
        )
        for id in workers
    ]
    return Rules(graph, workers, tuple(waits), makers(graph, [goal.pattern for goal in goals]), numbers)


def _need(numbers: Mapping[str, int], producers: Iterable[Producer]) -> Need | None:
    """Who must run for what `producers` make to be there; None when it is there anyway."""
    if not _waits_for_workers(producers):
        return None
    return frozenset(numbers[p.worker] for p in producers if p.worker and p.worker in numbers)


def _waits_for_workers(producers: Iterable[Producer]) -> bool:
    """Whether nothing comes without a worker that runs."""
    return all(producer.kind in ("worker", "promotion") for producer in producers)


def _is_given(pattern: Pattern, gifts: Gifts) -> bool:
    return any(covers(pattern, gift) for gift in gifts.overlapping(pattern))


def makers(graph: TagGraph, patterns: Iterable[Pattern]) -> dict[Pattern, tuple[Producer, ...]]:
    """Who makes tags of each pattern, as `TagGraph.producers` says it of inputs."""
    wanted = dict.fromkeys(patterns)
    if not wanted:
        return {}
    roles = listed_roles(graph.package)
    return {
        pattern: tuple(p for p, _ in for_roles(graph.writers.overlapping(pattern), pattern, roles))
        or unknown_producers(pattern, graph.unknowns)
        for pattern in wanted
    }


def runs_before_play(graph: TagGraph, worker_id: str) -> bool:
    """Whether a worker is, or for all that is known may be, of the design stage."""
    worker = graph.workers[worker_id]
    unknown_stage = worker.stage is None and worker.stage_written is not None
    return unknown_stage or worker.broken or graph.stage_of(worker_id) == "design"


def prove(graph: TagGraph) -> Proof:
    """Whether the package of `graph` can become ready, with the schedule or with what is missing."""
    manifest = graph.package.manifest
    if manifest is None or manifest.broken:
        return Proof("unknown", unknown=("orchestrator.md",))
    rules = rules_of(graph)
    needs, goal = rules.needs(), rules.goal(whole(manifest))
    able = derived(needs)
    prose = tuple(ready for ready in manifest.ready if ready.condition is None)
    impossible = tuple(r for r in manifest.ready if r.condition is not None and contradiction(r.condition))
    unknown = _unknown(graph)
    if impossible:
        return Proof("never", impossible=impossible, prose=prose)
    if opening(goal, able) is None:
        found = shortest(needs, goal, able)
        steps = _steps(rules, found.workers)
        return Proof("ready", _given(rules, found.workers), steps, prose=prose, smallest=found.shortest)
    if unknown:
        return Proof("unknown", prose=prose, unknown=unknown)
    missing, smallest = _missing(rules, whole(manifest), frozenset(able))
    return Proof("never", missing=missing, prose=prose, smallest=smallest)


def _unknown(graph: TagGraph) -> tuple[str, ...]:
    """Who might write anything: then what seems missing may come all the same."""
    unknowns = graph.unknowns
    return (
        *unknowns.writers,
        *unknowns.injected,
        *(("tags.yaml",) if graph.package.catalogue.broken else ()),
    )


def _steps(rules: Rules, ran: tuple[int, ...]) -> tuple[Step, ...]:
    graph = rules.graph
    confirmed: dict[str, list[Pattern]] = {}
    for producer, _ in writers_of(graph.package, graph.acceptance, graph.names):
        if producer.kind == "promotion" and producer.worker:
            confirmed.setdefault(producer.worker, []).append(producer.pattern)
    return tuple(
        Step(
            worker=rules.workers[number],
            needs=tuple(pattern for pattern, _ in rules.waits[number]),
            writes=_once(ref.pattern for ref in graph.workers[rules.workers[number]].outputs),
            confirms=_once(confirmed.get(rules.workers[number], ())),
        )
        for number in ran
    )


def _once(found: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(found))


def _given(rules: Rules, ran: tuple[int, ...]) -> tuple[Given, ...]:
    """What the schedule takes from outside, each tag once: goals first, then inputs in running order."""
    graph = rules.graph
    ids = [rules.workers[number] for number in ran]
    keys = [(id, at) for id in ids for at in range(len(graph.workers[id].inputs)) if (id, at) in graph.needed]
    found: dict[Pattern, str] = {}
    for pattern, producers in (
        *rules.made.items(),
        *((graph.input(key).pattern, graph.producers[key]) for key in keys),
    ):
        origin = next((p.origin for p in producers if p.kind == "source"), None)
        if origin:
            found.setdefault(pattern, origin)
    return tuple(Given(pattern, origin) for pattern, origin in found.items())


def _missing(rules: Rules, condition: Condition, able: Need) -> tuple[tuple[Missing, ...], bool]:
    """The fewest tags that would make the package ready; of equal choices the one nearest to the root."""
    graph = rules.graph
    lacking = _lacking(rules, able, rules.made)
    roots_first = sorted(lacking, key=lambda pattern: bool(lacking[pattern]))

    def enough(chosen: tuple[Pattern, ...]) -> bool:
        gifts = PatternIndex((gift, gift) for gift in chosen)
        return opening(rules.goal(condition, gifts), derived(rules.needs(gifts))) is None

    chosen, smallest = fewest(roots_first, enough, max(20, TRIALS // (1 + len(rules.workers) // 10)))
    readers: dict[Pattern, list[str]] = {}
    for id, waits in zip(rules.workers, rules.waits, strict=True):
        for pattern, _ in waits:
            readers.setdefault(pattern, []).append(id)
    missing = (Missing(p, tuple(readers.get(p, ())), _late(graph, lacking[p])) for p in chosen)
    return tuple(missing), smallest


def _late(graph: TagGraph, producers: tuple[Producer, ...]) -> tuple[str, ...]:
    ids = dict.fromkeys(p.worker for p in producers if p.worker)
    return tuple(id for id in ids if not runs_before_play(graph, id))


def _lacking(
    rules: Rules, able: Need, wanted: Mapping[Pattern, tuple[Producer, ...]]
) -> dict[Pattern, tuple[Producer, ...]]:
    """What of `wanted` is not there, with who would make it; then what those wait for, and so on."""
    graph = rules.graph
    found: dict[Pattern, tuple[Producer, ...]] = {}
    queue = deque(wanted.items())
    while queue:
        pattern, producers = queue.popleft()
        need = _need(rules.numbers, producers)
        if pattern in found or need is None or not need.isdisjoint(able):
            continue
        found[pattern] = producers
        for id in (rules.workers[number] for number in sorted(need)):
            keys = ((id, at) for at in range(len(graph.workers[id].inputs)))
            queue.extend(
                (graph.input(key).pattern, graph.producers[key]) for key in keys if key in graph.needed
            )
    return found


@once
def blocked(graph: TagGraph) -> tuple[Blocked, ...]:
    """The goals, beside those that are denied, that nobody can make before play, in written order; of a
    condition only what keeps it from holding, and what nobody makes at all."""
    return tuple(_blocked(graph))


def _blocked(graph: TagGraph) -> Iterator[Blocked]:
    manifest = graph.package.manifest
    if manifest is None:
        return
    spoken_of = [ref.pattern for ref in manifest.prerequisites]
    spoken_of += [pattern for ready in manifest.ready for pattern in patterns_of(ready.condition)]
    if not any(map(_waits_for_workers, makers(graph, spoken_of).values())):
        return
    rules = rules_of(graph)
    able = frozenset(derived(rules.needs()))
    for goal in goals_of(manifest):
        if goal.denied:
            continue
        producers = rules.made[goal.pattern]
        need = _need(rules.numbers, producers)
        if need is not None and need.isdisjoint(able) and (not producers or _matters(rules, goal, able)):
            waiting = _held_up(rules, goal.pattern, need, able)
            late = [producers] if not need else [graph.producers[key] for key in waiting]
            yield Blocked(goal, producers, _once(id for found in late for id in _late(graph, found)), waiting)


def _held_up(rules: Rules, goal: Pattern, need: Need, able: Need) -> tuple[InputKey, ...]:
    """The inputs of design workers that only play gives, where they keep `need` from making `goal`, whatever
    becomes of inputs without a producer. None where somebody unknown may help, or a loop stands in the way too."""
    graph = rules.graph
    if not need or _unknown(graph):
        return ()
    lacking = _lacking(rules, able, {goal: rules.made[goal]})
    late = [pattern for pattern, found in lacking.items() if found and not _need(rules.numbers, found)]
    gaps = [pattern for pattern, found in lacking.items() if not found]

    def can_run(gifts: list[Pattern]) -> bool:
        there = PatternIndex((gift, gift) for gift in gifts)
        return not need.isdisjoint(derived(rules.needs(there)))

    if not late or can_run(gaps) or not can_run([*gaps, *late]):
        return ()
    keys = ((id, at) for id in rules.workers for at in range(len(graph.workers[id].inputs)))
    return tuple(key for key in keys if key in graph.needed and graph.input(key).pattern in late)


def _matters(rules: Rules, goal: Asked, able: Need) -> bool:
    condition = goal.readiness.condition if goal.readiness else None
    return condition is None or opening(rules.goal(condition), able) is not None


def skipped(graph: TagGraph) -> Iterator[Skipped]:
    """What play waits for in vain because the package is ready too early, by reader in manifest order.

    Design workers run in manifest order, each once its needed inputs are there, until prerequisites and
    conditions hold; who has not run by then never does. Nothing is skipped where no condition ends design,
    where only a reader can judge one, or where the package never becomes ready; nor is anything said where a
    stage or a producer is unknown.
    """
    manifest = graph.package.manifest
    if manifest is None or graph.unknowns.feed or not (manifest.prerequisites or manifest.ready):
        return
    if any(ready.condition is None or contradiction(ready.condition) for ready in manifest.ready):
        return
    if not any(runs_before_play(graph, id) for id in graph.order):
        return
    rules = rules_of(graph)
    late = _late_in_design(rules, rules.goal(whole(manifest)))
    for key in (key for key in graph.producers if key in graph.needed) if late else ():
        producers = graph.producers[key]
        writers = _once(p.worker for p in producers if p.kind in ("worker", "promotion") and p.worker)
        known = producers and all(p.kind in ("worker", "promotion") for p in producers)
        if known and late.issuperset(writers) and not runs_before_play(graph, key[0]):
            yield Skipped(key, writers)


def _late_in_design(rules: Rules, goal: Goal) -> frozenset[str]:
    """The workers surely of design that could run, and have not when `goal` first holds; none if it never does."""
    able = derived(rules.needs())
    if opening(goal, able) is not None:
        return frozenset()
    ran = bisect_left(range(len(able)), True, key=lambda size: opening(goal, able[:size]) is None)
    return frozenset(
        id for id in (rules.workers[n] for n in able[ran:]) if rules.graph.stage_of(id) == "design"
    )

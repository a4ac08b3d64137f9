"""Small searches over "who must run": a shortest derivation, and the fewest gifts that make one possible.

Both are exact within a budget of steps, and say so when it ran out. Nothing here knows packages: workers are
numbers; a worker can run when, of each of its needs, one worker has run; a goal joins needs by and and or.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

from skillc.value import value

STEPS = 2_000
"""How many sets of workers a search for the shortest derivation looks at."""
TRIALS = 2_000
"""How many sets of gifts are tried."""

T = TypeVar("T")
Need = frozenset[int]
"""Workers one of which must have run; nobody can meet an empty one."""
Needs = Sequence[tuple[Need, ...]]
"""What each worker needs; a worker without needs can run at once."""


@value
class Joined:
    """All of `parts` hold, or with `either` one of them. All of no parts hold."""

    parts: tuple[Goal, ...] = ()
    either: bool = False


Goal = Need | Joined


@value
class Derivation:
    """Workers in an order in which each can run; `shortest` when no smaller set would do."""

    workers: tuple[int, ...]
    shortest: bool


def opening(goal: Goal, ran: Iterable[int]) -> Need | None:
    """None when `goal` holds after `ran`; else the workers one of which must still run (none: hopeless).

    >>> opening(Joined((frozenset({1}), frozenset({2, 3}))), {1})
    frozenset({2, 3})
    """
    if not isinstance(goal, Joined):
        return goal if goal.isdisjoint(ran) else None
    found = [opening(part, ran) for part in goal.parts]
    still = [part for part in found if part is not None]
    if not still or (goal.either and len(still) < len(found)):
        return None
    return frozenset[int]().union(*still) if goal.either else min(still, key=len)


def derived(needs: Needs, among: Iterable[int] | None = None) -> list[int]:
    """The workers (of `among`) that can run, in an order in which they can; of several the first in number.

    Linear in the size of the needs.

    >>> derived([(frozenset({1}),), (), (frozenset(),)])
    [1, 0]
    """
    inside = range(len(needs)) if among is None else sorted(among)
    waits = {number: len(set(needs[number])) for number in inside}
    met_by: dict[int, list[tuple[int, Need]]] = {}
    for number in inside:
        for need in dict.fromkeys(needs[number]):
            for other in need:
                met_by.setdefault(other, []).append((number, need))
    met: set[tuple[int, Need]] = set()
    ready = [number for number, count in waits.items() if not count]
    order: list[int] = []
    while ready:
        ran = heapq.heappop(ready)
        order.append(ran)
        for key in met_by.get(ran, ()):
            if key not in met:
                met.add(key)
                waits[key[0]] -= 1
                if not waits[key[0]]:
                    heapq.heappush(ready, key[0])
    return order


def shortest(needs: Needs, goal: Goal, able: Sequence[int]) -> Derivation:
    """A smallest set of workers after which `goal` holds, in running order; `able` are all that can run,
    in an order in which they can, and the goal holds after them."""
    best = _pruned(needs, goal, _greedy(needs, goal, able))
    can = frozenset(able)
    stack: list[tuple[Need, tuple[Goal, ...]]] = [(frozenset(), (goal,))]
    for _ in range(STEPS):
        if not stack:
            return Derivation(tuple(best), True)
        chosen, agenda = _forced(needs, *stack.pop(), can)
        if len(chosen) >= len(best):
            continue
        order = derived(needs, chosen)
        if not agenda and len(order) == len(chosen):
            best = order
            continue
        choices = _choices(needs, chosen, agenda, frozenset(order)) & can
        for number in sorted(choices, reverse=True):
            stack.append((chosen | {number}, (*agenda, *needs[number])))
    return Derivation(tuple(best), False)


def fewest(
    gifts: Sequence[T], enough: Callable[[tuple[T, ...]], bool], trials: int = TRIALS
) -> tuple[tuple[T, ...], bool]:
    """The first smallest choice of `gifts` that is `enough`, and whether none smaller can be; all gifts
    together must be. Past the budget of trials: a choice of which few can be left out."""
    tried = 0
    for size in range(1, len(gifts) + 1):
        for choice in combinations(gifts, size):
            tried += 1
            if tried > trials:
                return _without_excess(gifts, enough, trials), False
            if enough(choice):
                return choice, True
    return tuple(gifts), True


def _without_excess(
    gifts: Sequence[T], enough: Callable[[tuple[T, ...]], bool], trials: int
) -> tuple[T, ...]:
    kept = list(gifts)
    for gift in reversed(gifts[-trials:]):
        rest = [other for other in kept if other is not gift]
        if enough(tuple(rest)):
            kept = rest
    return tuple(kept)


def _forced(needs: Needs, chosen: Need, agenda: tuple[Goal, ...], can: Need) -> tuple[Need, tuple[Goal, ...]]:
    """`chosen` with all that has no alternative; what is left of the agenda has more than one, or none."""
    ran, left = set(chosen), list[Goal]()
    queue = list(agenda)
    while queue:
        goal = queue.pop()
        open_to = opening(goal, ran)
        if open_to is None:
            continue
        possible = open_to & can
        if len(possible) == 1:
            (number,) = possible
            ran.add(number)
            queue += [goal, *needs[number]]
        else:
            left.append(goal)
    return frozenset(ran), tuple(goal for goal in left if opening(goal, ran) is not None)


def _choices(needs: Needs, chosen: Need, agenda: tuple[Goal, ...], ran: Need) -> Need:
    """Workers of which one must be added: to meet the first open goal, else to break a circle in `chosen`."""
    if agenda:
        return opening(agenda[0], chosen) or frozenset()
    waiting = (need for number in chosen - ran for need in needs[number] if need.isdisjoint(ran))
    return frozenset[int]().union(*waiting) - chosen


def _greedy(needs: Needs, goal: Goal, able: Sequence[int]) -> list[int]:
    """What the goal needs of `able`, each need met by who can run first."""
    place = {number: at for at, number in enumerate(able)}
    chosen: set[int] = set()
    agenda: list[Goal] = [goal]
    while agenda:
        open_goal = agenda.pop()
        open_to = opening(open_goal, chosen)
        if open_to is not None:
            number = min((n for n in open_to if n in place), key=lambda n: place[n], default=None)
            if number is None:
                return list(able)
            chosen.add(number)
            agenda += [open_goal, *needs[number]]
    return [number for number in able if number in chosen]


def _pruned(needs: Needs, goal: Goal, workers: list[int]) -> list[int]:
    """`workers` without those that can be left out, the last first; in running order."""
    kept = derived(needs, workers)
    if opening(goal, set(kept)) is not None:
        kept = derived(needs)
    for number in reversed(kept) if len(kept) <= 200 else ():
        rest = derived(needs, [other for other in kept if other != number])
        if opening(goal, set(rest)) is None:
            kept = rest
    return kept

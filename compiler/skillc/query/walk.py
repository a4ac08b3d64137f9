"""Ways through a network: what is reached, within how many steps, and a shortest way. Linear, with lists.

A step is an arrow from one node to another; that a written tag is also what somebody reads is no step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from skillc.query.network import MATCHES, Arrow, EdgeKind, Network

Vertices = frozenset[int]
Arrows = Sequence[Sequence[Arrow]]


def reached(
    arrows: Arrows, starts: Iterable[int], depth: int | None = None, inside: Collection[int] | None = None
) -> Vertices:
    """The starts and all that the arrows lead to from there, at most `depth` steps away and never outside of
    `inside`. Without steps the starts alone."""
    seen = {number for number in starts if inside is None or number in inside}
    level = sorted(seen)
    if depth == 0:
        return frozenset(seen)
    left = depth
    _along_matches(arrows, level, seen, inside)
    while level and left != 0:
        level = _next(arrows, level, seen, inside)
        _along_matches(arrows, level, seen, inside)
        left = None if left is None else left - 1
    return frozenset(seen)


def _next(arrows: Arrows, level: list[int], seen: set[int], inside: Collection[int] | None) -> list[int]:
    found = []
    for number in level:
        for target, kind in arrows[number]:
            if kind != MATCHES and target not in seen and (inside is None or target in inside):
                seen.add(target)
                found.append(target)
    return found


def _along_matches(arrows: Arrows, level: list[int], seen: set[int], inside: Collection[int] | None) -> None:
    """Add to a level what matches its tags."""
    for number in level:
        for target, kind in arrows[number]:
            if kind == MATCHES and target not in seen and (inside is None or target in inside):
                seen.add(target)
                level.append(target)


def shortest(arrows: Arrows, starts: Iterable[int], ends: Vertices) -> list[int]:
    """The vertices of a way with the fewest steps from one of the starts to one of the ends, both included; of several
    the one through what was made first. Empty where there is none."""
    level = sorted(set(starts))
    before: dict[int, int | None] = dict.fromkeys(level)
    while level:
        for number in level:
            if number in ends:
                return _traced(before, number)
            for target, kind in arrows[number]:
                if kind == MATCHES and target not in before:
                    before[target] = number
                    level.append(target)
        level = _unseen(arrows, level, before)
    return []


def _unseen(arrows: Arrows, level: Iterable[int], before: dict[int, int | None]) -> list[int]:
    found = []
    for number in level:
        for target, _ in arrows[number]:
            if target not in before:
                before[target] = number
                found.append(target)
    return found


def _traced(before: dict[int, int | None], end: int) -> list[int]:
    way = [end]
    while (number := before[way[-1]]) is not None:
        way.append(number)
    return way[::-1]


def nearest(
    network: Network, starts: Vertices, forward: bool, through: Collection[EdgeKind], at: Collection[EdgeKind]
) -> Vertices:
    """What the arrows of the kinds `at` join to the tags among the starts, or to what these are, become or come from, along
    arrows of the kinds `through`."""
    arrows = network.out if forward else network.into
    queue = sorted(starts)
    seen, found = set(queue), set[int]()
    for number in queue:
        for target, kind in arrows[number]:
            if kind in at:
                found.add(target)
            elif kind in through and target not in seen:
                seen.add(target)
                queue.append(target)
    return frozenset(found)

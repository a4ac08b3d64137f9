"""Sets of workers that feed each other, and one shortest loop through each set.

Workers feed each other over hubs: who writes to a hub feeds all who read it, but itself. A hub is a pattern that
is read, so that two thousand workers that read what two thousand write are four thousand edges, not four million.

Iterative throughout: a ring may be as long as a package (2,000 workers), or longer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from skillc.value import value

Edges = Mapping[str, tuple[str, ...]]
"""For each worker the workers that read what it writes, sorted, without itself."""

SEARCH_LIMIT = 2_000_000
"""Steps that the search for a shortest loop may take in one component. Rings and dense components need
few; only a huge component whose loops are all long reaches it, and then gets the shortest found so far."""


@value
class Hubs:
    """For each worker the numbers of the hubs that it writes to; for each hub its readers, sorted."""

    written: Mapping[str, tuple[int, ...]]
    readers: Sequence[tuple[str, ...]]


def direct(edges: Edges) -> Hubs:
    """Each worker with a hub of its own."""
    return Hubs({node: (number,) for number, node in enumerate(edges)}, tuple(edges.values()))


def components(edges: Edges) -> list[tuple[str, ...]]:
    """The sets of two or more workers that feed each other, each sorted, in order of their first."""
    return components_of(direct(edges))


def components_of(hubs: Hubs) -> list[tuple[str, ...]]:
    """As `components`, of workers that feed each other over hubs."""
    fed = _fed_in_turn(hubs)
    if len(fed) < 3:
        # Each of two is fed by another one, so they feed each other.
        return [tuple(sorted(fed))] if fed else []
    edges: dict[str | int, Sequence[str | int]] = {node: hubs.written[node] for node in sorted(fed)}
    edges |= {
        hub: [node for node in hubs.readers[hub] if node in fed]
        for hub in dict.fromkeys(hub for node in fed for hub in hubs.written[node])
    }
    found = (sorted(node for node in part if isinstance(node, str)) for part in _strong(edges))
    return sorted(tuple(members) for members in found if len(members) > 1)


def _strong(edges: Mapping[str | int, Sequence[str | int]]) -> Iterator[list[str | int]]:
    """The sets of nodes that lead to each other (Tarjan's algorithm; the path is a list, for it may be long)."""
    met: dict[str | int, int] = {}
    lowest: dict[str | int, int] = {}
    unsettled: dict[str | int, None] = {}
    for start in edges:
        path = [] if start in met else [(start, iter(edges[start]))]
        while path:
            node, ahead = path[-1]
            if node not in met:
                met[node] = lowest[node] = len(met)
                unsettled[node] = None
            following = next((other for other in ahead if other not in met or other in unsettled), None)
            if following is None:
                path.pop()
                if path:
                    before = path[-1][0]
                    lowest[before] = min(lowest[before], lowest[node])
                if lowest[node] == met[node]:
                    yield list(_taken_down_to(node, unsettled))
            elif following in met:
                lowest[node] = min(lowest[node], met[following])
            else:
                path.append((following, iter(edges[following])))


def _taken_down_to(node: str | int, unsettled: dict[str | int, None]) -> Iterator[str | int]:
    last: str | int | None = None
    while last != node:
        last, _ = unsettled.popitem()
        yield last


def _fed_in_turn(hubs: Hubs) -> frozenset[str]:
    """The workers that are left when, again and again, those go whom no other feeds: all loops are among them."""
    writers: list[set[str]] = [set() for _ in hubs.readers]
    for node, written in hubs.written.items():
        for hub in written:
            writers[hub].add(node)
    feeding = dict.fromkeys(hubs.written, 0)
    for fed_by, readers in zip(writers, hubs.readers, strict=True):
        for node in readers if fed_by else ():
            feeding[node] += len(fed_by) > 1 or node not in fed_by
    free = [node for node, count in feeding.items() if not count]
    while free:
        gone = free.pop()
        del feeding[gone]
        for hub in hubs.written[gone]:
            writers[hub].discard(gone)
            for node in _starved(writers[hub], hubs.readers[hub], gone):
                if node in feeding:
                    feeding[node] -= 1
                    if not feeding[node]:
                        free.append(node)
    return frozenset(feeding)


def _starved(left: set[str], readers: tuple[str, ...], gone: str) -> Iterable[str]:
    """The readers whom a hub fed while `gone` wrote to it, and now does not: all, or the only writer that is `left`."""
    if not left:
        return [node for node in readers if node != gone]
    return [node for node in left if node in readers] if len(left) == 1 else []


def shortest_loop(members: Iterable[str], hubs: Hubs) -> tuple[str, ...]:
    """A shortest loop among `members`, turned so that its smallest name comes first.

    Each member in turn is searched from and then taken out, together with whatever is on no loop
    any more; so a ring is walked once, whatever its length.
    """
    inside = _Inside(members, hubs)
    best: tuple[str, ...] = ()
    steps = SEARCH_LIMIT
    for start in sorted(inside.members):
        if start not in inside.members:
            continue
        loop, used = _loop_through(start, inside, len(best))
        best = loop or best
        steps -= used
        if len(best) == 2 or steps < 0:
            break
        inside.take_out(start)
    return _turned(best)


class _Side:
    """Who writes to hubs, or who reads them: by node, by hub, and how many of a hub are left."""

    def __init__(self, pairs: Iterable[tuple[str, int]]) -> None:
        self.hubs: dict[str, list[int]] = {}
        self.nodes: dict[int, list[str]] = {}
        for node, hub in pairs:
            self.hubs.setdefault(node, []).append(hub)
            self.nodes.setdefault(hub, []).append(node)
        self.of = {node: frozenset(hubs) for node, hubs in self.hubs.items()}
        self.left = {hub: len(nodes) for hub, nodes in self.nodes.items()}

    def has_others(self, hub: int, node: str) -> bool:
        return self.left.get(hub, 0) > (hub in self.of[node])


class _Inside:
    """The members that may still be on a loop, and the hubs between them."""

    def __init__(self, members: Iterable[str], hubs: Hubs) -> None:
        self.members = set(members)
        self.writers = _Side((node, hub) for node in sorted(self.members) for hub in hubs.written[node])
        self.readers = _Side(
            (node, hub) for hub in self.writers.nodes for node in hubs.readers[hub] if node in self.members
        )

    def take_out(self, node: str) -> None:
        """Remove `node`, then all that has lost its last way in or out."""
        stack = [node]
        self.members.discard(node)
        while stack:
            gone = stack.pop()
            for own, other in ((self.writers, self.readers), (self.readers, self.writers)):
                for hub in own.hubs[gone]:
                    own.left[hub] -= 1
                    if own.left[hub] < 2:
                        stack += self._cut_off(other.nodes.get(hub, ()))

    def _cut_off(self, nodes: Iterable[str]) -> list[str]:
        """Take out those of `nodes` that nobody feeds any more, or that feed nobody."""
        lost = [node for node in nodes if node in self.members and not self._is_between(node)]
        self.members.difference_update(lost)
        return lost

    def _is_between(self, node: str) -> bool:
        fed = any(self.writers.has_others(hub, node) for hub in self.readers.hubs[node])
        return fed and any(self.readers.has_others(hub, node) for hub in self.writers.hubs[node])


def _loop_through(start: str, inside: _Inside, below: int) -> tuple[tuple[str, ...], int]:
    """The shortest loop through `start`, if shorter than `below` (0: any), and the steps it took."""
    parent: dict[str, str | None] = {start: None}
    depth = {start: 1}
    queue = deque([start])
    told: set[int] = set()
    steps = 0
    while queue:
        node = queue.popleft()
        if below and depth[node] >= below:
            break
        if node != start and not inside.readers.of[start].isdisjoint(inside.writers.hubs[node]):
            return _path(node, parent), steps
        fed: set[str] = set()
        for hub in inside.writers.hubs[node]:
            if hub not in told:
                told.add(hub)
                fed.update(inside.readers.nodes.get(hub, ()))
                steps += len(inside.readers.nodes.get(hub, ()))
        for target in sorted(node for node in fed if node in inside.members and node not in parent):
            parent[target] = node
            depth[target] = depth[node] + 1
            queue.append(target)
        steps += 1
    return (), steps


def _path(end: str, parent: Mapping[str, str | None]) -> tuple[str, ...]:
    path = [end]
    while (above := parent[path[-1]]) is not None:
        path.append(above)
    return tuple(reversed(path))


def _turned(loop: tuple[str, ...]) -> tuple[str, ...]:
    if not loop:
        return loop
    first = loop.index(min(loop))
    return loop[first:] + loop[:first]

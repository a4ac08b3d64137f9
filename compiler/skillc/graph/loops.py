"""Sets of workers that feed each other, and one shortest loop through each set.

Iterative throughout: a ring may be as long as a package (2,000 workers), or longer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

import networkx as nx

Edges = Mapping[str, tuple[str, ...]]
"""For each worker the workers that read what it writes, sorted, without itself."""

SEARCH_LIMIT = 2_000_000
"""Steps that the search for a shortest loop may take in one component. Rings and dense components need
few; only a huge component whose loops are all long reaches it, and then gets the shortest found so far."""


def components(edges: Edges) -> list[tuple[str, ...]]:
    """The sets of two or more workers that feed each other, each sorted, in order of their first."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(edges)
    graph.add_edges_from((node, target) for node, targets in edges.items() for target in targets)
    found = nx.strongly_connected_components(graph)
    return sorted(tuple(sorted(members)) for members in found if len(members) > 1)


def shortest_loop(members: Iterable[str], edges: Edges) -> tuple[str, ...]:
    """A shortest loop among `members`, turned so that its smallest name comes first.

    Each member in turn is searched from and then taken out, together with whatever is on no loop
    any more; so a ring is walked once, whatever its length.
    """
    inside = set(members)
    forward = {node: [t for t in edges[node] if t in inside] for node in sorted(inside)}
    backward: dict[str, list[str]] = {node: [] for node in forward}
    for node, targets in forward.items():
        for target in targets:
            backward[target].append(node)
    best: tuple[str, ...] = ()
    steps = SEARCH_LIMIT
    for start in forward:
        if start not in inside:
            continue
        loop, used = _loop_through(start, forward, inside, len(best))
        best = loop or best
        steps -= used
        if len(best) == 2 or steps < 0:
            break
        _take_out(start, inside, forward, backward)
    return _turned(best)


def _loop_through(
    start: str, forward: Mapping[str, list[str]], inside: set[str], below: int
) -> tuple[tuple[str, ...], int]:
    """The shortest loop through `start`, if shorter than `below` (0: any), and the steps it took."""
    parent: dict[str, str | None] = {start: None}
    depth = {start: 1}
    queue = deque([start])
    steps = 0
    while queue:
        node = queue.popleft()
        if below and depth[node] >= below:
            break
        for target in forward[node]:
            steps += 1
            if target == start:
                return _path(node, parent), steps
            if target in inside and target not in parent:
                parent[target] = node
                depth[target] = depth[node] + 1
                queue.append(target)
    return (), steps


def _path(end: str, parent: Mapping[str, str | None]) -> tuple[str, ...]:
    path = [end]
    while (above := parent[path[-1]]) is not None:
        path.append(above)
    return tuple(reversed(path))


def _take_out(
    node: str, inside: set[str], forward: Mapping[str, list[str]], backward: Mapping[str, list[str]]
) -> None:
    """Remove `node` from `inside`, then all that has lost its last way in or out."""
    stack = [node]
    inside.discard(node)
    while stack:
        gone = stack.pop()
        for near, ways in ((forward[gone], backward), (backward[gone], forward)):
            for other in near:
                if other in inside and not any(way in inside for way in ways[other]):
                    inside.discard(other)
                    stack.append(other)


def _turned(loop: tuple[str, ...]) -> tuple[str, ...]:
    if not loop:
        return loop
    first = loop.index(min(loop))
    return loop[first:] + loop[:first]

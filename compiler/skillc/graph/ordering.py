"""Which of two workers comes before the other: by stage, by what they wait for, by who reviews whom."""

from __future__ import annotations

from collections import deque

from skillc.graph.types import TagGraph

LIMIT = 200
"""From how many workers of a package it is looked up what follows from them; past that, all count as ordered."""


class Ordering:
    """Whether the package says of two workers which goes first. Built once for a package, asked often.

    `optional`: what a worker reads only when it is there counts as well, so that the workers of a loop lead
    each other."""

    def __init__(self, graph: TagGraph, optional: bool = False) -> None:
        self._graph = graph
        self._next: dict[str, set[str]] = {id: set() for id in graph.order}
        for (reader, number), producers in graph.producers.items():
            for producer in producers if optional or (reader, number) in graph.needed else ():
                if producer.worker in self._next and producer.kind in ("worker", "promotion"):
                    self._next[producer.worker].add(reader)
        for id in graph.order:
            for reviewed in graph.acceptance_of(id).reviews:
                if reviewed.value in self._next:
                    self._next[reviewed.value].add(id)
        self._after: dict[str, frozenset[str]] = {}

    def ordered(self, a: str, b: str) -> bool:
        """Whether one comes before the other: another stage, or one waits, over any others, for what the other
        writes, or reviews it. What is optional, marked so or in the first round of a loop, orders nobody."""
        if self._graph.stage_of(a) != self._graph.stage_of(b):
            return True
        return self.leads(a, b) or self.leads(b, a)

    def leads(self, earlier: str, later: str) -> bool:
        """Whether `later` waits for what `earlier` writes, or reviews it, directly or over others."""
        if earlier not in self._after:
            if len(self._after) >= LIMIT:
                return True
            self._after[earlier] = self._reached(earlier)
        return later in self._after[earlier]

    def _reached(self, start: str) -> frozenset[str]:
        seen = {start}
        queue = deque([start])
        while queue:
            for target in self._next[queue.popleft()]:
                if target not in seen:
                    seen.add(target)
                    queue.append(target)
        return frozenset(seen)

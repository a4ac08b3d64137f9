"""Workers that feed each other, and can start."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.loops import hops, route
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One note a set of workers that feed each other, with a shortest loop through it (SPEC 5)."""
    dead = set(graph.deadlocked)
    for loop in graph.loops:
        if loop not in dead:
            path = hops(graph, loop)
            yield finding(
                "feedback-loop",
                path[0].read.span,
                _message(graph, loop),
                say(
                    "what comes later in the loop is optional in the first round; nothing to do if that is meant"
                ),
                [label for hop in path for label in hop.labels()],
            )


def _message(graph: TagGraph, loop: tuple[str, ...]) -> str:
    size = graph.sizes[loop]
    if size == len(loop):
        return say("{size} workers feed each other: {route}", size=size, route=route(loop))
    return say("{size} workers feed each other; a shortest loop: {route}", size=size, route=route(loop))


RULE = Rule("feedback-loop", "Workers feed each other; the loop can start.", check)

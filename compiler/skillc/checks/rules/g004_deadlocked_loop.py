"""Workers that wait for each other, so that none of them ever runs."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.loops import hops, route
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a loop, at the first input that is waited for. A loop is deadlocked when none of its
    workers has an input from outside or can do without the others (SPEC 5)."""
    for loop in graph.deadlocked:
        path = hops(graph, loop)
        yield finding(
            "deadlocked-loop",
            path[0].read.span,
            say(
                "none of these {size} workers can ever run, each waits for the one before: {route}",
                size=len(loop),
                route=route(loop),
            ),
            say(
                "mark the input that the first round can do without with `?`, or give one of them an input from "
                "outside, such as the startup target"
            ),
            [label for hop in path for label in hop.labels()],
        )


RULE = Rule("deadlocked-loop", "Workers wait for each other, and nothing starts them.", check)

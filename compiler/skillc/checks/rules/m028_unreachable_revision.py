"""Notes on a rejection that never reach who is to work them in."""

from __future__ import annotations

from skillc.checks.revisions import unreachable
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic
from skillc.graph import TagGraph


def check(graph: TagGraph) -> tuple[Diagnostic, ...]:
    """What `unreachable` tells; undeclared-read asks it too, so as not to say the same twice."""
    return unreachable(graph)


RULE = Rule("unreachable-revision", "The notes on a rejection cannot reach the worker that reruns.", check)

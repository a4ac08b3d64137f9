"""A worker that makes a secret and writes something beside it that others read."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.flows import found
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic
from skillc.graph import TagGraph


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a creator, with all that it writes beside (SPEC 8.4)."""
    yield from found(graph, "disclosure")


RULE = Rule("disclosure", "A worker makes a secret and writes beside it what others read.", check)

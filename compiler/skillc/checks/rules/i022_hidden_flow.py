"""Something hidden, forbidden or private that goes on to somebody through a worker that read it."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.flows import found
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic
from skillc.graph import TagGraph


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a cause: the worker that first reads the secret and the input by which it does (SPEC 8.4)."""
    yield from found(graph, "hidden-flow")


RULE = Rule("hidden-flow", "What is hidden from a worker reaches it through others.", check)

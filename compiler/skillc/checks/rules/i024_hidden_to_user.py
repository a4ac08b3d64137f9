"""Something hidden that the user gets to read."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.flows import found
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic
from skillc.graph import TagGraph


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """In what is delivered, or in the questions of a worker that read it; once a cause, whether or not the same
    cause leads to workers as well: that is hidden-flow."""
    yield from found(graph, "hidden-to-user")


RULE = Rule("hidden-to-user", "Something hidden reaches the user.", check)

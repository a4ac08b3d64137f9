"""A table that lays down step by step who runs."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.steps import step_tables
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Each step table, at its first header. Its workers are checked like those of any table."""
    manifest = graph.package.manifest
    for table in step_tables(manifest) if manifest else ():
        yield finding(
            "step-table",
            table.header[0].span,
            say("this table lays down an order of steps, which nothing enforces"),
            say(
                "what a worker waits for follows from its inputTags; say in the registry when it is scheduled"
            ),
        )


RULE = Rule("step-table", "A table of the manifest lays down an order of steps.", check)

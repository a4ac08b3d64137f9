"""A manifest that says what its workers read and write."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.steps import io_columns
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a manifest, at the first column of tags or keys in a table of workers (SPEC 6.3)."""
    manifest = graph.package.manifest
    columns = io_columns(manifest) if manifest else []
    if columns:
        first, *others = columns
        yield finding(
            "manifest-declares-io",
            first.span,
            say("the column `{header}` says in the manifest what workers read or write", header=first.value),
            say("take it out: inputTags and outputTags of each SKILL.md are what counts"),
            [Label(cell.span, say("`{header}` too", header=cell.value)) for cell in others],
        )


RULE = Rule("manifest-declares-io", "A table of the manifest says what workers read or write.", check)

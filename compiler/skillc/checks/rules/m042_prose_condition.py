"""A readiness condition of the body that only a reader can judge."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """In the frontmatter the same is bad-condition."""
    manifest = graph.package.manifest
    for ready in manifest.ready if manifest else ():
        if ready.condition is None and not ready.in_front:
            yield finding(
                "prose-condition",
                ready.text.span,
                say("the condition `{text}` is prose: it is left to the orchestrator", text=ready.text.value),
                say(
                    "a condition that is checked is made of `has(tag)`, `accepted(tag)`, `count(tag) >= n`, "
                    "`startupCompleted`, `and`, `or`, `not`"
                ),
            )


RULE = Rule("prose-condition", "A readiness condition in the body is prose and is not checked.", check)

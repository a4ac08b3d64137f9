"""A binding for a worker that the package does not have."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.staff import known_ids
from skillc.checks.wording import listed, nearest
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Templates may be bound too; an id that the manifest registers is a missing worker and has that finding."""
    for binding in graph.package.bindings.workers:
        id = binding.worker
        if id.value not in known_ids(graph):
            near = nearest(id.value, graph.order)
            yield finding(
                "unknown-worker-binding",
                id.span,
                say(
                    "the bindings name `{id}`, which is no worker of `{package}`",
                    id=id.value,
                    package=graph.package.name,
                ),
                say("did you mean `{near}`?", near=near)
                if near
                else say("name one of {ids}, or remove the entry", ids=listed(graph.order)),
            )


RULE = Rule("unknown-worker-binding", "llm-bindings.yaml binds a worker that does not exist.", check)

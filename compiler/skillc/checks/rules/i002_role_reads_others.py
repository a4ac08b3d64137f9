"""A worker of one role that reads what is private to all roles."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.labels import labelled, of_all_roles
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef, Worker
from skillc.tags import Pattern
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """A role-bound worker without role_pov whose input has a wildcard where a role_private label has the role
    (SPEC 8.3). A worker that is not role-bound, such as a narrator, may read all roles."""
    for worker in graph.package.workers:
        if graph.role_bound(worker.id) and worker.isolation != "role_pov":
            for ref in worker.inputs:
                if _of_all_roles(graph, ref.pattern):
                    yield _reads_others(graph, worker, ref)


def _of_all_roles(graph: TagGraph, pattern: Pattern) -> bool:
    rules = graph.package.catalogue.labels
    return of_all_roles(rules, pattern) and labelled(graph, "role_private", pattern) is not None


def _reads_others(graph: TagGraph, worker: Worker, ref: TagRef) -> Diagnostic:
    return finding(
        "role-reads-others",
        ref.span,
        say(
            "`{worker}` runs as one role and reads `{tag}`: what is private to the others too",
            worker=worker.id,
            tag=ref.text,
        ),
        say(
            "write `contextIsolation: role_pov`, which keeps the others' tags away, or `{{id}}` in place of the "
            "wildcard"
        ),
        [Label(worker.span, _why(graph, worker))],
    )


def _why(graph: TagGraph, worker: Worker) -> str:
    if any(ref.pattern.has_role for ref in (*worker.inputs, *worker.outputs)):
        return say("it uses `{{id}}`, so each run is of one role")
    if any(ref.text == "世界.当前角色.id" for ref in worker.inputs):
        return say("it reads `世界.当前角色.id`, so each run is of one role")
    return say("its models are bound by role, so each run is of one role")


RULE = Rule("role-reads-others", "A worker of one role reads what is private to all roles.", check)

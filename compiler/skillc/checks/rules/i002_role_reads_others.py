"""A worker of one role that reads what is private to all roles."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.labels import labelled
from skillc.checks.roles import foreign, say_own_role
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef, Worker
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """A role-bound worker without role_pov whose input has a wildcard where a role_private label has the role
    (SPEC 8.3). A worker that is not role-bound, such as a narrator, may read all roles. And, under role_pov too, an
    input private to one role that is named, when the worker runs as others as well."""
    for worker in graph.package.workers:
        for ref, role in foreign(graph, worker, worker.inputs):
            if labelled(graph, "role_private", ref.pattern) is not None:
                yield _reads_one(graph, worker, ref, role) if role else _reads_others(graph, worker, ref)


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


def _reads_one(graph: TagGraph, worker: Worker, ref: TagRef, role: str) -> Diagnostic:
    return finding(
        "role-reads-others",
        ref.span,
        say(
            "`{worker}` runs as each role in turn and reads `{tag}`, which is private to `{role}`",
            worker=worker.id,
            tag=ref.text,
            role=role,
        ),
        say_own_role(role),
        [Label(worker.span, _why(graph, worker))],
    )


def _why(graph: TagGraph, worker: Worker) -> str:
    if worker.isolation == "role_pov":
        return say("it has role_pov, so each run is of one role")
    if any(ref.pattern.has_role for ref in (*worker.inputs, *worker.outputs)):
        return say("it uses `{{id}}`, so each run is of one role")
    if any(ref.text == "世界.当前角色.id" for ref in worker.inputs):
        return say("it reads `世界.当前角色.id`, so each run is of one role")
    return say("its models are bound by role, so each run is of one role")


RULE = Rule("role-reads-others", "A worker of one role reads what is private to all roles.", check)

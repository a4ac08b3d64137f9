"""A worker of one role that reads what is private to all roles."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.labels import labelled
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import LabelRule, TagRef, Worker
from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """A role-bound worker without role_pov whose input has a wildcard where a role_private label has the role
    (SPEC 8.3). A worker that is not role-bound, such as a narrator, may read all roles."""
    for worker in graph.package.workers:
        if graph.role_bound(worker.id) and worker.isolation != "role_pov":
            for ref in worker.inputs:
                if _of_all_roles(graph, ref.pattern):
                    yield _reads_others(graph, worker, ref)


def _of_all_roles(graph: TagGraph, pattern: Pattern) -> bool:
    rules = [rule for rule in graph.package.catalogue.labels if rule.label == "role_private"]
    return any(_leaves_role_open(rule, pattern) for rule in rules) and bool(
        labelled(graph, "role_private", pattern)
    )


def _leaves_role_open(rule: LabelRule, pattern: Pattern) -> bool:
    if rule.pattern is None or ROLE not in rule.pattern.parts:
        return False
    at = rule.pattern.parts.index(ROLE)
    parts = pattern.parts[: at + 1]
    head = all(a in (b, ONE) for a, b in zip(parts, rule.pattern.parts[:at], strict=False))
    return parts[0] == WHOLE or (head and (parts[-1] == REST or (len(parts) > at and parts[at] == ONE)))


def _reads_others(graph: TagGraph, worker: Worker, ref: TagRef) -> Diagnostic:
    return finding(
        "role-reads-others",
        ref.span,
        f"`{worker.id}` runs as one role and reads `{ref.text}`: what is private to the others too",
        "write `contextIsolation: role_pov`, which keeps the others' tags away, or `{id}` in place of the wildcard",
        [Label(worker.span, _why(graph, worker))],
    )


def _why(graph: TagGraph, worker: Worker) -> str:
    if any(ref.pattern.has_role for ref in (*worker.inputs, *worker.outputs)):
        return "it uses `{id}`, so each run is of one role"
    if any(ref.text == "世界.当前角色.id" for ref in worker.inputs):
        return "it reads `世界.当前角色.id`, so each run is of one role"
    return "its models are bound by role, so each run is of one role"


RULE = Rule("role-reads-others", "A worker of one role reads what is private to all roles.", check)

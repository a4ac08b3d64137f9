"""Which tags belong to one role that is named, and whose runs they do not fit (SPEC 8.3)."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.labels import of_all_roles
from skillc.graph import TagGraph
from skillc.model.package import LabelRule, TagRef, Worker
from skillc.tags import REST, ROLE, Pattern
from skillc.wording import say


def foreign(graph: TagGraph, worker: Worker, refs: tuple[TagRef, ...]) -> Iterator[tuple[TagRef, str | None]]:
    """Those of a role-bound worker's inputs or outputs that go beyond its run: with the role that one names whose
    run it is not, or with None where it leaves open whose it is. Under role_pov a wildcard means the role of the run."""
    for ref in refs if graph.role_bound(worker.id) else ():
        role = foreign_role(graph, worker, ref.pattern)
        if role is not None:
            yield ref, role
        elif worker.isolation != "role_pov" and of_all_roles(graph.package.catalogue.labels, ref.pattern):
            yield ref, None


def say_own_role(role: str) -> str:
    """What to do about a named role."""
    return say(
        "write `{{id}}` in place of `{role}`; a worker that plays `{role}` alone names no other role",
        role=role,
    )


def foreign_role(graph: TagGraph, worker: Worker, pattern: Pattern) -> str | None:
    """The role whose tags `pattern` names, where the worker runs as others too; else None.

    Only roles that the manifest declares, beside at least one other: below `角色` a name may be anything. Who
    names one and the same role throughout, without wildcard or `{id}`, is a worker of that role alone.
    """
    manifest = graph.package.manifest
    roles = {role.value for role in manifest.roles} if manifest else set()
    if len(roles) < 2 or not graph.role_bound(worker.id):
        return None
    rules = graph.package.catalogue.labels
    role = _role_in(rules, pattern)
    if role not in roles:
        return None
    others = {_role_in(rules, ref.pattern) for ref in (*worker.inputs, *worker.outputs)}
    return role if others - {role, None} else None


def _role_in(rules: tuple[LabelRule, ...], pattern: Pattern) -> str | None:
    """What stands where a role_private rule has the role: an id, `*` or `{id}`; None below nobody."""
    for rule in rules:
        if rule.label == "role_private" and rule.pattern and ROLE in rule.pattern.parts:
            at = rule.pattern.parts.index(ROLE)
            if pattern.parts[:at] == rule.pattern.parts[:at] and len(pattern.parts) > at:
                return "*" if pattern.parts[at] == REST else pattern.parts[at]
    return None

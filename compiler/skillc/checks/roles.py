"""Which tags belong to one role that is named, and whose runs they do not fit (SPEC 8.3)."""

from __future__ import annotations

from skillc.graph import TagGraph
from skillc.model.package import LabelRule, Worker
from skillc.tags import REST, ROLE, Pattern


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

"""A binding by role for a worker that plays no role, or for a role that nobody plays."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.graph.terms import speaks_of_role
from skillc.model.package import WorkerBinding
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """A worker has a role when it is role_pov, uses `{id}` or reads 世界.当前角色.id. Which roles there are is
    known only where the manifest lists them and takes none from a tag. Silent for workers that cannot be read."""
    for binding in graph.package.bindings.workers:
        worker = graph.workers.get(binding.worker.value)
        if worker and binding.by_role and not worker.broken and not worker.inputs_missing:
            if speaks_of_role(worker):
                yield from _unplayed(graph, binding)
            else:
                yield finding(
                    "by-role-without-role",
                    binding.by_role[0][0].span,
                    say("`{id}` is bound by role, but plays none", id=worker.id),
                    say(
                        "bind it by `profileId`; a worker plays a role when it has role_pov, uses `{{id}}` in its "
                        "tags or reads `世界.当前角色.id`"
                    ),
                    [Label(worker.span, say("nothing here depends on a role"))],
                )


def _unplayed(graph: TagGraph, binding: WorkerBinding) -> Iterator[Diagnostic]:
    manifest = graph.package.manifest
    if manifest is None or manifest.broken or manifest.roles_from or not manifest.roles:
        return
    roles = [role.value for role in manifest.roles]
    for role, _ in binding.by_role:
        if role.value not in roles:
            yield finding(
                "by-role-without-role",
                role.span,
                say(
                    "`{id}` is bound for role `{role}`, which nobody plays",
                    id=binding.worker.value,
                    role=role.value,
                ),
                say("the roles are {roles}", roles=listed(roles)),
                [Label(manifest.roles[0].span, say("the manifest lists the roles here"))],
            )


RULE = Rule("by-role-without-role", "A binding by role has no role to go by.", check)

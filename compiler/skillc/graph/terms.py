"""What manifest and workers together say of each worker: its stage, its acceptance, its role."""

from __future__ import annotations

from skillc.model.package import Acceptance, Package, Stage, Worker
from skillc.runtime.tagnames import CURRENT_ROLE
from skillc.tags import ROLE


def stages(package: Package) -> dict[str, Stage]:
    """The stage of each worker: its own word, else the manifest's, else play (SPEC 5)."""
    rows = package.manifest.registered if package.manifest else ()
    said: dict[str, Stage] = {}
    for row in rows:
        if row.stage:
            said.setdefault(row.worker.value, row.stage)
    return {worker.id: worker.stage or said.get(worker.id, "play") for worker in package.workers}


def acceptance(package: Package) -> dict[str, Acceptance]:
    """The entry in force by worker: the first that names it."""
    entries: dict[str, Acceptance] = {}
    for entry in package.manifest.acceptance if package.manifest else ():
        entries.setdefault(entry.worker.value, entry)
    return entries


def listed_roles(package: Package) -> frozenset[str]:
    """The roles as which workers may run, where the manifest lists them; else none."""
    manifest = package.manifest
    if manifest is None or manifest.broken or manifest.roles_from:
        return frozenset()
    return frozenset(role.value for role in manifest.roles)


def role_bound(package: Package) -> frozenset[str]:
    """The workers whose runs are each of one role (SPEC 8.3).

    They have role_pov, read the current role, use `{id}`, or have models bound by role. A wildcard
    that happens to hold the current role (`世界.*` of a narrator) binds nobody.
    """
    by_role = {binding.worker.value for binding in package.bindings.workers if binding.by_role}
    return frozenset(
        worker.id for worker in package.workers if worker.id in by_role or speaks_of_role(worker)
    )


def speaks_of_role(worker: Worker) -> bool:
    """Whether a worker by itself depends on a role: role_pov, `{id}` anywhere, or the current role as input."""
    if worker.isolation == "role_pov":
        return True
    refs = [*worker.inputs, *worker.outputs]
    for segments in (worker.segments or (), *worker.variants.values()):
        for segment in segments:
            refs += segment.tags
    texts = [ref.pattern.text for ref in refs]
    return CURRENT_ROLE in texts or ROLE in "\n".join(texts)

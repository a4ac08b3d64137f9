"""What a worker never receives, whatever its inputs match (SPEC 8)."""

from __future__ import annotations

from skillc.artifact.labels import labels_of, names_of, owned
from skillc.tags import family, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from skillc.artifact.plan import Plan, WorkerPlan

ROLE_PRIVATE_ROOT = "角色"


def is_open(worker: WorkerPlan) -> bool:
    """Whether nothing at all is kept from `worker`."""
    return worker.isolation == "none" and not worker.denied


def denial(plan: Plan, worker: WorkerPlan, role: str | None, tag: str) -> str | None:
    """Why `worker` never receives `tag`; None when it may."""
    names = names_of(tag, plan.moved)
    if any(matches(pattern, name) for pattern in worker.denied for name in names):
        return "禁止注入"
    if worker.isolation == "none":
        return None
    labels = labels_of(tag, plan.labels, plan.moved)
    if "hidden" in labels:
        return f"hidden under {worker.isolation}"
    if worker.isolation != "role_pov" or role is None:
        return None
    if "user_only" in labels:
        return "user_only under role_pov"
    if any(_of_other_role(name, role) for name in names):
        return "another role's under role_pov"
    owner = "role_private" not in labels or all(owned(name, role, plan.labels) for name in names)
    return None if owner else "role_private under role_pov"


def _of_other_role(tag: str, role: str) -> bool:
    """Whether `tag` is 角色.X or below it, X another role: public or not, it is not for this one."""
    segments = family(tag).split(".")
    return segments[0] == ROLE_PRIVATE_ROOT and len(segments) > 1 and segments[1] != role

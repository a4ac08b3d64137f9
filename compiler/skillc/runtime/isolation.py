"""What a worker never receives, whatever its inputs match (SPEC 8)."""

from __future__ import annotations

from skillc.artifact.labels import labels_of, names_of, owned
from skillc.runtime.tagnames import EDITS, UPDATES
from skillc.tags import family, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skillc.artifact.plan import LabelRule, Plan, WorkerPlan

ROLE_PRIVATE_ROOT = "角色"
CHANGES = (UPDATES, EDITS)
"""Changes of variables as they were written, of cells for anybody: who is isolated has the table, which shows him his."""
_ANYBODY = ""
"""A role that no tag names."""


def is_open(worker: WorkerPlan) -> bool:
    """Whether nothing at all is kept from `worker`."""
    return worker.isolation == "none" and not worker.denied


def denial(plan: Plan, worker: WorkerPlan, role: str | None, tag: str) -> str | None:
    """Why `worker` never receives `tag`; None when it may."""
    names = names_of(tag, plan.moved)
    if any(matches(pattern, name) for pattern in worker.denied for name in names):
        return "禁止注入"
    return clearance(plan.labels, plan.moved, worker.isolation, role, tag)


def clearance(
    rules: Sequence[LabelRule], moved: Mapping[str, str], isolation: str, role: str | None, tag: str
) -> str | None:
    """Why `tag` is kept from everybody with this isolation in a run of `role`; None when it is not."""
    if isolation == "none":
        return None
    names = names_of(tag, moved)
    if any(family(name) in CHANGES for name in names):
        return f"changes of variables under {isolation}"
    labels = labels_of(tag, rules, moved)
    if "hidden" in labels:
        return f"hidden under {isolation}"
    if isolation != "role_pov" or role is None:
        return None
    if "user_only" in labels:
        return "user_only under role_pov"
    if any(_of_other_role(name, role) for name in names):
        return "another role's under role_pov"
    owner = "role_private" not in labels or all(owned(name, role, rules) for name in names)
    return None if owner else "role_private under role_pov"


def lost(
    rules: Sequence[LabelRule], moved: Mapping[str, str], source: str, target: str
) -> tuple[frozenset[str], bool]:
    """What protects `source` and not `target`, so that a text copied from one to the other would lose it: labels that
    only `source` has, and whether some role may read the private `target` to whom `source`, as private, is closed."""
    labels = labels_of(source, rules, moved)
    missing = labels - labels_of(target, rules, moved)
    if "role_private" not in labels - missing:
        return missing, False
    named = {part for tag in (source, target) for name in names_of(tag, moved) for part in _parts(name)}

    def closed(tag: str, role: str) -> bool:
        return clearance(rules, moved, "role_pov", role, tag) is not None

    return missing, any(closed(source, role) and not closed(target, role) for role in (*named, _ANYBODY))


def _parts(tag: str) -> list[str]:
    return tag.replace("#", ".").split(".")


def _of_other_role(tag: str, role: str) -> bool:
    """Whether `tag` is 角色.X or below it, X another role: public or not, it is not for this one."""
    segments = family(tag).split(".")
    return segments[0] == ROLE_PRIVATE_ROOT and len(segments) > 1 and segments[1] != role

"""The roles of a session, and the turns of a worker: one, or one for each role."""

from __future__ import annotations

import json
import re

from skillc.artifact.plan import Plan, WorkerPlan
from skillc.execute.records import Turn
from skillc.runtime import Board

_SEPARATORS = re.compile(r"[\n、,，;；]")


def needs_role(worker: WorkerPlan) -> bool:
    """Whether a run of `worker` needs a role (SPEC 8.3)."""
    patterns = (*(entry.pattern for entry in worker.inputs), *worker.outputs)
    return worker.role_bound or worker.isolation == "role_pov" or any(p.has_role for p in patterns)


def turns_of(plan: Plan, board: Board, worker_id: str) -> tuple[Turn, ...]:
    """The turns of a worker, in the order of the roles; none when it needs a role and there is none."""
    if not needs_role(plan.workers[worker_id]):
        return (Turn(worker=worker_id),)
    return tuple(Turn(worker=worker_id, role=role) for role in role_ids(plan, board))


def role_ids(plan: Plan, board: Board) -> tuple[str, ...]:
    """The roles that the plan lists, or those in the newest item of the tag that it names."""
    if plan.roles.ids or plan.roles.source is None:
        return plan.roles.ids
    item = board.newest(plan.roles.source)
    if item is None:
        heirs = [board.heir(old) for old in board.written(plan.roles.source)]
        item = next((heir for heir in reversed(heirs) if heir), None)
    return roles_in(item.content) if item else ()


def roles_in(text: str) -> tuple[str, ...]:
    """Role ids in a JSON list, or in lines or names with separators between them, each once.

    >>> roles_in("- 阿离\\n- 阿青"), roles_in('["A", "B"]')
    (('阿离', '阿青'), ('A', 'B'))
    """
    names: list[object] = []
    try:
        data = json.loads(text)
        names = data if isinstance(data, list) else [text.strip()]
    except ValueError:
        names = [part.strip().lstrip("-*•").strip() for part in _SEPARATORS.split(text)]
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name))

"""The roles of a session, and the turns of a worker: one, or one for each role."""

from __future__ import annotations

from skillc.artifact.plan import Plan, WorkerPlan
from skillc.execute.listing import entries_of
from skillc.execute.records import Turn
from skillc.runtime import Board, Item
from skillc.runtime.role import is_role

_SEPARATORS = "、，,；;"


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
    item = _list_item(plan.roles.source, board)
    return roles_in(item.content) if item else ()


def roles_problem(plan: Plan, board: Board) -> str | None:
    """Why the list of roles on the board gives no roles, in one sentence; None when it does or none is there."""
    if plan.roles.ids or plan.roles.source is None:
        return None
    item = _list_item(plan.roles.source, board)
    if item is None or roles_in(item.content):
        return None
    bad = next((name for name in _names_in(item.content) if not is_role(name)), None)
    what = f"`{bad[:20]}` is no name of a role" if bad else "there is no name in it"
    return (
        f"the list of roles under `{item.tag}` cannot be used: {what}. "
        "Write one name a line: letters, digits, `_`, `-` and `·`"
    )


def _list_item(source: str, board: Board) -> Item | None:
    """The newest live item of `source`, or of what superseded its items."""
    return board.newest(source) or next(reversed(board.heirs(source)), None)


def roles_in(text: str) -> tuple[str, ...]:
    """Role ids in a list (see `listing`), each once; none at all when one of the names cannot be a role's.

    >>> roles_in("1. 阿离：女\\n2. **阿青**"), roles_in('["A", "B"]'), roles_in("A、B.C")
    (('阿离', '阿青'), ('A', 'B'), ())
    """
    names = _names_in(text)
    return names if all(map(is_role, names)) else ()


def _names_in(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.name for entry in entries_of(text, _SEPARATORS)))

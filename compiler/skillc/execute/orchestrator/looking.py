"""What an orchestrator may see of a session: every tag with its status and length, and the texts that carry no label.

Nothing else of the board ever reaches it: no summary, no question, no reason of a verdict, since who wrote these may
have read what is labelled (SPEC 8.4, 12.6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skillc.artifact.labels import labels_of
from skillc.artifact.plan import Plan, WorkerPlan
from skillc.execute.instance import turn_fault, unready
from skillc.execute.playturn import is_delivered
from skillc.execute.records import Turn
from skillc.execute.roles import needs_role, role_ids
from skillc.execute.schedule import View
from skillc.execute.work import Work
from skillc.runtime import Item
from skillc.runtime.isolation import clearance
from skillc.runtime.tagnames import VARIABLES
from skillc.runtime.variables import table_text

MOST_ITEMS = 200
MOST_WORKERS = 100
LONGEST_TEXT = 6_000
"""Characters of one text that is shown."""
ALL_TEXTS = 20_000
"""Characters of all texts that one look shows."""
_BLIND = "blind_review"


def may_see(plan: Plan, tag: str) -> bool:
    """Whether the orchestrator may see what stands under `tag`: it carries no label, and is no list of changes of
    variables, which hold cells for anybody."""
    unlabelled = not labels_of(tag, plan.labels, plan.moved)
    return unlabelled and clearance(plan.labels, plan.moved, _BLIND, None, tag) is None


def board_rows(work: Work, tags: Sequence[str] = ()) -> dict[str, object]:
    """Tag, status and length of what is alive; of the named tags the texts as well, where they may be seen."""
    if tags:
        return _texts(work, tags)
    alive = [item for item in work.board.items if item.live]
    rows: list[dict[str, object]] = [_row(item) for item in alive[-MOST_ITEMS:]]
    found: dict[str, object] = {"items": rows}
    if len(alive) > MOST_ITEMS:
        found["older"] = len(alive) - MOST_ITEMS
    if work.board.variables:
        found["variables"] = VARIABLES
    return found


def _texts(work: Work, tags: Sequence[str]) -> dict[str, object]:
    left = ALL_TEXTS
    rows: list[dict[str, object]] = []
    nothing: list[str] = []
    for tag in dict.fromkeys(tags):
        items = [item for item in work.board.items if item.tag == tag and item.live]
        if tag == VARIABLES and work.board.variables and not items:
            items = [
                Item("variables", tag, table_text(work.board.variables, _BLIND, None) or "", "runtime", 0)
            ]
        items = items or list(work.board.heirs(tag))
        nothing += [] if items else [tag]
        for item in items:
            row = _row(item)
            if may_see(work.plan, item.tag) and may_see(work.plan, tag):
                row |= _shown(item.content, left)
                left -= len(str(row["content"]))
            else:
                row["closed"] = True
            rows.append(row)
    return {"items": rows, "nothing": nothing} if nothing else {"items": rows}


def _shown(text: str, left: int) -> dict[str, object]:
    most = min(LONGEST_TEXT, max(left, 0))
    return {"content": text} if len(text) <= most else {"content": text[:most], "cut": True}


def _row(item: Item) -> dict[str, object]:
    return {"tag": item.tag, "status": item.status, "size": len(item.content), "by": item.source}


def artifacts(work: Work) -> dict[str, object]:
    """The newest live text of every tag that a worker wrote: how far it is, and whether people read it."""
    newest = {item.tag: item for item in work.board.items if item.live and item.source in work.plan.workers}
    rows = [{**_row(item), "delivered": is_delivered(work.plan, tag)} for tag, item in sorted(newest.items())]
    return {"artifacts": rows[-MOST_ITEMS:]}


def workers(work: Work) -> dict[str, object]:
    """The workers of the present stage, for each whether it can run or what it lacks; who runs in the other stage;
    the templates."""
    view = work.view
    stage = view.progress.status.stage
    here = [worker for worker in _all(view) if worker.stage == stage]
    found: dict[str, object] = {
        "stage": stage,
        "workers": [_worker(work, worker) for worker in here[:MOST_WORKERS]],
        "other_stage": [worker.id for worker in _all(view) if worker.stage != stage][:MOST_WORKERS],
    }
    templates = view.plan.orchestrator.templates.values() if view.plan.orchestrator else ()
    if templates:
        found["templates"] = [
            {"id": one.id, "name": one.name, "description": one.description, "stage": one.stage}
            for one in templates
        ]
    return found


def _all(view: View) -> Iterable[WorkerPlan]:
    return (view.plan.workers[id] for id in view.plan.order)


def _worker(work: Work, worker: WorkerPlan) -> dict[str, object]:
    view = work.view
    roles = role_ids(view.plan, view.board) if needs_role(worker) else None
    rule = view.plan.acceptance[worker.id]
    row: dict[str, object] = {
        "id": worker.id,
        "name": worker.name,
        "description": worker.description,
        "actor": worker.actor,
        "runs": sum(run.worker == worker.id for run in work.runs),
        "acceptance": rule.mode,
    }
    if rule.requires_approval:
        row["requires_approval"] = True
    if roles is not None:
        row["roles"] = list(roles)
    turns = [Turn(worker=worker.id, role=role) for role in roles or (None,)]
    faults = {turn.role: turn_fault(view, worker.id, turn.role) for turn in turns}
    lacking = {role: fault for role, fault in faults.items() if fault is not None}
    row["ready"] = len(lacking) < len(faults)
    if lacking:
        row["lacks"] = list(dict.fromkeys(lacking.values()))
    return row


def state(work: Work) -> dict[str, object]:
    """Where the session stands, and while it is designed what it lacks to be ready."""
    progress = work.progress
    found: dict[str, object] = {"stage": progress.status.stage}
    if progress.status.stage == "design":
        found["not_ready_because"] = unready(work.view)
    else:
        found["round"] = progress.round
    return found


def review(work: Work) -> dict[str, object]:
    """All of it at once."""
    return {**state(work), **board_rows(work), **artifacts(work), **workers(work)}

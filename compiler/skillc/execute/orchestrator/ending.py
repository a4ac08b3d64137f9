"""Whether a model may end a session: not before anything was done that it could have done (SPEC 12.6). A host and a
person may always."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.execute.bookfacts import is_loaded
from skillc.execute.decision import names
from skillc.execute.instance import turn_fault, unready
from skillc.execute.playturn import SHOWN, is_delivered
from skillc.execute.records import Turn
from skillc.execute.roles import turns_of
from skillc.execute.schedule import View, has_inputs
from skillc.execute.work import Work
from skillc.tags import Pattern, overlaps

_MOST_NAMES = 5


def too_early(work: Work) -> str | None:
    """Why `finish` is refused: the package is still designed and somebody can run who never did, or nothing that it
    delivers was written and somebody can. None also when the user, asked what to do, said something: it may be that he
    wants the end."""
    if _user_spoke(work):
        return None
    view = work.view
    if view.progress.status.stage == "design":
        waiting = _able(view)
        if waiting:
            return f"`finish` is too early: the package is still designed, and {_some(waiting)} can run"
    if not _owes(work):
        return None
    waiting, later = _able(view), _able_in_play(view)
    if waiting:
        return f"`finish` is too early: nothing that the package delivers was written, and {_some(waiting)} can run"
    if later:
        return f"`finish` is too early: after declare_instance_ready {_some(later)} can run, and nothing is delivered yet"
    return None


def _user_spoke(work: Work) -> bool:
    last = work.answers[-1] if work.answers else None
    return last is not None and last.reason == "input" and bool(last.text.strip())


def _owes(work: Work) -> bool:
    """Whether somebody writes what the package delivers, and nobody did in this session."""
    delivered = (*work.plan.deliverables, Pattern((SHOWN, ".*")))
    if any(is_delivered(work.plan, item.tag) and not is_loaded(item) for item in work.board.items):
        return False
    outputs = [output for worker in work.plan.workers.values() for output in worker.outputs]
    return bool(work.plan.deliverables) or any(overlaps(one, ours) for one in delivered for ours in outputs)


def _able(view: View) -> list[str]:
    """Who never ran and can now."""
    turns = [turn for turn in _new_turns(view) if turn_fault(view, turn.worker, turn.role) is None]
    return list(dict.fromkeys(turn.worker for turn in turns))


def _able_in_play(view: View) -> list[str]:
    """Who could run at once in play, when the package is ready for it."""
    if view.progress.status.stage != "design" or unready(view):
        return []
    turns = [turn for turn in _new_turns(view) if view.plan.workers[turn.worker].stage == "play"]
    return list(dict.fromkeys(turn.worker for turn in turns if has_inputs(view, turn)))


def _new_turns(view: View) -> Iterator[Turn]:
    ran = {run.turn for run in view.runs} | {*view.progress.ran}  # the latter: whom the user did not let run
    for worker_id in view.plan.order:
        yield from (turn for turn in turns_of(view.plan, view.board, worker_id) if turn not in ran)


def _some(workers: list[str]) -> str:
    return names(workers[:_MOST_NAMES])

"""Replies that write what the session itself goes by: changes of variables, side effects, the order of the slots.

Their form is checked before anything is written, so that who wrote them is told and can write them again (SPEC 12.3).
"""

from __future__ import annotations

from collections.abc import Mapping

from skillc.artifact.plan import Plan, WorkerPlan
from skillc.execute.effects import effects_fault
from skillc.execute.envelope import ReplyError
from skillc.execute.variables import changes_fault
from skillc.execute.work import Work
from skillc.runtime import Board
from skillc.runtime.slotplan import OrderRefused, slot_plans
from skillc.runtime.tagnames import ORDER, WORKER_SET
from skillc.runtime.variables import USER
from skillc.tags import STAGES, family

_ENDINGS = ("", *(f".{name}" for name in STAGES[1:3]))


def source_of(worker: WorkerPlan) -> str:
    """Whose change of a variable it is: what a user's turn writes is the user's."""
    return USER if worker.actor == "user" else worker.id


def document_fault(work: Work, worker: WorkerPlan, outputs: Mapping[str, str]) -> ReplyError | None:
    """Why `outputs` are refused as a whole; None where nothing is wrong with them.

    Kinds: bad-variables, bad-side-effects, bad-order.
    """
    return (
        changes_fault(work, outputs, source_of(worker))
        or effects_fault(outputs, work.plan, work.board)
        or _order_fault(outputs, work.plan)
    )


def _order_fault(outputs: Mapping[str, str], plan: Plan) -> ReplyError | None:
    """An order that cannot be followed would stop the session when it comes into force."""
    if plan.play is None:
        return None
    documents = {tag + ending: tag for tag in (ORDER, WORKER_SET) for ending in _ENDINGS}
    for tag, text in outputs.items():
        plain = documents.get(family(tag))
        if plain is None:
            continue
        board = Board()
        board.write(plain, text, "")
        try:
            slot_plans(plan, board)
        except OrderRefused as problem:
            return ReplyError("bad-order", f"{problem}; nothing was written")
    return None

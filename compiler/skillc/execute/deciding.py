"""A decision becomes a step of the session, or is refused with a sentence and changes nothing (SPEC 12.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from skillc.execute.decision import HALF, Decision, are_texts, names
from skillc.execute.happening import Happening
from skillc.execute.instance import askable, turn_fault
from skillc.execute.phase import Event, Refused, apply_event
from skillc.execute.records import DecisionRow, Turn
from skillc.execute.reply import LONGEST_QUESTION, MOST_QUESTIONS
from skillc.execute.rounds import close_round, next_round, tell_never_ran
from skillc.execute.temporary import instance_id, instructions_fault, template_fault
from skillc.execute.work import Work
from skillc.runtime.tagnames import LATEST_INPUT
from skillc.tags import matches


@dataclass(frozen=True, slots=True)
class Beside:
    """What is said beside a decision: questions for the user and the tags that he answers, or what a worker made of a
    template is told."""

    questions: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    instructions: str = ""


NOTHING = Beside()
Outcome = Literal["taken", "waits"]
Driver = Literal["model", "host"]


def decide(
    work: Work, decision: Decision, beside: Beside = NOTHING, driver: Driver = "host"
) -> DecisionRow | str:
    """Apply `decision` to `work` and keep it; a sentence when it is refused, and then nothing was changed."""
    refusal = (
        _not_now(work, decision, beside)
        or _misplaced(decision)
        or _FAULTS[decision.action](work, decision, beside)
    )
    if refusal is not None:
        return refusal
    row = _row(decision, driver, "taken")
    happenings, work.happenings = work.happenings, []
    row = _HANDLERS[decision.action](work, row, beside)
    work.happenings = [*happenings, _told(row), *work.happenings]
    work.add_decision(row)
    return row


def refused_row(decision: Decision, message: str, driver: Driver) -> DecisionRow:
    """What is kept of a decision that was refused."""
    return _row(decision, driver, "refused").model_copy(update={"message": message})


def _row(decision: Decision, driver: Driver, outcome: Literal["taken", "refused"]) -> DecisionRow:
    return DecisionRow(
        id=decision.id,
        action=decision.action,
        reason=decision.reason,
        worker=decision.workerId,
        role=decision.roleId,
        requires_approval=decision.requiresApproval,
        driver=driver,
        outcome=outcome,
    )


def _told(row: DecisionRow) -> Happening:
    return Happening("decision", row.model_dump())


def _not_now(work: Work, decision: Decision, beside: Beside) -> str | None:
    """Decisions are made while the session runs, and after what was decided before them came to pass."""
    moved = apply_event(work.progress.status, Event(kind=decision.action, reason="input"))
    if isinstance(moved, Refused):
        return moved.message
    if any(row.id == decision.id for row in work.decisions):
        return f"there is a decision `{decision.id}` already"
    progress = work.progress
    first = progress.resume or progress.approved or progress.chosen
    if first is not None and first.worker in work.plan.workers:
        return f"worker `{first.worker}` is to run first: that was decided before"
    said = (*beside.questions, *beside.targets, beside.instructions)
    return None if are_texts(*said) else HALF


def _misplaced(decision: Decision) -> str | None:
    """What a decision of this kind has no use for."""
    about = decision.action in ("run_worker", "create_temp_worker")
    if about and not decision.workerId:
        return f"`{decision.action}` needs `workerId`"
    if not about and decision.workerId is not None:
        return f"`{decision.action}` is about no worker, so it takes no `workerId`"
    if decision.action != "run_worker" and decision.roleId is not None:
        return f"`{decision.action}` runs nobody, so it takes no `roleId`"
    if decision.action != "run_worker" and decision.requiresApproval:
        return f"`{decision.action}` runs nobody, so there is nothing to approve"
    return None


def _no_fault(work: Work, decision: Decision, beside: Beside) -> str | None:
    return None


def _run_fault(work: Work, decision: Decision, beside: Beside) -> str | None:
    return turn_fault(work.view, decision.workerId or "", decision.roleId)


def _run(work: Work, row: DecisionRow, beside: Beside) -> DecisionRow:
    """The turn runs as the next step, or when the user agreed: what the plan requires, no decision waives."""
    turn = Turn(worker=row.worker or "", role=row.role)
    if row.requires_approval or work.plan.acceptance[turn.worker].requires_approval:
        work.wait("approve_step", turn=turn, prompt=row.reason)
        return row.model_copy(update={"outcome": "waits", "requires_approval": True})
    work.set(chosen=turn)
    return row


def _ask_fault(work: Work, decision: Decision, beside: Beside) -> str | None:
    if not beside.questions or not all(question.strip() for question in beside.questions):
        return "`ask_user` needs a question, and none that is blank"
    if len(beside.questions) > MOST_QUESTIONS:
        return f"`ask_user` asks at most {MOST_QUESTIONS} questions at once"
    if any(len(question) > LONGEST_QUESTION for question in beside.questions):
        return f"a question has at most {LONGEST_QUESTION:,} characters"
    if len(set(beside.targets)) < len(beside.targets):
        return "`ask_user` names a target twice"
    allowed = askable(work.plan)
    closed = [tag for tag in beside.targets if not any(matches(pattern, tag) for pattern in allowed)]
    if closed:
        open_tags = names(dict.fromkeys(pattern.text for pattern in allowed))
        return (
            f"the package does not let the user be asked for {names(closed)}; he may be asked for {open_tags}"
        )
    return None


def _ask(work: Work, row: DecisionRow, beside: Beside) -> DecisionRow:
    """With targets the answer stands under them; without it is the user's latest input, which begins a round of play."""
    detail: dict[str, object] = {"questions": list(beside.questions), "targets": list(beside.targets)}
    if beside.targets:
        work.wait("intake", prompt="\n".join(beside.questions), targets=beside.targets)
    else:
        _begin_round(work)
        work.wait("input", questions=beside.questions, targets=(LATEST_INPUT,))
    return row.model_copy(update={"outcome": "waits", "detail": detail})


def _begin_round(work: Work) -> None:
    """In play what was said and shown becomes the dialogue, as at the end of any round (SPEC 12.9)."""
    progress = work.progress
    if progress.status.stage == "play" and (progress.ran or progress.input_round == progress.round):
        close_round(work)
        next_round(work)


def _template_fault(work: Work, decision: Decision, beside: Beside) -> str | None:
    found = template_fault(work.plan, work.decisions, decision.workerId or "")
    return found or instructions_fault(work.plan, decision.workerId or "", beside.instructions)


def _make(work: Work, row: DecisionRow, beside: Beside) -> DecisionRow:
    template = row.worker or ""
    made = instance_id(work.plan, work.decisions, template)
    detail: dict[str, object] = {"template": template, "instructions": beside.instructions.strip()}
    return row.model_copy(update={"worker": made, "detail": detail})


def _review(work: Work, row: DecisionRow, beside: Beside) -> DecisionRow:
    return row


def _finish(work: Work, row: DecisionRow, beside: Beside) -> DecisionRow:
    close_round(work)
    tell_never_ran(work)
    work.move("finish")
    return row


_Fault = Callable[[Work, Decision, Beside], str | None]
_FAULTS: Mapping[str, _Fault] = {
    "run_worker": _run_fault,
    "ask_user": _ask_fault,
    "create_temp_worker": _template_fault,
    "review_blackboard": _no_fault,
    "finish": _no_fault,
}
_HANDLERS: Mapping[str, Callable[[Work, DecisionRow, Beside], DecisionRow]] = {
    "run_worker": _run,
    "ask_user": _ask,
    "create_temp_worker": _make,
    "review_blackboard": _review,
    "finish": _finish,
}

"""Who decides what comes next: the scheduler, a model, or the host; and what the plan decides under all of them.

The startup inquiry, a turn that was decided, answered or approved, what was sent back, and a turn by slots are the
plan's: they come to pass whoever drives. Only what is left open is asked of the model, or left to the host.
"""

from __future__ import annotations

from dataclasses import dataclass

from skillc.execute import playturn, schedule
from skillc.execute.playturn import in_slots
from skillc.execute.schedule import AskIntake, Finish, RunTurn, Step, View


@dataclass(frozen=True, slots=True)
class AskModel:
    """Ask the orchestrator what to do; the plan says nothing more."""


def next_step(view: View) -> Step | AskModel | None:
    """The next step of a running session; None where the host is to say."""
    chosen = view.progress.chosen
    if view.progress.resume is None and chosen is not None and chosen.worker in view.plan.workers:
        return RunTurn(chosen)
    if view.progress.driver == "scheduler":
        return playturn.next_step(view)
    step = _of_the_plan(view)
    if step is not None:
        return step
    return AskModel() if view.progress.driver == "model" else None


def _of_the_plan(view: View) -> Step | None:
    """What comes to pass whoever drives."""
    progress = view.progress
    if progress.resume is not None and progress.resume.worker in view.plan.workers:
        return RunTurn(progress.resume, revision=progress.resume in progress.revisions)
    for turn in progress.revisions:
        if schedule.fits(view, turn) and schedule.has_inputs(view, turn):
            return schedule.approved(view, RunTurn(turn, revision=True))
    approved = progress.approved
    if approved is not None and schedule.fits(view, approved):
        return RunTurn(approved)
    if in_slots(view):
        step = playturn.next_step(view)
        return None if isinstance(step, Finish) else step
    return _inquiry(view)


def _inquiry(view: View) -> AskIntake | None:
    startup = view.plan.startup
    if startup is None or view.progress.status.stage != "design":
        return None
    wanted = tuple(tag for tag in startup.targets if not schedule.is_there(view, tag))
    return AskIntake(wanted, startup.prompt) if wanted else None

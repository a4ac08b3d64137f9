"""The play turn of a package with slots: user text, the slots in turn order, side effects, who was queued (SPEC 12.9).

Pure, like the schedule: every step follows from what is stored, so that a session that was killed between two of
them repeats nothing and leaves nothing out.
"""

from __future__ import annotations

from skillc.artifact.labels import labels_of
from skillc.artifact.plan import Plan
from skillc.execute import schedule
from skillc.execute.records import Turn
from skillc.execute.roles import needs_role, turns_of
from skillc.execute.schedule import (
    AskApproval,
    AskInput,
    Finish,
    LookAtEffects,
    NextRound,
    RunTurn,
    SkipTurn,
    Step,
    Stuck,
    View,
)
from skillc.runtime import AssemblyRefused, Board, Item
from skillc.runtime.slotplan import SlotPlan, slot_plans
from skillc.runtime.slots import slot_named
from skillc.runtime.tagnames import EDITS, UPDATES
from skillc.tags import Pattern, family, matches, overlaps, stage

NARRATOR = "narrator"
"""The slot whose text the user is shown, where it plays and writes any."""
SHOWN = "输出"
"""The first segment of what the user is shown."""


def next_step(view: View) -> Step:
    """The next step of a running session: that of its play turn where it plays by slots, else the schedule's."""
    resumed = view.progress.resume
    if not in_slots(view) or (resumed is not None and resumed.worker in view.plan.workers):
        return schedule.next_step(view)
    try:
        return _turn_step(view)
    except AssemblyRefused as problem:
        return Stuck(str(problem))


def in_slots(view: View) -> bool:
    """Whether the session plays by slots now."""
    return view.plan.play is not None and view.progress.status.stage == "play"


def slots_on(plan: Plan, board: Board) -> tuple[SlotPlan, ...]:
    """The slots that play in every turn, in turn order. Refuses (AssemblyRefused) an order that cannot be followed."""
    return tuple(slot for slot in slot_plans(plan, board) if slot.on and slot_named(slot.key))


def slot_of(view: View, worker_id: str) -> str | None:
    """The slot that a worker plays in now: its segments are shown in place of the worker's own. One that an order
    has rows for and that runs on demand is its own slot."""
    if not in_slots(view):
        return None
    return next((slot.key for slot in slot_plans(view.plan, view.board) if slot.worker == worker_id), None)


def _turn_step(view: View) -> Step:
    progress = view.progress
    if progress.round == 0:
        return NextRound()
    if progress.input_round < progress.round and schedule.reads_input(view.plan):
        return AskInput()
    step = _revision(view) or _slot_step(view)
    if step is not None:
        return step
    if progress.effects_round < progress.round:
        return LookAtEffects()
    if progress.queued:
        return _run_or_skip(view, progress.queued[0])
    return NextRound() if schedule.may_go_on(view) else Finish()


def _revision(view: View) -> Step | None:
    for turn in view.progress.revisions:
        if schedule.fits(view, turn) and schedule.has_inputs(view, turn):
            return schedule.approved(view, RunTurn(turn, revision=True))
    return None


def _slot_step(view: View) -> Step | None:
    """The next slot of this turn: perspective once for each role. A turn never goes back: a slot that was turned on
    behind its place plays in the next turn."""
    for slot in _ahead(view):
        worker = view.plan.workers[slot.worker]
        turns = turns_of(view.plan, view.board, slot.worker)
        if not turns and needs_role(worker):
            asked = schedule.ask_for_roles(view)
            if asked is not None:
                return asked
        for turn in turns or (Turn(worker=slot.worker),):
            if turn not in view.progress.ran:
                return _run_or_skip(view, turn) if turns else SkipTurn(turn, ("a role",))
    return None


def _ahead(view: View) -> list[SlotPlan]:
    """The slots that play, from the last one that did in this turn."""
    ran = {turn.worker for turn in view.progress.ran}
    plans = [slot for slot in slot_plans(view.plan, view.board) if slot_named(slot.key)]
    last = max((at for at, slot in enumerate(plans) if slot.worker in ran), default=0)
    return [slot for slot in plans[last:] if slot.on]


def _run_or_skip(view: View, turn: Turn) -> RunTurn | AskApproval | SkipTurn:
    missing = schedule.missing_inputs(view, turn) if turn.worker in view.plan.workers else []
    if missing or turn.worker not in view.plan.workers:
        return SkipTurn(turn, tuple(pattern.text for pattern in missing))
    return schedule.approved(view, RunTurn(turn))


def before_slot(view: View, turn: Turn) -> tuple[Turn, ...]:
    """Who need not play again in this turn after the slot of `turn` was revised: those before it, itself, and all
    that have no slot. The slots behind it build on what it wrote."""
    order = [slot.worker for slot in slots_on(view.plan, view.board)]
    if turn.worker not in order:
        return view.progress.ran
    behind = order[order.index(turn.worker) + 1 :]
    return tuple(other for other in view.progress.ran if other.worker not in behind)


def shown_items(view: View, since: int) -> list[Item]:
    """What the user is shown of a turn, of the items behind the first `since`: it becomes the answer of the dialogue.

    The narrator's deliverables; where no output of it is one by the plan, all that it wrote. Where it wrote nothing
    of that kind, the deliverables of the last slot that wrote any. Then what no slot delivered: side effects and
    who was queued. Nothing labelled, no 候选.
    """
    new = [item for item in view.board.items[since:] if item.live and _is_free(view.plan, item)]
    slots = slots_on(view.plan, view.board)
    said = _said(view.plan, slots, new)
    playing = {slot.worker for slot in slots}
    more = [
        item for item in new if item.source not in (*playing, "user") and is_delivered(view.plan, item.tag)
    ]
    return said + more


def _said(plan: Plan, slots: tuple[SlotPlan, ...], new: list[Item]) -> list[Item]:
    narrators = [slot for slot in slots if slot.key == NARRATOR]
    others = [slot for slot in reversed(slots) if slot.key != NARRATOR]
    for slot in narrators + others:
        everything = slot.key == NARRATOR and not _delivers(plan, slot.worker)
        own = [item for item in new if item.source == slot.worker]
        said = [item for item in own if everything or is_delivered(plan, item.tag)]
        if said:
            return said
    return []


def _delivers(plan: Plan, worker_id: str) -> bool:
    """Whether an output of the worker is a deliverable by the plan."""
    delivered = (*plan.deliverables, Pattern((SHOWN, ".*")))
    return any(overlaps(ours, one) for ours in plan.workers[worker_id].outputs for one in delivered)


def is_delivered(plan: Plan, tag: str) -> bool:
    """Whether people read what stands under `tag`."""
    return tag.split(".")[0] == SHOWN or any(matches(pattern, tag) for pattern in plan.deliverables)


def _is_free(plan: Plan, item: Item) -> bool:
    changes = family(item.tag) in (UPDATES, EDITS)
    return not changes and stage(item.tag) != "候选" and not labels_of(item.tag, plan.labels, plan.moved)

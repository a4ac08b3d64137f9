"""The end of a round and of a session: what goes into the history, and who was never ready."""

from __future__ import annotations

from skillc.artifact.labels import labels_of
from skillc.artifact.plan import Plan
from skillc.execute.playturn import SHOWN, in_slots, shown_items
from skillc.execute.records import SessionRecord
from skillc.execute.roles import turns_of
from skillc.execute.schedule import SkipTurn, missing_inputs, reads_input
from skillc.execute.variables import keeps_table
from skillc.execute.work import Work
from skillc.runtime import Item
from skillc.runtime.selection import filtered
from skillc.runtime.tagnames import LATEST_INPUT


def close_round(work: Work) -> None:
    """After a round of play, what the user said and was shown is appended to the history (SPEC 12.9).

    Where the package plays by slots, `playturn` says what was shown; else all that stands below `输出.`.
    """
    if work.progress.status.stage != "play" or work.progress.round == 0:
        return
    new = [item for item in work.board.items[work.progress.block_mark :] if item.live]
    said = [item.content for item in new if item.tag == LATEST_INPUT and item.source == "user"]
    shown = [item.content for item in _shown(work, new)]
    if in_slots(work.view) and shown:
        work.tell("shown", text="\n\n".join(shown))
    for role, texts in (("user", said), ("assistant", shown)):
        if texts:
            work.add_block(role, "\n\n".join(texts))
    work.set(block_mark=len(work.board.items))


def next_round(work: Work) -> None:
    """Begin a round. In play it is a new revision of the table of variables, where there is one."""
    progress = work.progress
    in_play = progress.status.stage == "play"
    work.set(round=progress.round + 1, ran=())
    if in_play and keeps_table(work.plan):
        work.set(table_rev=progress.table_rev + 1)
    work.tell("round", stage=progress.status.stage, round=progress.round + 1, by_slots=in_slots(work.view))


def can_play_on(plan: Plan, record: SessionRecord) -> bool:
    """Whether a session that is done goes on when it is given more rounds: one that was played, by slots or with the
    user's word in every round. In any other a further round would find nothing new."""
    played = any(run.stage == "play" for run in record.runs)
    return record.progress.status.phase == "done" and played and (plan.play is not None or reads_input(plan))


def skip_turn(work: Work, step: SkipTurn) -> None:
    """A slot that cannot play is left out in this turn, and somebody must know why."""
    work.mark_run(step.turn, revision=False)
    names = ", ".join(f"`{name}`" for name in step.missing)
    why = f"nothing is there for {names}" if names else "it is no longer in the plan"
    work.note("skipped", f"`{step.turn.worker}` does not play in this turn: {why}")


def _shown(work: Work, new: list[Item]) -> list[Item]:
    if in_slots(work.view):
        return shown_items(work.view, work.progress.block_mark)
    return [item for item in new if _is_shown(work, item)]


def _is_shown(work: Work, item: Item) -> bool:
    visible = item.tag.split(".")[0] == SHOWN
    return visible and not labels_of(item.tag, work.plan.labels, work.plan.moved)


def tell_never_ran(work: Work) -> None:
    """At the end, say which workers never ran, and why: what they lacked, what they may not receive, or that
    the package was ready before their turn."""
    ran = {run.worker for run in work.runs}
    for worker_id in work.plan.order:
        if worker_id not in ran:
            work.tell("never_ran", worker=worker_id, **_why_not(work, worker_id))


def _why_not(work: Work, worker_id: str) -> dict[str, object]:
    turns = turns_of(work.plan, work.board, worker_id)
    if not turns:
        return {"missing": ["a role"]}
    worker = work.plan.workers[worker_id]
    missing: list[str] = []
    kept_back: list[tuple[str, str]] = []
    for pattern in missing_inputs(work.view, turns[0]):
        found = filtered(work.plan, worker, work.board, turns[0].role, pattern)
        kept_back += found
        missing += [] if found else [pattern.text]
    able = not missing and not kept_back
    skipped = worker.stage == "design" and work.progress.status.stage != "design"
    uncalled = in_slots(work.view) and worker.stage == "play"
    return {
        "missing": missing,
        "filtered": kept_back,
        "skipped": skipped and able,
        "uncalled": uncalled and able,
    }

"""The end of a round and of a session: what goes into the history, and who was never ready."""

from __future__ import annotations

from skillc.artifact.labels import labels_of
from skillc.execute.roles import turns_of
from skillc.execute.schedule import LATEST_INPUT, missing_inputs
from skillc.execute.work import Work
from skillc.runtime import Item

VISIBLE = "输出"
"""The first segment of what the user is shown; it becomes the assistant's block of the history."""


def close_round(work: Work) -> None:
    """After a round of play, what the user said and was shown is appended to the history (SPEC 12.9)."""
    if work.progress.status.stage != "play" or work.progress.round == 0:
        return
    new = [item for item in work.board.items[work.progress.block_mark :] if item.live]
    said = [item.content for item in new if item.tag == LATEST_INPUT and item.source == "user"]
    shown = [item.content for item in new if _is_shown(work, item)]
    for role, texts in (("user", said), ("assistant", shown)):
        if texts:
            work.add_block(role, "\n\n".join(texts))
    work.set(block_mark=len(work.board.items))


def _is_shown(work: Work, item: Item) -> bool:
    visible = item.tag.split(".")[0] == VISIBLE
    return visible and not labels_of(item.tag, work.plan.labels, work.plan.moved)


def tell_never_ran(work: Work) -> None:
    """At the end, say which workers of the stage were never ready, and what they lacked."""
    ran = {run.worker for run in work.runs}
    view = work.view
    for worker_id in work.plan.order:
        if worker_id in ran or work.plan.workers[worker_id].stage != work.progress.status.stage:
            continue
        turns = turns_of(work.plan, work.board, worker_id)
        missing = [pattern.text for turn in turns[:1] for pattern in missing_inputs(view, turn)]
        work.tell("never_ran", worker=worker_id, missing=missing if turns else ["a role"])

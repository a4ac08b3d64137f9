"""The end of a round and of a session: what goes into the history, and who was never ready."""

from __future__ import annotations

from skillc.artifact.labels import labels_of
from skillc.execute.roles import turns_of
from skillc.execute.schedule import LATEST_INPUT, missing_inputs
from skillc.execute.work import Work
from skillc.runtime import Item
from skillc.runtime.selection import filtered

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
    skipped = worker.stage == "design" and work.progress.status.stage != "design"
    return {"missing": missing, "filtered": kept_back, "skipped": skipped and not missing and not kept_back}

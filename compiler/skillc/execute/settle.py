"""What follows from a finished run: accepted, shown to the user, or sent back (SPEC 7.1 - 7.3)."""

from __future__ import annotations

from skillc.artifact.plan import WorkerPlan
from skillc.execute import acceptance, reviews
from skillc.execute.acceptance import Verdict
from skillc.execute.cards import cards_on, wait_fields
from skillc.execute.records import RunRow, Turn
from skillc.execute.work import Work
from skillc.runtime import Item


def settle(work: Work, worker: WorkerPlan, run: RunRow, items: list[Item], verdict: Verdict | None) -> None:
    """Acceptance by the worker's mode (SPEC 7.1 - 7.3). What a user wrote himself needs no second yes."""
    mode = work.plan.acceptance[worker.id].mode
    if verdict is not None:
        _reviewed(work, worker, run, items, verdict)
    elif mode == acceptance.USER_CONFIRMED and worker.actor != "user":
        if items:
            card = wait_fields(cards_on(items))
            work.wait("review_artifact", turn=run.turn, run=run.number, items=run.items, **card)
    else:
        promoting = mode == acceptance.USER_CONFIRMED
        take(work, items, promoting)


def take(work: Work, items: list[Item], promoting: bool) -> None:
    """Accept `items`."""
    promotions = acceptance.accept(work.board, items, promoting, work.plan.moved)
    work.tell_accepted(items, promotions)


def _reviewed(work: Work, worker: WorkerPlan, run: RunRow, items: list[Item], verdict: Verdict) -> None:
    """A pass accepts the reviewer's own items; a fail sends the reviewed products back."""
    reviewed = work.plan.acceptance[worker.id].reviews or (worker.id,)
    if verdict.passed:
        take(work, items, promoting=True)
        done = [id for id in reviewed if _all_passed(work, id)]
        work.set(failures={id: n for id, n in work.progress.failures.items() if id not in done})
        return
    for worker_id in reviewed:
        if not reviews.is_waived(work.runs, work.progress, worker_id):
            _send_back(work, worker_id)
    tired = [id for id in reviewed if work.progress.failures.get(id, 0) >= reviews.LIMIT]
    if tired:
        _ask_for_help(work, tired[0], run, verdict)


def _all_passed(work: Work, worker_id: str) -> bool:
    reviewers = reviews.reviewers_of(work.plan, worker_id)
    return all(reviews.has_passed(work.runs, work.progress, worker_id, one) for one in reviewers)


def _send_back(work: Work, worker_id: str) -> None:
    runs = reviews.last_runs(work.runs, worker_id)
    if not runs:
        return
    sent = acceptance.send_back(work.board, [item for run in runs for item in run.items])
    for run in runs:
        work.schedule_revision(run.turn)
    failures = work.progress.failures
    work.set(failures={**failures, worker_id: failures.get(worker_id, 0) + 1})
    work.tell("revision", worker=worker_id, tags=[item.tag for item in sent])


def _ask_for_help(work: Work, worker_id: str, run: RunRow, verdict: Verdict) -> None:
    """Reviews failed too often: the user takes the product as it is, or says what to change."""
    products = reviews.last_runs(work.runs, worker_id)
    heirs = [work.board.heir(item) for one in products for item in work.items(one.items)]
    work.wait(
        "revision",
        turn=Turn(worker=worker_id),
        run=run.number,
        prompt=verdict.reason,
        items=tuple(dict.fromkeys(item.id for item in heirs if item)),
    )

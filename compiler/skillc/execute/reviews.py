"""Who reviews whom, and whose review of a product is still open. All of it is read from the runs."""

from __future__ import annotations

from skillc.artifact.plan import Plan
from skillc.execute.records import Progress, RunRow

LIMIT = 3
"""Failed reviews of one product without the user in between, before the user is asked (SPEC 7.3)."""


def reviewers_of(plan: Plan, worker_id: str) -> tuple[str, ...]:
    """The workers that review the products of `worker_id`, in manifest order."""
    return tuple(id for id in plan.order if worker_id in plan.acceptance[id].reviews)


def due_reviewers(plan: Plan, runs: tuple[RunRow, ...], progress: Progress) -> frozenset[str]:
    """Reviewers that did not pass a product since it was last written: until then they go first."""
    return frozenset(
        reviewer
        for worker_id in plan.order
        for reviewer in reviewers_of(plan, worker_id)
        if not has_passed(runs, progress, worker_id, reviewer)
    )


def has_passed(runs: tuple[RunRow, ...], progress: Progress, worker_id: str, reviewer: str) -> bool:
    """Whether `reviewer` passed the last product of `worker_id`, or has nothing to review.

    For a reviewer with roles the last run of each must be a pass. A product that the user took in
    spite of a review counts as passed.
    """
    last = last_number(runs, worker_id)
    if last == 0 or is_waived(runs, progress, worker_id):
        return True
    latest = {run.role: run for run in runs if run.worker == reviewer and not run.asked}
    return bool(latest) and all(run.number > last and run.verdict == "pass" for run in latest.values())


def is_waived(runs: tuple[RunRow, ...], progress: Progress, worker_id: str) -> bool:
    """Whether the user took the last product of `worker_id` in spite of its reviews."""
    waived = progress.waived.get(worker_id, 0)
    return waived > 0 and waived >= last_number(runs, worker_id)


def last_number(runs: tuple[RunRow, ...], worker_id: str) -> int:
    """The number of the last finished run of a worker; 0 when it never ran."""
    return max((run.number for run in runs if run.worker == worker_id and not run.asked), default=0)


def last_runs(runs: tuple[RunRow, ...], worker_id: str) -> tuple[RunRow, ...]:
    """The last finished run of a worker, for each role that it ran for."""
    latest = {run.role: run for run in runs if run.worker == worker_id and not run.asked}
    return tuple(latest.values())

"""Whose work of this round a revision overtakes: those turns get another chance, the others stay done."""

from __future__ import annotations

from collections.abc import Iterable

from skillc.artifact.plan import Plan
from skillc.execute.records import Progress, RunRow, Turn
from skillc.execute.reviews import reviewers_of
from skillc.runtime import Board


def overtaken(
    plan: Plan, board: Board, runs: tuple[RunRow, ...], progress: Progress, turn: Turn
) -> frozenset[Turn]:
    """The turns of this round that used what `turn` wrote before its last run, or what came of that, and those of
    its reviewers. Who ran before it in the round used none of it: nothing that he did is out of date."""
    mine = [run for run in runs if run.turn == turn and not run.asked]
    old = set(mine[-2].items) if len(mine) > 1 else set()
    reviewers = reviewers_of(plan, turn.worker)
    found: set[Turn] = set()
    for run in runs:
        here = run.stage == progress.status.stage and run.round == progress.round
        if run.turn == turn or not here:
            continue
        if run.worker in reviewers or _uses(board, run.used, old):
            found.add(run.turn)
            old.update(run.items)
    return frozenset(found)


def _uses(board: Board, used: Iterable[str], old: set[str]) -> bool:
    """Whether one of the items `used` is old, or is a draft of `old` that was confirmed."""
    items = (board.get(id) for id in used)
    return any(item is not None and not old.isdisjoint((item.id, *item.dependencies)) for item in items)

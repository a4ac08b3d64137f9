"""Side effects at work: what the table begins with, and what happens when one fires (SPEC 12.9)."""

from __future__ import annotations

from skillc.execute.effects import (
    Action,
    Effect,
    EffectsRefused,
    Write,
    crossings,
    effects_of,
    queue_faults,
)
from skillc.execute.opening import opening_text
from skillc.execute.records import Turn
from skillc.execute.roles import needs_role, role_ids, turns_of
from skillc.execute.variables import keeps_table, opening_table
from skillc.execute.work import Work
from skillc.runtime import AssemblyRefused, Item

SOURCE = "side-effects"
"""Who wrote what a side effect writes; its id is in the item's metadata."""


def begin_play(work: Work) -> None:
    """The table that play begins with, and on which side of their lines its variables stand: what holds from the
    start never fires. The opening is the first thing that is said, where nothing was said before."""
    if keeps_table(work.plan):
        left_out: list[str] = []
        work.set_variables(opening_table(work.board, left_out))
        for sentence in left_out:
            work.note("variables", sentence)
    if work.plan.play is not None:
        _, states = crossings(_in_force(work), {}, work.board.variables)
        work.set(effects=states)
        opening = "" if work.board.history else opening_text(work.plan, work.board)
        if opening:
            work.add_block("assistant", opening)
            work.tell("shown", text=opening)


def look_at_effects(work: Work) -> None:
    """Fire the side effects whose line was crossed since the last look, once a turn, in written order. One that takes
    a text from where there is none yet waits: it does nothing, and stands before its line at the next look too."""
    fired, states = crossings(_in_force(work), work.progress.effects, work.board.variables)
    for effect in fired:
        lacking = _lacking(work, effect)
        if lacking is None:
            _fire(work, effect)
            continue
        states[effect.id] = work.progress.effects[effect.id]
        work.note_once(
            f"side-effects:{effect.id}",
            f"side effect `{effect.id}` waits: nothing is there under `{lacking}`",
        )
    work.set(effects=states, effects_round=work.progress.round)


def _lacking(work: Work, effect: Effect) -> str | None:
    """The tag that a text is to be taken from, and that has none; what the effect itself writes before is there."""
    written: set[str] = set()
    for write in (action.write for action in effect.do if action.write is not None):
        if write.source is not None and write.source not in written and not _text_of(work, write.source):
            return write.source
        written.add(write.tag)
    return None


def _in_force(work: Work) -> tuple[Effect, ...]:
    """The side effects on the board; a list that cannot be used is told once and does nothing."""
    try:
        return effects_of(work.plan, work.board)
    except (EffectsRefused, AssemblyRefused) as problem:
        work.note_once("side-effects", str(problem))
        return ()


def _fire(work: Work, effect: Effect) -> None:
    written: list[dict[str, str]] = []
    queued: list[str] = []
    for action in effect.do:
        if action.write is not None:
            written.append(_write(work, effect, action, action.write))
        elif action.queue_worker is not None:
            _queue(work, action.queue_worker)
            queued.append(action.queue_worker)
    work.tell("effect", id=effect.id, items=written, queued=queued)


def _write(work: Work, effect: Effect, action: Action, write: Write) -> dict[str, str]:
    text = write.text or "" if write.source is None else _text_of(work, write.source)
    older = work.board.alive(write.tag)
    item = work.board.write(write.tag, text, SOURCE, metadata={"effect": effect.id})
    work.board.set_status(item.id, "accepted")
    if action.replace_tag is not None:
        for old in older:
            if old.live:
                work.board.set_status(old.id, "superseded", item.id)
    return {"tag": item.tag, "content": item.content}


def _text_of(work: Work, tag: str) -> str:
    """The newest live text under `tag`, or of what superseded it; "" where there is none."""
    found: Item | None = work.board.newest(tag) or next(reversed(work.board.heirs(tag)), None)
    return found.content if found else ""


def queue_worker(work: Work, worker_id: str, role: str | None) -> str | None:
    """The host calls a worker into this turn, or into the next where none is being played; a sentence when it is
    refused. Without a role it runs for all roles, where it is role-bound."""
    plan = work.plan
    if work.progress.status.phase == "done":
        return "the session is over: nobody plays any more"
    if plan.play is None:
        return (
            "the package does not play by slots: its workers run when their inputs are there, not when called"
        )
    fault = next(queue_faults(worker_id, plan, work.board), None)
    if fault:
        return fault
    if role is not None and not needs_role(plan.workers[worker_id]):
        return f"worker `{worker_id}` runs for no role"
    if role is not None and role not in role_ids(plan, work.board):
        return f"there is no role `{role}`; there are {', '.join(role_ids(plan, work.board)) or 'none'}"
    turns = turns_of(plan, work.board, worker_id)
    if not turns:
        return f"worker `{worker_id}` runs for one role, and there is no role yet"
    _add(work, turns if role is None else (Turn(worker=worker_id, role=role),))
    work.tell("queued", worker=worker_id, role=role)
    return None


def _queue(work: Work, worker_id: str) -> None:
    """The worker runs once before this turn ends, for each role where it is role-bound."""
    _add(work, turns_of(work.plan, work.board, worker_id))


def _add(work: Work, turns: tuple[Turn, ...]) -> None:
    new = tuple(turn for turn in turns if turn not in work.progress.queued)
    work.set(queued=(*work.progress.queued, *new))

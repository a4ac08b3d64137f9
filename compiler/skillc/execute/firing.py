"""Side effects at work: what the table begins with, and what happens when one fires (SPEC 12.9)."""

from __future__ import annotations

from skillc.execute.effects import Action, Effect, EffectsRefused, Write, crossings, effects_of
from skillc.execute.roles import turns_of
from skillc.execute.variables import keeps_table, opening_table
from skillc.execute.work import Work
from skillc.runtime import AssemblyRefused, Item

SOURCE = "side-effects"
"""Who wrote what a side effect writes; its id is in the item's metadata."""


def begin_play(work: Work) -> None:
    """The table that play begins with, and on which side of their lines its variables stand: what holds from the
    start never fires."""
    if keeps_table(work.plan):
        work.set_variables(opening_table(work.board))
    if work.plan.play is not None:
        _, states = crossings(_in_force(work), {}, work.board.variables)
        work.set(effects=states)


def look_at_effects(work: Work) -> None:
    """Fire the side effects whose line was crossed since the last look, once a turn, in written order."""
    fired, states = crossings(_in_force(work), work.progress.effects, work.board.variables)
    work.set(effects=states, effects_round=work.progress.round)
    for effect in fired:
        _fire(work, effect)


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
            written += _write(work, effect, action, action.write)
        elif action.queue_worker is not None:
            _queue(work, action.queue_worker)
            queued.append(action.queue_worker)
    work.tell("effect", id=effect.id, items=written, queued=queued)


def _write(work: Work, effect: Effect, action: Action, write: Write) -> list[dict[str, str]]:
    text = write.text if write.source is None else _text_of(work, write.source)
    if text is None:
        work.note(
            "side-effects",
            f"side effect `{effect.id}` would write `{write.tag}`, but nothing is there under `{write.source}`",
        )
        return []
    older = work.board.alive(write.tag)
    item = work.board.write(write.tag, text, SOURCE, metadata={"effect": effect.id})
    work.board.set_status(item.id, "accepted")
    if action.replace_tag is not None:
        for old in older:
            if old.live:
                work.board.set_status(old.id, "superseded", item.id)
    return [{"tag": item.tag, "content": item.content}]


def _text_of(work: Work, tag: str) -> str | None:
    """The newest live text under `tag`, or of what superseded it."""
    found: Item | None = work.board.newest(tag) or next(reversed(work.board.heirs(tag)), None)
    return found.content if found else None


def _queue(work: Work, worker_id: str) -> None:
    """The worker runs once before this turn ends, for each role where it is role-bound."""
    turns = turns_of(work.plan, work.board, worker_id)
    new = tuple(turn for turn in turns if turn not in work.progress.queued)
    work.set(queued=(*work.progress.queued, *new))

"""What an engine has to do to spread sessions: five things, none of which decides what a session does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from skillc.execute.delivery import Delivery, Said
from skillc.execute.models.protocol import ModelError
from skillc.execute.phase import SessionState
from skillc.execute.session import SessionRefused
from skillc.execute.store import StoreError

ABI = "1"
"""The version of what hosts do for a session. Hosts of one ABI may take over from each other, whatever their version of
skillc is; it grows when a host of the old one would move a session of the new one on wrongly."""


@dataclass(frozen=True, slots=True)
class Dispatch:
    """Where a session stands for its engine: `phase` is its own, `place` is `queued`, `running`, `idle` or `suspended`;
    `holder` runs it at the moment."""

    session: str
    phase: str
    place: str
    holder: str | None = None


class Engine(Protocol):
    """Dispatches the idempotent step of a session (SPEC 14): some process moves it on until it waits."""

    def start(self, session_id: str) -> None:
        """The session has something to do, or was suspended and goes on. Harmless when it is on its way already."""

    def suspend(self, session_id: str) -> None:
        """No process moves the session on until it is started again; who runs it now writes nothing more."""

    def answer(self, session_id: str, action: str, said: Said, answer_id: str | None = None) -> Delivery:
        """What the user does to a session that waits, written once; then it goes on wherever a process is free."""

    def resume_orphans(self) -> tuple[str, ...]:
        """The sessions that nobody moves on although they have something to do, started anew."""

    def status(self, session_id: str) -> Dispatch:
        """Where the session stands."""


def in_words(problem: Exception) -> str:
    """What may be told of a failure: a sentence that was made for people, else its kind only."""
    return (
        str(problem)
        if isinstance(problem, StoreError | SessionRefused | ModelError)
        else type(problem).__name__
    )


def standing_of(state: SessionState | None) -> str:
    """How a session stands, in a word or two: `waiting_user (input)`, `done`, `held` by somebody else."""
    if state is None:
        return "held"
    if state.phase == "waiting_user":
        return f"waiting_user ({state.reason})"
    if state.error:
        return f"stopped by an error ({state.error})"
    return state.phase

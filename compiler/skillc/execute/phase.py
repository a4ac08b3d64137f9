"""What a session is waiting for, and the events that move it: a table, and a pure function over it.

Two things that are easily confused stay apart (SPEC 12.5): the *phase* says what the system waits
for, the *business stage* says how far the package is (design, play, done).
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Phase = Literal["idle", "running", "waiting_user", "done", "error"]
Stage = Literal["design", "play", "done"]
REASONS = (
    "skill_selection",
    "intake",
    "input",
    "approve_step",
    "review_artifact",
    "worker_questions",
    "revision",
)

_ACTIONS: dict[str, tuple[str, ...]] = {
    "answer": ("skill_selection", "intake", "input", "worker_questions", "review_artifact", "revision"),
    "accept": ("approve_step", "review_artifact", "revision"),
    "reject": ("approve_step", "review_artifact", "revision"),
}
"""What the user may do, and the reasons of waiting that it ends."""

DECISIONS = ("ask_user", "run_worker", "create_temp_worker", "review_blackboard", "finish")
"""What the orchestrator or the host may decide (SPEC 12.6): only while the session runs."""


class SessionState(BaseModel):
    """Phase, the reason while waiting, the message while in error, and the business stage."""

    model_config = ConfigDict(frozen=True)

    phase: Phase = "idle"
    reason: str | None = None
    stage: Stage = "design"
    error: str | None = None


class Event(BaseModel):
    """Something that happened to a session: start, wait, answer, accept, reject, ready, fail, retry, more (rounds than
    were played), and what is decided: run_worker, create_temp_worker, review_blackboard, ask_user, finish."""

    model_config = ConfigDict(frozen=True)

    kind: str
    reason: str | None = None
    message: str | None = None


class Refused(BaseModel):
    """An event that is not allowed now, and why; nothing was changed."""

    model_config = ConfigDict(frozen=True)

    message: str


def apply_event(state: SessionState, event: Event) -> SessionState | Refused:
    """The state after `event`, or a refusal that changes nothing (SPEC 12.5).

    >>> apply_event(SessionState(), Event(kind="start")).phase
    'running'
    >>> apply_event(SessionState(), Event(kind="accept")).message
    '`accept` is not possible while the session is idle'
    """
    match state.phase, event.kind:
        case "idle", "start":
            return _running(state)
        case (("idle" | "running"), "wait") | ("running", "ask_user"):
            return _waiting(state, event)
        case "running", ("run_worker" | "create_temp_worker" | "review_blackboard"):
            return state
        case "running", "ready" if state.stage == "design":
            return state.model_copy(update={"stage": "play"})
        case "running", "fail":
            message = event.message or "the step failed"
            return state.model_copy(update={"phase": "error", "error": message})
        case "running", "finish":
            return state.model_copy(update={"phase": "done", "stage": "done"})
        case "done", "more":
            return state.model_copy(update={"phase": "running", "stage": "play"})
        case "error", "retry":
            return _running(state)
        case "waiting_user", ("answer" | "accept" | "reject") if state.reason in _ACTIONS[event.kind]:
            return _running(state)
    return Refused(message=f"`{event.kind}` is not possible while the session is {describe(state)}")


def describe(state: SessionState) -> str:
    """The state in words, for sentences: `waiting for the user (intake)`."""
    if state.phase == "waiting_user":
        return f"waiting for the user ({state.reason})"
    return {"error": "stopped by an error"}.get(state.phase, state.phase)


def allowed_actions(state: SessionState) -> tuple[str, ...]:
    """What the user can do now, of answer, accept and reject."""
    if state.phase != "waiting_user":
        return ()
    return tuple(action for action, reasons in _ACTIONS.items() if state.reason in reasons)


def _running(state: SessionState) -> SessionState:
    return state.model_copy(update={"phase": "running", "reason": None, "error": None})


def _waiting(state: SessionState, event: Event) -> SessionState | Refused:
    if event.reason not in REASONS:
        return Refused(message=f"`{event.reason}` is no reason to wait; known are {', '.join(REASONS)}")
    if state.phase == "idle" and event.reason != "skill_selection":
        return Refused(message=f"a session that has not started cannot wait for {event.reason}")
    return state.model_copy(update={"phase": "waiting_user", "reason": event.reason})

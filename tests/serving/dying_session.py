"""A session in a process of its own that kills itself at a chosen point, as a power cut would.

`dying_session.py STORE POINT`: POINT is `reply:N` (asked for the Nth reply), `statement:N` (about to
send the Nth writing statement to the database), `told:N` (the Nth thing was told) or `never`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

from sqlalchemy import Engine, event

from running import TickingClock, running_plan, startup, writes
from skillc.execute.models.protocol import Completion, Request
from skillc.execute.session import Session
from skillc.execute.store import Store, UnknownSession, open_store

PLAN = running_plan(
    {
        "write": {"inputs": ["需求.核心要点", "验收.读者.记录?"], "outputs": ["规则.草稿", "核心.隐藏"]},
        "infer": {"inputs": ["规则.草稿"], "outputs": ["验收.读者.记录"]},
        "ask": {"inputs": ["验收.读者.记录", "用户.worker答复?"], "outputs": ["尾声.草稿"]},
    },
    {"infer": {"mode": "programmatic_review", "reviews": ["write"]}},
    startup=startup("需求.核心要点"),
)
SESSION = "s1"


class Steady:
    """Answers by what is asked alone, so that a call repeated after a cut gets the same answer."""

    def complete(self, request: Request) -> Completion:
        text = request.messages[-1]["content"]
        if request.worker == "write":
            return Completion(writes({"规则.草稿": "改过" if "fail" in text else "初稿", "核心.隐藏": "密"}))
        if request.worker == "infer":
            return Completion(writes({"验收.读者.记录": f"verdict: {'pass' if '改过' in text else 'fail'}"}))
        if "五条" in text:
            return Completion(writes({"尾声.草稿": "完"}))
        return Completion(writes({}, askUser=["几条？"]))


def play(store: Store, model: Steady, told: Callable[[object], None] = lambda _: None) -> Session:
    """Open the session or take it up, and answer whatever it asks until it is done."""
    try:
        return resumed(store, model, SESSION, told)
    except UnknownSession:
        return ended(Session.open(store, PLAN, model, session_id=SESSION, on_event=told))


def resumed(
    store: Store, model: Steady, session_id: str, told: Callable[[object], None] = lambda _: None
) -> Session:
    """A session of the store, taken up and answered until it is done."""
    return ended(Session.resume(store, session_id, PLAN, model, on_event=told))


def ended(session: Session) -> Session:
    """`session`, when it was answered whatever it asked."""
    while session.status.phase in ("running", "waiting_user"):
        once(session)
    return session


def once(session: Session) -> None:
    """One step, or the answer to what is asked."""
    pending = session.pending
    if session.status.phase != "waiting_user" or pending is None:
        session.step()
    elif pending.reason == "review_artifact":
        session.accept(answer_id=pending.id)
    else:
        session.answer("五条" if pending.questions else "店", answer_id=pending.id)


class Countdown:
    """Kills this process when it was called often enough."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __call__(self, *_: object) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class Mortal(Steady):
    """A model whose process dies when it is asked for the Nth time."""

    def __init__(self, death: Countdown) -> None:
        self.death = death

    def complete(self, request: Request) -> Completion:
        self.death()
        return super().complete(request)


def main(path: str, point: str) -> None:
    kind, _, number = point.partition(":")
    death = Countdown(int(number or 0))
    if kind == "statement":

        @event.listens_for(Engine, "before_cursor_execute")
        def count(_c: object, _cursor: object, statement: str, *_: object) -> None:
            if statement.startswith(("INSERT", "UPDATE", "BEGIN IMMEDIATE")):
                death()

    model = Mortal(death) if kind == "reply" else Steady()
    store = open_store(path, TickingClock())
    play(store, model, death if kind == "told" else lambda _: None)


if __name__ == "__main__":
    main(*sys.argv[1:])

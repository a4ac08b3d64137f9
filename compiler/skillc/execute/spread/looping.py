"""The built-in engine: a loop that looks for sessions with something to do. One process or several on one store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from skillc.execute.delivery import Delivery, Said
from skillc.execute.spread.desk import Desk
from skillc.execute.spread.port import Dispatch, in_words, standing_of
from skillc.execute.store import StoreError

SECONDS = 0.5
"""Between two looks for work. The store is asked each time, so it is no queue for many machines."""


class Loop:
    """An Engine of this process alone. What it dispatches is in the store, so nothing is lost when it ends."""

    def __init__(
        self, desk: Desk, threads: int = 4, told: Callable[[str, str], None] = lambda *_: None
    ) -> None:
        self._desk = desk
        self._told = told
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="session")
        self._busy: dict[str, Future[None]] = {}
        self._failed: dict[str, int] = {}

    def start(self, session_id: str) -> None:
        """It is found at the next look."""
        self._desk.free(session_id)
        self._failed.pop(session_id, None)

    def suspend(self, session_id: str) -> None:
        self._desk.suspend(session_id)

    def answer(self, session_id: str, action: str, said: Said, answer_id: str | None = None) -> Delivery:
        return self._desk.deliver(session_id, action, said, answer_id)

    def resume_orphans(self) -> tuple[str, ...]:
        """Every session with something to do goes to a thread. One that this host cannot run is not tried again at
        the same revision."""
        self._busy = {id: future for id, future in self._busy.items() if not future.done()}
        found = [
            one
            for one in self._desk.waiting()
            if one.session not in self._busy and self._failed.get(one.session) != one.revision
        ]
        for one in found:
            self._busy[one.session] = self._pool.submit(self._move, one.session, one.revision)
        return tuple(one.session for one in found)

    def status(self, session_id: str) -> Dispatch:
        phase, _, holder = self._desk.standing(session_id)
        if self._desk.is_suspended(session_id):
            return Dispatch(session_id, phase, "suspended")
        place = "running" if holder else "queued" if phase == "running" else "idle"
        return Dispatch(session_id, phase, place, holder)

    def serve(self, stop: threading.Event, seconds: float = SECONDS) -> None:
        """Look for work until `stop` is set; what is running then is finished."""
        try:
            while not stop.is_set():
                try:
                    self.resume_orphans()
                except StoreError as problem:
                    self._told("", str(problem))
                stop.wait(seconds)
        finally:
            self._pool.shutdown(wait=True)

    def _move(self, session_id: str, revision: int) -> None:
        try:
            self._told(session_id, standing_of(self._desk.move_on(session_id)))
        except Exception as problem:  # noqa: BLE001 - one session must not end the host of the others
            self._failed[session_id] = revision
            self._told(session_id, in_words(problem))

"""A lease on a session: the right to run it alone, kept alive while it is used, lost when its holder dies.

with held_lease(store, "s1") as lease:      # renewed by a thread; SessionHeld when another process has it
    ...
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from skillc.execute.faults import LeaseLost, SessionHeld, StoreError
from skillc.execute.leases import Holder as Holder
from skillc.execute.leases import end, extend
from skillc.execute.leases import this_process as this_process

if TYPE_CHECKING:
    from types import TracebackType

    from skillc.execute.store import Store

HOLD_SECONDS = 30.0
"""How long a session stays with a process that gives no sign: long against a pause of the machine, short for a person
who waits."""


class Lease:
    """Every write under it is refused once somebody else took the session over (`token` fences it)."""

    def __init__(self, store: Store, session_id: str, holder: Holder, token: int, seconds: float) -> None:
        self.session_id = session_id
        self.holder = holder
        self.token = token
        self.seconds = seconds
        self._store = store
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def renew(self) -> None:
        """It runs for its whole time from now. Refuses with LeaseLost when somebody else has the session."""
        self._store.write(lambda connection, _: extend(connection, self.session_id, self.token, self.seconds))

    def release(self) -> None:
        """The session is free for others at once. Harmless when it was lost or released before."""
        self._ended.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
            self._thread = None
        self._store.write(lambda connection, _: end(connection, self.session_id, self.token))

    def keep(self) -> Lease:
        """From now on a thread renews it, until it is released or lost."""
        if self._thread is None and not self._ended.is_set():
            self._thread = threading.Thread(
                target=self._renewing, name=f"lease-{self.session_id}", daemon=True
            )
            self._thread.start()
        return self

    def __enter__(self) -> Lease:
        return self.keep()

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(StoreError):  # it then ends by itself
            self.release()

    def _renewing(self) -> None:
        """A store that cannot be reached for a while is tried again: the writes of the session tell of it."""
        while not self._ended.wait(self.seconds / 3):
            try:
                self.renew()
            except LeaseLost:
                return
            except StoreError:
                continue


def held_lease(store: Store, session_id: str, seconds: float = HOLD_SECONDS) -> Lease:
    """A lease that is kept, or SessionHeld: who has the session, since when, and how to go on."""
    lease = store.lease(session_id, seconds=seconds)
    if lease is not None:
        return lease.keep()
    found = store.holder_of(session_id)
    if found is None:
        raise SessionHeld(f"session `{session_id}` was just now run by another process; try again")
    if not found.holder.pid:
        raise SessionHeld(
            f"session `{session_id}` is suspended since {found.since}: `skillc session wake {session_id}` lets it go on"
        )
    raise SessionHeld(
        f"session `{session_id}` is run by {found.holder} since {found.since}: stop it there, or wait; when that "
        f"process is dead the session is free within {max(1, round(found.seconds))} seconds"
    )

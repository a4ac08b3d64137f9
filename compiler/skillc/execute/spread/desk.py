"""What every engine does to one session: move it on while nobody else does, and deliver what a user says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, Text, select, type_coerce

from skillc.execute import schema
from skillc.execute.delivery import Delivery, Said
from skillc.execute.lease import HOLD_SECONDS, Holder, Lease
from skillc.execute.leases import end_suspension, held, is_suspended, seize
from skillc.execute.models.protocol import ModelClient
from skillc.execute.phase import SessionState
from skillc.execute.session import Session
from skillc.execute.spread.plans import plan_of
from skillc.execute.store import LeaseLost, Store, StoreConflict
from skillc.runtime import RunnablePlan

_RUNNING = '%"phase":"running"%'


@dataclass(frozen=True)
class Waiting:
    """A session that has something to do at this revision, which nobody holds."""

    session: str
    revision: int


class Desk:
    """Sessions of one store as a host sees them: `client_of` gives the model for a plan, `listener_of` hears what
    happens in a session. With `accept_change` an answer is taken although who asked was compiled anew."""

    def __init__(
        self,
        store: Store,
        client_of: Callable[[RunnablePlan], ModelClient],
        *,
        holder: Holder | None = None,
        seconds: float = HOLD_SECONDS,
        accept_change: bool = False,
    ) -> None:
        self.store = store
        self._accept_change = accept_change
        self.seconds = seconds
        self._client_of = client_of
        self._holder = holder

    def move_on(self, session_id: str) -> SessionState | None:
        """Advance the session until it waits; how it stands then, None when somebody else runs it. Harmless to call
        twice, and anywhere."""
        lease = self.store.lease(session_id, self._holder, self.seconds)
        if lease is None:
            return None
        try:
            with lease:
                return self._session(session_id, lease).advance()
        except (LeaseLost, StoreConflict):
            return None

    def deliver(self, session_id: str, action: str, said: Said, answer_id: str | None) -> Delivery:
        """What the user does to a session that waits, in one transaction (SPEC 12.8)."""
        session = self._session(session_id, None)
        match action:
            case "accept":
                return session.accept(answer_id)
            case "reject":
                return session.reject(said if isinstance(said, str) else "", answer_id)
            case "answer":
                return session.answer(said, answer_id)
        return Delivery("refused", f"a session knows no action `{action}`")

    def suspend(self, session_id: str) -> None:
        """Nobody moves the session on until `free`; who runs it now cannot write any more."""
        self.store.load(session_id)
        self.store.write(lambda connection, _: seize(connection, session_id))

    def free(self, session_id: str) -> None:
        """A suspension ends; the lease of a process does not."""
        self.store.write(lambda connection, _: end_suspension(connection, session_id))

    def is_suspended(self, session_id: str) -> bool:
        return self.store.read(lambda connection: is_suspended(connection, session_id))

    def waiting(self) -> list[Waiting]:
        """The sessions that have something to do and that nobody holds, oldest first."""
        return self.store.read(
            lambda connection: [one for one in _running(connection) if held(connection, one.session) is None]
        )

    def is_idle(self) -> bool:
        """Whether no session has anything to do, but for those that are suspended."""
        return self.store.read(
            lambda connection: all(is_suspended(connection, one.session) for one in _running(connection))
        )

    def standing(self, session_id: str) -> tuple[str, int, str | None]:
        """Phase and revision of the session, and who holds it."""
        record = self.store.load(session_id)
        holder = self.store.holder_of(session_id)
        return record.progress.status.phase, record.revision, str(holder.holder) if holder else None

    def _session(self, session_id: str, lease: Lease | None) -> Session:
        record = self.store.load(session_id)
        plan = plan_of(self.store, record.progress.fingerprint, record.package)
        return Session.resume(
            self.store,
            session_id,
            plan,
            self._client_of(plan),
            accept_change=self._accept_change,
            lease=lease,
        )


def _running(connection: Connection) -> list[Waiting]:
    lines = schema.SESSIONS.c
    query = select(lines.id, lines.revision, lines.progress)
    query = query.where(type_coerce(lines.progress, Text).like(_RUNNING)).order_by(lines.number)
    rows = connection.execute(query).all()
    return [Waiting(id, revision) for id, revision, progress in rows if _is_running(progress)]


def _is_running(progress: object) -> bool:
    status = progress.get("status") if isinstance(progress, dict) else None
    return isinstance(status, dict) and status.get("phase") == "running"

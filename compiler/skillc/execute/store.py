"""Sessions in one database: a step is written whole or not at all, and damage is an error.

Databases do not notice a flipped byte. So everything that is read is checked against digests that were
written with it; what does not fit is `StoreCorrupt`, never an empty or a different session.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from json import JSONDecodeError
from typing import TypeVar

from pydantic import ValidationError
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from skillc.execute import schema
from skillc.execute.backoff import pauses
from skillc.execute.bookledger import check_open
from skillc.execute.border import Clock, SystemClock
from skillc.execute.database import Database, database_at
from skillc.execute.dialect import check_whole
from skillc.execute.faults import Damage, LeaseGone, Moved, OtherVersion
from skillc.execute.faults import LeaseLost as LeaseLost
from skillc.execute.faults import SessionHeld as SessionHeld
from skillc.execute.faults import StoreBusy as StoreBusy
from skillc.execute.faults import StoreConflict as StoreConflict
from skillc.execute.faults import StoreCorrupt as StoreCorrupt
from skillc.execute.faults import StoreError as StoreError
from skillc.execute.faults import StoreOutdated as StoreOutdated
from skillc.execute.faults import StoreUnreachable as StoreUnreachable
from skillc.execute.faults import UnknownSession as UnknownSession
from skillc.execute.lease import HOLD_SECONDS, Holder, Lease, this_process
from skillc.execute.leases import Held, fenced, held, take
from skillc.execute.ledger import (
    NO_VERSION,
    append,
    directory,
    fill,
    insert_session,
    line_of,
    read_session,
    summary_of,
    was_appended,
)
from skillc.execute.records import Changes, Progress, SessionRecord, SessionSummary

T = TypeVar("T")


def open_store(where: str, clock: Clock | None = None, *, only_read: bool = False) -> Store:
    """The store at `where`: the path of a SQLite file, or a URL `postgresql://user@host/database`. Made when there
    is none, checked when there is one, upgraded when an older version made it (of a file a copy is kept).

    A link is followed, so that a store may be made where it points. With `only_read` an older file is not touched:
    what is opened is an upgraded copy of it, and none is made. Refuses with StoreCorrupt (a damaged file, an empty one too) and
    StoreError (no such folder, no access, no file, no server, a store of a newer version).
    """
    store = Store(database_at(where), clock or SystemClock())
    if not only_read:
        with store.explaining(writes=True):
            store.database.make(fill)
    try:
        store.check()
    except StoreOutdated as old:
        from skillc.execute.upgrade import upgraded

        store = upgraded(store, old, only_read)
        store.check()
    return store


class Store:
    """Reads and writes sessions, one transaction for each call. Threads may share it, and processes that fork."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock

    @property
    def path(self) -> str:
        """What the store is called in sentences: the file, or the URL without its password."""
        return self.database.name

    @property
    def warning(self) -> str | None:
        """One sentence where the place of the store is a risk: a file on a network file system."""
        return self.database.warning

    def close(self) -> None:
        """Gives up the connections that were kept for later calls; the next call makes new ones."""
        self.database.writing.dispose()

    def check(self) -> None:
        """Refuses with StoreCorrupt when the store is not sound, or a session is missing."""
        with self.explaining():
            self.database.check()

        def checked(connection: Connection) -> None:
            check_whole(connection)
            directory(connection)

        self.read(checked)

    def sessions(self) -> tuple[SessionSummary, ...]:
        """All sessions, oldest first; none is missing."""
        return self.read(lambda connection: tuple(summary_of(row) for row in directory(connection)))

    def create(
        self, session_id: str, package: str, progress: Progress, changes: Changes, book: str | None = None
    ) -> SessionRecord:
        """A new session with its first rows, of the Book with the id `book` where one is named.

        Refuses with BookRefused (a StoreError) when there is no such Book, when it is archived or of another kind.
        """

        def made(connection: Connection, now: str) -> SessionRecord:
            record = SessionRecord(
                id=session_id, package=package, created_at=now, revision=0, progress=progress, book=book
            )
            if book is not None:
                check_open(connection, book, package)
            insert_session(connection, record)
            return append(connection, record, progress, changes, now)

        return self.write(made)

    def load(self, session_id: str) -> SessionRecord:
        """The session `session_id`, every digest checked."""

        def found(connection: Connection) -> SessionRecord:
            row = line_of(connection, session_id)
            if row is None:
                directory(connection)  # it may be lost
                raise self._unknown(session_id)
            return read_session(connection, row)

        return self.read(found)

    def commit(
        self, record: SessionRecord, progress: Progress, changes: Changes, lease: Lease | None = None
    ) -> SessionRecord:
        """`record` with `changes` appended, in one transaction.

        Refuses with StoreConflict when the stored session is not the one that `record` was read from, and with
        LeaseLost when somebody else took the session over since `lease` was given. Where the connection breaks so
        that nobody knows whether it was written, the store is asked.
        """
        now = self.clock.now()

        def written(connection: Connection, _: str) -> SessionRecord:
            if lease is not None:
                fenced(connection, record.id, lease.token)
            return append(connection, record, progress, changes, now)

        def written_once(connection: Connection, _: str) -> SessionRecord:
            found = was_appended(connection, record, progress, changes, now)
            return written(connection, _) if found is None else found

        try:
            return self.write(written)
        except StoreUnreachable:
            return self._again(lambda: self.write(written_once), StoreUnreachable)

    def lease(
        self, session_id: str, holder: Holder | None = None, seconds: float = HOLD_SECONDS
    ) -> Lease | None:
        """The right to run the session alone for `seconds`, longer when it is renewed; None while another holder has
        it. What a dead process held is taken over at once where it is known to be dead, else when it runs out."""
        who = holder or this_process()

        def taken(connection: Connection, _: str) -> int | None:
            if line_of(connection, session_id) is None:
                raise self._unknown(session_id)
            return take(connection, session_id, who, seconds)

        token = self.write(taken)
        return None if token is None else Lease(self, session_id, who, token, seconds)

    def holder_of(self, session_id: str) -> Held | None:
        """Who runs the session now, and since when."""
        return self.read(lambda connection: held(connection, session_id))

    def read(self, look: Callable[[Connection], T]) -> T:
        """What `look` finds in one transaction that writes nothing. Who opens a file behind one that died, or closes it
        as the last, is in the way of those who read: then it is called anew, a few times."""

        def once() -> T:
            with self._transaction() as connection:
                return look(connection)

        return self._again(once, StoreBusy)

    def write(self, change: Callable[[Connection, str], T]) -> T:
        """What `change` gives, which is told the time; all that it writes, or nothing of it. When others are in the
        way it is called anew, a few times: all that it does must be in the transaction."""

        def once() -> T:
            with self._transaction(writes=True) as connection:
                return change(connection, self.clock.now())

        return self._again(once, StoreBusy)

    def _again(self, work: Callable[[], T], fault: type[StoreError]) -> T:
        for pause in pauses():
            try:
                return work()
            except fault:
                time.sleep(pause)
        return work()

    @contextmanager
    def _transaction(self, writes: bool = False) -> Iterator[Connection]:
        engine = self.database.writing if writes else self.database.reading
        with self.explaining(writes), engine.begin() as connection:
            yield connection

    @contextmanager
    def explaining(self, writes: bool = False) -> Iterator[None]:
        """Turns what the database and the records say into sentences."""
        try:
            yield
        except Moved as problem:
            raise StoreConflict(
                "the session was moved on by another process; nothing was written"
            ) from problem
        except LeaseGone as problem:
            raise LeaseLost(
                f"the session was taken over by {problem}; nothing was written"
                if str(problem)
                else "the session is no longer held by this process; nothing was written"
            ) from problem
        except OtherVersion as problem:
            raise self._of_other_version(problem.version) from problem
        except IntegrityError as problem:
            raise StoreConflict("the same write was already made; nothing was written") from problem
        except DBAPIError as problem:
            raise self.database.explained(problem, writes) from problem
        except (SQLAlchemyError, ValidationError, Damage, JSONDecodeError) as problem:
            raise StoreCorrupt(f"the store `{self.path}` is corrupt: {_reason(problem)}") from problem
        except (ValueError, TypeError, OverflowError, RecursionError) as problem:
            if writes:
                raise StoreError(f"what was to be stored cannot be written: {problem}") from problem
            raise StoreCorrupt(f"the store `{self.path}` is corrupt: {_reason(problem)}") from problem

    def _unknown(self, session_id: str) -> UnknownSession:
        return UnknownSession(f"the store `{self.path}` has no session `{session_id}`")

    def _of_other_version(self, version: int) -> StoreError:
        if version > schema.VERSION:
            return StoreError(
                f"the store `{self.path}` is of version {version}, and this program knows up to {schema.VERSION}: "
                "use a newer skillc"
            )
        if version < 1:
            return StoreCorrupt(f"the store `{self.path}` is corrupt: {NO_VERSION}")
        return StoreOutdated(
            f"the store `{self.path}` is of version {version} and must be upgraded first", version
        )


def _reason(problem: Exception) -> str:
    return str(problem) if isinstance(problem, Damage) else "a record cannot be read"

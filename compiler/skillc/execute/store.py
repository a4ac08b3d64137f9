"""Sessions in one SQLite file: a step is written whole or not at all, and damage is an error.

SQLite does not notice a flipped byte. So everything that is read is checked against digests that were
written with it; what does not fit is `StoreCorrupt`, never an empty or a different session.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from json import JSONDecodeError
from typing import TypeVar

from pydantic import ValidationError
from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, insert
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from skillc.execute import schema
from skillc.execute.bookledger import check_open
from skillc.execute.border import Clock, SystemClock
from skillc.execute.ledger import (
    START,
    Damage,
    Moved,
    append,
    check_file,
    directory,
    insert_session,
    read_session,
    schema_digest,
    summary_of,
)
from skillc.execute.records import Changes, Progress, SessionRecord, SessionSummary

BUSY_MILLISECONDS = 10_000
_MEMORY = ":memory:"
T = TypeVar("T")


class StoreError(Exception):
    """The store cannot be used; the message is one sentence for the user."""


class StoreCorrupt(StoreError):
    """What the store holds is damaged."""


class StoreConflict(StoreError):
    """Somebody else moved the session on; nothing was written."""


class UnknownSession(StoreError):
    """The store has no session of that id."""


def open_store(path: str, clock: Clock | None = None) -> Store:
    """The store in the file `path`, made when there is none; checked when there is one.

    A link is followed, so that a store may be made where it points. Refuses with StoreCorrupt (a damaged file,
    an empty one too) and StoreError (no such folder, no access, no file).
    """
    if path == _MEMORY:
        raise StoreError(f"sessions are kept in a file; `{_MEMORY}` is none")
    if not os.path.exists(path):
        _create(os.path.realpath(path))
    store = Store(path, clock or SystemClock())
    store.check()
    return store


class Store:
    """Reads and writes sessions. Every call opens and closes the file, so that it is whole in between."""

    def __init__(self, path: str, clock: Clock) -> None:
        self.path = path
        self._clock = clock
        self._engine = _engine(path)

    def check(self) -> None:
        """Refuses with StoreCorrupt when the file is no sound store."""
        try:
            size = os.path.getsize(self.path)
        except OSError as problem:
            raise StoreError(f"the store `{self.path}` cannot be used: {problem.strerror}") from problem
        if size == 0:
            raise StoreCorrupt(f"the store `{self.path}` is corrupt: the file is empty")
        with self._transaction() as connection:
            check_file(connection)
            directory(connection)

    def sessions(self) -> tuple[SessionSummary, ...]:
        """All sessions, oldest first."""
        with self._transaction() as connection:
            return tuple(summary_of(row) for row in directory(connection))

    def create(
        self, session_id: str, package: str, progress: Progress, changes: Changes, book: str | None = None
    ) -> SessionRecord:
        """A new session with its first rows, of the Book with the id `book` where one is named.

        Refuses with BookRefused (a StoreError) when there is no such Book, when it is archived or of another kind.
        """
        now = self._clock.now()
        record = SessionRecord(
            id=session_id, package=package, created_at=now, revision=0, progress=progress, book=book
        )
        with self._transaction(writes=True) as connection:
            if book is not None:
                check_open(connection, book, package)
            insert_session(connection, record)
            return append(connection, record, progress, changes, now)

    def load(self, session_id: str) -> SessionRecord:
        """The session `session_id`, every digest checked."""
        with self._transaction() as connection:
            row = next((row for row in directory(connection) if row["id"] == session_id), None)
            if row is None:
                raise UnknownSession(f"the store `{self.path}` has no session `{session_id}`")
            return read_session(connection, row)

    def commit(self, record: SessionRecord, progress: Progress, changes: Changes) -> SessionRecord:
        """`record` with `changes` appended, in one transaction.

        Refuses with StoreConflict when the stored session is not the one that `record` was read from.
        """
        with self._transaction(writes=True) as connection:
            return append(connection, record, progress, changes, self._clock.now())

    def read(self, look: Callable[[Connection], T]) -> T:
        """What `look` finds in one transaction that writes nothing."""
        with self._transaction() as connection:
            return look(connection)

    def write(self, change: Callable[[Connection, str], T]) -> T:
        """What `change` gives, which is told the time; all that it writes, or nothing of it."""
        with self._transaction(writes=True) as connection:
            return change(connection, self._clock.now())

    @contextmanager
    def _transaction(self, writes: bool = False) -> Iterator[Connection]:
        try:
            with self._engine.connect().execution_options(writes=writes) as connection, connection.begin():
                yield connection
        except Moved as problem:
            raise StoreConflict(
                "the session was moved on by another process; nothing was written"
            ) from problem
        except IntegrityError as problem:
            raise StoreConflict("the same write was already made; nothing was written") from problem
        except DBAPIError as problem:
            raise _explained(self.path, problem) from problem
        except (SQLAlchemyError, ValidationError, Damage, JSONDecodeError) as problem:
            raise StoreCorrupt(f"the store `{self.path}` is corrupt: {_reason(problem)}") from problem
        except (ValueError, TypeError, OverflowError, RecursionError) as problem:
            if writes:
                raise StoreError(f"what was to be stored cannot be written: {problem}") from problem
            raise StoreCorrupt(f"the store `{self.path}` is corrupt: {_reason(problem)}") from problem


def _reason(problem: Exception) -> str:
    return str(problem) if isinstance(problem, Damage) else "a record cannot be read"


def _explained(path: str, problem: DBAPIError) -> StoreError:
    cause = str(problem.orig)
    if "locked" in cause or "busy" in cause:
        return StoreError(f"the store `{path}` is in use by another process; try again")
    if any(word in cause for word in ("unable to open", "readonly", "full", "disk I/O")):
        return StoreError(f"the store `{path}` cannot be used: {cause}")
    return StoreCorrupt(f"the store `{path}` is corrupt: {cause}")


def _engine(path: str) -> Engine:
    engine = create_engine(URL.create("sqlite", database=path), poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def settings(connection: object, _: object) -> None:
        connection.isolation_level = None  # type: ignore[attr-defined]
        cursor = connection.cursor()  # type: ignore[attr-defined]
        for pragma in (f"busy_timeout = {BUSY_MILLISECONDS}", "foreign_keys = ON", "synchronous = FULL"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _create(path: str) -> None:
    """Makes the file beside its place and links it there: nobody ever sees half a store."""
    folder, name = os.path.split(path)
    try:
        handle, fresh = tempfile.mkstemp(".new", f".{name}.", folder or ".")
        os.close(handle)
    except OSError as problem:
        raise StoreError(f"the store `{path}` cannot be made: {problem.strerror}") from problem
    try:
        with _engine(fresh).connect() as connection:
            connection.exec_driver_sql("COMMIT")  # the journal's mode cannot change inside a transaction
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            schema.METADATA.create_all(connection)
            first = {"version": schema.VERSION, "sessions": 0, "head": START}
            digest = schema_digest(connection)
            connection.execute(insert(schema.SCHEMA_VERSION).values(**first, schema_digest=digest))
            connection.commit()
        with suppress(FileExistsError):
            _link(fresh, path)
    except (OSError, DBAPIError) as problem:
        raise StoreError(f"the store `{path}` cannot be made in its folder") from problem
    finally:
        with suppress(FileNotFoundError):
            os.unlink(fresh)


def _link(source: str, target: str) -> None:
    """`target` becomes `source`, unless it exists; file systems without links rename."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        if os.path.exists(target):
            raise FileExistsError(target) from None
        os.rename(source, target)

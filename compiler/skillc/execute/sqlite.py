"""A store in one SQLite file. It is opened and closed with every call, so that it is whole in between."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError

from skillc.execute.faults import StoreBusy, StoreCorrupt, StoreError
from skillc.mounts import mount_table, network_kind

BUSY_MILLISECONDS = 2_000
"""How long one try waits for another writer; a few tries follow (`backoff`)."""
_UNUSABLE = ("unable to open", "readonly", "full", "disk I/O")
MEMORY = ":memory:"


def network_of(path: str) -> str | None:
    """The kind of the network file system that `path` lies on; None elsewhere, or where nobody can tell."""
    return network_kind(os.path.realpath(path), mount_table())


class SqliteDatabase:
    """The file `path`. `warning` is a sentence where its place is a risk (a network file system)."""

    def __init__(self, path: str, network: Callable[[str], str | None] = network_of) -> None:
        if path == MEMORY:
            raise StoreError(f"sessions are kept in a file; `{MEMORY}` is none")
        self.name = path
        self.path = path
        system = network(path)
        self.warning = None if system is None else _network_sentence(path, system)
        engine = _engine(path)
        self.reading = engine
        self.writing = engine.execution_options(writes=True)

    def make(self, fill: Callable[[Connection], None]) -> None:
        """The file is there afterwards, made and filled beside its place: nobody ever sees half a store. A link
        is followed."""
        if not os.path.exists(self.path):
            _create(os.path.realpath(self.path), fill, wal=self.warning is None)

    def check(self) -> None:
        """Refuses a file that is none or empty."""
        try:
            size = os.path.getsize(self.path)
        except OSError as problem:
            raise StoreError(f"the store `{self.path}` cannot be used: {problem.strerror}") from problem
        if size == 0:
            raise StoreCorrupt(f"the store `{self.path}` is corrupt: the file is empty")

    def lock_upgrade(self, connection: Connection) -> None:
        """Nothing: a writing transaction has the file for itself."""

    def keep_copy(self, connection: Connection, version: int) -> None:
        """The file as it is, as `<file>.v1.bak`. What stands under that name already is never touched, be it a
        link: the copy gets the next number."""
        source = os.path.realpath(self.path)
        folder, name = os.path.split(source)
        try:
            handle, fresh = tempfile.mkstemp(".new", f".{name}.", folder or ".")
            os.close(handle)
        except OSError as problem:
            raise _no_copy(self.path, problem.strerror or "") from problem
        try:
            copy_file(source, fresh)
            names = (
                f"{source}.v{version}.bak{number}" for number in ("", *(f".{n}" for n in range(2, 1000)))
            )
            if not any(_linked(fresh, name) for name in names):
                raise _no_copy(self.path, "too many copies are there")
        except (OSError, DBAPIError) as problem:
            raise _no_copy(self.path, str(getattr(problem, "strerror", None) or problem)) from problem
        finally:
            with suppress(FileNotFoundError):
                os.unlink(fresh)

    def explained(self, problem: DBAPIError, writes: bool) -> StoreError:
        """The sentence for what the database said."""
        cause = str(problem.orig)
        if "locked" in cause or "busy" in cause:
            return StoreBusy(f"the store `{self.name}` is in use by another process; try again")
        if any(word in cause for word in _UNUSABLE):
            return StoreError(f"the store `{self.name}` cannot be used: {cause}")
        return StoreCorrupt(f"the store `{self.name}` is corrupt: {cause}")


def copy_file(source: str, target: str) -> None:
    """What is committed in the SQLite file `source`, whole, as the file `target` that is there."""
    old, new = _engine(source).raw_connection(), _engine(target).raw_connection()
    with closing(old), closing(new):
        old.driver_connection.backup(new.driver_connection)  # type: ignore[union-attr]


def _no_copy(path: str, cause: str) -> StoreError:
    return StoreError(f"the store `{path}` was not upgraded, since no copy of it can be made: {cause}")


def _network_sentence(path: str, system: str) -> str:
    return (
        f"the store `{path}` lies on a network file system ({system}), whose locks cannot be trusted: use it from "
        "one machine only, or keep sessions in PostgreSQL"
    )


def _engine(path: str) -> Engine:
    engine = create_engine(URL.create("sqlite", database=path), poolclass=NullPool, hide_parameters=True)

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


def _create(path: str, fill: Callable[[Connection], None], wal: bool) -> None:
    folder, name = os.path.split(path)
    try:
        handle, fresh = tempfile.mkstemp(".new", f".{name}.", folder or ".")
        os.close(handle)
    except OSError as problem:
        raise StoreError(f"the store `{path}` cannot be made: {problem.strerror}") from problem
    try:
        with _engine(fresh).connect() as connection:
            fill(connection)
            connection.commit()  # with the journal of old: all of it is in this one file, or nothing
            if wal:
                connection.exec_driver_sql("COMMIT")  # the journal's mode cannot change inside a transaction
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
                connection.exec_driver_sql("BEGIN")
        _linked(fresh, path)
    except OSError as problem:
        raise StoreError(f"the store `{path}` cannot be made: {problem.strerror}") from problem
    except DBAPIError as problem:
        raise StoreError(f"the store `{path}` cannot be made: {problem.orig}") from problem
    finally:
        for left in (fresh, f"{fresh}-wal", f"{fresh}-shm", f"{fresh}-journal"):
            with suppress(FileNotFoundError):
                os.unlink(left)


def _linked(source: str, target: str) -> bool:
    """Whether `target` became `source`; one that exists is not touched. File systems without links rename."""
    try:
        os.link(source, target)
    except FileExistsError:
        return False
    except OSError:
        if os.path.lexists(target):
            return False
        os.rename(source, target)
    return True

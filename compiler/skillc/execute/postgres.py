"""A store in a PostgreSQL database, for several processes and machines. Its URL's password is never shown."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from skillc.execute.dialect import SCHEMA
from skillc.execute.faults import StoreBusy, StoreCorrupt, StoreError, StoreUnreachable

SCHEMES = ("postgresql", "postgres")
CONNECT_SECONDS = 10
LOCK_MILLISECONDS = 5_000
_UPGRADE_LOCK = 0x736B696C6C63
_SHOWN_OPTIONS = ("host", "port", "user", "dbname", "sslmode")
_CONTENTION = ("40001", "40P01", "55P03")
_LOST = ("08", "57P")
_DAMAGED = ("42P01", "42703", "42P07", "42704", "42804")
_UNWRITABLE = "22"


class PostgresDatabase:
    """The database at `url`, in the schema `skillc`. Refuses a URL that cannot be read without showing it."""

    warning: str | None = None

    def __init__(self, url: str) -> None:
        parsed = _parsed(url)
        self.name = shown(parsed)
        self._secret = parsed.password
        options: dict[str, object] = (
            {} if "connect_timeout" in parsed.query else {"connect_timeout": CONNECT_SECONDS}
        )
        try:
            engine = create_engine(
                parsed.set(drivername="postgresql+psycopg"),
                connect_args=options,
                pool_pre_ping=True,
                hide_parameters=True,
            )
        except ImportError as problem:
            raise StoreError(
                f"the store `{self.name}` is a PostgreSQL database, and the package psycopg is missing: install "
                "skillc[postgres]"
            ) from problem
        event.listen(engine, "connect", _settings)
        event.listen(engine, "checkout", _of_this_process)
        weakref.finalize(self, _end, engine, os.getpid())
        self.reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self.writing = engine.execution_options(isolation_level="READ COMMITTED")

    def make(self, fill: Callable[[Connection], None]) -> None:
        """The tables are there afterwards; of those who come at once, one makes them and the others wait."""
        with self.reading.begin() as connection:
            if _exists(connection):
                return
        with self.writing.begin() as connection:
            self.lock_upgrade(connection)
            if _exists(connection):
                return
            if connection.exec_driver_sql("SHOW server_encoding").scalar() != "UTF8":
                raise StoreError(f"the database of the store `{self.name}` does not keep text as UTF8")
            if connection.exec_driver_sql(_NAMESPACE).scalar() is None:
                connection.exec_driver_sql(f"CREATE SCHEMA {SCHEMA}")
            fill(connection)

    def check(self) -> None:
        """Refuses a database that has no sessions."""
        with self.reading.begin() as connection:
            if not _exists(connection):
                raise StoreError(f"the database of the store `{self.name}` holds no sessions")

    def lock_upgrade(self, connection: Connection) -> None:
        """Others who want to make or upgrade the tables wait until the transaction ends."""
        connection.exec_driver_sql("SET LOCAL lock_timeout = '60s'")
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})

    def keep_copy(self, connection: Connection, version: int) -> None:
        """Nothing: the upgrade is one transaction, and the server has its own backups."""

    def explained(self, problem: DBAPIError, writes: bool) -> StoreError:
        """The sentence for what the server said."""
        state = getattr(problem.orig, "sqlstate", None) or ""
        cause = self._cause(problem)
        if problem.connection_invalidated or state.startswith(_LOST):
            return StoreUnreachable(f"the connection to the store `{self.name}` broke: {cause}")
        if state in _CONTENTION:
            return StoreBusy(f"the store `{self.name}` is in use by another process; try again")
        if state in _DAMAGED:
            return StoreCorrupt(f"the store `{self.name}` is corrupt: {cause}")
        if state.startswith(_UNWRITABLE) and writes:
            return StoreError(f"what was to be stored cannot be written: {cause}")
        if state:
            return StoreError(f"the store `{self.name}` cannot be used: {cause}")
        return self._not_connected(cause)

    def _not_connected(self, cause: str) -> StoreError:
        if "password" in cause or "authentication" in cause:
            return StoreError(f"the database server refused the user or the password of `{self.name}`")
        if "database" in cause and "does not exist" in cause:
            return StoreError(
                f"the database server has no such database as in `{self.name}`: make it with createdb"
            )
        return StoreUnreachable(f"the database server of `{self.name}` cannot be reached: {cause}")

    def _cause(self, problem: DBAPIError) -> str:
        """The first line of what the server or its client said."""
        lines = str(problem.orig).strip().splitlines() or [type(problem.orig).__name__]
        cause = lines[0].removeprefix("connection failed: ").strip()
        for secret in {self._secret, quote(self._secret or "", safe="")} - {None, ""}:
            cause = cause.replace(str(secret), "…")
        return cause


def is_url(where: str) -> bool:
    """Whether `where` names a database by a URL, and no file."""
    return "://" in where


def without_password(where: str) -> str:
    """How a place may be told: a path as it is, a URL without its password, and without all of it where nobody knows
    where the password ends.

    >>> without_password("postgresql://me:secret@db/stories?sslmode=require")
    'postgresql://me@db/stories?sslmode=require'
    """
    if not is_url(where):
        return where
    try:
        return shown(_parsed(where))
    except StoreError:
        return f"{SCHEMES[0]}://…"


def shown(url: URL) -> str:
    """`url` as messages may show it: neither the password nor options that might hold one."""
    kept = {key: value for key, value in url.query.items() if key in _SHOWN_OPTIONS}
    plain = URL.create(SCHEMES[0], url.username, None, url.host, url.port, url.database, kept)
    return plain.render_as_string()


def _parsed(where: str) -> URL:
    """Nothing of a URL that cannot be read is shown: where the password ends in it, nobody knows."""
    scheme = where.partition("://")[0].partition("+")[0]
    if scheme not in SCHEMES:
        raise StoreError(
            f"sessions are kept in a file or in PostgreSQL (postgresql://…), not in `{scheme}://…`"
        )
    try:
        url = make_url(where)
    except (ArgumentError, ValueError) as problem:
        raise StoreError(_UNREADABLE) from problem
    if where.count("@") > 1 or "/" in (url.database or ""):
        raise StoreError(_UNREADABLE)
    return url


_NAMESPACE = f"SELECT oid FROM pg_namespace WHERE nspname = '{SCHEMA}'"
_TABLE = f"SELECT 1 FROM pg_class WHERE relname = 'schema_version' AND relnamespace = ({_NAMESPACE})"
"""Asked of the tables themselves: what a session remembers of names (`to_regclass`) may be older than the lock that it
waited for."""
_UNREADABLE = (
    "the URL of the store cannot be read: in a password write `@`, `/`, `:`, `#`, `?` and `%` as `%40` and so on, or "
    "give it in the variable PGPASSWORD"
)


def _settings(connection: object, record: ConnectionPoolEntry) -> None:
    """Our own schema, and no endless wait for a lock."""
    record.info["process"] = os.getpid()
    before = connection.autocommit  # type: ignore[attr-defined]
    connection.autocommit = True  # type: ignore[attr-defined]
    with connection.cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f"SET search_path = {SCHEMA}")
        cursor.execute(f"SET lock_timeout = {LOCK_MILLISECONDS}")
    connection.autocommit = before  # type: ignore[attr-defined]


_INHERITED: list[object] = []
"""Connections of the process that this one was forked from: to close one here would end it there."""


def _of_this_process(connection: object, record: ConnectionPoolEntry, proxy: PoolProxiedConnection) -> None:
    """A process that was forked opens connections of its own."""
    if record.info["process"] != os.getpid():
        _INHERITED.append(connection)
        record.dbapi_connection = None  # type: ignore[misc]
        raise DisconnectionError


def _end(engine: Engine, process: int) -> None:
    """What is open is closed with the store, by the process that opened it."""
    engine.dispose(close=os.getpid() == process)


def _exists(connection: Connection) -> bool:
    return connection.exec_driver_sql(_TABLE).scalar() is not None

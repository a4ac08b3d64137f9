"""Where a store lies: a SQLite file or a PostgreSQL database, told by how its place is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from skillc.execute.faults import StoreError
from skillc.execute.postgres import PostgresDatabase, is_url
from skillc.execute.sqlite import SqliteDatabase


class Database(Protocol):
    """`reading` and `writing` begin transactions; `name` is what sentences call it, without any password."""

    name: str

    @property
    def warning(self) -> str | None:
        """One sentence where the place is a risk."""

    @property
    def reading(self) -> Engine: ...

    @property
    def writing(self) -> Engine: ...

    def make(self, fill: Callable[[Connection], None]) -> None:
        """The tables are there afterwards, whoever else makes them at the same time."""

    def check(self) -> None:
        """Refuses what is no database."""

    def lock_upgrade(self, connection: Connection) -> None:
        """One at a time upgrades: the others wait until the transaction ends."""

    def keep_copy(self, connection: Connection, version: int) -> None:
        """Keeps the database as it is, where nothing else does."""

    def explained(self, problem: DBAPIError, writes: bool) -> StoreError:
        """The sentence for what the database said."""


def database_at(where: str) -> Database:
    """The database at the path or the URL `where`; nothing is opened yet."""
    return PostgresDatabase(where) if is_url(where) else SqliteDatabase(where)

"""What holds for all tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A machine that is busy with something else proves nothing about a strategy.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


@pytest.fixture
def postgres_url() -> str:
    """A new database of a real PostgreSQL server; without one the test is skipped and says why."""
    from postgres import NoServer, server

    try:
        return server().fresh()
    except NoServer as problem:
        pytest.skip(str(problem))


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store can be: a file, then a database of a server. What holds of a store holds of both."""
    if request.param == "sqlite":
        return str(tmp_path / "s.db")
    url = request.getfixturevalue("postgres_url")
    assert isinstance(url, str)
    return url


@pytest.fixture
def outside(where: str) -> Callable[[str], None]:
    """Changes the tables of the store at `where` as no program of ours would."""

    def change(statement: str) -> None:
        if "://" in where:
            import psycopg

            with psycopg.connect(where, autocommit=True) as server:
                server.execute("SET search_path = skillc")
                server.execute("SET session_replication_role = replica")  # no foreign keys
                server.execute(statement)  # type: ignore[call-overload]
            return
        with closing(sqlite3.connect(where, timeout=60)) as database, database:
            database.execute(statement)

    return change

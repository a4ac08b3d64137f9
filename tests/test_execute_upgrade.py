"""Stores of older versions: upgraded whole behind a copy, or left as they were."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, Inspector, event, insert, inspect, select

from cli import skillc
from running import TickingClock
from serving.dying_session import SESSION, Steady, play, resumed
from skillc.execute import schema
from skillc.execute.database import database_at
from skillc.execute.ledger import fill, schema_digest
from skillc.execute.records import Changes
from skillc.execute.store import StoreCorrupt, StoreError, open_store
from skillc.execute.upgrade import migrate

FIRST = Path(__file__).parent / "data" / "sessions.v1.sqlite3"
"""Made by version 1: session `s1` is done, `s2` waits for a review, `s3` for an answer."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return Path(shutil.copy(FIRST, tmp_path / "s.db"))


def rows(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


def test_an_old_store_is_opened_and_its_sessions_go_on(old: Path, tmp_path: Path) -> None:
    store = open_store(str(old), TickingClock())
    assert [(one.id, one.phase, one.reason) for one in store.sessions()] == [
        ("s1", "done", None),
        ("s2", "waiting_user", "review_artifact"),
        ("s3", "waiting_user", "worker_questions"),
    ]
    session = resumed(store, Steady(), "s3")
    whole = play(open_store(str(tmp_path / "whole.db"), TickingClock()), Steady())
    assert session.status.phase == "done"
    assert session.board.to_data()["items"] == whole.board.to_data()["items"]
    assert open_store(str(old)).load("s3") == session.record


def test_of_an_old_file_a_copy_is_kept(old: Path) -> None:
    before = rows(old)
    open_store(str(old))
    assert sorted(entry.name for entry in old.parent.iterdir()) == ["s.db", "s.db.v1.bak"]
    assert rows(old.with_name("s.db.v1.bak")) == before
    open_store(str(old))
    assert sorted(entry.name for entry in old.parent.iterdir()) == ["s.db", "s.db.v1.bak"]


def test_a_copy_takes_the_place_of_nothing(old: Path, tmp_path: Path) -> None:
    """E100: a link that somebody put there is not followed, and an older copy stays."""
    (tmp_path / "theirs").write_text("theirs")
    old.with_name("s.db.v1.bak").symlink_to(tmp_path / "theirs")
    old.with_name("s.db.v1.bak.2").write_text("an older one")
    open_store(str(old))
    assert (tmp_path / "theirs").read_text() == "theirs"
    assert old.with_name("s.db.v1.bak.2").read_text() == "an older one"
    assert rows(old.with_name("s.db.v1.bak.3"))


def test_reading_alone_changes_nothing(old: Path) -> None:
    before = old.read_bytes()
    store = open_store(str(old), only_read=True)
    assert store.path == str(old)
    assert [one.id for one in store.sessions()] == ["s1", "s2", "s3"]
    assert store.load(SESSION).progress.status.phase == "done"
    assert old.read_bytes() == before
    assert [entry.name for entry in old.parent.iterdir()] == ["s.db"]


def test_compat_only_reads_an_old_store(old: Path, tmp_path: Path) -> None:
    (tmp_path / "skills").mkdir()
    before = old.read_bytes()
    done = skillc("compat", str(tmp_path), str(tmp_path), "--store", str(old), cwd=tmp_path)
    assert "s2" in done.out and "s3" in done.out
    assert old.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE items SET content = '别的' WHERE seq = 1",
        "DELETE FROM sessions WHERE id = 's2'",
        "DELETE FROM item_events",
        "ALTER TABLE items ADD COLUMN more TEXT",
        "DELETE FROM schema_version",
    ],
)
def test_a_damaged_old_store_is_left_as_it_is(old: Path, statement: str) -> None:
    with closing(sqlite3.connect(old)) as database, database:
        database.execute(statement)
    before = rows(old)
    with pytest.raises(StoreCorrupt):
        open_store(str(old))
    assert rows(old) == before


def test_a_store_of_a_newer_version_is_refused(where: str, outside: Callable[[str], None]) -> None:
    play(open_store(where, TickingClock()), Steady())
    outside(f"UPDATE schema_version SET version = {schema.VERSION + 1}")
    with pytest.raises(
        StoreError, match="is of version 3, and this program knows up to 2: use a newer skillc"
    ) as caught:
        open_store(where)
    assert not isinstance(caught.value, StoreCorrupt)


def test_a_step_into_a_store_that_was_upgraded_meanwhile_is_refused(
    where: str, outside: Callable[[str], None]
) -> None:
    store = open_store(where, TickingClock())
    record = play(store, Steady()).record
    outside(f"UPDATE schema_version SET version = {schema.VERSION + 1}")
    with pytest.raises(StoreError, match="use a newer skillc"):
        store.load(SESSION)
    with pytest.raises(StoreError, match="use a newer skillc"):
        store.commit(record, record.progress, Changes())


def test_many_may_open_an_old_store_at_once(old: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: len(open_store(str(old)).sessions()), range(8)))
    assert found == [3] * 8
    assert sorted(entry.name for entry in old.parent.iterdir()) == ["s.db", "s.db.v1.bak"]


def test_an_upgrade_that_fails_half_way_leaves_the_old_store(old: Path) -> None:
    """E89: whatever statement fails, the file is what it was, and the next try succeeds."""
    before = rows(old)
    done = failed = 0
    while not done:
        left = [failed]

        def fail(_c: object, _cursor: object, statement: str, *_: object, left: list[int] = left) -> None:
            if statement.lstrip().startswith(("CREATE", "ALTER", "INSERT", "UPDATE")):
                if left[0] == 0:
                    raise OSError(28, "No space left on device")
                left[0] -= 1

        event.listen(Engine, "before_cursor_execute", fail)
        try:
            open_store(str(old))
            done = 1
        except OSError:
            failed += 1
        finally:
            event.remove(Engine, "before_cursor_execute", fail)
        if not done:
            assert rows(old) == before
    assert failed > 10
    assert len(open_store(str(old)).sessions()) == 3


def shape(found: Inspector, table: str) -> dict[str, object]:
    """What makes a table, whoever wrote its statement; names of rules aside."""
    return {
        "columns": {
            one["name"]: (str(one["type"]), one["nullable"], one["default"])
            for one in found.get_columns(table)
        },
        "key": found.get_pk_constraint(table)["constrained_columns"],
        "unique": sorted(one["column_names"] for one in found.get_unique_constraints(table)),
        "foreign": sorted(
            (one["constrained_columns"], one["referred_table"], one["referred_columns"])
            for one in found.get_foreign_keys(table)
        ),
        "collations": sorted(
            (one["name"], str(getattr(one["type"], "collation", None))) for one in found.get_columns(table)
        ),
    }


def shapes(connection: Connection) -> dict[str, dict[str, object]]:
    found = inspect(connection)
    return {table: shape(found, table) for table in found.get_table_names()}


def test_the_steps_from_the_first_version_make_the_tables_of_this_one(
    where: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    stepped, made = database_at(where), database_at(_another(where, tmp_path, request))
    with stepped.writing.begin() as connection:
        if "://" in where:
            connection.exec_driver_sql("CREATE SCHEMA skillc")
        migrate(connection, None)
    made.make(fill)
    with stepped.reading.begin() as one, made.reading.begin() as other:
        assert shapes(one) == shapes(other)
        assert set(shapes(one)) == set(schema.METADATA.tables)


def _another(where: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    if "://" not in where:
        return str(tmp_path / "made.db")
    from postgres import server

    return server().fresh()


def test_a_new_store_stands_at_the_last_step(where: str) -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "skillc.execute:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [schema.REVISION]
    assert int(schema.REVISION) == schema.VERSION
    store = open_store(where)
    with store.database.reading.begin() as connection:
        assert connection.execute(select(schema.ALEMBIC_VERSION)).scalars().all() == [schema.REVISION]


def test_an_old_store_on_a_server_is_upgraded_in_one_transaction(
    postgres_url: str,
) -> None:
    _first_version_at(postgres_url)
    store = open_store(postgres_url, TickingClock())
    assert [one.id for one in store.sessions()] == ["s1", "s2", "s3"]
    assert resumed(store, Steady(), "s3").status.phase == "done"


def _first_version_at(url: str) -> None:
    """The rows of the old file in tables of version 1 on a server."""
    database = database_at(url)
    with database.writing.begin() as connection, closing(sqlite3.connect(FIRST)) as file:
        connection.exec_driver_sql("CREATE SCHEMA skillc")
        migrate(connection, None, "0001")
        connection.exec_driver_sql("DROP TABLE alembic_version")
        file.row_factory = sqlite3.Row
        for name in ("sessions", *(table.name for table in schema.LOGS.values()), "schema_version"):
            if not file.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [name]).fetchall():
                continue
            for row in file.execute(f"SELECT * FROM {name}"):
                table = schema.METADATA.tables[name]
                values = {
                    key: table.c[key].type.process_result_value(value, connection.dialect)
                    if isinstance(table.c[key].type, schema.Json)
                    else bool(value)
                    if str(table.c[key].type) == "BOOLEAN"
                    else value
                    for key, value in dict(row).items()
                }
                connection.execute(insert(table).values(**values))
        digest = schema_digest(connection)
        connection.exec_driver_sql(f"UPDATE schema_version SET schema_digest = '{digest}'")

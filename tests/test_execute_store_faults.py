"""Full disks, network file systems, planted links, flipped bytes: the store says so, and what was stored stays."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection, Engine, event

from cli import examples, skillc
from contending import PROGRESS, item
from running import TickingClock
from serving.dying_session import SESSION, Steady, play
from skillc.execute.records import Changes
from skillc.execute.sqlite import SqliteDatabase, network_of
from skillc.execute.store import Store, StoreConflict, StoreCorrupt, StoreError, open_store

ITEMS = Changes(items=tuple(item(number, "甲" * 2000) for number in range(1, 9)))
SCRIPT = "skills/novel/weird-rules-short/scripts/demo.yaml"


@contextmanager
def listening(name: str, listener: Callable[..., object]) -> Iterator[None]:
    event.listen(Engine, name, listener)
    try:
        yield
    finally:
        event.remove(Engine, name, listener)


def pages_at_most(number: int) -> Callable[..., object]:
    """A disk that is full as soon as a database has so many pages."""

    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {number}")

    return limit


def test_e89_on_a_full_disk_the_old_state_stays(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    store = open_store(str(path))
    record = store.create("s", "novel/sample", PROGRESS, Changes(items=(item(9, "乙"),)))
    pages, failed = os.path.getsize(path) // 4096, 0
    for more in range(100):
        with listening("connect", pages_at_most(pages + more)):
            try:
                after = store.commit(record, PROGRESS, ITEMS)
                break
            except StoreError as problem:
                assert str(problem) == f"the store `{path}` cannot be used: database or disk is full"
                assert not isinstance(problem, StoreCorrupt | StoreConflict)
        failed += 1
        assert open_store(str(path)).load("s") == record
    assert failed > 5
    assert open_store(str(path)).load("s") == after


def test_e89_whatever_statement_finds_the_disk_full_the_old_state_stays(where: str) -> None:
    store = open_store(where)
    record = store.create("s", "novel/sample", PROGRESS, Changes(items=(item(9, "乙"),)))
    fault = (
        psycopg.errors.DiskFull("no space left")
        if "://" in where
        else sqlite3.OperationalError("disk is full")
    )
    failed = 0
    while True:
        left = [failed]

        def full(_c: object, _cursor: object, statement: str, *_: object, left: list[int] = left) -> None:
            if statement.startswith(("INSERT", "UPDATE")):
                if left[0] == 0:
                    raise fault
                left[0] -= 1

        with listening("before_cursor_execute", full):
            try:
                after = store.commit(record, PROGRESS, ITEMS)
                break
            except StoreError as problem:
                assert "cannot be used: " in str(problem)
        failed += 1
        assert open_store(where).load("s") == record
    assert failed >= 2
    assert open_store(where).load("s") == after


@pytest.mark.parametrize("pages", [1, 5, 20])
def test_e89_a_store_that_does_not_fit_is_not_made(tmp_path: Path, pages: int) -> None:
    with listening("connect", pages_at_most(pages)), pytest.raises(StoreError, match="cannot be"):
        open_store(str(tmp_path / "s.db"))
    assert list(tmp_path.iterdir()) == []


def test_e89_a_new_store_is_one_whole_file_whoever_else_has_it_open(tmp_path: Path) -> None:
    """Whatever keeps SQLite from moving a journal into the file when it closes it (another program that looks at the
    file, a disk that is full by then): nothing of the store stands in a journal, since that one is thrown away."""
    watchers: list[sqlite3.Connection] = []

    def watch(connection: Connection) -> None:
        path = connection.exec_driver_sql("PRAGMA database_list").all()[0][2]
        watchers.append(sqlite3.connect(path))
        watchers[-1].execute("SELECT count(*) FROM sqlite_master").fetchall()

    path = str(tmp_path / "s.db")
    with listening("commit", watch):
        store = open_store(path)
    try:
        record = store.create("s", "novel/sample", PROGRESS, ITEMS)
        assert open_store(path).load("s") == record
    finally:
        for watcher in watchers:
            watcher.close()
    assert watchers


def test_e85_a_file_on_a_network_is_used_with_a_warning_and_without_shared_memory(tmp_path: Path) -> None:
    from skillc.execute.ledger import fill

    path = str(tmp_path / "s.db")
    database = SqliteDatabase(path, network=lambda _: "nfs4")
    database.make(fill)
    store = Store(database, TickingClock())
    assert store.warning is not None
    assert store.warning.startswith(
        f"the store `{path}` lies on a network file system (nfs4), whose locks cannot be "
    )
    assert play(store, Steady()).status.phase == "done"
    with store.database.reading.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "delete"
    assert open_store(str(tmp_path / "other.db")).warning is None
    assert network_of(str(tmp_path)) is None


def test_e92_a_flipped_byte_in_a_session_is_corrupt_and_no_new_session(tmp_path: Path) -> None:
    home = examples(tmp_path, "novel/weird-rules-short")
    (home / "none.yaml").write_text("replies: []\nuser: []\n", encoding="utf-8")
    options = ("run", "weird-rules-short", "--store", "s.db", "--script")
    skillc(*options, "none.yaml", cwd=home)
    store = open_store(str(home / "s.db"))
    (session,) = store.sessions()
    data = (home / "s.db").read_bytes()
    place = data.rindex(session.package.encode())
    (home / "s.db").write_bytes(data[:place] + b"N" + data[place + 1 :])
    done = skillc(*options, SCRIPT, "--resume", session.id, cwd=home)
    assert done.code == 3 and "is corrupt" in done.out + done.err
    assert "started" not in done.out


def test_e85_who_runs_a_session_on_a_network_is_warned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = examples(tmp_path, "novel/weird-rules-short")
    (home / "mounts").write_text(f"22 1 0:30 / {home} rw - nfs4 host:/srv rw\n", encoding="utf-8")
    monkeypatch.setattr("skillc.mounts.TABLE", str(home / "mounts"))
    done = skillc("run", "weird-rules-short", "--script", SCRIPT, cwd=home)
    assert done.code == 0
    assert "warning: the store `" in done.out and "lies on a network file system (nfs4)" in done.out
    chinese = skillc("--lang", "zh", "run", "weird-rules-short", "--script", SCRIPT, cwd=home)
    assert "警告：会话库" in chinese.out and "网络文件系统（nfs4）" in chinese.out


@pytest.mark.parametrize("name", ["s.db-wal", "s.db-shm", "s.db-journal"])
def test_e100_a_planted_link_beside_the_file_is_not_written_through(tmp_path: Path, name: str) -> None:
    store = open_store(str(tmp_path / "s.db"), TickingClock())
    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / name).symlink_to(tmp_path / "theirs")
    try:
        play(store, Steady())
    except StoreError as problem:
        assert "cannot be used" in str(problem)
    assert (tmp_path / "theirs").read_text() == "theirs"


def test_e100_a_planted_link_where_a_store_is_made_leads_where_it_points(tmp_path: Path) -> None:
    """What is there is no store: it is refused, and not a byte of it changes."""
    (tmp_path / "theirs").write_text("theirs, and no database")
    (tmp_path / "s.db").symlink_to(tmp_path / "theirs")
    with pytest.raises(StoreCorrupt, match="file is not a database"):
        open_store(str(tmp_path / "s.db"))
    assert (tmp_path / "theirs").read_text() == "theirs, and no database"


def test_a_load_asks_for_its_own_session_only(where: str) -> None:
    """However many sessions there are, a step costs the same: it asks as many questions and gets as many rows."""
    store = open_store(where, TickingClock())
    counts = []
    for number in range(3):
        for more in range(number * 20):
            store.create(f"other-{number}-{more}", "novel/sample", PROGRESS, Changes())
        record = store.create(f"s{number}", "novel/sample", PROGRESS, Changes(items=(item(1, "甲"),)))
        asked: list[str] = []

        def ask(_c: object, _cursor: object, statement: str, *_: object, asked: list[str] = asked) -> None:
            asked.append(statement)

        with listening("before_cursor_execute", ask):
            store.commit(store.load(record.id), PROGRESS, Changes(items=(item(2, "乙"),)))
        counts.append(len(asked))
        assert not [one for one in asked if "FROM sessions" in one and "WHERE sessions.id" not in one]
    assert len(set(counts)) == 1


def test_a_step_does_not_read_what_the_session_has_already(where: str) -> None:
    store = open_store(where, TickingClock())
    record = play(store, Steady()).record
    asked: list[str] = []

    def ask(_c: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    with listening("before_cursor_execute", ask):
        store.commit(record, record.progress, Changes(items=(item(99, "甲"),)))
    assert not [one for one in asked if one.startswith("SELECT") and "FROM items" in one]
    assert store.load(SESSION).items[-1].id == "甲-99"

"""Many processes on one store: nobody is refused for it, nothing is lost, nothing is written twice."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from contending import PROGRESS, item
from nursery import Nursery
from skillc.execute.backoff import LONGEST_SECONDS, TRIES, pauses
from skillc.execute.records import Changes
from skillc.execute.store import StoreBusy, open_store

ENTRIES = 500


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as found:
        yield found


def test_e86_sixteen_processes_make_one_store_at_once(where: str, tmp_path: Path, nursery: Nursery) -> None:
    place = tmp_path / "meeting"
    place.mkdir()
    names = [f"s{number:02}" for number in range(16)]
    assert nursery.run([("contending:opens", where, str(place), 16, name) for name in names]) == [0] * 16
    assert sorted(one.id for one in open_store(where).sessions()) == names
    assert {entry.name for entry in tmp_path.iterdir()} <= {"s.db", "meeting"}


@pytest.mark.parametrize("sessions", [("s1", "s2"), ("s1", "s1")], ids=["own", "shared"])
def test_e93_two_processes_append_500_entries_each(
    where: str, tmp_path: Path, nursery: Nursery, sessions: tuple[str, str]
) -> None:
    place = tmp_path / "meeting"
    place.mkdir()
    store = open_store(where)
    for name in sorted(set(sessions)):
        store.create(name, "novel/sample", PROGRESS, Changes())
    calls = [
        ("contending:appends", where, str(place), 2, session, name, ENTRIES)
        for session, name in zip(sessions, "ab", strict=True)
    ]
    assert nursery.run(calls) == [0, 0]
    rows = [row for name in sorted(set(sessions)) for row in store.load(name).items]
    assert sorted(row.op for row in rows) == sorted(f"{n}/{k}" for n in "ab" for k in range(1, ENTRIES + 1))
    for name in "ab":
        assert [row.seq for row in rows if row.source == name] == list(range(1, ENTRIES + 1))


def test_waiting_is_bounded_and_never_the_same_twice() -> None:
    found = [list(pauses()) for _ in range(20)]
    assert all(len(each) == TRIES - 1 and max(each) <= LONGEST_SECONDS for each in found)
    assert len({tuple(each) for each in found}) == 20


def test_a_file_that_stays_locked_is_a_sentence_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skillc.execute.sqlite.BUSY_MILLISECONDS", 1)
    store = open_store(str(tmp_path / "s.db"))
    record = store.create("s", "novel/sample", PROGRESS, Changes())
    with closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="is in use by another process; try again"):
            store.commit(record, PROGRESS, Changes(items=(item(1, "a"),)))
        other.execute("ROLLBACK")
    assert store.load("s") == record


@pytest.mark.parametrize("first", ["INSERT", "SELECT"])
def test_what_comes_up_against_another_is_tried_again(tmp_path: Path, first: str) -> None:
    """The other one leaves while this one waits, who writes or reads: the user hears nothing of it."""
    store = open_store(str(tmp_path / "s.db"))
    record = store.create("s", "novel/sample", PROGRESS, Changes())
    tries = []

    def busy(_c: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith(first):
            tries.append(statement)
            if len(tries) < 3:
                raise sqlite3.OperationalError("database is locked")

    event.listen(Engine, "before_cursor_execute", busy)
    try:
        assert store.load("s") == record
        after = store.commit(record, PROGRESS, Changes(items=(item(1, "a"),)))
    finally:
        event.remove(Engine, "before_cursor_execute", busy)
    assert len(tries) >= 3
    assert store.load("s") == after


def test_two_who_stand_in_each_others_way_on_a_server_both_get_through(postgres_url: str) -> None:
    """A deadlock: the server ends one of the two, which is tried again."""
    store = open_store(postgres_url)
    for name in ("a", "b"):
        store.create(name, "novel/sample", PROGRESS, Changes())
    both = threading.Barrier(2)
    tries = {"ab": 0, "ba": 0}

    def cross(order: str) -> None:
        def change(connection: object, _: str) -> None:
            tries[order] += 1
            for number, name in enumerate(order):
                connection.exec_driver_sql(f"UPDATE sessions SET package = package WHERE id = '{name}'")  # type: ignore[attr-defined]
                if number == 0 and tries[order] == 1:
                    both.wait(60)

        store.write(change)

    threads = [threading.Thread(target=cross, args=(order,)) for order in tries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    assert min(tries.values()) >= 1 and sum(tries.values()) > 2

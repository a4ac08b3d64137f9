"""The store: whole steps or none, damage that is noticed, sessions that survive a cut."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from running import ListedModel, TickingClock, needs, opened, running_plan, writes
from serving.dying_session import SESSION, Steady, play
from skillc.execute.ledger import content_digest
from skillc.execute.records import Changes, ItemRow, Progress, SessionRecord
from skillc.execute.session import Session
from skillc.execute.store import (
    StoreConflict,
    StoreCorrupt,
    StoreError,
    UnknownSession,
    open_store,
)

TESTS = Path(__file__).parent
PROGRESS = Progress(package="novel/sample", fingerprint="f", workers={})


def item(number: int, op: str | None = None, session: str = "") -> ItemRow:
    text = f"第{number}条{session}"
    return ItemRow(
        id=f"i{number}",
        op=op or f"op{number}",
        seq=number,
        tag="笔记.一",
        content=text,
        source="w",
        digest=content_digest(text),
    )


def filled(path: str) -> dict[str, SessionRecord]:
    """A store with two sessions that went through everything, and what it holds."""
    store = open_store(path, TickingClock())
    play(store, Steady())
    plan = running_plan({"w": {"inputs": ["需求"], "outputs": ["文.草稿"]}})
    opened(
        store,
        plan,
        ListedModel(writes({"文.草稿": "长" * 3000})),
        session_id="s2",
        board=needs({"需求": "店"}),
    )
    return {id: store.load(id) for id in (SESSION, "s2")}


def test_a_session_is_loaded_as_it_was_written(where: str) -> None:
    records = filled(where)
    again = open_store(where)
    assert {id: again.load(id) for id in records} == records
    assert [(s.id, s.phase, s.reason) for s in again.sessions()] == [
        (SESSION, "done", None),
        ("s2", "waiting_user", "review_artifact"),
    ]
    with pytest.raises(UnknownSession, match="has no session `s3`"):
        again.load("s3")


def test_between_steps_everything_is_in_the_one_file(tmp_path: Path) -> None:
    filled(str(tmp_path / "s.db"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.db"]


def test_a_flipped_byte_is_noticed_wherever_it_matters(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    records = filled(str(path))
    good = path.read_bytes()
    places = [*range(0, 100, 3), *range(100, len(good), 613)]
    corrupt = 0
    for number, place in enumerate(places):
        bad = bytearray(good)
        bad[place] ^= (0x01, 0xFF, 0x20)[number % 3]
        path.write_bytes(bytes(bad))
        try:
            store = open_store(str(path))
            found = {summary.id: store.load(summary.id) for summary in store.sessions()}
        except StoreCorrupt as problem:
            assert str(problem).startswith(f"the store `{path}` is corrupt: ")
            corrupt += 1
        else:
            assert found == records, f"byte {place} was flipped and went unnoticed"
    assert corrupt > 40  # pages of tables without rows hold nothing that could be damaged


@pytest.mark.parametrize("size", [0, 1, 100, 4096, 20_000])
def test_a_file_that_was_cut_is_corrupt_not_empty(tmp_path: Path, size: int) -> None:
    path = tmp_path / "s.db"
    filled(str(path))
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(StoreCorrupt):
        open_store(str(path)).sessions()


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    path.write_text("你好" * 4000)
    with pytest.raises(StoreCorrupt, match="file is not a database"):
        open_store(str(path))
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(StoreCorrupt):
        open_store(str(tmp_path / "other.db"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE items SET content = '别的' WHERE seq = 1",
        "UPDATE items SET tag = 'x' WHERE seq = 1",
        "DELETE FROM items WHERE seq = 2",
        "DELETE FROM item_events",
        "DELETE FROM answers",
        "UPDATE sessions SET package = 'x'",
        "UPDATE sessions SET progress = '{}'",
        "DELETE FROM sessions",
        "UPDATE schema_version SET version = 0",
        "DELETE FROM schema_version",
        "DROP TABLE notes",
        "ALTER TABLE items ADD COLUMN more TEXT",
    ],
)
def test_rows_that_were_changed_from_outside_are_noticed(
    where: str, outside: Callable[[str], None], statement: str
) -> None:
    filled(where)
    outside(statement)
    with pytest.raises(StoreCorrupt):
        open_store(where).load(SESSION)


def test_a_session_that_vanished_while_the_store_was_open_is_no_unknown_one(
    where: str, outside: Callable[[str], None]
) -> None:
    filled(where)
    store = open_store(where)
    outside(f"DELETE FROM sessions WHERE id = '{SESSION}'")
    with pytest.raises(StoreCorrupt, match="a session is missing or was altered"):
        store.load(SESSION)


def test_a_folder_that_is_not_there_is_an_error_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be made: No such file or directory"):
        open_store(str(tmp_path / "no" / "s.db"))


def test_a_step_with_a_write_that_was_made_before_is_refused_whole(where: str) -> None:
    store = open_store(where, TickingClock())
    first = store.create("s", "novel/sample", PROGRESS, Changes(items=(item(1, "same"),)))
    with pytest.raises(StoreConflict):
        store.commit(first, PROGRESS, Changes(items=(item(2), item(3, "same"))))
    assert store.load("s") == first


def test_of_two_who_move_one_session_on_only_the_first_does(where: str) -> None:
    store = open_store(where, TickingClock())
    record = store.create("s", "novel/sample", PROGRESS, Changes())
    moved = store.commit(record, PROGRESS, Changes(items=(item(1),)))
    with pytest.raises(StoreConflict, match="moved on by another process"):
        store.commit(record, PROGRESS, Changes(items=(item(1, "other"),)))
    assert store.load("s") == moved


def test_a_step_that_another_process_took_first_is_not_taken_again(where: str) -> None:
    store = open_store(where, TickingClock())
    plan = running_plan({"w": {"outputs": ["文.草稿"]}})
    session = Session.open(store, plan, ListedModel(writes({"文.草稿": "一"})))
    other = Session.resume(store, session.id, plan, ListedModel(writes({"文.草稿": "二"})))
    session.advance()
    with pytest.raises(StoreConflict):
        other.advance()
    assert [row.content for row in store.load(session.id).items] == ["一"]


def test_many_may_make_one_store_and_write_their_sessions_at_once(where: str) -> None:

    def write(name: str) -> None:
        store = open_store(where, TickingClock())
        record = store.create(name, "novel/sample", PROGRESS, Changes())
        for number in range(1, 6):
            record = store.commit(record, PROGRESS, Changes(items=(item(number, session=name),)))

    names = [f"s{number}" for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, names))
    store = open_store(where)
    assert sorted(summary.id for summary in store.sessions()) == names
    assert all(len(store.load(name).items) == 5 for name in names)


@pytest.mark.parametrize(
    "point",
    [
        "reply:1",
        "reply:4",
        "statement:4",
        "statement:13",
        "statement:29",
        "told:12",
    ],
)
def test_a_killed_session_loses_nothing_and_repeats_no_write(tmp_path: Path, where: str, point: str) -> None:
    whole = play(open_store(str(tmp_path / "whole.db"), TickingClock()), Steady()).record
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent / "compiler")])}
    program = [sys.executable, str(TESTS / "serving" / "dying_session.py"), where, point]
    killed = subprocess.run(program, env=environment, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    resumed = play(open_store(where, TickingClock()), Steady()).record
    assert resumed.progress.status.phase == "done"
    assert [row.model_dump(exclude={"op"}) for row in resumed.items] == [
        row.model_dump(exclude={"op"}) for row in whole.items
    ]
    assert resumed.statuses == whole.statuses
    assert resumed.runs == whole.runs
    assert resumed.answers == whole.answers


def test_what_cannot_be_written_is_not_called_damage(where: str) -> None:
    store = open_store(where, TickingClock())
    progress = PROGRESS.model_copy(update={"variables": {"旗": "\ud83d"}})
    with pytest.raises(StoreError, match="what was to be stored cannot be written") as caught:
        store.create("s", "novel/sample", progress, Changes())
    assert not isinstance(caught.value, StoreCorrupt)
    assert store.sessions() == ()


def test_a_store_is_made_where_a_link_points(tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "there.db")
    open_store(str(link)).create("s", "novel/sample", PROGRESS, Changes())
    assert [one.id for one in open_store(str(tmp_path / "there.db")).sessions()] == ["s"]
    assert link.is_symlink()


@pytest.mark.parametrize("target", ["none/there.db", "self.db"])
def test_a_link_that_leads_nowhere_is_a_sentence(tmp_path: Path, target: str) -> None:
    link = tmp_path / "self.db"
    link.symlink_to(tmp_path / target)
    with pytest.raises(StoreError, match="cannot be") as caught:
        open_store(str(link))
    assert not isinstance(caught.value, StoreCorrupt)


def test_memory_is_no_store() -> None:
    with pytest.raises(StoreError, match="sessions are kept in a file; `:memory:` is none"):
        open_store(":memory:")

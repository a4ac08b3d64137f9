"""A store in PostgreSQL: what differs from a file, and sentences for all that can be wrong with a server."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import Connection, Engine, event

from cli import ROOT, skillc, skillc_process
from nursery import Nursery
from postgres import PASSWORD, NoServer, Server, new_server, server
from running import TickingClock
from serving.dying_session import PLAN, SESSION, Steady, once, play
from skillc.execute import schema
from skillc.execute.ledger import content_digest
from skillc.execute.postgres import without_password
from skillc.execute.records import Changes, ItemRow, Progress
from skillc.execute.session import Session
from skillc.execute.store import StoreConflict, StoreCorrupt, StoreError, StoreUnreachable, open_store

PROGRESS = Progress(package="novel/sample", fingerprint="f", workers={})


@pytest.fixture
def running() -> Server:
    try:
        return server()
    except NoServer as problem:
        pytest.skip(str(problem))


def item(number: int, text: str = "字", tag: str = "笔记.一") -> ItemRow:
    digest = content_digest(text)
    return ItemRow(
        id=f"i{number}", op=f"op{number}", seq=number, tag=tag, content=text, source="w", digest=digest
    )


def named(url: str) -> str:
    """The name of the database of a test."""
    return url.split("@/")[1].split("?")[0]


def guest(running: Server, database: str, password: str = PASSWORD) -> str:
    return f"postgresql://guest:{quote(password, safe='')}@127.0.0.1:{running.port}/{database}"


def test_a_user_with_an_awkward_password_keeps_sessions(running: Server, postgres_url: str) -> None:
    name = named(postgres_url)
    running.sql(f"GRANT CREATE ON DATABASE {name} TO guest")
    store = open_store(guest(running, name), TickingClock())
    assert play(store, Steady()).status.phase == "done"
    assert store.path == f"postgresql://guest@127.0.0.1:{running.port}/{name}"


@pytest.mark.parametrize("secret", ["falsch", "p@ss/wort", "läng:er%"])
def test_a_refused_password_is_a_sentence_without_it(running: Server, secret: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(guest(running, "postgres", secret))
    sentence = str(caught.value)
    assert sentence == (
        "the database server refused the user or the password of "
        f"`postgresql://guest@127.0.0.1:{running.port}/postgres`"
    )


def test_a_missing_password_is_said(running: Server) -> None:
    with pytest.raises(StoreError, match="refused the user or the password"):
        open_store(f"postgresql://guest@127.0.0.1:{running.port}/postgres")


def test_a_database_that_is_not_there_is_said(running: Server) -> None:
    with pytest.raises(
        StoreError, match=r"has no such database as in `.*/nirgends.*`: make it with createdb"
    ):
        open_store(running.url("nirgends"))


def test_a_server_that_does_not_answer_is_said() -> None:
    with pytest.raises(
        StoreUnreachable, match=r"of `postgresql://me@127\.0\.0\.1:1/x` cannot be reached: .*refused"
    ):
        open_store("postgresql://me:secret@127.0.0.1:1/x")


def test_a_user_who_may_make_nothing_is_told(running: Server, postgres_url: str) -> None:
    name = named(postgres_url)
    with pytest.raises(StoreError, match="cannot be used: permission denied for database"):
        open_store(guest(running, name))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:p@ss@db/x",
        "postgresql://me:p@s/s@db/x",
        "postgresql://me:p@s?s@db/x",
        "postgresql://me:pass@db:port/x",
        "postgresql://me:pass@[::1/x",
    ],
)
def test_a_url_that_cannot_be_read_is_not_shown(url: str) -> None:
    with pytest.raises(StoreError, match="the URL of the store cannot be read") as caught:
        open_store(url)
    assert "ss" not in str(caught.value).replace("password", "").replace("PGPASSWORD", "")


def test_another_kind_of_database_is_refused() -> None:
    with pytest.raises(StoreError, match=r"not in `mysql://…`") as caught:
        open_store("mysql://me:secret@db/x")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("stories.db", "stories.db"),
        (
            "postgres://me:secret@db:5433/x?password=secret&sslmode=require",
            "postgresql://me@db:5433/x?sslmode=require",
        ),
        ("postgresql:///x?host=/run/pg&passfile=/home/me/secret", "postgresql:///x?host=%2Frun%2Fpg"),
        ("postgresql://me:a@b@c", "postgresql://…"),
    ],
)
def test_no_password_is_ever_told(url: str, told: str) -> None:
    assert without_password(url) == told


def test_without_psycopg_the_extra_is_named() -> None:
    script = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from skillc.execute.store import StoreError, open_store\n"
        "try: open_store('postgresql://me:secret@db/x')\n"
        "except StoreError as problem: print(problem)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "the store `postgresql://me@db/x` is a PostgreSQL database, and the package psycopg is missing: install "
        "skillc[postgres]\n"
    )


def test_what_else_the_database_holds_is_not_touched(running: Server, postgres_url: str) -> None:
    name = named(postgres_url)
    running.sql("CREATE TABLE items (x int); CREATE TABLE schema_version (x int)", name)
    play(open_store(postgres_url, TickingClock()), Steady())
    running.sql("DROP TABLE items; DROP TABLE schema_version", name)
    assert [one.phase for one in open_store(postgres_url).sessions()] == ["done"]
    found = running.sql("SELECT DISTINCT schemaname FROM pg_tables WHERE tablename = 'items'", name)
    assert found == [("skillc",)]


def test_tags_compare_by_code_point_whatever_the_server_speaks(postgres_url: str) -> None:
    tags = ["角色.甲", "角色.Z", "角色.a", "角色.é", "角色.😀", "角色.𠮷", "角色.-"]
    store = open_store(postgres_url)
    items = tuple(item(number, tag=tag) for number, tag in enumerate(tags, 1))
    store.create("s", "novel/sample", PROGRESS, Changes(items=items))
    with store.database.reading.connect() as connection:
        found = connection.exec_driver_sql("SELECT tag FROM items ORDER BY tag").scalars().all()
        (collation,) = connection.exec_driver_sql(
            "SELECT collation_name FROM information_schema.columns WHERE table_name = 'items' AND column_name = 'tag'"
        ).one()
    assert found == sorted(tags)
    assert collation == "C"


@pytest.mark.parametrize("text", ["a\0b", "\ufdd0", "\ufdd00\0\ufdd01", "\0\0", "\r\n\t"])
def test_every_text_comes_back_as_it_was_written(where: str, text: str) -> None:
    store = open_store(where)
    written = store.create("s", "novel/sample", PROGRESS, Changes(items=(item(1, text),)))
    assert open_store(where).load("s") == written
    assert written.items[0].content == text


def test_where_is_no_store_none_is_made_by_reading(running: Server, postgres_url: str) -> None:
    with pytest.raises(StoreError, match=r"the database of the store `.*` holds no sessions"):
        open_store(postgres_url, only_read=True)
    assert running.sql("SELECT 1 FROM pg_namespace WHERE nspname = 'skillc'", named(postgres_url)) == []


def test_a_server_that_crashes_in_a_session_loses_nothing_that_was_told() -> None:
    """The session goes on at a step that the server may have forgotten only when nobody was told of it."""
    try:
        own = new_server()
    except NoServer as problem:
        pytest.skip(str(problem))
    url = own.fresh()
    whole = play(open_store(own.fresh(), TickingClock()), Steady()).record
    session = Session.open(open_store(url, TickingClock()), PLAN, Steady(), session_id=SESSION)
    crashes = 0
    while session.status.phase != "done":
        told = session.record
        own.crash()
        own.start()
        crashes += 1
        session = Session.resume(open_store(url, TickingClock()), SESSION, PLAN, Steady())
        assert session.record == told
        once(session)
        once(session)
    assert crashes > 5
    assert [row.content for row in session.record.items] == [row.content for row in whole.items]
    own.crash()


def test_no_test_writes_to_a_server_that_it_did_not_start(postgres_url: str) -> None:
    assert "/skillc-pg-" in postgres_url


@pytest.fixture
def cut(postgres_url: str) -> Iterator[Callable[[str, int], None]]:
    """Breaks the connection of the Nth statement that begins so; once."""
    listeners = []

    def arm(start: str, number: int = 1) -> None:
        left = [number]

        def before(connection: object, cursor: object, statement: str, *_: object) -> None:
            if statement.startswith(start):
                left[0] -= 1
                if left[0] == 0:
                    process = cursor.connection.info.backend_pid  # type: ignore[attr-defined]
                    with psycopg.connect(postgres_url, autocommit=True) as other:
                        other.execute("SELECT pg_terminate_backend(%s, 60000)", [process])

        event.listen(Engine, "before_cursor_execute", before)
        listeners.append(before)

    yield arm
    for listener in listeners:
        event.remove(Engine, "before_cursor_execute", listener)


@pytest.mark.parametrize("start", ["SELECT", "INSERT", "UPDATE"])
def test_a_connection_that_breaks_in_a_step_costs_nothing(
    postgres_url: str, cut: Callable[[str, int], None], start: str
) -> None:
    store = open_store(postgres_url, TickingClock())
    record = store.create("s", "novel/sample", PROGRESS, Changes())
    cut(start, 1)
    after = store.commit(record, PROGRESS, Changes(items=(item(1), item(2))))
    assert store.load("s") == after
    assert [row.id for row in after.items] == ["i1", "i2"]


def test_a_connection_that_breaks_after_the_commit_writes_nothing_twice(postgres_url: str) -> None:
    """The server has it, the client never heard of it: the store is asked, and the write is there once."""
    store = open_store(postgres_url, TickingClock())
    record = store.create("s", "novel/sample", PROGRESS, Changes(items=(item(1),)))
    cuts = []

    def committed(connection: Connection) -> None:
        raw = connection.connection.driver_connection
        if cuts or raw is None:
            return
        raw.commit()
        raw.execute("SELECT 1")
        cuts.append(raw.info.backend_pid)
        with psycopg.connect(postgres_url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 60000)", cuts)

    event.listen(store.database.writing, "commit", committed)
    after = store.commit(record, PROGRESS, Changes(items=(item(2),)))
    assert len(cuts) == 1
    assert store.load("s") == after
    assert [row.id for row in after.items] == ["i1", "i2"]


def test_a_server_that_stays_away_is_an_error_and_loses_nothing(running: Server, postgres_url: str) -> None:
    name = named(postgres_url)
    store = open_store(postgres_url, TickingClock())
    record = store.create("s", "novel/sample", PROGRESS, Changes())
    running.sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    running.sql(f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{name}'")
    with pytest.raises(StoreError, match="cannot be"):
        store.commit(record, PROGRESS, Changes(items=(item(1),)))
    running.sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    assert store.load("s") == record


def test_half_a_store_is_corrupt_and_not_made_anew(running: Server, postgres_url: str) -> None:
    play(open_store(postgres_url, TickingClock()), Steady())
    name = named(postgres_url)
    running.sql("DROP TABLE skillc.schema_version", name)
    with pytest.raises(StoreCorrupt):
        open_store(postgres_url)


def test_processes_that_fork_do_not_share_a_connection(postgres_url: str) -> None:
    with Nursery() as nursery:
        assert nursery.run([("contending:forks", postgres_url)]) == [0]
    assert [row.id for row in open_store(postgres_url).load("s").items] == ["child-1", "parent-2"]


def test_two_at_once_of_whom_the_second_comes_too_late(postgres_url: str) -> None:
    store, other = open_store(postgres_url), open_store(postgres_url)
    record = store.create("s", "novel/sample", PROGRESS, Changes())
    other.commit(record, PROGRESS, Changes(items=(item(1),)))
    with pytest.raises(StoreConflict, match="moved on by another process"):
        store.commit(record, PROGRESS, Changes(items=(item(2),)))


SCRIPT = "skills/novel/weird-rules-short/scripts/demo.yaml"


def test_a_package_is_run_on_a_server_and_its_password_is_nowhere(
    running: Server, postgres_url: str, tmp_path: Path
) -> None:
    name = named(postgres_url)
    running.sql(f"GRANT CREATE ON DATABASE {name} TO guest")
    shutil.copytree(ROOT / "skills", tmp_path / "skills")
    url = guest(running, name)
    done = skillc_process("run", "weird-rules-short", "--script", SCRIPT, "--store", url, cwd=tmp_path)
    assert done.code == 0, done.out + done.err
    again = skillc("run", "weird-rules-short", "--script", SCRIPT, cwd=tmp_path, SKILLC_DATABASE=url)
    assert again.code == 0, again.out + again.err
    assert [one.phase for one in open_store(url).sessions()] == ["done", "done"]
    wrong = url.replace(quote(PASSWORD, safe=""), "geheimes-wort")
    refused = skillc("run", "weird-rules-short", "--script", SCRIPT, "--store", wrong, cwd=tmp_path)
    assert refused.code == 2 and "refused the user or the password" in refused.out + refused.err
    chinese = skillc(
        "--lang", "zh", "run", "weird-rules-short", "--script", SCRIPT, "--store", wrong, cwd=tmp_path
    )
    assert "不接受" in chinese.out + chinese.err
    for told in (done, again, refused, chinese):
        assert not any(secret in told.out + told.err for secret in (PASSWORD, quote(PASSWORD), "geheim"))
    assert not list((tmp_path / ".skillc").glob("sessions*"))


def test_how_to_go_on_is_said_without_the_password(
    running: Server, postgres_url: str, tmp_path: Path
) -> None:
    name = named(postgres_url)
    running.sql(f"GRANT CREATE ON DATABASE {name} TO guest")
    shutil.copytree(ROOT / "skills", tmp_path / "skills")
    (tmp_path / "short.yaml").write_text("replies: []\nuser: []\n", encoding="utf-8")
    url = guest(running, name)
    done = skillc("run", "weird-rules-short", "--script", "short.yaml", "--store", url, cwd=tmp_path)
    assert f"--store postgresql://guest@127.0.0.1:{running.port}/{name}" in done.out + done.err
    assert "geheim" not in done.out + done.err


def test_every_table_is_in_our_own_schema(running: Server, postgres_url: str) -> None:
    open_store(postgres_url)
    name = named(postgres_url)
    found = running.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'skillc' ORDER BY 1", name)
    assert [row[0] for row in found] == sorted(schema.METADATA.tables)


def test_the_session_that_plays_is_the_same_on_both(tmp_path: Path, postgres_url: str) -> None:
    records = [
        play(open_store(where, TickingClock()), Steady()).record
        for where in (str(tmp_path / "s.db"), postgres_url)
    ]
    assert records[0] == records[1]
    assert open_store(postgres_url).load(SESSION) == records[0]

"""Sessions that many processes move on: each step once, whoever dies, and never by two at a time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlalchemy.exc import ProgrammingError

import postgres
from cli import replace
from hosting import PATIENCE, chat_server, until
from running import ListedModel, needs, plan_data, writes
from skillc.artifact.codec import canonical, digest, encode
from skillc.execute import schema
from skillc.execute.lease import held_lease
from skillc.execute.models.protocol import ModelClient, NoModel
from skillc.execute.session import Session
from skillc.execute.spread.dbos_engine import DbosEngine, database_of
from skillc.execute.spread.desk import Desk
from skillc.execute.spread.looping import Loop
from skillc.execute.spread.plans import keep_plan, plan_of
from skillc.execute.store import SessionHeld, Store, StoreCorrupt, StoreError, open_store
from skillc.runtime import RunnablePlan, load_plan

CHAIN = {
    "outline": {"inputs": ["需求.核心要点", "用户.修改说明?"], "outputs": ["大纲.草稿"]},
    "write": {"inputs": ["大纲.确认稿"], "outputs": ["正文.草稿"]},
}


def chain_plan() -> RunnablePlan:
    """Two workers; the user confirms what each writes."""
    data = plan_data(CHAIN)
    return load_plan(canonical({**data, "fingerprint": digest(canonical(data))}))


def kept_plan(store: Store) -> RunnablePlan:
    """The same, which hosts find."""
    plan = chain_plan()
    keep_plan(store, plan)
    return plan


def begun(store: Store, plan: RunnablePlan) -> str:
    return Session.open(store, plan, board=needs({"需求.核心要点": "夜班便利店"})).id


@contextmanager
def opened_store(where: str) -> Iterator[Store]:
    store = open_store(where)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def dispatching(store: Store, where: str) -> Iterator[DbosEngine]:
    """What a program has that only answers and looks."""
    engine = DbosEngine(Desk(store, lambda _: NoModel(), seconds=2), database_of(where))
    try:
        yield engine
    finally:
        engine.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened_store(str(tmp_path / "s.db")) as store:
        yield store


def desk_of(store: Store, model: ModelClient | None = None, seconds: float = 30) -> Desk:
    return Desk(store, lambda _: model or NoModel(), seconds=seconds)


def test_every_host_has_the_very_plan_of_a_session(store: Store) -> None:
    plan = kept_plan(store)
    assert kept_plan(store).fingerprint == plan.fingerprint
    assert list(plan_of(store, plan.fingerprint, "novel/sample").workers) == ["outline", "write"]
    with pytest.raises(StoreError, match="does not keep the plan of package `novel/sample`"):
        plan_of(store, "sha256:other", "novel/sample")


def test_a_plan_that_was_changed_in_the_store_is_damage(store: Store) -> None:
    plan = kept_plan(store)
    other = encode(plan).decode().replace("大纲", "提纲")
    store.write(lambda connection, _: connection.execute(update(schema.PLANS).values(plan=other)))
    with pytest.raises(StoreCorrupt, match="does not fit its digest"):
        plan_of(store, plan.fingerprint, "novel/sample")


def test_to_move_on_twice_is_to_move_on_once(store: Store) -> None:
    session = begun(store, kept_plan(store))
    model = ListedModel(writes({"大纲.草稿": "第一稿"}))
    desk = desk_of(store, model)
    assert [one.session for one in desk.waiting()] == [session]
    for _ in range(2):
        state = desk.move_on(session)
        assert state and (state.phase, state.reason) == ("waiting_user", "review_artifact")
    assert model.workers == ["outline"] and desk.waiting() == []


def test_a_session_that_another_process_holds_is_left_to_it(store: Store) -> None:
    session = begun(store, kept_plan(store))
    model = ListedModel(writes({"大纲.草稿": "第一稿"}))
    with held_lease(store, session):
        assert desk_of(store, model).move_on(session) is None
        assert desk_of(store).waiting() == []
    assert model.requests == []


def test_who_is_suspended_in_the_middle_of_a_call_writes_nothing_more(store: Store) -> None:
    session = begun(store, kept_plan(store))
    desk = desk_of(store)

    class Slow(ListedModel):
        def complete(self, request):  # type: ignore[no-untyped-def]
            desk.suspend(session)
            return super().complete(request)

    model = Slow(writes({"大纲.草稿": "第一稿"}), writes({"大纲.草稿": "第二稿"}))
    assert desk_of(store, model).move_on(session) is None
    assert [item.tag for item in store.load(session).items] == ["需求.核心要点"]
    engine = Loop(desk_of(store, ListedModel(writes({"大纲.草稿": "第二稿"}))))
    assert engine.resume_orphans() == () and engine.status(session).place == "suspended"
    with pytest.raises(SessionHeld, match=f"is suspended since .*session wake {session}"):
        held_lease(store, session)
    engine.start(session)
    assert engine.resume_orphans() == (session,)
    until(lambda: engine.status(session).phase == "waiting_user", "the session goes on")


def test_the_loop_moves_on_all_that_can_be_and_tells_of_what_cannot(store: Store) -> None:
    good = begun(store, kept_plan(store))
    lost = Session.open(store, plan_without_place(), board=needs({"需求.核心要点": "店"})).id
    told: list[tuple[str, str]] = []
    engine = Loop(
        desk_of(store, ListedModel(writes({"大纲.草稿": "稿"}))), told=lambda *said: told.append(said)
    )
    stop = threading.Event()
    serving = threading.Thread(target=engine.serve, args=(stop, 0.01))
    serving.start()
    until(lambda: len(told) == 2, "both were tried")
    stop.set()
    serving.join()
    assert (good, "waiting_user (review_artifact)") in told
    assert any(session == lost and "does not keep the plan" in text for session, text in told)


def plan_without_place() -> RunnablePlan:
    """A plan that no store keeps."""
    return load_plan(canonical({**plan_data(CHAIN), "fingerprint": "sha256:kept by nobody"}))


class HalfMade:
    """A queue of which the first host has not made all tables yet."""

    def list_workflows(self, **_: object) -> list[object]:
        return []

    def enqueue(self, *_: object) -> None:
        raise ProgrammingError("INSERT", {}, Exception("no such column"))


def test_an_answer_is_written_also_where_it_cannot_be_queued_yet(store: Store) -> None:
    session = begun(store, kept_plan(store))
    desk = desk_of(store, ListedModel(writes({"大纲.草稿": "第一稿"})))
    desk.move_on(session)
    engine = DbosEngine(desk, "")
    engine._made = HalfMade()  # type: ignore[assignment]
    assert engine.answer(session, "accept", "", "a1").status == "written"
    assert [one.session for one in desk.waiting()] == [session]


@dataclass
class Hosts:
    """Host processes on one database, and where they were told to find a model."""

    where: str
    folder: Path
    running: list[subprocess.Popen[str]] = field(default_factory=list)
    store: Store = field(init=False)
    engine: DbosEngine = field(init=False)

    def begin(self, name: str, engine: str = "dbos", *more: str) -> subprocess.Popen[str]:
        command = [
            sys.executable,
            "-m",
            "skillc",
            "serve-sessions",
            "--engine",
            engine,
            "--store",
            self.where,
        ]
        options = ["--profiles", str(self.folder / "profiles.json"), "--name", name, "--lease", "2", *more]
        process = subprocess.Popen(
            [*command, *options],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={
                **os.environ,
                "SMALL_KEY": f"sk-canary-{len(self.running)}",
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
        )
        self.running.append(process)
        assert process.stdout and "serves the sessions" in process.stdout.readline()
        return process


@pytest.fixture(params=["sqlite", "postgresql"])
def hosts(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hosts]:
    if request.param == "postgresql":
        try:
            where = postgres.server().fresh()
        except postgres.NoServer as reason:
            pytest.skip(str(reason))
    else:
        where = str(tmp_path / "s.db")
    (tmp_path / "skills").mkdir()
    found = Hosts(where, tmp_path)
    with (
        chat_server(tmp_path),
        opened_store(where) as found.store,
        dispatching(found.store, where) as found.engine,
    ):
        yield found
    for process in found.running:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()


def play(store: Store, engine: DbosEngine | Loop, sessions: list[str]) -> None:
    """A user who accepts what each session shows, until all are done."""

    def done(session: str) -> bool:
        record = store.load(session)
        pending = record.progress.pending
        if pending is not None:
            engine.answer(session, "accept", "", f"yes to {pending.id}")
        return record.progress.status.phase == "done"

    until(lambda: not [one for one in sessions if not done(one)], "all sessions are done")


def in_order(store: Store, session: str) -> list[tuple[str, str]]:
    return [(item.tag, item.source) for item in store.load(session).items]


WHOLE = [
    ("需求.核心要点", "user"),
    ("大纲.草稿", "outline"),
    ("大纲.确认稿", "outline"),
    ("正文.草稿", "write"),
    ("正文.确认稿", "write"),
]


def test_sessions_of_a_killed_host_end_on_another_one(hosts: Hosts) -> None:
    """Every text once, whichever host wrote it; while a session waits for its user no process is needed."""
    store, engine = hosts.store, hosts.engine
    plan = kept_plan(store)
    sessions = [begun(store, plan) for _ in range(4)]

    def is_begun(session: str) -> bool:
        return store.holder_of(session) is not None or store.load(session).progress.pending is not None

    first = hosts.begin("first")
    for session in sessions:
        engine.start(session)
    until(lambda: any(map(is_begun, sessions)), "the first host has one")
    first.send_signal(signal.SIGKILL)
    first.wait()
    second = hosts.begin("second")
    until(lambda: all(store.load(one).progress.pending for one in sessions), "the other host took over")
    second.send_signal(signal.SIGTERM)
    assert second.wait(PATIENCE) == 0
    assert engine.answer(sessions[0], "accept", "", "a1").status == "written"
    assert engine.answer(sessions[0], "accept", "", "a1").status == "duplicate"
    hosts.begin("third")
    play(store, engine, sessions)
    assert [in_order(store, session) for session in sessions] == [WHOLE] * len(sessions)


def test_two_hosts_share_what_there_is_to_do(hosts: Hosts) -> None:
    """The model answers nobody before both have asked it."""
    replace(hosts.folder / "profiles.json", "/lagging", "/together")
    store, engine = hosts.store, hosts.engine
    plan = kept_plan(store)
    sessions = [begun(store, plan) for _ in range(5)]
    for name in ("one", "two"):
        hosts.begin(name, "dbos", "--threads", "1", "--lease", "60")
    play(store, engine, sessions)
    assert [in_order(store, session) for session in sessions] == [WHOLE] * len(sessions)
    texts = []
    for process in hosts.running:
        process.send_signal(signal.SIGTERM)
        assert process.stdout
        texts.append(process.stdout.read())
    assert all("waiting_user (review_artifact)" in text for text in texts)
    assert "sk-canary" not in "".join(texts)


def test_a_host_of_another_version_adopts_what_the_old_one_left_queued(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, engine = hosts.store, hosts.engine
    hosts.begin("making the tables").send_signal(signal.SIGTERM)
    assert hosts.running[0].wait(PATIENCE) == 0
    session = begun(store, kept_plan(store))
    with monkeypatch.context() as old:
        old.setattr("skillc.execute.spread.dbos_engine.VERSION", "skillc-executor-0")
        engine.start(session)
    assert engine.status(session).place == "queued"
    hosts.begin("new")
    play(store, engine, [session])
    assert in_order(store, session) == WHOLE


def test_a_host_with_the_loop_needs_no_engine_and_ends_when_nothing_is_left(hosts: Hosts) -> None:
    store = hosts.store
    session = begun(store, kept_plan(store))
    process = hosts.begin("once", "loop", "--once")
    assert process.wait(PATIENCE) == 0
    pending = store.load(session).progress.pending
    assert pending and pending.reason == "review_artifact"

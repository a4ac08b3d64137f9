"""Leases: one process at a time runs a session, and what a dead one held is taken over."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cli import examples, skillc
from contending import PROGRESS, item
from nursery import Nursery
from running import TickingClock
from serving.dying_session import PLAN, SESSION, Steady, ended
from skillc.execute.lease import Holder, Lease, held_lease, this_process
from skillc.execute.records import Changes
from skillc.execute.session import Session
from skillc.execute.store import LeaseLost, SessionHeld, Store, UnknownSession, open_store

STRANGER = Holder("elsewhere", 7, "k")
"""A process on another machine: nobody here can tell whether it lives."""


@pytest.fixture
def store(where: str) -> Store:
    found = open_store(where, TickingClock())
    found.create("s", "novel/sample", PROGRESS, Changes())
    return found


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as found:
        yield found


def taken(store: Store, holder: Holder | None = None, seconds: float = 30) -> Lease:
    lease = store.lease("s", holder, seconds)
    assert lease is not None
    return lease


def soon(condition: Callable[[], object]) -> object:
    """What `condition` gives as soon as it holds."""
    deadline = time.monotonic() + 60
    while not (found := condition()):
        assert time.monotonic() < deadline, "it never held"
        time.sleep(0.005)
    return found


def left(store: Store) -> float:
    """For how many seconds the session is held; none when it is free."""
    found = store.holder_of("s")
    return found.seconds if found else 0


def rises(number: Callable[[], float]) -> None:
    """Waits until `number` has grown, however it fell before."""
    lowest = number()

    def grew() -> bool:
        nonlocal lowest
        lowest = min(lowest, found := number())
        return found > lowest + 0.1

    soon(grew)


def test_only_one_holds_a_session(store: Store) -> None:
    first = taken(store, STRANGER)
    assert store.lease("s") is None
    found = store.holder_of("s")
    assert found is not None and found.holder == STRANGER and 0 < found.seconds <= 30
    first.release()
    assert store.holder_of("s") is None
    assert taken(store).token == first.token + 1


def test_another_session_is_not_concerned(store: Store) -> None:
    store.create("other", "novel/sample", PROGRESS, Changes())
    taken(store, STRANGER)
    assert store.lease("other") is not None
    with pytest.raises(UnknownSession, match="has no session `none`"):
        store.lease("none")


def test_who_gives_no_sign_loses_it(store: Store) -> None:
    """By the clock of the database: nobody looks at his own."""
    first = taken(store, STRANGER, seconds=0.05)
    second = soon(lambda: store.lease("s"))
    assert isinstance(second, Lease) and second.token == first.token + 1
    assert store.lease("s", STRANGER) is None


def test_who_lost_it_writes_nothing_more(store: Store) -> None:
    record = store.load("s")
    first = taken(store, STRANGER, seconds=0.05)
    second = soon(lambda: store.lease("s"))
    assert isinstance(second, Lease)
    with pytest.raises(LeaseLost, match=f"taken over by process {os.getpid()} on .*; nothing was written"):
        store.commit(record, PROGRESS, Changes(items=(item(1, "a"),)), first)
    with pytest.raises(LeaseLost):
        first.renew()
    first.release()
    assert store.load("s") == record
    after = store.commit(record, PROGRESS, Changes(items=(item(1, "b"),)), second)
    assert store.load("s") == after


def test_who_gave_it_back_writes_nothing_more(store: Store) -> None:
    lease = taken(store)
    lease.release()
    with pytest.raises(LeaseLost, match="no longer held by this process"):
        store.commit(store.load("s"), PROGRESS, Changes(), lease)


def test_who_ran_out_and_was_not_missed_goes_on(store: Store) -> None:
    lease = taken(store, STRANGER, seconds=0.05)
    soon(lambda: store.holder_of("s") is None)
    store.commit(store.load("s"), PROGRESS, Changes(), lease)
    lease.renew()
    lease.seconds = 30
    lease.renew()
    assert store.lease("s") is None


def test_while_it_is_used_it_is_renewed(store: Store) -> None:
    """The time that is left of it rises by itself, again and again; also when it ran out before its thread had a turn."""
    with taken(store, STRANGER, seconds=1.5):
        for _ in range(2):
            rises(lambda: left(store))
    assert store.lease("s") is not None


def test_a_lease_that_was_lost_ends_its_thread(store: Store, outside: Callable[[str], None]) -> None:
    lease = taken(store, STRANGER, seconds=0.1)
    with lease:
        outside("UPDATE leases SET token = token + 1, holder = 'there/1/k/'")
        soon(lambda: lease._thread is not None and not lease._thread.is_alive())


def test_of_many_who_come_at_once_one_gets_it(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: store.lease("s", Holder("h", number, "k")), range(8)))
    assert sum(lease is not None for lease in found) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say when a process began")
class TestOnThisMachine:
    def test_what_a_dead_process_held_is_free_at_once(
        self, store: Store, where: str, tmp_path: Path, nursery: Nursery
    ) -> None:
        told = tmp_path / "told"
        child = nursery.start("contending:holds", where, "s", 3600, str(told))
        soon(lambda: told.exists() and told.read_text())
        assert store.lease("s") is None
        os.kill(child, signal.SIGKILL)
        lease = soon(lambda: store.lease("s"))
        assert isinstance(lease, Lease) and lease.token == int(told.read_text()) + 1
        assert nursery.ended(child) == -signal.SIGKILL

    def test_another_process_under_its_number_is_not_it(self, store: Store) -> None:
        mine = this_process()
        boot, space, _ = mine.process.split(":")
        taken(store, mine._replace(process=f"{boot}:{space}:1"), seconds=3600)
        assert store.lease("s") is not None

    @pytest.mark.parametrize("change", ["boot", "space", "host", "none"])
    def test_what_cannot_be_known_is_not_called_dead(self, store: Store, change: str) -> None:
        mine = this_process()
        boot, space, _ = mine.process.split(":")
        process = {"boot": f"x:{space}:1", "space": f"{boot}:1:1", "host": f"{boot}:{space}:1", "none": ""}[
            change
        ]
        host = "elsewhere" if change == "host" else mine.host
        taken(store, Holder(host, mine.pid, "k", process), seconds=3600)
        assert store.lease("s") is None


def test_a_session_under_a_lease_that_was_lost_stops(store: Store) -> None:
    session = Session.open(store, PLAN, Steady(), session_id=SESSION)
    session.advance()
    lease = store.lease(SESSION, STRANGER, 0.05)
    assert lease is not None
    session.lease = lease
    other = soon(lambda: store.lease(SESSION, seconds=60))
    assert isinstance(other, Lease)
    before = store.load(SESSION)
    with pytest.raises(LeaseLost):
        session.answer("店")
    assert store.load(SESSION) == before
    assert ended(Session.resume(store, SESSION, PLAN, Steady(), lease=other)).status.phase == "done"


def test_who_holds_it_since_when_and_how_to_go_on_is_said(store: Store) -> None:
    taken(store, STRANGER, seconds=3600)
    with pytest.raises(SessionHeld) as caught:
        held_lease(store, "s")
    said = str(caught.value)
    assert said.startswith("session `s` is run by process 7 on elsewhere since 20")
    found = re.search(
        r"stop it there, or wait; when that process is dead the session is free within (\d+) seconds$", said
    )
    assert found and 3000 < int(found[1]) <= 3600


def test_two_commands_do_not_run_one_session(tmp_path: Path) -> None:
    home = examples(tmp_path, "novel/weird-rules-short")
    script = "skills/novel/weird-rules-short/scripts/demo.yaml"
    (home / "none.yaml").write_text("replies: []\nuser: []\n", encoding="utf-8")
    skillc("run", "weird-rules-short", "--script", "none.yaml", "--store", "s.db", cwd=home)
    store = open_store(str(home / "s.db"))
    (session,) = store.sessions()
    assert store.holder_of(session.id) is None
    with held_lease(store, session.id):
        options = ("weird-rules-short", "--resume", session.id, "--script", script, "--store", "s.db")
        done = skillc("run", *options, cwd=home)
        chinese = skillc("--lang", "zh", "run", *options, cwd=home)
    assert done.code == chinese.code == 1
    assert f"is run by process {os.getpid()} on {socket.gethostname()} since " in done.out + done.err
    assert f"{socket.gethostname()} 上的进程 {os.getpid()}" in chinese.out + chinese.err
    assert store.load(session.id).revision == session.revision
    assert skillc("run", *options, cwd=home).code == 0
    assert store.holder_of(session.id) is None

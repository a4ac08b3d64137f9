"""kill -9 at any moment: nothing that was accepted is lost, nothing is written twice, the session ends as if nothing had
happened. `SKILLC_KILLS=300` kills 300 times on each kind of database."""

from __future__ import annotations

import os
import random
import select
import signal
import time
from pathlib import Path

from crash.player import begun, same_as, to_the_end
from nursery import Nursery
from running import TickingClock
from skillc.execute.records import Changes, SessionRecord
from skillc.execute.store import UnknownSession, open_store

KILLS = int(os.environ.get("SKILLC_KILLS", "20"))


def test_sessions_survive_being_killed_at_any_moment(where: str, tmp_path: Path) -> None:
    whole = undisturbed(tmp_path)
    chance, kills, ended = random.Random(where), 0, 0
    with Nursery() as nursery:
        usual = seconds_of_a_run(nursery, where, tmp_path)
        while kills < KILLS or not ended:
            name, before = f"s{ended}", None
            witness = tmp_path / name
            while True:
                began, child = time.monotonic(), nursery.start("crash.player:play", where, name, str(witness))
                over = waits(child, chance.uniform(0, usual)) if kills < KILLS else waits(child, 60)
                if not over:
                    os.kill(child, signal.SIGKILL)
                code = nursery.ended(child)
                assert code in (0, -signal.SIGKILL)
                if code == 0 and before is None:
                    usual = min(usual, time.monotonic() - began)
                before = checked(where, name, witness, before)
                if code == 0:
                    break
                kills += 1
            assert before is not None
            same_as(before, whole)
            ended += 1
    assert kills >= KILLS


def undisturbed(folder: Path) -> SessionRecord:
    session = begun(open_store(str(folder / "whole.db"), TickingClock()), "whole")
    with open(folder / "whole", "wb") as file:
        to_the_end(session, file.fileno())
    return session.record


def seconds_of_a_run(nursery: Nursery, where: str, folder: Path) -> float:
    start = time.monotonic()
    assert nursery.run([("crash.player:play", where, "first", str(folder / "first"))]) == [0]
    return time.monotonic() - start


def waits(child: int, seconds: float) -> bool:
    """Whether the process ended within `seconds`."""
    handle = os.pidfd_open(child)
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


def checked(where: str, name: str, witness: Path, before: SessionRecord | None) -> SessionRecord | None:
    """The session as it is now: whole, with all that it had before and all that was told as stored, nothing twice."""
    seen = [int(line) for line in witness.read_text().split("\n")[:-1]] if witness.exists() else []
    try:
        record = open_store(where).load(name)
    except UnknownSession:
        assert before is None and not seen
        return None
    assert record.revision >= max(seen, default=0)
    for field in Changes.model_fields:
        earlier = getattr(before, field) if before else ()
        assert getattr(record, field)[: len(earlier)] == earlier, field
    assert len({row.op for row in record.items}) == len(record.items)
    assert [row.seq for row in record.items] == list(range(1, len(record.items) + 1))
    assert len({row.id for row in record.answers}) == len(record.answers)
    assert [row.number for row in record.runs] == list(range(1, len(record.runs) + 1))
    return record

"""Many sessions, moved on by several processes on one PostgreSQL server at the same time: nothing is lost, and how fast.

`python tests/benchmarks/sessions.py [--sessions N] [--processes N]`. Every process visits all sessions in an order of its
own, takes the lease of each, loads it, moves it on until it has answered one question, and goes to the next. The model
answers at once, so what is measured is the store and the executor. The server writes through to the disk.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "compiler")]

from contending import meet  # noqa: E402
from crash.player import PLAN, Echo, begun, move, same_as  # noqa: E402
from nursery import Nursery  # noqa: E402
from postgres import NoServer, new_server  # noqa: E402
from running import TickingClock  # noqa: E402
from skillc.execute.session import Session  # noqa: E402
from skillc.execute.store import Store, open_store  # noqa: E402

ROUNDS = 1


@dataclass(frozen=True, slots=True)
class Load:
    """`steps` were stored in `seconds`; `held` times a session was another process's at that moment."""

    sessions: int
    processes: int
    steps: int
    held: int
    seconds: float

    @property
    def speed(self) -> float:
        return self.steps / self.seconds


def load(url: str, sessions: int, processes: int) -> Load:
    """Plays all sessions to their end and proves that each is what it would have been alone, and that every step that a
    process saw stored is there."""
    with tempfile.TemporaryDirectory() as folder, Nursery() as nursery:
        meeting = os.path.join(folder, "meeting")
        os.mkdir(meeting)
        told = [os.path.join(folder, str(number)) for number in range(processes)]
        calls = [
            ("sessions:work", url, meeting, sessions, processes, number, path)
            for number, path in enumerate(told)
        ]
        open_store(url)
        if nursery.run(calls) != [0] * processes:
            raise AssertionError("a process failed")
        reports = []
        for path in told:
            with open(path, encoding="utf-8") as file:
                reports.append(json.load(file))
    steps = sum(report["steps"] for report in reports)
    checked(url, sessions, steps)
    seconds = max(report["end"] for report in reports) - min(report["start"] for report in reports)
    return Load(sessions, processes, steps, sum(report["held"] for report in reports), seconds)


def checked(url: str, sessions: int, steps: int) -> None:
    """No update is lost: the stored steps are those that were told, and the sessions those of an undisturbed run."""
    with tempfile.TemporaryDirectory() as folder:
        alone = begun(open_store(os.path.join(folder, "s.db"), TickingClock()), "alone", ROUNDS)
        while alone.status.phase != "done":
            move(alone)
    store = open_store(url)
    assert len(store.sessions()) == sessions
    records = [store.load(_name(number)) for number in range(sessions)]
    for record in records:
        same_as(record, alone.record)
    assert sum(record.revision for record in records) == steps


def work(url: str, meeting: str, sessions: int, processes: int, number: int, told: str) -> None:
    """What one process does; `told` becomes the file of its figures."""
    store, chance = open_store(url), random.Random(number)
    meet(meeting, processes)
    start, steps, held = time.time(), 0, 0
    end = start
    for mine in range(number, sessions, processes):
        steps += begun(store, _name(mine), ROUNDS).record.revision
    left = [_name(each) for each in range(sessions)]
    while left:
        chance.shuffle(left)
        for name in list(left):
            found = visit(store, name)
            if found is None:
                held += 1
                continue
            if found[0]:
                steps, end = steps + found[0], time.time()
            if found[1]:
                left.remove(name)
    figures = {"start": start, "end": end, "steps": steps, "held": held}
    with open(told, "w", encoding="utf-8") as file:
        json.dump(figures, file)


def visit(store: Store, name: str) -> tuple[int, bool] | None:
    """Moves a session on until one question is answered: steps, and whether it is at its end. None when another process
    has it, or nobody has begun it yet."""
    from skillc.execute.store import UnknownSession

    try:
        lease = store.lease(name, seconds=60)
        if lease is None:
            return None
        session = Session.resume(store, name, PLAN, Echo(), lease=lease)
    except UnknownSession:
        return None
    try:
        before = session.record.revision
        session.advance()
        if session.pending is not None and session.status.phase == "waiting_user":
            move(session)
        return session.record.revision - before, session.status.phase == "done"
    finally:
        lease.release()


def _name(number: int) -> str:
    return f"s{number:05}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=8)
    options = parser.parse_args()
    try:
        found = load(new_server().fresh(), options.sessions, options.processes)
    except NoServer as problem:
        sys.stdout.write(f"sessions are not measured: {problem}\n")
        return
    sys.stdout.write(
        f"{found.speed:8.0f}  steps per second of {found.sessions:,} sessions over {found.processes} processes on PostgreSQL "
        f"({found.steps:,} steps in {found.seconds:.1f} s, none lost; {found.held} times a session was another's)\n"
    )


if __name__ == "__main__":
    main()

"""What several processes do to one store at the same time; each function is run in a process of its own."""

from __future__ import annotations

import os
import time

from running import TickingClock
from skillc.execute.ledger import content_digest
from skillc.execute.records import Changes, ItemRow, Progress
from skillc.execute.store import StoreConflict, open_store

PROGRESS = Progress(package="novel/sample", fingerprint="f", workers={})


def item(number: int, name: str) -> ItemRow:
    text = f"{name} {number}"
    return ItemRow(
        id=f"{name}-{number}",
        op=f"{name}/{number}",
        seq=number,
        tag="笔记.一",
        content=text,
        source=name,
        digest=content_digest(text),
    )


def meet(folder: str, others: int) -> None:
    """Go on when so many processes have come to `folder`."""
    with open(os.path.join(folder, str(os.getpid())), "x", encoding="utf-8"):
        pass
    deadline = time.monotonic() + 60
    while len(os.listdir(folder)) < others:
        assert time.monotonic() < deadline, "the others did not come"


def opens(where: str, folder: str, others: int, name: str) -> None:
    """Opens the store with all others, and makes a session in it."""
    meet(folder, others)
    open_store(where, TickingClock()).create(name, "novel/sample", PROGRESS, Changes())


def appends(where: str, folder: str, others: int, session: str, name: str, count: int) -> None:
    """Appends `count` entries to a session that others append to as well; looks again whenever they were quicker."""
    store = open_store(where)
    record = store.load(session)
    meet(folder, others)
    for number in range(1, count + 1):
        while True:
            try:
                record = store.commit(record, PROGRESS, Changes(items=(item(number, name),)))
                break
            except StoreConflict:
                record = store.load(session)


def forks(where: str) -> None:
    """Uses one store here and in a process that is forked from here."""
    store = open_store(where)
    record = store.create("s", "novel/sample", PROGRESS, Changes())
    child = os.fork()
    if child == 0:
        code = 1
        try:
            store.commit(store.load("s"), PROGRESS, Changes(items=(item(1, "child"),)))
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert record != store.load("s")
    store.commit(store.load("s"), PROGRESS, Changes(items=(item(2, "parent"),)))


def holds(where: str, session: str, seconds: float, told: str) -> None:
    """Takes a lease, says so in the file `told`, and keeps it until it is killed."""
    lease = open_store(where).lease(session, seconds=seconds)
    assert lease is not None
    with lease, open(told, "x", encoding="utf-8") as file:
        file.write(str(lease.token))
        file.flush()
        while True:
            time.sleep(60)

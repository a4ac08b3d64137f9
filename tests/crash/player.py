"""A session that is played by itself in a process that may die at any moment: rounds of input, text, review, record."""

from __future__ import annotations

import os
from hashlib import sha256

from running import TickingClock, running_plan, startup, writes
from skillc.execute.lease import held_lease
from skillc.execute.models.protocol import Completion, Request
from skillc.execute.records import SessionRecord
from skillc.execute.session import Session
from skillc.execute.store import Store, UnknownSession, open_store

ROUNDS = 4
PLAN = running_plan(
    {
        "write": {"inputs": ["需求", "用户.最新输入"], "outputs": ["文.草稿", "线索.当前"]},
        "infer": {"inputs": ["文.确认稿", "线索.当前"], "outputs": ["记录.摘要", "输出.旁白"]},
    },
    {"infer": {"mode": "no_confirmation"}},
    startup=startup("需求"),
)


class Echo:
    """Answers with what it was asked, in short: a call that is made again after a cut gets the same answer."""

    def complete(self, request: Request) -> Completion:
        asked = sha256(request.messages[-1]["content"].encode()).hexdigest()[:12]
        tags = ("文.草稿", "线索.当前") if request.worker == "write" else ("记录.摘要", "输出.旁白")
        return Completion(writes({tag: f"{tag} {asked}" * 20 for tag in tags}))


def play(where: str, session_id: str, witness: str) -> None:
    """Takes the session up, alone, or begins it, and plays it to its end. After every step that is stored its revision
    stands in the file `witness`."""
    store = open_store(where, TickingClock())
    handle = os.open(witness, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        with held_lease(store, session_id) as lease:
            session = Session.resume(store, session_id, PLAN, Echo(), lease=lease)
            to_the_end(session, handle)
    except UnknownSession:
        session = begun(store, session_id)
        with held_lease(store, session_id) as lease:
            session.lease = lease
            to_the_end(session, handle)


def begun(store: Store, session_id: str, rounds: int = ROUNDS) -> Session:
    return Session.open(store, PLAN, Echo(), session_id=session_id, rounds=rounds)


def move(session: Session) -> None:
    """One step, or the answer to what is asked."""
    pending = session.pending
    if session.status.phase == "running" or pending is None:
        session.step()
    elif pending.reason == "review_artifact":
        session.accept(answer_id=pending.id)
    else:
        session.answer(f"第{session.record.progress.round}轮 {pending.reason}", answer_id=pending.id)


def to_the_end(session: Session, handle: int) -> None:
    """Answers what is asked. What was answered before is harmless: the answer goes by the name of the question."""
    while session.status.phase in ("running", "waiting_user"):
        os.write(handle, f"{session.record.revision}\n".encode())
        move(session)
    os.write(handle, f"{session.record.revision}\n".encode())
    assert session.status.phase == "done", session.status


def same_as(record: SessionRecord, whole: SessionRecord) -> None:
    """What was cut ended like what was not. Names of steps may differ: they count the revisions."""
    assert record.progress.status == whole.progress.status
    assert [row.model_dump(exclude={"op"}) for row in record.items] == [
        row.model_dump(exclude={"op"}) for row in whole.items
    ]
    for field in ("statuses", "runs", "answers", "blocks"):
        assert getattr(record, field) == getattr(whole, field), field
    assert whole.items and any(row.status == "accepted" for row in whole.statuses)

"""A host calls a worker into a turn: it runs once, behind the slots, and nobody else can be called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from playing import turn_plan, without
from running import ListedModel, TickingClock, opened, running_plan, writes
from skillc.execute.happening import Happening
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store

PLAN = turn_plan(without("design", "role-decide", "auditor"))
TURN = (writes({"世界.裁决.当前": "门开了。"}), writes({"输出.正文": "风。"}))
CHANCE = writes({"输出.机缘": "钟声。"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def waiting(store: Store, *replies: str, rounds: int = 1) -> Session:
    """A session that waits for the user's input of its first turn."""
    session = Session.open(store, PLAN, ListedModel(*replies), rounds=rounds)
    assert session.advance().reason == "input"
    return session


def names(session: Session) -> list[str]:
    return [f"{run.worker}/{run.role}" if run.role else run.worker for run in session.record.runs]


def test_who_is_called_runs_in_this_turn_behind_the_slots_and_once(store: Store) -> None:
    session = waiting(store, *TURN, CHANCE, *TURN, rounds=2)
    assert not session.queue("chance").refused and not session.queue("chance").refused
    assert session.status.reason == "input"
    session.input("我推门")
    session.advance()
    session.input("我进去")
    session.advance()
    assert names(session) == ["world-simulator", "narrator", "chance", "world-simulator", "narrator"]
    assert session.board.history[1]["content"] == "风。\n\n钟声。"


def test_an_id_that_was_delivered_calls_nobody_again(store: Store) -> None:
    session = waiting(store, *TURN, CHANCE)
    assert session.queue("chance", answer_id="q1").status == "written"
    assert session.queue("chance", answer_id="q1").status == "duplicate"
    assert [row.action for row in session.record.answers] == ["queue"]


def test_a_session_that_is_taken_up_still_runs_who_was_called(store: Store) -> None:
    session = waiting(store)
    session.queue("chance")
    again = Session.resume(store, session.id, PLAN, ListedModel(*TURN, CHANCE))
    again.input("")
    again.advance()
    assert names(again)[-1] == "chance"


def test_roles_one_or_all(store: Store) -> None:
    workers = {
        "world-simulator": {"outputs": ["世界.裁决.当前"]},
        "whisper": {"inputs": ["世界.裁决.当前"], "outputs": ["角色.{id}.见闻"], "role_bound": True},
    }
    plan = turn_plan(workers)
    told: list[Happening] = []
    verdict = writes({"世界.裁决.当前": "门开了。"})
    model = ListedModel(verdict, writes({"角色.乙.见闻": "听见"}), verdict, writes({"角色.甲.见闻": "看见"}))
    session = Session.open(store, plan, model, on_event=told.append)
    assert session.queue("whisper", "丙").message == "there is no role `丙`; there are 甲, 乙"
    assert not session.queue("whisper", "乙").refused
    session.advance()
    assert names(session) == ["world-simulator", "whisper/乙"]
    assert [h.data for h in told if h.kind == "queued"] == [{"worker": "whisper", "role": "乙"}]
    both = Session.open(store, plan, ListedModel(verdict, *model.replies[1::2][::-1]))
    both.queue("whisper")
    assert [turn.role for turn in both.record.progress.queued] == ["甲", "乙"]


@pytest.mark.parametrize(
    ("worker", "role", "message"),
    [
        ("chanc", None, "there is no play worker `chanc` to queue"),
        ("narrator", None, "`narrator` plays in every turn, so it cannot be queued"),
        ("chance", "甲", "worker `chance` runs for no role"),
    ],
)
def test_nobody_else_can_be_called(store: Store, worker: str, role: str | None, message: str) -> None:
    session = waiting(store)
    delivery = session.queue(worker, role)
    assert delivery.refused and delivery.message.startswith(message)
    assert session.record.progress.queued == () and session.record.answers == ()


def test_neither_in_a_package_without_slots_nor_after_the_end(store: Store) -> None:
    plain = opened(store, running_plan({"a": {"outputs": ["甲"]}}), ListedModel(writes({"甲": "一"})))
    assert "does not play by slots" in plain.queue("a").message
    session = waiting(store, *TURN)
    session.input("")
    session.advance()
    assert session.queue("chance").message == "the session is over: nobody plays any more"

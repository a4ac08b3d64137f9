"""The play turn: slots in their order, what is shown, the dialogue, and being killed between any two of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from playing import FREE, turn_plan, without
from running import ListedModel, TickingClock, opened, running_plan, writes
from skillc.execute.happening import Happening
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store
from skillc.runtime import RunnablePlan

PLAY = without("design", "chance")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def turn(n: int) -> list[str]:
    """The replies of one turn of three slots."""
    return [
        writes({"世界.裁决.当前": f"裁决{n}"}),
        writes({"输出.正文": f"正文{n}"}),
        writes({"世界.编年.当前": f"编年{n}"}),
    ]


def play(session: Session, *inputs: str) -> None:
    for text in inputs:
        assert session.advance().reason == "input"
        session.input(text)
    session.advance()


def test_a_turn_is_user_text_then_the_slots_in_their_order(store: Store) -> None:
    plan = turn_plan({id: PLAY[id] for id in reversed(PLAY)})
    model = ListedModel(*turn(1), *turn(2))
    session = Session.open(store, plan, model, rounds=2)
    play(session, "推门", "看灯")
    assert session.status.phase == "done"
    assert model.workers == ["world-simulator", "narrator", "auditor"] * 2


def test_a_play_that_ended_with_its_rounds_goes_on_when_it_is_given_more(store: Store) -> None:
    plan = turn_plan(PLAY)
    straight = Session.open(store, plan, ListedModel(*turn(1), *turn(2)), rounds=2)
    play(straight, "推门", "看灯")
    session = Session.open(store, plan, ListedModel(*turn(1)), rounds=1)
    play(session, "推门")
    assert session.status.phase == "done" and session.can_play_on
    again = Session.resume(store, session.id, plan, ListedModel(*turn(2)), rounds=2)
    assert (again.status.phase, again.status.stage, again.can_play_on) == ("running", "play", False)
    play(again, "看灯")
    assert again.status.phase == "done"
    assert again.board.history == straight.board.history
    assert [item.tag for item in again.board.items] == [item.tag for item in straight.board.items]


@pytest.mark.parametrize("rounds", [None, 1])
def test_a_play_that_is_over_stays_so_without_more_rounds(store: Store, rounds: int | None) -> None:
    session = Session.open(store, turn_plan(PLAY), ListedModel(*turn(1)))
    play(session, "推门")
    again = Session.resume(store, session.id, turn_plan(PLAY), ListedModel(), rounds=rounds)
    assert again.advance().phase == "done"
    assert again.record.revision == session.record.revision


def test_where_the_user_has_no_word_a_further_round_would_find_nothing_new(store: Store) -> None:
    plan = running_plan({"write": {"inputs": [], "outputs": ["正文.当前"]}})
    session = Session.open(store, plan, ListedModel(writes({"正文.当前": "字"})))
    session.advance()
    session.accept()
    assert session.advance().phase == "done" and not session.can_play_on
    again = Session.resume(store, session.id, plan, ListedModel(), rounds=5)
    assert again.status.phase == "done"


def test_every_slot_plays_in_every_turn_whether_there_is_news_or_not(store: Store) -> None:
    plan = turn_plan({"narrator": {"outputs": ["输出.正文"]}})
    model = ListedModel(writes({"输出.正文": "一"}), writes({"输出.正文": "二"}))
    assert opened(store, plan, model, rounds=2).status.phase == "done"
    assert model.workers == ["narrator", "narrator"]


def test_a_slot_shows_its_own_segments(store: Store) -> None:
    model = ListedModel(*turn(1))
    play(Session.open(store, turn_plan(PLAY), model), "推门")
    assert [request.messages[-1]["content"].partition("\n")[0] for request in model.requests] == [
        "槽 gm",
        "槽 narrator",
        "槽 auditor",
    ]


def test_perspective_plays_once_for_each_role_where_it_is_on(store: Store) -> None:
    acts = [writes({f"角色.{role}.行动": "走"}) for role in "甲乙"]
    first, *rest = turn(1)
    model = ListedModel(first, *acts, *rest)
    play(Session.open(store, turn_plan(PLAY, {"perspective": True}), model), "推门")
    assert model.workers == ["world-simulator", "role-decide/甲", "role-decide/乙", "narrator", "auditor"]


def test_a_slot_that_is_off_is_skipped(store: Store) -> None:
    model = ListedModel(*turn(1)[:2])
    play(Session.open(store, turn_plan(PLAY, {"auditor": False}), model), "推门")
    assert model.workers == ["world-simulator", "narrator"]


def test_a_slot_can_be_turned_on_by_a_document_in_mid_session(store: Store) -> None:
    workers = {**PLAY, "auditor": {**PLAY["auditor"], "outputs": ["设计.worker集"]}}
    on = writes({"设计.worker集": json.dumps({"play_slots": {"perspective": True}})})
    acts = [writes({f"角色.{role}.行动": "走"}) for role in "甲乙"]
    gm, narrator, _ = turn(1)
    model = ListedModel(gm, narrator, on, gm, *acts, narrator, writes({}))
    session = Session.open(store, turn_plan(workers), model, rounds=2)
    play(session, "推门", "看灯")
    assert model.workers[3:] == ["world-simulator", "role-decide/甲", "role-decide/乙", "narrator", "auditor"]


def test_a_worker_that_is_no_slot_runs_only_on_demand(store: Store) -> None:
    model = ListedModel(*turn(1))
    session = Session.open(store, turn_plan(without("design")), model)
    play(session, "推门")
    assert (session.status.phase, "chance" in model.workers) == ("done", False)


def test_a_slot_that_lacks_an_input_is_left_out_and_told(store: Store) -> None:
    told: list[Happening] = []
    model = ListedModel(writes({}), writes({}), writes({}))
    session = Session.open(store, turn_plan(PLAY), model, on_event=told.append)
    play(session, "推门")
    assert model.workers == ["world-simulator"]
    assert [h.data["text"] for h in told if h.kind == "note"] == [
        "`narrator` does not play in this turn: nothing is there for `世界.裁决.当前`",
        "`auditor` does not play in this turn: nothing is there for `输出.正文`",
    ]
    assert session.record.blocks and session.board.history == [{"role": "user", "content": "推门"}]


def test_a_package_without_slots_is_scheduled_as_ever(store: Store) -> None:
    plan = turn_plan(PLAY)
    assert plan.play is not None
    free = running_plan(
        {"a": {"outputs": ["甲"]}, "b": {"inputs": ["甲"], "outputs": ["输出.乙"]}}, {"a": FREE, "b": FREE}
    )
    model = ListedModel(writes({"甲": "1"}), writes({"输出.乙": "2"}))
    session = opened(store, free, model, rounds=3)
    assert model.workers == ["a", "b"]
    assert session.board.history == [{"role": "assistant", "content": "2"}]


# What is shown, and the dialogue


def test_question_and_answer_are_appended_together_when_the_turn_is_over(store: Store) -> None:
    session = Session.open(store, turn_plan(PLAY), ListedModel(*turn(1), *turn(2)), rounds=2)
    session.advance()
    session.input("推门")
    while session.status.phase == "running" and session.record.progress.round == 1:
        assert session.board.history == []
        session.step()
    assert session.board.history == [
        {"role": "user", "content": "推门"},
        {"role": "assistant", "content": "正文1"},
    ]
    play(session, "看灯")
    assert [block["content"] for block in session.board.history] == ["推门", "正文1", "看灯", "正文2"]
    assert [block["content"] for block in session.board.to_data()["history"]] == [
        "推门",
        "正文1",
        "看灯",
        "正文2",
    ]


def test_the_next_turn_gets_the_dialogue_of_those_before(store: Store) -> None:
    model = ListedModel(*turn(1), *turn(2))
    play(Session.open(store, turn_plan(PLAY), model, rounds=2), "推门", "看灯")
    said = [message["content"] for message in model.requests[3].messages]
    assert any("推门" in text for text in said) and any("正文1" in text for text in said)
    assert not any("推门" in text for text in (m["content"] for m in model.requests[4].messages))


@pytest.mark.parametrize(
    ("outputs", "reply", "deliverables", "shown"),
    [
        (["输出.正文", "世界.底稿"], {"输出.正文": "见", "世界.底稿": "不见"}, [["输出", ".*"]], ["见"]),
        (["正文.草稿", "备注"], {"正文.草稿": "见", "备注": "不见"}, [["正文", "草稿"]], ["见"]),
        (["正文", "世界.隐藏.账"], {"正文": "见", "世界.隐藏.账": "不见"}, [], ["见"]),
        (["正文", "变量.更新"], {"正文": "见", "变量.更新": []}, [], ["见"]),
        (["输出.隐藏.账", "输出.正文"], {"输出.隐藏.账": "不见"}, [], []),
    ],
)
def test_what_the_narrator_delivers_is_the_visible_text(
    store: Store, outputs: list[str], reply: dict[str, Any], deliverables: list[Any], shown: list[str]
) -> None:
    plan = turn_plan({"narrator": {"outputs": outputs}}, deliverables=deliverables)
    session = opened(store, plan, ListedModel(writes(reply)))
    assert [block["content"] for block in session.board.history] == shown


def test_without_a_narrator_the_last_slot_that_delivers_speaks(store: Store) -> None:
    workers = {
        "world-simulator": {"outputs": ["输出.正文"]},
        "auditor": {"outputs": ["世界.编年.当前"]},
    }
    plan = turn_plan(workers)
    session = opened(store, plan, ListedModel(writes({"输出.正文": "见"}), writes({"世界.编年.当前": "年"})))
    assert session.board.history == [{"role": "assistant", "content": "见"}]


def test_what_is_shown_is_told_whole(store: Store) -> None:
    told: list[Happening] = []
    session = Session.open(store, turn_plan(PLAY), ListedModel(*turn(1)), on_event=told.append)
    play(session, "推门")
    assert [h.data for h in told if h.kind == "shown"] == [{"text": "正文1"}]
    assert [h.data["slot"] for h in told if h.kind == "run"] == ["gm", "narrator", "auditor"]


# Acceptance inside a turn


def test_a_rejected_slot_is_revised_and_only_the_slots_behind_it_play_again(store: Store) -> None:
    plan = turn_plan(PLAY, accept={"narrator": {"mode": "user_confirmed"}})
    gm, narrator, auditor = turn(1)
    model = ListedModel(gm, narrator, writes({"输出.正文": "改过"}), auditor)
    session = Session.open(store, plan, model)
    play(session, "推门")
    session.reject("短些")
    session.advance()
    session.accept()
    assert session.advance().phase == "done"
    assert model.workers == ["world-simulator", "narrator", "narrator", "auditor"]
    assert session.board.history[1] == {"role": "assistant", "content": "改过"}


def test_a_failed_review_sends_a_slot_back_and_the_reviewer_plays_again(store: Store) -> None:
    workers = {**PLAY, "auditor": {"inputs": ["输出.正文"], "outputs": ["验收.文.记录"]}}
    accept = {
        "narrator": {"mode": "user_confirmed"},
        "auditor": {"mode": "programmatic_review", "reviews": ["narrator"]},
    }
    gm, narrator, _ = turn(1)
    fail, passed = (writes({"验收.文.记录": f"verdict: {word}"}) for word in ("fail", "pass"))
    model = ListedModel(gm, narrator, fail, writes({"输出.正文": "改过"}), passed)
    session = Session.open(store, turn_plan(workers, accept=accept), model)
    play(session, "推门")
    session.accept()
    session.advance()
    session.accept()
    assert session.advance().phase == "done"
    assert model.workers == ["world-simulator", "narrator", "auditor", "narrator", "auditor"]


def test_a_slot_that_needs_approval_and_is_declined_is_left_out_of_the_turn(store: Store) -> None:
    plan = turn_plan(PLAY, accept={"auditor": {"mode": "no_confirmation", "requires_approval": True}})
    model = ListedModel(*turn(1)[:2])
    session = Session.open(store, plan, model)
    play(session, "推门")
    assert session.status.reason == "approve_step"
    session.reject()
    assert session.advance().phase == "done"
    assert session.board.history[1]["content"] == "正文1"


def test_a_slot_that_asks_goes_on_with_the_answer(store: Store) -> None:
    workers = {
        **PLAY,
        "world-simulator": {**PLAY["world-simulator"], "inputs": ["用户.最新输入?", "用户.worker答复?"]},
    }
    gm, narrator, auditor = turn(1)
    model = ListedModel(writes({}, askUser=["哪扇门？"]), gm, narrator, auditor)
    session = Session.open(store, turn_plan(workers), model)
    play(session, "推门")
    session.answer("左边")
    assert session.advance().phase == "done"
    assert model.workers == ["world-simulator", "world-simulator", "narrator", "auditor"]


# An order that cannot be followed

BAD_ORDER = {
    "schema": "context-order.v1",
    "slots": [{"ref": "gm", "inserts": [{"order": 0, "ref": "无此.标签"}]}],
}


def test_an_order_that_cannot_be_followed_is_refused_when_it_is_written(store: Store) -> None:
    workers = {**PLAY, "auditor": {**PLAY["auditor"], "outputs": ["设计.上下文投影排序"]}}
    gm, narrator, _ = turn(1)
    bad = writes({"设计.上下文投影排序": BAD_ORDER})
    model = ListedModel(gm, narrator, bad, bad, bad)
    session = Session.open(store, turn_plan(workers), model)
    play(session, "推门")
    assert session.status.phase == "error"
    assert "无此.标签" in (session.status.error or "")
    assert session.board.newest("设计.上下文投影排序") is None


def test_an_order_of_the_board_that_cannot_be_followed_stops_the_session_with_its_fault(store: Store) -> None:
    board = {"items": [{"tag": "设计.上下文投影排序", "content": BAD_ORDER}]}
    session = Session.open(store, turn_plan(PLAY), ListedModel(), board=board)
    play(session, "推门")
    assert session.status.phase == "error"
    assert "无此.标签" in (session.status.error or "")


# Killed


class ByTurn:
    """Answers as the worker does in the turn that the board is in, however often it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def complete(self, request: Any) -> Any:
        from skillc.execute.models.protocol import Completion

        self.asked.append(request.worker)
        at = {"world-simulator": 0, "narrator": 1, "auditor": 2}[request.worker]
        text = "".join(message["content"] for message in request.messages)
        n = 2 if "看灯" in text or "2" in text else 1
        return Completion(turn(n)[at], "stop")


def whole(session: Session) -> tuple[object, ...]:
    """What a session wrote, without the names of its steps."""
    items = [(i.tag, i.content, i.source, i.status) for i in session.board.items]
    return items, session.board.history, [(r.worker, r.round) for r in session.record.runs]


def test_resumed_after_each_step_a_session_writes_the_same(tmp_path: Path) -> None:
    plan = turn_plan(PLAY)
    straight = Session.open(open_store(str(tmp_path / "a.db")), plan, ByTurn(), rounds=2)
    play(straight, "推门", "看灯")
    store = open_store(str(tmp_path / "b.db"))
    model = ByTurn()
    session = Session.open(store, plan, model, rounds=2)
    texts = ["推门", "看灯"]
    while session.status.phase != "done":
        session = Session.resume(store, session.id, plan, model)
        if session.status.phase == "waiting_user":
            session.input(texts.pop(0), answer_id=f"in{len(texts)}")
        session.step()
    assert whole(session) == whole(straight)
    assert model.asked == ["world-simulator", "narrator", "auditor"] * 2


CHILD = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from test_execute_playturn import ByTurn, PLAY
from playing import turn_plan
from skillc.execute.session import Session
from skillc.execute.store import open_store

class Dies(ByTurn):
    def complete(self, request):
        found = super().complete(request)
        if len(self.asked) == {at}:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

store = open_store({path!r})
session = Session.open(store, turn_plan(PLAY), Dies(), session_id="s", rounds=2)
session.advance()
session.input("推门", answer_id="1")
session.advance()
session.input("看灯", answer_id="2")
session.advance()
"""


@pytest.mark.parametrize("at", [2, 4, 6])
def test_killed_in_the_middle_of_a_slot_a_session_loses_and_repeats_nothing(tmp_path: Path, at: int) -> None:
    plan: RunnablePlan = turn_plan(PLAY)
    path = str(tmp_path / "s.db")
    code = CHILD.format(tests=os.path.dirname(os.path.abspath(__file__)), path=path, at=at)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    session = Session.resume(open_store(path), "s", plan, ByTurn())
    assert len(session.record.runs) == at - 1
    session.advance()
    if at <= 3:
        session.input("看灯", answer_id="2")
        session.advance()
    straight = Session.open(open_store(str(tmp_path / "a.db")), plan, ByTurn(), rounds=2)
    play(straight, "推门", "看灯")
    assert whole(session) == whole(straight)

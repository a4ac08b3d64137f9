"""Sessions from the outside: what the user is asked, what is written, what happens twice or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from running import (
    ListedModel,
    TickingClock,
    live,
    needs,
    opened,
    plan_data,
    running_plan,
    startup,
    statuses,
    writes,
)
from skillc.execute.happening import Happening
from skillc.execute.models.protocol import ModelError
from skillc.execute.session import Session, SessionRefused
from skillc.execute.store import Store, open_store

OUTLINE = {
    "outline": {"inputs": ["需求.核心要点", "用户.修改说明?", "用户.worker答复?"], "outputs": ["大纲.草稿"]}
}
ASKING = {"startup": startup("需求.核心要点")}
SEED = needs({"需求.核心要点": "店"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def test_a_package_from_the_first_question_to_the_confirmed_text(store: Store) -> None:
    model = ListedModel(writes({"大纲.草稿": "第一稿"}))
    session = opened(store, running_plan(OUTLINE, **ASKING), model)
    assert (session.status.phase, session.status.reason, session.actions) == (
        "waiting_user",
        "intake",
        ("answer",),
    )
    assert session.pending and session.pending.prompt == "写什么？"
    assert session.answer("夜班便利店").status == "written"
    assert session.advance().reason == "review_artifact"
    assert session.accept().status == "written"
    assert session.advance().phase == "done"
    assert statuses(session) == [
        ("需求.核心要点", "live"),
        ("大纲.草稿", "superseded"),
        ("大纲.确认稿", "accepted"),
    ]
    draft, confirmed = session.board.items[1:]
    assert (draft.superseded_by, confirmed.dependencies) == (confirmed.id, (draft.id,))
    assert (confirmed.content, confirmed.source) == ("第一稿", "outline")


def test_a_rejection_writes_the_notes_and_runs_the_worker_again(store: Store) -> None:
    model = ListedModel(writes({"大纲.草稿": "一"}), writes({"大纲.草稿": "二"}))
    session = opened(store, running_plan(OUTLINE), model, board=SEED)
    session.reject("太长")
    assert live(session) == {"需求.核心要点": "店", "大纲.草稿": "一", "用户.修改说明": "太长"}
    assert session.board.items[1].status == "revision_requested"
    assert session.advance().reason == "review_artifact"
    assert "太长" in model.requests[1].messages[-1]["content"]
    session.accept()
    assert session.advance().phase == "done"
    assert live(session)["大纲.确认稿"] == "二"


def test_a_rejection_without_notes_leaves_nothing_to_read(store: Store) -> None:
    model = ListedModel(writes({"大纲.草稿": "一"}), writes({"大纲.草稿": "二"}))
    session = opened(store, running_plan(OUTLINE), model, board=SEED)
    session.reject("")
    assert live(session) == {"需求.核心要点": "店"}
    assert session.advance().reason == "review_artifact"


def test_notes_go_to_the_name_that_the_worker_reads(store: Store) -> None:
    plan = running_plan({"w": {"inputs": ["用户.修订说明?"], "outputs": ["文.草稿"]}})
    session = opened(store, plan, ListedModel(writes({"文.草稿": "一"})))
    session.reject("短些")
    assert live(session) == {"文.草稿": "一", "用户.修订说明": "短些"}


def test_no_confirmation_accepts_without_promoting(store: Store) -> None:
    plan = running_plan(OUTLINE, {"outline": {"mode": "no_confirmation"}})
    session = opened(store, plan, ListedModel(writes({"大纲.草稿": "一"})), board=SEED)
    assert session.status.phase == "done"
    assert statuses(session)[1:] == [("大纲.草稿", "accepted")]


def test_several_targets_are_asked_one_after_the_other_or_answered_by_name(store: Store) -> None:
    plan = running_plan(OUTLINE, startup=startup("需求.核心要点", "项目.风格"))
    session = opened(store, plan, ListedModel())
    session.answer("店")
    assert session.pending and session.pending.targets == ("项目.风格",)
    assert session.answer({"大纲.草稿": "x"}).message == (
        "the answer is for `大纲.草稿`, but asked for was `项目.风格`"
    )
    session.answer({"项目.风格": "冷"})
    assert live(session) == {"需求.核心要点": "店", "项目.风格": "冷"}
    both = opened(store, plan, ListedModel())
    both.answer({"需求.核心要点": "店", "项目.风格": "冷"})
    assert live(both) == live(session)


def test_a_target_that_is_on_the_board_is_not_asked_for(store: Store) -> None:
    plan = running_plan(OUTLINE, startup=startup("需求.核心要点", "项目.风格"))
    session = opened(store, plan, board=SEED)
    assert session.pending and session.pending.targets == ("项目.风格",)


def test_a_blank_answer_to_the_first_question_is_refused(store: Store) -> None:
    session = opened(store, running_plan(OUTLINE, **ASKING))
    before = session.record
    assert session.answer(" \n").status == "refused"
    assert session.record == before


def test_an_action_that_is_not_possible_changes_nothing(store: Store) -> None:
    session = opened(store, running_plan(OUTLINE, **ASKING))
    before = store.load(session.id)
    for delivery in (session.accept(), session.reject("x"), session.input("x")):
        assert delivery.refused
        assert "wait" in delivery.message
    assert store.load(session.id) == session.record == before


def test_an_answer_delivered_twice_is_written_once(store: Store) -> None:
    model = ListedModel('{"askUser": ["几条？"]}', writes({"大纲.草稿": "一"}))
    session = opened(store, running_plan(OUTLINE), model, board=SEED)
    assert session.status.reason == "worker_questions"
    first = session.answer("十条", answer_id="x1")
    again = session.answer("十条", answer_id="x1")
    assert (first.status, again.status) == ("written", "duplicate")
    assert again.message == "answer `x1` was delivered before; nothing was written"
    session.advance()
    assert session.answer("十条", answer_id="x1").status == "duplicate"
    assert [item.tag for item in session.board.items].count("用户.worker答复") == 1


def test_an_answer_that_two_processes_deliver_is_written_once(store: Store) -> None:
    plan = running_plan(OUTLINE, **ASKING)
    session = opened(store, plan)
    other = Session.resume(store, session.id, plan)
    assert session.answer("店", answer_id="x").status == "written"
    assert other.answer("店", answer_id="x").status == "duplicate"
    assert len(other.board.items) == 1


def test_of_two_answers_at_the_same_time_one_is_refused_and_may_be_given_again(store: Store) -> None:
    plan = running_plan(OUTLINE, **ASKING)
    session = opened(store, plan)
    other = Session.resume(store, session.id, plan)
    assert session.answer("店", answer_id="x").status == "written"
    late = other.answer("铺", answer_id="y")
    assert late.refused
    assert late.message == "the session was moved on by another process; nothing was written"
    assert other.record == session.record == store.load(session.id)
    assert [row.id for row in other.record.answers] == ["x"]
    assert other.edit({"血量": 10}, answer_id="y").status == "written"


def test_a_worker_that_only_asks_suspends_and_goes_on_with_the_answer(store: Store) -> None:
    model = ListedModel(writes({}, askUser=["几条？", "在哪？"]), writes({"大纲.草稿": "一"}))
    session = opened(store, running_plan(OUTLINE), model, board=SEED)
    assert session.resume_context == {
        "workerId": "outline",
        "roleId": None,
        "questions": ["几条？", "在哪？"],
        "acceptance": "user_confirmed",
    }
    session.answer("十条，医院")
    session.advance()
    assert "十条，医院" in model.requests[1].messages[-1]["content"]
    assert session.status.reason == "review_artifact"


def test_questions_beside_outputs_do_not_suspend(store: Store) -> None:
    seen: list[Happening] = []
    model = ListedModel(writes({"大纲.草稿": "一"}, askUser=["几条？"]))
    session = opened(store, running_plan(OUTLINE), model, board=SEED, on_event=seen.append)
    assert session.status.reason == "review_artifact"
    assert [h.data["questions"] for h in seen if h.kind == "question"] == [["几条？"]]


@pytest.mark.parametrize("bad", ["", "没有 JSON", writes({"别的": "x"}), writes({"大纲.草稿": "x"}) * 2])
def test_a_bad_reply_is_told_to_the_model_and_nothing_of_it_is_written(store: Store, bad: str) -> None:
    model = ListedModel(bad, writes({"大纲.草稿": "好"}))
    session = opened(store, running_plan(OUTLINE), model, board=SEED)
    assert live(session) == {"需求.核心要点": "店", "大纲.草稿": "好"}
    asked, told = model.requests[0].messages, model.requests[1].messages
    assert told[0] == asked[0] and told[1]["content"].startswith(asked[1]["content"])
    assert [message["role"] for message in told[1:]] == (["user", "assistant", "user"] if bad else ["user"])
    assert "上一次回复无效" in told[-1]["content"]
    assert session.record.runs[0].attempts == 2
    assert session.record.runs[0].prompt_tokens == 20


def test_three_bad_replies_stop_the_session_and_leave_the_board_as_it_was(store: Store) -> None:
    plan = running_plan(OUTLINE)
    session = opened(store, plan, ListedModel("", "x", "{}"), board=SEED)
    assert session.status.phase == "error"
    assert session.status.error == (
        "`outline` gave 3 replies that cannot be used; the last: "
        "the JSON object has none of the keys `outputs`, `summary`, `askUser`"
    )
    assert live(session) == {"需求.核心要点": "店"}
    again = Session.resume(store, session.id, plan, ListedModel(writes({"大纲.草稿": "一"})))
    assert again.advance().reason == "review_artifact"


@pytest.mark.parametrize("problem", [ModelError("timed-out", "no answer in time"), RuntimeError("boom sk-1")])
def test_a_failed_call_stops_the_session_which_can_be_resumed(store: Store, problem: Exception) -> None:
    plan = running_plan(
        {"decide": {"inputs": ["需求.核心要点"], "outputs": ["角色.{id}.行动"], "role_bound": True}},
        {"decide": {"mode": "no_confirmation"}},
        roles={"ids": ["A"], "from": None},
    )
    session = opened(store, plan, ListedModel(problem), board=SEED)
    assert session.status.phase == "error"
    assert "sk-1" not in str(session.status.error)
    assert live(session) == {"需求.核心要点": "店"}
    assert session.advance().phase == "error"
    again = Session.resume(store, session.id, plan, ListedModel(writes({"角色.A.行动": "走"})))
    assert again.advance().phase == "done"
    assert live(again)["角色.A.行动"] == "走"


def test_a_step_that_needs_approval_waits_before_the_model_is_asked(store: Store) -> None:
    plan = running_plan(OUTLINE, {"outline": {"requires_approval": True, "mode": "no_confirmation"}})
    model = ListedModel(writes({"大纲.草稿": "一"}))
    session = opened(store, plan, model, board=SEED)
    assert (session.status.reason, model.requests) == ("approve_step", [])
    session.accept()
    assert session.advance().phase == "done"
    declined = opened(store, plan, model, board=SEED)
    declined.reject("不要")
    assert declined.advance().phase == "done"
    assert live(declined) == {"需求.核心要点": "店", "用户.修改说明": "不要"}


def test_input_is_asked_for_before_each_round_and_may_be_skipped(store: Store) -> None:
    plan = running_plan(
        {"narrate": {"inputs": ["用户.最新输入?"], "outputs": ["输出.反馈"]}},
        {"narrate": {"mode": "no_confirmation"}},
    )
    model = ListedModel(writes({"输出.反馈": "门开了"}))
    session = opened(store, plan, model, rounds=2)
    assert session.status.reason == "input"
    session.input("推门")
    assert session.advance().reason == "input"
    assert session.board.history == [
        {"role": "user", "content": "推门"},
        {"role": "assistant", "content": "门开了"},
    ]
    assert session.input("").status == "written"
    assert session.advance().phase == "done"
    assert model.workers == ["narrate"]
    assert len(session.board.history) == 2


def test_a_user_worker_never_calls_a_model(store: Store) -> None:
    plan = running_plan(
        {
            "turn": {
                "actor": "user",
                "inputs": ["场景.合法行动"],
                "outputs": ["角色.用户.行动", "角色.用户.思考"],
            }
        }
    )
    session = opened(store, plan, board=needs({"场景.合法行动": "要牌、停牌"}))
    assert session.status.reason == "worker_questions"
    assert session.pending and session.pending.prompt == "场景.合法行动\n要牌、停牌"
    assert session.pending.targets == ("角色.用户.行动",)
    assert session.answer("弃牌").message == "`弃牌` is not possible; possible is `要牌`, `停牌`"
    assert session.answer({"角色.用户.思考": "要牌"}).message == (
        "a user's turn never writes `角色.用户.思考`"
    )
    assert session.input("要牌，再来").status == "written"
    assert session.advance().phase == "done"
    assert live(session)["角色.用户.行动"] == "要牌，再来"
    assert statuses(session)[-1] == ("角色.用户.行动", "accepted")


def test_a_user_worker_with_several_outputs_is_answered_by_name(store: Store) -> None:
    plan = running_plan({"turn": {"actor": "user", "outputs": ["甲.草稿", "乙.草稿"]}})
    session = opened(store, plan)
    assert (
        session.answer("x").message == "`turn` writes `甲.草稿`, `乙.草稿`: say which text is for which tag"
    )
    session.answer({"甲.草稿": "一", "乙.草稿": "二"})
    assert session.advance().phase == "done"
    assert live(session) == {"甲.确认稿": "一", "乙.确认稿": "二"}


def test_a_program_of_the_host_gives_the_outputs(store: Store) -> None:
    plan = running_plan(
        {"dice": {"actor": "program", "inputs": ["骰.面数"], "outputs": ["骰.结果"]}},
        {"dice": {"mode": "no_confirmation"}},
    )
    seen: list[tuple[list[str], str | None]] = []

    def roll(context: object, role: str | None) -> dict[str, object]:
        seen.append((context.reads, role))  # type: ignore[attr-defined]
        return {"骰.结果": 4}

    session = opened(store, plan, board=needs({"骰.面数": "6"}), programs={"dice": roll})
    assert session.status.phase == "done"
    assert live(session)["骰.结果"] == "4"
    assert seen == [(["骰.面数"], None)]


def test_a_program_that_is_missing_or_wrong_stops_the_session(store: Store) -> None:
    plan = running_plan({"dice": {"actor": "program", "outputs": ["骰.结果"]}})
    assert opened(store, plan).status.error == (
        "worker `dice` is a program of the host, and the host registered none for it"
    )
    assert "may not write `骰`" in str(
        opened(store, plan, programs={"dice": lambda *_: {"骰": "1"}}).status.error
    )
    assert "ZeroDivisionError" in str(opened(store, plan, programs={"dice": lambda *_: 1 / 0}).status.error)  # type: ignore[dict-item]


@pytest.mark.parametrize("text", ["\ud83d", {1, 2}, " "])
def test_what_a_program_gives_is_checked_like_a_reply(store: Store, text: object) -> None:
    plan = running_plan({"dice": {"actor": "program", "outputs": ["骰.结果"]}})
    session = opened(store, plan, programs={"dice": lambda *_: {"骰.结果": text}})
    assert session.status.phase == "error" and session.board.items == []


def test_a_blank_text_is_no_product(store: Store) -> None:
    model = ListedModel(writes({"大纲.草稿": ""}), writes({"大纲.草稿": "一"}))
    session = opened(store, running_plan(OUTLINE), model, board=SEED)
    assert live(session)["大纲.草稿"] == "一"
    assert "blank-text" in model.requests[1].messages[-1]["content"]
    blank = ListedModel(*[writes({"大纲.草稿": " \n"})] * 3)
    stopped = opened(store, running_plan(OUTLINE), blank, board=SEED)
    assert "the text of `大纲.草稿` is blank" in str(stopped.status.error)


def test_who_asks_may_leave_the_text_blank(store: Store) -> None:
    model = ListedModel(writes({"大纲.草稿": ""}, askUser=["几条？"]))
    session = opened(store, running_plan(OUTLINE), model, board=SEED)
    assert session.status.reason == "worker_questions" and len(session.board.items) == 1


def test_a_worker_that_was_compiled_anew_while_it_asked_is_refused_unless_accepted(store: Store) -> None:
    model = ListedModel('{"askUser": ["几条？"]}')
    old = running_plan({**OUTLINE, "other": {"inputs": ["别的"], "outputs": ["x"]}})
    session = opened(store, old, model, board=SEED)
    changed = {**OUTLINE["outline"], "inputs": ["需求.核心要点", "项目.风格?"]}
    new = running_plan({"outline": changed, "other": {"inputs": ["别的"], "outputs": ["x"]}})
    seen: list[Happening] = []
    again = Session.resume(store, session.id, new, on_event=seen.append)
    assert again.changed_worker() == "outline"
    assert again.answer("十条").message == (
        "worker `outline` was compiled anew since it asked; the change must be accepted first"
    )
    assert [h.data["text"] for h in seen if h.kind == "note"] == [
        "compiled anew since this session last ran: `outline`"
    ]
    accepted = Session.resume(
        store, session.id, new, ListedModel(writes({"大纲.草稿": "一"})), accept_change=True
    )
    assert accepted.answer("十条").status == "written"
    assert accepted.advance().reason == "review_artifact"
    assert [note.kind for note in accepted.record.notes] == ["plan-changed", "accepted-change"]


def test_a_change_of_another_worker_is_noted_and_harmless(store: Store) -> None:
    other = {"inputs": ["别的"], "outputs": ["x"]}
    old = running_plan({**OUTLINE, "other": other})
    session = opened(store, old, ListedModel('{"askUser": ["几条？"]}'), board=SEED)
    new = running_plan({**OUTLINE, "other": {**other, "outputs": ["y"]}})
    again = Session.resume(store, session.id, new, ListedModel(writes({"大纲.草稿": "一"})))
    assert again.changed_worker() is None
    assert again.answer("十条").status == "written"
    assert again.advance().reason == "review_artifact"
    assert [note.text for note in again.record.notes] == [
        "compiled anew since this session last ran: `other`"
    ]


def test_a_session_is_not_resumed_with_another_package(store: Store) -> None:
    session = opened(store, running_plan(OUTLINE))
    data = plan_data(OUTLINE)
    package = {**data["package"], "path": "novel/other"}
    with pytest.raises(SessionRefused, match="is of package `novel/sample`, not of `novel/other`"):
        Session.resume(store, session.id, running_plan(OUTLINE, package=package))


def test_a_board_seeds_the_session_with_status_history_and_variables(store: Store) -> None:
    board = {
        "items": [
            {"tag": "大纲.草稿", "content": "旧", "source": "outline"},
            {"tag": "大纲.确认稿", "content": "旧", "source": "outline", "status": "accepted"},
        ],
        "history": [{"role": "user", "content": "你好"}],
        "variables": {"天气": "雨"},
    }
    session = opened(store, running_plan(OUTLINE), board=board)
    stored = Session.resume(store, session.id, running_plan(OUTLINE)).board
    assert [(item.tag, item.status) for item in stored.items] == [
        ("大纲.草稿", "live"),
        ("大纲.确认稿", "accepted"),
    ]
    assert (stored.history, stored.variables) == (board["history"], board["variables"])
    with pytest.raises(SessionRefused, match="the board cannot be used: item 1"):
        Session.open(store, running_plan(OUTLINE), board={"items": [{"tag": "a"}]})


def test_the_same_replies_give_the_same_rows(tmp_path: Path) -> None:
    def rows(name: str) -> object:
        store = open_store(str(tmp_path / name), TickingClock())
        model = ListedModel(writes({"大纲.草稿": "一"}))
        session = opened(store, running_plan(OUTLINE), model, board=SEED, session_id="same")
        session.accept()
        session.advance()
        return store.load("same")

    assert rows("a.db") == rows("b.db")


def test_a_session_advanced_again_while_it_waits_is_unchanged(store: Store) -> None:
    session = opened(store, running_plan(OUTLINE, **ASKING))
    before = session.record
    session.advance()
    assert session.record == before == store.load(session.id)


def test_deliverables_are_the_newest_live_items_that_people_read(store: Store) -> None:
    plan = running_plan(OUTLINE, deliverables=[["大纲", "确认稿"]])
    model = ListedModel(writes({"大纲.草稿": "一"}))
    session = opened(store, plan, model, board=SEED)
    assert session.deliverables() == []
    session.accept()
    assert [(item.tag, item.content) for item in session.deliverables()] == [("大纲.确认稿", "一")]


def test_a_step_that_is_dropped_leaves_nothing_on_the_board_that_is_kept(store: Store) -> None:
    """The board goes from step to step; what is stored is what it is."""
    model = ListedModel(writes({"大纲.草稿": "一"}), ModelError("x", "down"), writes({"大纲.草稿": "二"}))
    plan = running_plan(OUTLINE)
    session = opened(store, plan, model, board=SEED)
    assert session.answer("不该写").refused
    assert session.reject("短").status == "written"
    assert session.advance().phase == "error"
    again = Session.resume(store, session.id, plan, model)
    again.advance()
    again.accept()
    again.advance()
    loaded = Session.resume(store, session.id, plan).board
    assert [(i.tag, i.content, i.status) for i in again.board.items] == [
        (i.tag, i.content, i.status) for i in loaded.items
    ]
    assert [i.content for i in again.deliverables()] == [
        i.content for i in Session.resume(store, session.id, plan).deliverables()
    ]
    assert live(again)["大纲.确认稿"] == "二" and "不该写" not in live(again).values()


@pytest.mark.parametrize("name", ["\ud800", "x" * 201, 7])
def test_an_id_that_cannot_be_kept_is_refused(store: Store, name: Any) -> None:
    session = opened(store, running_plan(OUTLINE), ListedModel(writes({"大纲.草稿": "一"})), board=SEED)
    refused = session.accept(name)
    assert refused.refused and refused.message == "the id of an answer is a text of at most 200 characters"
    assert session.status.reason == "review_artifact" and session.record.answers == ()
    assert session.accept("x" * 200).status == "written"


@pytest.mark.parametrize("said", [None, 5, {"大纲.草稿": 1}, [["a", "b"]]])
def test_what_is_no_text_is_no_answer(store: Store, said: Any) -> None:
    session = opened(store, running_plan(OUTLINE, startup=startup("需求.核心要点")), ListedModel())
    assert session.answer(said).message == "an answer is a text, or texts by tag"
    assert session.status.reason == "intake" and session.record.answers == ()

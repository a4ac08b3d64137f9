"""Question cards: 追问 of an artifact is asked once, when the artifact is shown, and its answer revises it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from running import ListedModel, TickingClock, live, needs, opened, running_plan, statuses, writes
from skillc.cli.account import Account
from skillc.cli.conversation import Conversation
from skillc.execute.cards import cards_of
from skillc.execute.happening import Happening
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store

TAG = "设计.实现机制.草稿"
PLAN = {
    "mechanism": {
        "inputs": ["用户.需求", "用户.修改说明?", "用户.worker答复?"],
        "outputs": [TAG, "大纲.草稿"],
    }
}
SEED = needs({"用户.需求": "一座港城"})
FRAGMENT: dict[str, Any] = {
    "schema": "context-fragment.v1",
    "技能": "实现机制",
    "brief": "三条支撑点",
    "mount": ["gm"],
    "正文": {"支撑点": [{"名": "代价"}]},
    "追问": {
        "导语": "先问两点",
        "题目": [
            {"问": "代价多重？", "建议选项": ["轻", "重"], "示例": "断指"},
            {"问": "谁来付？"},
        ],
    },
}
LINES = ("代价多重？ [轻 / 重] 例：断指", "谁来付？")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def played(store: Store, *replies: str, **more: Any) -> Session:
    return opened(store, running_plan(PLAN, **more), ListedModel(*replies), board=SEED)


def text(**changes: Any) -> str:
    return json.dumps({**FRAGMENT, **changes}, ensure_ascii=False)


@pytest.mark.parametrize("content", [FRAGMENT, text(), f"好的：\n```json\n{text()}\n```"])
def test_the_questions_of_an_artifact_stand_where_it_is_reviewed(store: Store, content: object) -> None:
    session = played(store, writes({TAG: content}))
    pending = session.pending
    assert pending and (pending.reason, pending.prompt) == ("review_artifact", "先问两点")
    assert pending.questions == LINES
    assert session.actions == ("answer", "accept", "reject")


def test_a_card_is_told_as_data_once(store: Store) -> None:
    seen: list[Happening] = []
    opened(store, running_plan(PLAN), ListedModel(writes({TAG: FRAGMENT})), board=SEED, on_event=seen.append)
    (card,) = [h.data for h in seen if h.kind == "card"]
    assert card["tag"] == TAG and card["lead"] == "先问两点" and card["worker"] == "mechanism"
    assert card["questions"] == [
        {"text": "代价多重？", "choices": ["轻", "重"], "example": "断指"},
        {"text": "谁来付？", "choices": [], "example": ""},
    ]


def test_the_answer_goes_to_the_worker_which_writes_anew(store: Store) -> None:
    model = ListedModel(writes({TAG: FRAGMENT}), writes({TAG: {**FRAGMENT, "追问": {"题目": []}}}))
    session = opened(store, running_plan(PLAN), model, board=SEED)
    assert session.answer("重；城里付").status == "written"
    assert session.advance().reason == "review_artifact"
    assert "重；城里付" in model.requests[1].messages[-1]["content"]
    assert live(session)["用户.worker答复"] == "重；城里付"
    assert session.pending and session.pending.questions == ()
    assert session.accept().status == "written" and session.advance().phase == "done"
    assert statuses(session)[1][1] == "superseded"
    assert [item.content for item in session.board.alive("设计.实现机制.确认稿")]


def test_without_the_answer_tag_it_goes_where_notes_go(store: Store) -> None:
    plan = {"mechanism": {"inputs": ["用户.需求", "用户.修改说明?"], "outputs": [TAG]}}
    session = opened(store, running_plan(plan), ListedModel(writes({TAG: FRAGMENT})), board=SEED)
    assert session.answer("重").status == "written"
    assert live(session)["用户.修改说明"] == "重"


@pytest.mark.parametrize("said", ["", "  \n"])
def test_a_blank_answer_is_refused(store: Store, said: str) -> None:
    session = played(store, writes({TAG: FRAGMENT}))
    assert session.answer(said).refused
    assert session.pending and session.pending.questions == LINES


@pytest.mark.parametrize(
    "outputs",
    [
        {"大纲.草稿": FRAGMENT},
        {TAG: "一段散文"},
        {TAG: {**FRAGMENT, "追问": {"导语": "没有题", "题目": []}}},
        {TAG: {**FRAGMENT, "追问": None}},
    ],
)
def test_what_has_no_card_cannot_be_answered(store: Store, outputs: dict[str, object]) -> None:
    session = played(store, writes(outputs))
    assert session.actions == ("accept", "reject")
    refused = session.answer("什么？")
    assert refused.refused and "asks nothing" in refused.message
    assert session.status.reason == "review_artifact"


def test_a_question_repeated_in_ask_user_is_noted_and_asked_once(store: Store) -> None:
    seen: list[Happening] = []
    model = ListedModel(writes({TAG: FRAGMENT}, askUser=["代价多重?", "几天？"]))
    session = opened(store, running_plan(PLAN), model, board=SEED, on_event=seen.append)
    (run,) = session.record.runs
    assert run.questions == ("几天？",)
    assert run.notes == (f"askUser repeats a question of 追问 in `{TAG}`: its card asks it once",)
    assert [h.data["text"] for h in seen if h.kind == "note"] == list(run.notes)
    assert session.pending and session.pending.questions == LINES


def test_an_artifact_that_nobody_confirms_has_its_card_told_and_goes_on(store: Store) -> None:
    out = io.StringIO()
    plan = running_plan(PLAN, {"mechanism": {"mode": "no_confirmation"}})
    session = opened(
        store, plan, ListedModel(writes({TAG: FRAGMENT})), board=SEED, on_event=Account(plan, out).show
    )
    assert session.status.phase == "done"
    assert f"  {TAG} asks: 先问两点 代价多重？ / 谁来付？" in out.getvalue()


def test_a_person_answers_in_place_of_yes_or_no(store: Store) -> None:
    out = io.StringIO()
    plan = running_plan(PLAN)
    model = ListedModel(writes({TAG: FRAGMENT}), writes({TAG: "{}"}))
    account = Account(plan, out)
    session = Session.open(store, plan, model, board=SEED, on_event=account.show)
    lines = ["重", "y", "y"]
    Conversation(session, account, None, lambda _: lines.pop(0), True).converse()
    assert live(session)["用户.worker答复"] == "重" and session.status.phase == "done"
    assert all(f"  ? {line}" in out.getvalue() for line in LINES)


def test_a_card_survives_being_stored(store: Store) -> None:
    session = played(store, writes({TAG: FRAGMENT}))
    again = Session.resume(store, session.id, running_plan(PLAN))
    assert again.pending == session.pending and again.actions == session.actions


def test_slots_and_stages_are_artifacts_too() -> None:
    pairs = [(tag, text()) for tag in ("设计.生成规则#天气", "设计.监控栏", "设计.杂记", "生成规则.草稿")]
    assert [card.tag for card in cards_of(pairs)] == ["设计.生成规则#天气", "设计.监控栏"]


def test_a_person_sees_the_artifact_then_the_lead_then_the_questions(store: Store) -> None:
    out = io.StringIO()
    account = Account(running_plan(PLAN), out)
    session = played(store, writes({TAG: FRAGMENT}))
    assert session.pending
    account.ask(session, session.pending, full=True)
    shown = out.getvalue()
    places = [shown.index(part) for part in (f"--- {TAG}", "三条支撑点", "  先问两点", f"  ? {LINES[0]}")]
    assert places == sorted(places)
    assert shown.count("先问两点") == shown.count("谁来付") == 1 and '"schema"' not in shown

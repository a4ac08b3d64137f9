"""The opening is the first thing that is said in a dialogue that begins; what is hidden is not said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from playing import fragment, seeded, turn_plan
from running import ListedModel, TickingClock, opened, running_plan, writes
from skillc.execute.happening import Happening
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store
from skillc.runtime import RunnablePlan

WORLD = {"world-simulator": {"inputs": ["对话.历史?"], "outputs": ["输出.正文"]}}
PLAN = turn_plan(WORLD)
SAID = "船头朝着石阶。\n\n你提着信袋。"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def board(opening: object, **more: Any) -> dict[str, object]:
    return {**seeded(设计_开场白与开场变量=fragment(开场正文=opening)), **more}


def said(store: Store, board: dict[str, object] | None, plan: RunnablePlan = PLAN) -> list[tuple[str, str]]:
    """The dialogue after one turn."""
    session = opened(store, plan, ListedModel(writes({"输出.正文": "风起了。"})), board=board)
    return [(block["role"], block["content"]) for block in session.board.history]


def test_it_is_the_first_block_and_the_first_turn_reads_it(store: Store) -> None:
    told: list[Happening] = []
    model = ListedModel(writes({"输出.正文": "风起了。"}))
    session = Session.open(store, PLAN, model, board=board(f"\n{SAID}\n"), on_event=told.append)
    session.advance()
    assert session.board.history == [
        {"role": "assistant", "content": SAID},
        {"role": "assistant", "content": "风起了。"},
    ]
    assert SAID in model.requests[0].messages[-1]["content"]
    assert [h.data["text"] for h in told if h.kind == "shown"] == [SAID, "风起了。"]


@pytest.mark.parametrize(
    ("opening", "block"),
    [
        ({"壳": "第一日", "正文": "船来了。"}, "第一日\n\n船来了。"),
        ({"正文": "船来了。", "隐藏备注": "船上没有人。", "变量": {"日": 1}}, "船来了。"),
        ({"隐藏": "船上没有人。"}, None),
        (["船来了。"], None),
        ("  ", None),
    ],
)
def test_a_group_is_its_texts_without_what_is_hidden(
    store: Store, opening: object, block: str | None
) -> None:
    rules = [{"label": "hidden", "pattern": None, "segment": "隐藏", "except": []}]
    plan = turn_plan(WORLD, labels=rules)
    expected = [("assistant", "风起了。")]
    assert said(store, board(opening), plan) == ([("assistant", block)] if block else []) + expected


def test_nothing_of_a_labelled_document_is_said(store: Store) -> None:
    pattern = ["设计", "开场白与开场变量"]
    plan = turn_plan(WORLD, labels=[{"label": "hidden", "pattern": pattern, "segment": None, "except": []}])
    assert said(store, board(SAID), plan) == [("assistant", "风起了。")]


def test_what_is_no_opening_in_force_begins_nothing(store: Store) -> None:
    draft = {"items": [{"tag": "设计.开场白与开场变量.草稿", "content": fragment(开场正文=SAID)}]}
    assert said(store, draft) == [("assistant", "风起了。")]
    prose = seeded(设计_开场白与开场变量="船来了。")
    assert said(store, prose) == [("assistant", "风起了。")]


def test_a_dialogue_that_has_begun_and_a_package_without_slots_get_none(store: Store) -> None:
    begun = board(SAID, history=[{"role": "user", "content": "我来了"}])
    assert said(store, begun) == [("user", "我来了"), ("assistant", "风起了。")]
    plain = running_plan({"world": WORLD["world-simulator"]}, {"world": {"mode": "no_confirmation"}})
    assert said(store, board(SAID), plain) == [("assistant", "风起了。")]


def test_a_session_that_is_taken_up_says_it_once(store: Store) -> None:
    session = Session.open(store, PLAN, ListedModel(), board=board(SAID))
    while not session.board.history:
        session.step()
    again = Session.resume(store, session.id, PLAN, ListedModel(writes({"输出.正文": "风起了。"})))
    again.advance()
    assert [block["content"] for block in again.board.history] == [SAID, "风起了。"]


def test_the_confirmed_opening_counts(store: Store) -> None:
    text = json.dumps({"开场白": SAID}, ensure_ascii=False)
    row = {"tag": "设计.开场白与开场变量.确认稿", "content": text, "source": "design", "status": "accepted"}
    assert said(store, {"items": [row]})[0] == ("assistant", SAID)

"""A revision in a loop of rounds: whose work it overtakes runs again, nobody else; and what of it is delivered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from running import ListedModel, TickingClock, opened, running_plan, writes
from skillc.execute.store import Store, open_store

FREE = {"mode": "no_confirmation"}
LOOP = {
    "aim": {"inputs": ["路.当前?"], "outputs": ["意"]},
    "steer": {"inputs": ["意", "文.确认稿?"], "outputs": ["路.当前"]},
    "write": {"inputs": ["路.当前", "用户.修改说明?"], "outputs": ["文.草稿"]},
    "keep": {"inputs": ["文.确认稿"], "outputs": ["册"]},
}
REPLIES = {"aim": {"意": "a"}, "steer": {"路.当前": "s"}, "write": {"文.草稿": "w"}, "keep": {"册": "k"}}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def said(*workers: str) -> ListedModel:
    return ListedModel(*(writes(REPLIES[worker]) for worker in workers))


def test_a_rejection_in_a_loop_does_not_begin_the_round_anew(store: Store) -> None:
    order = ["aim", "steer", "write", "write", "keep", "aim", "steer", "write", "keep"]
    model = said(*order)
    plan = running_plan(LOOP, {"aim": FREE, "steer": FREE, "keep": FREE}, deliverables=[["文", "确认稿"]])
    session = opened(store, plan, model, rounds=2)
    session.reject("短些")
    session.advance()
    session.accept()
    session.advance()
    session.accept()
    assert session.advance().phase == "done"
    assert model.workers == order


def test_every_confirmed_text_of_a_tag_is_delivered_in_the_order_of_writing(store: Store) -> None:
    drafts = [writes({"文.草稿": text}) for text in ("第一章", "第二章", "第二章，改")]
    steps = [writes(REPLIES[worker]) for worker in ("aim", "steer", "keep")]
    model = ListedModel(*steps[:2], drafts[0], steps[2], *steps[:2], drafts[1], drafts[2], steps[2])
    plan = running_plan(LOOP, {"aim": FREE, "steer": FREE, "keep": FREE}, deliverables=[["文", "确认稿"]])
    session = opened(store, plan, model, rounds=2)
    session.accept()
    session.advance()
    session.reject("再改")
    session.advance()
    session.accept()
    assert session.advance().phase == "done"
    assert [(item.tag, item.content) for item in session.deliverables()] == [
        ("文.确认稿", "第一章"),
        ("文.确认稿", "第二章，改"),
    ]


def test_who_used_the_product_or_what_came_of_it_runs_again_and_who_did_not_does_not(store: Store) -> None:
    plan = running_plan(
        {
            "write": {"inputs": ["验收.总.记录?"], "outputs": ["文"]},
            "apart": {"outputs": ["旁"]},
            "index": {"inputs": ["文"], "outputs": ["目"]},
            "cover": {"inputs": ["目"], "outputs": ["封"]},
            "judge": {"inputs": ["封", "旁"], "outputs": ["验收.总.记录"]},
            "late": {"inputs": ["验收.总.记录"], "outputs": ["终"]},
        },
        {
            **dict.fromkeys(("write", "apart", "index", "cover", "late"), FREE),
            "judge": {"mode": "programmatic_review", "reviews": ["write"]},
        },
    )
    texts = {"write": "文", "apart": "旁", "index": "目", "cover": "封", "late": "终"}
    fail, passed = (writes({"验收.总.记录": f"verdict: {word}"}) for word in ("fail", "pass"))
    order = ["write", "apart", "index", "cover", "judge", "write", "index", "cover", "judge", "late"]
    verdicts = iter((fail, passed))
    model = ListedModel(*(next(verdicts) if w == "judge" else writes({texts[w]: w}) for w in order))
    assert opened(store, plan, model).status.phase == "done"
    assert model.workers == order


def test_a_passed_review_is_no_reason_to_write_anew_in_the_next_round(store: Store) -> None:
    plan = running_plan(
        {
            "write": {"inputs": ["验收.总.记录?"], "outputs": ["文"]},
            "judge": {"inputs": ["文"], "outputs": ["验收.总.记录"]},
        },
        {"write": FREE, "judge": {"mode": "programmatic_review", "reviews": ["write"]}},
    )
    model = ListedModel(writes({"文": "一"}), writes({"验收.总.记录": "verdict: pass"}))
    assert opened(store, plan, model, rounds=5).status.phase == "done"
    assert model.workers == ["write", "judge"]

"""Who runs next: rounds, news, roles, reviews, readiness."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from running import ListedModel, TickingClock, live, needs, opened, running_plan, startup, statuses, writes
from skillc.execute.roles import roles_in
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store

FREE = {"mode": "no_confirmation"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def test_workers_run_in_manifest_order_when_what_they_need_is_there(store: Store) -> None:
    plan = running_plan(
        {
            "last": {"inputs": ["乙"], "outputs": ["丙"]},
            "first": {"outputs": ["甲"]},
            "second": {"inputs": ["甲"], "outputs": ["乙"]},
        },
        dict.fromkeys(("last", "first", "second"), FREE),
    )
    model = ListedModel(writes({"甲": "1"}), writes({"乙": "2"}), writes({"丙": "3"}))
    assert opened(store, plan, model).status.phase == "done"
    assert model.workers == ["first", "second", "last"]


def test_a_worker_runs_again_in_the_next_round_only_on_news_that_is_not_its_own(store: Store) -> None:
    plan = running_plan(
        {
            "state": {"inputs": ["世界.当前?", "掷.结果?"], "outputs": ["世界.当前"]},
            "dice": {"inputs": ["世界.当前"], "outputs": ["掷.结果"]},
        },
        {"state": FREE, "dice": FREE},
    )
    state, dice = writes({"世界.当前": "s"}), writes({"掷.结果": "d"})
    model = ListedModel(state, dice, state, dice, state)
    assert opened(store, plan, model, rounds=2).status.phase == "done"
    assert model.workers == ["state", "dice", "state", "dice"]
    alone = running_plan({"state": {"inputs": ["世界.当前?"], "outputs": ["世界.当前"]}}, {"state": FREE})
    model = ListedModel(state, state)
    assert opened(store, alone, model, rounds=5).status.phase == "done"
    assert model.workers == ["state"]


def test_a_confirmed_text_is_no_news_to_who_read_its_draft(store: Store) -> None:
    plan = running_plan(
        {
            "write": {"outputs": ["文.草稿"]},
            "read": {"inputs": ["文.草稿"], "outputs": ["评"]},
            "late": {"inputs": ["评"], "outputs": ["验收.总.记录"]},
        },
        {"write": {"mode": "no_confirmation"}, "read": FREE, "late": {"mode": "programmatic_review"}},
    )
    model = ListedModel(
        writes({"文.草稿": "一"}), writes({"评": "好"}), writes({"验收.总.记录": "verdict: pass"})
    )
    session = opened(store, plan, model, rounds=3)
    assert session.status.phase == "done"
    assert model.workers == ["write", "read", "late"]


def test_a_role_bound_worker_runs_once_for_each_role_and_the_role_is_on_the_board(store: Store) -> None:
    plan = running_plan(
        {"decide": {"inputs": ["世界.当前角色.id?"], "outputs": ["角色.{id}.行动"], "role_bound": True}},
        {"decide": FREE},
        roles={"ids": ["A", "B"], "from": None},
    )
    model = ListedModel(writes({"角色.A.行动": "走"}), writes({"角色.B.行动": "停"}))
    session = opened(store, plan, model, rounds=3)
    assert model.workers == ["decide/A", "decide/B"]
    assert statuses(session) == [
        ("世界.当前角色.id", "superseded"),
        ("角色.A.行动", "accepted"),
        ("世界.当前角色.id", "live"),
        ("角色.B.行动", "accepted"),
    ]
    assert session.board.items[0].source == "runtime"


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ('["阿离", "阿青"]', ("阿离", "阿青")),
        ("阿离、阿青", ("阿离", "阿青")),
        ("- 阿离\n- 阿青\n\n- 阿离", ("阿离", "阿青")),
        ("阿离", ("阿离",)),
        ("", ()),
        ("7", ("7",)),
        ("1. A\n2. B", ("A", "B")),
        ("1、A\n2、B", ("A", "B")),
        ("（1）A\n（2）B", ("A", "B")),
        ("# 名单\n\n- A\n- B", ("A", "B")),
        ("- A：女，十八岁\n  - 住在三楼\n- B（店员）\n- C - 夜班", ("A", "B", "C")),
        ("**A**\n`B`\n「C」", ("A", "B", "C")),
        ("- [ ] A\n- [x] B", ("A", "B")),
        ("A。", ("A",)),
        ("以下是名单，共两人：\n- **A：**女\n- B\n", ("A", "B")),
        ("名单：\nA\nB", ("A", "B")),
        ("角色：A、B", ("A", "B")),
        ('{"A": {"年龄": 18}, "B": {"年龄": 20}}', ("A", "B")),
        ('{"roles": ["A", "B"], "说明": "x"}', ("A", "B")),
        ('```json\n[{"name": "A"}, {"name": "B", "年龄": 2}]\n```', ("A", "B")),
        ("A.B", ()),
        ("[" * 100_000, ()),
    ],
)
def test_roles_are_read_from_a_list_or_from_names(text: str, roles: tuple[str, ...]) -> None:
    assert roles_in(text) == roles


def test_roles_come_from_the_board_when_the_plan_says_so(store: Store) -> None:
    plan = running_plan(
        {"decide": {"outputs": ["角色.{id}.行动"], "role_bound": True}},
        {"decide": FREE},
        roles={"ids": [], "from": "场景.角色"},
    )
    model = ListedModel(writes({"角色.乙.行动": "停"}))
    opened(store, plan, model, board=needs({"场景.角色": "乙"}))
    assert model.workers == ["decide/乙"]


@pytest.mark.parametrize("text", ["乙.丙", "*", "、", "[" * 100_000, "甲\n乙.丙"])
def test_a_list_of_roles_that_cannot_be_used_is_put_to_the_user_until_it_can(store: Store, text: str) -> None:
    plan = running_plan(
        {"decide": {"outputs": ["角色.{id}.行动"], "role_bound": True}},
        {"decide": FREE},
        roles={"ids": [], "from": "场景.角色"},
    )
    model = ListedModel(writes({"角色.乙.行动": "停"}))
    session = opened(store, plan, model, board=needs({"场景.角色": text}))
    for _ in range(2):
        assert session.pending and session.pending.targets == ("场景.角色",)
        assert "the list of roles under `场景.角色` cannot be used: " in session.pending.prompt
        session.answer("还是.不行")
        session = Session.resume(store, session.id, plan, model)
        session.advance()
    session.answer("1. 乙")
    assert session.advance().phase == "done"
    assert model.workers == ["decide/乙"]


def test_others_private_news_does_not_wake_a_role(store: Store) -> None:
    worker = {
        "inputs": ["角色.*?"],
        "outputs": ["角色.{id}.记忆"],
        "role_bound": True,
        "isolation": "role_pov",
    }
    plan = running_plan({"decide": worker}, {"decide": FREE}, roles={"ids": ["A", "B"], "from": None})
    model = ListedModel(writes({"角色.A.记忆": "1"}), writes({"角色.B.记忆": "2"}))
    assert opened(store, plan, model, rounds=3).status.phase == "done"
    assert model.workers == ["decide/A", "decide/B"]


@pytest.mark.parametrize("notes", ["用户.修改说明", "用户.修订说明"])
def test_what_the_user_says_to_one_worker_wakes_no_other(store: Store, notes: str) -> None:
    plan = running_plan(
        {
            "outline": {"inputs": [f"{notes}?"], "outputs": ["大纲.草稿"]},
            "opening": {"inputs": ["大纲.草稿", f"{notes}?"], "outputs": ["开场.草稿"]},
        },
    )
    model = ListedModel(writes({"大纲.草稿": "纲"}), writes({"开场.草稿": "一"}), writes({"开场.草稿": "二"}))
    session = opened(store, plan, model, rounds=2)
    session.accept()
    session.advance()
    session.reject("太长")
    session.advance()
    session.accept()
    assert session.advance().phase == "done"
    assert model.workers == ["outline", "opening", "opening"]
    assert "太长" in model.requests[2].messages[-1]["content"]


REVIEWED = {
    "write": {"inputs": ["验收.*.记录?", "用户.修改说明?"], "outputs": ["规则.草稿", "核心.隐藏"]},
    "infer": {"inputs": ["规则.草稿"], "outputs": ["验收.读者.记录"]},
    "author": {"inputs": ["规则.草稿"], "outputs": ["验收.作者.记录"]},
    "publish": {"inputs": ["规则.草稿"], "outputs": ["正文.确认稿"]},
}
RULES = {
    "write": {"mode": "user_confirmed"},
    "infer": {"mode": "programmatic_review", "reviews": ["write"]},
    "author": {"mode": "programmatic_review", "reviews": ["write"]},
    "publish": FREE,
}
DRAFT = writes({"规则.草稿": "一", "核心.隐藏": "密"})
PASS = "verdict: pass"


def infer(verdict: str) -> str:
    return writes({"验收.读者.记录": verdict})


def author(verdict: str) -> str:
    return writes({"验收.作者.记录": verdict})


def test_a_failed_review_sends_the_product_back_and_all_reviewers_look_again(store: Store) -> None:
    model = ListedModel(
        DRAFT,
        infer(PASS),
        author('{"verdict": "fail"}'),
        writes({"规则.草稿": "二"}),
        infer(PASS),
        author(PASS),
        writes({"正文.确认稿": "二"}),
    )
    session = opened(store, running_plan(REVIEWED, RULES), model)
    session.accept()
    assert session.advance().reason == "review_artifact"
    assert live(session)["规则.草稿"] == "二"
    assert ("规则.确认稿", "revision_requested") in statuses(session)
    assert ("核心.隐藏", "revision_requested") in statuses(session)
    assert ("验收.作者.记录", "live") in statuses(session)
    session.accept()
    assert session.advance().phase == "done"
    assert model.workers == ["write", "infer", "author", "write", "infer", "author", "publish"]
    assert [run.revision for run in session.record.runs] == [False, False, False, True, False, False, False]
    confirmed = [(i.content, i.status) for i in session.board.items if i.tag == "规则.确认稿"]
    assert confirmed == [("一", "superseded"), ("二", "accepted")]


def test_while_a_review_is_open_only_reviewers_run(store: Store) -> None:
    order = {"write": REVIEWED["write"], "publish": REVIEWED["publish"], "infer": REVIEWED["infer"]}
    rules = {id: RULES[id] for id in order} | {"write": FREE}
    model = ListedModel(DRAFT, infer(PASS), writes({"正文.确认稿": "一"}))
    assert opened(store, running_plan(order, rules), model).status.phase == "done"
    assert model.workers == ["write", "infer", "publish"]


def test_three_failed_reviews_ask_the_user_who_may_overrule(store: Store) -> None:
    rules = RULES | {"write": FREE}
    fail = infer("verdict：FAIL\n规则太多")
    model = ListedModel(*[DRAFT, fail] * 3, author("verdict: fail"), writes({"正文.确认稿": "一"}))
    session = opened(store, running_plan(REVIEWED, rules), model)
    assert session.status.reason == "revision"
    assert model.workers == ["write", "infer"] * 3
    assert session.actions == ("answer", "accept", "reject")
    session.accept()
    assert session.advance().phase == "done"
    assert model.workers[6:] == ["author", "publish"], "what the user took is not sent back again"
    assert live(session)["规则.确认稿"] == "一"


def test_after_three_failed_reviews_the_users_notes_start_a_new_count(store: Store) -> None:
    rules = RULES | {"write": FREE}
    model = ListedModel(
        *[DRAFT, infer("verdict: fail")] * 5, DRAFT, infer(PASS), author(PASS), writes({"正文.确认稿": "一"})
    )
    session = opened(store, running_plan(REVIEWED, rules), model)
    session.reject("少写几条")
    assert session.advance().phase == "done"
    assert "少写几条" in model.requests[6].messages[-1]["content"]
    assert model.workers[-4:] == ["write", "infer", "author", "publish"]


def test_accepting_what_fails_again_and_again_does_not_put_off_the_question(store: Store) -> None:
    model = ListedModel(*[DRAFT, infer("verdict: fail")] * 3)
    session = opened(store, running_plan(REVIEWED, RULES), model)
    for _ in range(3):
        assert session.status.reason == "review_artifact"
        session.accept()
        session.advance()
    assert session.status.reason == "revision"


def test_a_reviewer_without_reviews_judges_its_own_product(store: Store) -> None:
    plan = running_plan(
        {"self": {"outputs": ["文.草稿", "验收.自.记录"]}}, {"self": {"mode": "programmatic_review"}}
    )
    model = ListedModel(
        writes({"文.草稿": "一", "验收.自.记录": "没有结论"}),
        writes({"文.草稿": "二", "验收.自.记录": "- **verdict**: Pass"}),
    )
    session = opened(store, plan, model)
    assert session.status.phase == "done"
    assert live(session)["文.确认稿"] == "二"
    assert session.record.runs[0].verdict == "fail"
    assert session.record.runs[0].verdict_reason == (
        "there is no verdict (pass or fail) in `验收.自.记录`, `文.草稿`"
    )


def test_design_workers_run_until_the_package_is_ready(store: Store) -> None:
    plan = running_plan(
        {
            "cast": {"stage": "design", "inputs": ["需求"], "outputs": ["设计.角色.草稿"]},
            "extra": {"stage": "design", "inputs": ["需求"], "outputs": ["设计.别的"]},
            "play": {"inputs": ["设计.角色.确认稿"], "outputs": ["输出.场景"]},
        },
        {"cast": {}, "extra": FREE, "play": FREE},
        startup=startup("需求"),
        ready={
            "prerequisites": [["设计", "角色", "确认稿"]],
            "condition": ["and", ["startupCompleted"], ["accepted", ["设计", ".*"]]],
        },
    )
    model = ListedModel(writes({"设计.角色.草稿": "甲"}), writes({"输出.场景": "x"}))
    session = opened(store, plan, model)
    session.answer("局")
    session.advance()
    assert session.status.stage == "design"
    session.accept()
    assert session.advance().phase == "done"
    assert model.workers == ["cast", "play"]


def test_a_package_that_cannot_become_ready_says_what_is_missing(store: Store) -> None:
    plan = running_plan(
        {"cast": {"stage": "design", "outputs": ["设计.角色"]}},
        {"cast": FREE},
        ready={"prerequisites": [["设计", "世界"]], "condition": ["count", ["设计", ".*"], 2]},
    )
    session = opened(store, plan, ListedModel(writes({"设计.角色": "甲"})))
    assert session.status.phase == "error"
    assert session.status.error == (
        "the package cannot become ready: nothing is there under `设计.世界`, `count(设计.*) >= 2` does not "
        "hold, and no design worker is left to run"
    )


def test_a_missing_prerequisite_that_the_user_may_be_asked_for_is_asked_for(store: Store) -> None:
    plan = running_plan(
        {"write": {"inputs": ["项目.风格"], "outputs": ["文"]}},
        {"write": FREE},
        asks=[["项目", ".*"]],
        ready={"prerequisites": [["项目", "风格"]], "condition": None},
    )
    session = opened(store, plan, ListedModel(writes({"文": "一"})))
    assert session.pending and (session.pending.reason, session.pending.targets) == ("intake", ("项目.风格",))
    session.answer("冷")
    assert session.advance().phase == "done"


def test_a_worker_outside_its_stage_never_runs(store: Store) -> None:
    plan = running_plan(
        {"setup": {"stage": "design", "outputs": ["甲"]}, "play": {"outputs": ["乙"]}},
        {"setup": FREE, "play": FREE},
        ready={"prerequisites": [["需求"]], "condition": None},
    )
    model = ListedModel(writes({"乙": "x"}))
    opened(store, plan, model, board=needs({"需求": "有"}))
    assert model.workers == ["play"]


def test_rounds_can_be_given_anew_when_a_session_is_resumed(store: Store) -> None:
    plan = running_plan(
        {"narrate": {"inputs": ["用户.最新输入?"], "outputs": ["输出.反馈"]}}, {"narrate": FREE}
    )
    session = opened(store, plan, ListedModel(writes({"输出.反馈": "一"})), rounds=1)
    again = Session.resume(store, session.id, plan, ListedModel(writes({"输出.反馈": "一"})), rounds=2)
    again.input("走")
    assert again.advance().reason == "input"

"""Variables in a session: updates of workers, edits of the user, where the table begins, what a bad reply leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playing import fragment, seeded, sets, turn_plan, without
from running import ListedModel, TickingClock, opened, running_plan, writes
from skillc.execute.happening import Happening
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store
from skillc.execute.variables import opening_table
from skillc.runtime import Board
from skillc.runtime.variables import Cell, cells_of

ONE = {"world-simulator": {"inputs": ["变量.当前?"], "outputs": ["变量.更新", "世界.裁决.当前"]}}
FREE = {"mode": "no_confirmation"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def cells(session: Session) -> list[Cell]:
    return cells_of(session.board.variables)


def step_until(session: Session, round: int) -> None:
    """Go on until that round began, and no further."""
    while session.status.phase == "running" and session.record.progress.round < round:
        session.step()


def test_an_update_is_applied_with_the_write_that_brings_it(store: Store) -> None:
    session = Session.open(
        store, turn_plan(ONE), ListedModel(writes({"变量.更新": [{"key": "血量", "value": 3}]}))
    )
    step_until(session, 1)
    revision = session.record.revision
    assert cells(session) == []
    session.step()
    assert session.record.revision == revision + 1
    assert cells(session) == [Cell("血量", 3, 1, "world-simulator")]
    assert store.load(session.id).progress.variables == [
        {"key": "血量", "value": 3, "rev": 1, "source": "world-simulator"}
    ]


def test_the_next_turn_reads_what_the_last_one_set(store: Store) -> None:
    plan = turn_plan(ONE)
    model = ListedModel(writes({"变量.更新": sets("血量", 3)}), writes({"变量.更新": sets("血量", 2, rev=1)}))
    session = opened(store, plan, model, rounds=2)
    assert '"key": "血量", "value": 3, "rev": 1' in model.requests[1].messages[-1]["content"]
    assert cells(session) == [Cell("血量", 2, 2, "world-simulator")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("血量减三", "`变量.更新` cannot be applied: it is no JSON list of {key, value}"),
        ('[{"key": "血量", "value": 3}, {"key": "金"}]', "entry 2 has no `value`; nothing was written"),
        (sets("血量", 9, rev=7), "`血量` has no revision 7 yet: the table is at 1"),
    ],
)
def test_a_malformed_update_is_told_to_the_model_and_leaves_everything_as_it_was(
    store: Store, text: str, said: str
) -> None:
    told: list[Happening] = []
    bad = writes({"世界.裁决.当前": "裁决", "变量.更新": text})
    model = ListedModel(bad, bad, bad)
    board = {"items": [], "variables": {"血量": 5}}
    session = Session.open(store, turn_plan(ONE), model, board=board, on_event=told.append)
    session.advance()
    assert session.status.phase == "error" and said in (session.status.error or "")
    assert [h.data["kind"] for h in told if h.kind == "retry"] == ["bad-variables"] * 2
    assert cells(session) == [Cell("血量", 5)] and session.board.items == []
    good = ListedModel(writes({"变量.更新": sets("血量", 4)}))
    resumed = Session.resume(store, session.id, turn_plan(ONE), good)
    resumed.advance()
    assert [cell.value for cell in cells(resumed)] == [4]


def test_a_stale_update_is_refused_and_nothing_is_overwritten(store: Store) -> None:
    stale = writes({"变量.更新": sets("血量", 1, rev=0)})
    model = ListedModel(writes({"变量.更新": sets("血量", 3)}), stale, stale, stale)
    session = opened(store, turn_plan(ONE), model, rounds=2)
    assert session.status.phase == "error"
    assert "`血量` was changed by `world-simulator` in revision 1, and this change knows revision 0" in (
        session.status.error or ""
    )
    assert cells(session) == [Cell("血量", 3, 1, "world-simulator")]


def test_an_edit_of_the_user_stays_in_its_turn_whatever_a_worker_writes(store: Store) -> None:
    told: list[Happening] = []
    model = ListedModel(
        writes({"变量.更新": [{"key": "血量", "value": 1}, {"key": "金", "value": 2}]}),
        writes({"变量.更新": sets("血量", 1)}),
    )
    session = Session.open(store, turn_plan(ONE), model, rounds=2, on_event=told.append)
    step_until(session, 1)
    assert session.edit({"血量": 10}).status == "written"
    step_until(session, 2)
    assert cells(session) == [Cell("血量", 10, 1, "user"), Cell("金", 2, 1, "world-simulator")]
    assert [h.data["kept"] for h in told if h.kind == "variables"] == [[], ["血量"]]
    session.advance()
    assert cells(session)[0] == Cell("血量", 1, 2, "world-simulator")


def test_an_edit_while_the_session_waits_changes_nothing_about_the_waiting(store: Store) -> None:
    workers = {"world-simulator": {**ONE["world-simulator"], "inputs": ["用户.最新输入?"]}}
    session = Session.open(store, turn_plan(workers), ListedModel(writes({})))
    assert session.advance().reason == "input"
    assert (
        session.edit([{"key": "血量", "value": 10, "visibility": "hidden"}], answer_id="e1").status
        == "written"
    )
    assert session.edit({"血量": 11}, answer_id="e1").status == "duplicate"
    assert (session.status.reason, cells(session)) == ("input", [Cell("血量", 10, 1, "user", "hidden")])
    item = session.board.newest("变量.用户")
    assert item is not None and (item.source, item.status) == ("user", "accepted")
    session.input("推门")
    assert session.advance().phase == "done"
    assert session.edit({"血量": 1}).message == "the session is over: its variables stay as they are"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"": 1}, "`key` of entry 1 is no name"),
        ([{"key": "a"}], "entry 1 has no `value`"),
        ([{"key": "血量", "value": 1, "rev": 3}], "has no revision 3 yet"),
        ({"血量": {1, 2}}, "`value` of entry 1 holds a set, which JSON does not have"),
        ({"血量": "\ud83d"}, "`value` of entry 1 holds half a surrogate pair, which is no character"),
        ({"血量": [float("inf")]}, "`value` of entry 1 holds `inf`, which is no number"),
        ({"血量": 10**1000}, "`value` of entry 1 holds a number with more than 1000 digits"),
        ([{"key": "血量", "value": float("nan")}], "`value` of entry 1 holds `nan`, which is no number"),
        ([7], "entry 1 is no mapping of `key` and `value`"),
        ("血量", "variables are set by a mapping of values or a list of {key, value}"),
        (7, "variables are set by a mapping of values or a list of {key, value}"),
    ],
)
def test_an_edit_that_cannot_be_applied_changes_nothing(store: Store, values: Any, message: str) -> None:
    session = Session.open(
        store, turn_plan(ONE), ListedModel(), board={"items": [], "variables": {"血量": 5}}
    )
    step_until(session, 1)
    delivery = session.edit(values)
    assert delivery.refused and message in delivery.message
    assert cells(session) == [Cell("血量", 5)] and session.board.items == []


def test_an_edit_that_knows_an_older_revision_is_refused(store: Store) -> None:
    session = Session.open(
        store, turn_plan(ONE), ListedModel(writes({"变量.更新": sets("血量", 3)})), rounds=2
    )
    step_until(session, 2)
    delivery = session.edit([{"key": "血量", "value": 9, "rev": 0}])
    assert delivery.refused and "changed by `world-simulator` in revision 1" in delivery.message
    assert session.edit([{"key": "血量", "value": 9, "rev": 1}]).status == "written"


def test_what_a_users_turn_writes_is_the_users(store: Store) -> None:
    workers = {
        "hand": {"outputs": ["变量.用户"], "actor": "user"},
        "dice": {"inputs": ["变量.用户"], "outputs": ["变量.更新"], "actor": "program"},
    }
    plan = running_plan(workers, {"hand": FREE, "dice": FREE})
    session = Session.open(
        store, plan, programs={"dice": lambda context, role: {"变量.更新": [{"key": "血量", "value": 0}]}}
    )
    session.advance()
    assert session.answer("八").refused
    assert session.answer(sets("血量", 8)).status == "written"
    assert session.advance().phase == "done"
    assert cells(session) == [Cell("血量", 8, 1, "user")]


def test_a_program_with_a_malformed_update_fails_without_a_trace(store: Store) -> None:
    plan = running_plan({"dice": {"outputs": ["变量.更新"], "actor": "program"}}, {"dice": FREE})
    session = Session.open(store, plan, programs={"dice": lambda context, role: {"变量.更新": "八"}})
    session.advance()
    assert "`变量.更新` cannot be applied" in (session.status.error or "")
    assert session.board.items == []


def test_a_package_that_keeps_no_table_leaves_plain_variables_as_they_are(store: Store) -> None:
    plan = running_plan({"w": {"inputs": ["变量.当前?"], "outputs": ["甲"]}}, {"w": FREE})
    model = ListedModel(writes({"甲": "1"}))
    session = opened(store, plan, model, board={"items": [], "variables": {"血量": 3}}, rounds=2)
    assert session.board.variables == {"血量": 3}
    assert '{\\"血量\\": 3}' in model.requests[0].messages[-1]["content"]


def test_a_table_of_an_earlier_session_goes_on_behind_its_revisions(store: Store) -> None:
    rows = [{"key": "血量", "value": 9, "rev": 7, "source": "user"}]
    model = ListedModel(writes({"变量.更新": sets("血量", 8)}))
    session = opened(store, turn_plan(ONE), model, board={"items": [], "variables": rows})
    assert cells(session) == [Cell("血量", 8, 8, "world-simulator")]


# Where the table begins

DESIGN = fragment(
    真值=[
        {"key": "血量", "名": "血量", "初值": 20},
        {"key": "金", "初值": 5},
        {"key": "幕后", "初值": "甲", "visibility": "hidden"},
        {"key": "心事", "初值": "无", "visibility": "阿离"},
        {"key": "未定"},
    ],
    维护语句=["每轮按裁决扣"],
)


def test_the_table_begins_with_the_board_then_the_opening_then_the_design() -> None:
    board = Board.from_data(
        {
            **seeded(
                设计_变量设计与更新规则=DESIGN,
                设计_开场白与开场变量=fragment(开场变量={"血量": 12, "天": "晴"}),
            ),
            "variables": {"金": 7},
        }
    )
    assert list(opening_table(board).values()) == [
        Cell("金", 7),
        Cell("血量", 12, 0, "design"),
        Cell("天", "晴", 0, "design"),
        Cell("幕后", "甲", 0, "design", "hidden"),
        Cell("心事", "无", 0, "design", "role:阿离"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "一段散文",
        "{",
        fragment(开场变量="血量十二"),
        fragment(开场变量=[1, {"value": 3}, {"key": " x", "value": 1}]),
        "[]",
    ],
)
def test_a_document_that_names_no_variables_gives_none(text: str) -> None:
    assert opening_table(Board.from_data(seeded(设计_开场白与开场变量=text))) == {}


def test_a_value_that_no_table_can_hold_is_left_out_and_told(store: Store) -> None:
    opening = fragment(开场变量={"天": "晴"}).replace('"晴"', "1e999")
    design = fragment(真值=[{"key": "金", "初值": 1}]).replace("1}", "-Infinity}")
    board = seeded(设计_开场白与开场变量=opening, 设计_变量设计与更新规则=design)
    session = Session.open(store, turn_plan(ONE), ListedModel(writes({})), board=board)
    step_until(session, 1)
    assert cells(session) == []
    assert [note.text for note in session.record.notes] == [
        "the value of `天` in `设计.开场白与开场变量` holds `inf`, which is no number: it is left out",
        "the value of `金` in `设计.变量设计与更新规则` holds `-inf`, which is no number: it is left out",
    ]


def test_a_draft_that_is_not_accepted_gives_no_values() -> None:
    assert opening_table(Board.from_data(seeded(设计_变量设计与更新规则_草稿=DESIGN))) == {}
    assert opening_table(Board.from_data(seeded(设计_变量设计与更新规则_确认稿=DESIGN)))["血量"].value == 20


def test_a_session_begins_play_with_the_values_of_its_design(store: Store) -> None:
    model = ListedModel(
        writes(
            {
                "设计.变量设计与更新规则": DESIGN,
                "设计.开场白与开场变量": fragment(开场变量=[{"key": "血量", "value": 12}]),
            }
        ),
        writes({}),
    )
    plan = turn_plan({"design": without()["design"], **ONE})
    session = opened(store, plan, model)
    assert [(cell.key, cell.value) for cell in cells(session)][:2] == [("血量", 12), ("金", 5)]
    assert '"key": "血量", "value": 12' in model.requests[1].messages[-1]["content"]


# Any interleaving

EVENT = st.tuples(st.sampled_from("血金"), st.integers(0, 99), st.sampled_from(["user", "worker"]))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(EVENT, max_size=4), min_size=1, max_size=4))
def test_edits_and_updates_of_a_session_in_any_order_keep_what_holds(
    store: Store, turns: list[list[Any]]
) -> None:
    """Whoever wrote last has the cell, but that a user's edit stays till the end of its turn."""
    replies = []
    expected: dict[str, tuple[Any, str]] = {}
    for events in turns:
        mine = {key: value for key, value, who in events if who == "user"}
        theirs = {key: value for key, value, who in events if who == "worker"}
        replies.append(writes({"变量.更新": [{"key": k, "value": v} for k, v in theirs.items()]}))
        expected |= {key: (value, "world-simulator") for key, value in theirs.items() if key not in mine}
        expected |= {key: (value, "user") for key, value in mine.items()}
    session = Session.open(store, turn_plan(ONE), ListedModel(*replies), rounds=len(turns))
    for number, events in enumerate(turns, 1):
        step_until(session, number)
        for key, value, who in events:
            if who == "user":
                assert session.edit({key: value}).status == "written"
    session.advance()
    assert session.status.phase == "done"
    assert {cell.key: (cell.value, cell.source) for cell in cells(session)} == expected
    again = store.load(session.id).progress.variables
    assert json.loads(json.dumps(again)) == [cell.to_data() for cell in cells(session)] or not expected

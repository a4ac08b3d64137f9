"""The normal form of orders, and what slots are called."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from skillc.runtime.order import normal_order, normal_positions, normal_rows, number, projection_named, truth
from skillc.runtime.slots import SLOTS, slot_named, worker_named

REFS = st.sampled_from(["worker.persona", "对话.历史", "设计.实现机制", "变量.当前", "用户.最新输入"])
ROWS = st.lists(st.tuples(st.none() | st.integers(-3, 6), REFS), max_size=8)


def refs(rows: list[dict[str, Any]]) -> list[str]:
    return [row["ref"] for row in rows]


def test_the_turn_order_and_who_fills_the_slots() -> None:
    assert [(slot.key, slot.worker, slot.on, slot.history) for slot in SLOTS] == [
        ("gm", "world-simulator", True, True),
        ("perspective", "role-decide", False, True),
        ("narrator", "narrator", True, False),
        ("auditor", "auditor", True, False),
    ]


def test_a_slot_has_a_key_a_worker_and_chinese_names() -> None:
    names = ["gm", "GM", " world-simulator ", "主世界层"]
    assert [slot_named(name) for name in names] == [SLOTS[0]] * 4
    assert [slot_named(n).key for n in ("旁观维护", "旁观", "叙事转述", "角色视角") if slot_named(n)] == [  # type: ignore[union-attr]
        "auditor",
        "auditor",
        "narrator",
        "perspective",
    ]
    assert slot_named("judge") is None
    assert worker_named("主世界层") == "world-simulator"
    assert worker_named(" judge ") == "judge"


@given(ROWS)
def test_a_normal_order_is_sorted_stable_and_has_one_history(rows: list[tuple[float | None, str]]) -> None:
    found = normal_positions(rows)
    kept = [rows[at] for at in found]
    personas = [ref == "worker.persona" for _, ref in kept]
    assert personas == sorted(personas, reverse=True)
    others = [
        (n is None, n or 0, at) for at, (n, ref) in zip(found, kept, strict=True) if ref != "worker.persona"
    ]
    assert others == sorted(others)
    assert len(found) == len(set(found))
    assert sum(ref == "对话.历史" for _, ref in kept) == min(1, sum(ref == "对话.历史" for _, ref in rows))
    assert all(ref == "对话.历史" for at, (_, ref) in enumerate(rows) if at not in found)


@given(ROWS)
def test_a_normal_form_stays_as_it_is(rows: list[tuple[float | None, str]]) -> None:
    once = normal_rows([{"order": n, "ref": ref} for n, ref in rows])
    assert normal_rows(once) == once
    assert [row["order"] for row in once] == list(range(len(once)))


def test_both_forms_mean_the_same_under_all_names() -> None:
    slots = {
        "schema": "context-order.v1",
        "brief": "名册",
        "play_slots": {"gm": True, "auditor": False},
        "slots": [
            {
                "ref": "world-simulator",
                "inserts": [
                    {"order": 0, "ref": "worker.persona", "projection": "fixed"},
                    {"order": 1, "ref": "对话.历史", "projection": "summary", "note": "按投影裁剪"},
                ],
            }
        ],
    }
    agents = {
        "brief": "名册",
        "agents": [
            {
                "id": "主世界层",
                "启用": True,
                "插入": [
                    {"序": "7", "标签/源": "对话.历史", "投影": "摘要", "备注": "按投影裁剪", "anchor": "x"},
                    {"序": "9", "源": "worker.persona", "投影": "固定"},
                ],
            },
            {"id": "旁观维护", "enabled": "false"},
        ],
    }
    assert normal_order(slots) == normal_order(agents) == slots


def test_what_cannot_be_read_is_left_out() -> None:
    data = {
        "slots": [
            None,
            {"inserts": []},
            {"ref": "gm", "inserts": [1, {"order": 0}, {"ref": "变量.当前", "projection": "x"}]},
        ],
        "agents": [
            {"id": "gm", "inserts": [{"ref": "用户.最新输入"}]},
            {"id": "judge", "inserts": [{"ref": "a.b"}]},
        ],
        "play_slots": {"nobody": True},
    }
    assert normal_order(data) == {
        "schema": "context-order.v1",
        "play_slots": {},
        "slots": [
            {"ref": "world-simulator", "inserts": [{"order": 0, "ref": "变量.当前"}]},
            {"ref": "judge", "inserts": [{"order": 0, "ref": "a.b"}]},
        ],
    }
    assert normal_order({"slots": "x", "agents": {}}) == {
        "schema": "context-order.v1",
        "play_slots": {},
        "slots": [],
    }


def test_an_entry_may_name_slot_and_worker() -> None:
    entry = {"id": "gm", "ref": "my-world", "enabled": True, "inserts": [{"ref": "变量.当前"}]}
    found = normal_order({"agents": [entry]})
    assert found["play_slots"] == {"gm": True}
    assert found["slots"][0]["ref"] == "my-world"


def test_words_of_values() -> None:
    assert [number(v) for v in ("3", 3, 1.5, "1e400", "nan", True, None, "三")] == [3, 3, 1.5, *[None] * 5]
    assert [truth(v) for v in (True, "true", "是", False, "false", None, 1)] == [
        True,
        True,
        True,
        *[False] * 4,
    ]
    assert [projection_named(w) for w in ("摘要", "字段", "全文", "固定", "Full")] == [
        "summary",
        "fields",
        "full",
        "fixed",
        None,
    ]

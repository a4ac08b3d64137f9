"""Slot plans: which order applies, what it makes of a slot, what is refused, and that nothing is compiled twice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sample_plans import sample_plan, segment
from skillc.grammar import parse_pattern
from skillc.runtime import AssemblyRefused, Board, RunnablePlan
from skillc.runtime.order import normal_order
from skillc.runtime.orderdocument import order_in_force, post_context_order, worker_set
from skillc.runtime.orderfault import OrderRefused
from skillc.runtime.reference import read_ref
from skillc.runtime.slotplan import SlotPlan, compile_order, slot_plans, synthesised_order
from skillc.text import Source, Text

INPUTS = ["设计.实现机制", "对话.历史", "变量.当前", "用户.最新输入", "世界.事件"]
WORKERS: dict[str, dict[str, Any]] = {
    "world-simulator": {"inputs": INPUTS, "outputs": ["世界.事件"], "persona": "你是世界"},
    "role-decide": {
        "inputs": ["角色.{id}.*", "对话.历史"],
        "outputs": ["角色.{id}.行动"],
        "isolation": "role_pov",
    },
    "narrator": {"inputs": ["世界.事件", "对话.历史"], "outputs": ["输出.正文"]},
    "auditor": {"inputs": ["设计.*", "世界.*"], "outputs": ["世界.旁注"], "isolation": "blind_review"},
    "chance": {"inputs": ["世界.事件"], "outputs": ["世界.骰子"]},
    "refine": {"inputs": [], "outputs": ["设计.worker集"], "stage": "design"},
}
ROWS = [
    {"order": 0, "ref": "worker.persona", "projection": "fixed"},
    {"order": 1, "ref": "设计.实现机制", "projection": "summary"},
    {"order": 2, "ref": "对话.历史", "projection": "summary"},
    {"order": 3, "ref": "变量.当前", "projection": "fields"},
    {"order": 4, "ref": "用户.最新输入", "projection": "full"},
]
ORDER = {"schema": "context-order.v1", "slots": [{"ref": "world-simulator", "inserts": ROWS}]}


def a_plan(**more: Any) -> RunnablePlan:
    return sample_plan(WORKERS, **more)


def order_of(*refs: str, slot: str = "gm") -> dict[str, Any]:
    return {"slots": [{"ref": slot, "inserts": [{"order": at, "ref": ref} for at, ref in enumerate(refs)]}]}


def board_with(**contents: Any) -> Board:
    board = Board()
    for tag, content in contents.items():
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        board.write("设计." + tag, text, source="refine")
    return board


def shown(plans: tuple[SlotPlan, ...], key: str = "gm") -> list[str]:
    (slot,) = [slot for slot in plans if slot.key == key]
    return [segment.id for segment in slot.segments]


def test_the_slots_stand_in_turn_order_with_their_defaults() -> None:
    made = slot_plans(a_plan())
    assert [(s.key, s.worker, s.on, s.origin) for s in made] == [
        ("gm", "world-simulator", True, "declared"),
        ("perspective", "role-decide", False, "declared"),
        ("narrator", "narrator", True, "declared"),
        ("auditor", "auditor", True, "declared"),
    ]


def test_a_slot_that_nobody_fills_is_none() -> None:
    plan = sample_plan({"narrator": {"inputs": ["世界.事件"]}})
    assert [slot.key for slot in slot_plans(plan)] == ["narrator"]


# Rows become segments


def test_a_row_is_a_segment_static_before_the_dialogue() -> None:
    plans, faults = compile_order(a_plan(), ORDER)
    assert faults == ()
    found = [(s.id, s.tier, s.projection, s.policy) for s in plans[0].segments]
    assert found == [
        ("worker.persona", "static", "fixed", None),
        ("设计.实现机制", "static", "summary", None),
        ("对话.历史", "dynamic", "summary", None),
        ("变量.当前", "dynamic", "fields", None),
        ("用户.最新输入", "dynamic", "full", None),
    ]
    assert (plans[0].origin, plans[2].origin) == ("order", "declared")


def test_what_play_rewrites_is_dynamic_wherever_it_stands() -> None:
    plans, _ = compile_order(a_plan(), order_of("世界.事件", "设计.实现机制", "对话.历史"))
    assert [s.tier for s in plans[0].segments] == ["dynamic", "static", "dynamic"]


def test_the_answer_to_the_startup_inquiry_does_not_move() -> None:
    startup = {"prompt": "?", "mode": "", "targets": ["用户.需求"], "required": [], "optional": []}
    workers = {"narrator": {"inputs": ["用户.需求", "用户.最新输入"]}}
    user = {"user": [["用户", ".*"]], "runtime": [], "book": [], "rag": []}
    plan = sample_plan(workers, startup=startup, sources=user)
    plans, _ = compile_order(plan, order_of("用户.需求", "用户.最新输入", slot="narrator"))
    assert [s.tier for s in plans[0].segments] == ["static", "dynamic"]


def test_a_tag_that_stands_twice_has_two_ids() -> None:
    plans, _ = compile_order(a_plan(), order_of("世界.事件", "世界.事件", "世界.事件"))
    assert shown(plans) == ["世界.事件", "世界.事件 (2)", "世界.事件 (3)"]


def test_rows_for_a_worker_that_is_no_slot_are_for_runs_on_demand() -> None:
    plans, faults = compile_order(a_plan(), order_of("世界.事件", slot="chance"))
    assert faults == ()
    assert (plans[-1].key, plans[-1].worker, plans[-1].on, plans[-1].origin) == (
        "chance",
        "chance",
        False,
        "order",
    )


def test_an_order_says_who_fills_a_slot() -> None:
    plan = sample_plan({**WORKERS, "my-world": {"inputs": ["世界.事件"]}})
    plans, _ = compile_order(
        plan, {"agents": [{"id": "gm", "ref": "my-world", "inserts": [{"ref": "世界.事件"}]}]}
    )
    assert (plans[0].key, plans[0].worker) == ("gm", "my-world")
    plans, _ = compile_order(plan, {"agents": [{"id": "gm", "ref": "my-world"}]})
    assert (plans[0].worker, plans[0].origin) == ("my-world", "declared")


# Declared


def test_without_an_order_a_worker_keeps_its_own_segments() -> None:
    own = [segment("a", ["世界.事件"], policy=("tail_lines", 3)), segment("b", ["对话.历史"])]
    plan = sample_plan({**WORKERS, "world-simulator": {"inputs": INPUTS, "segments": own}})
    gm = slot_plans(plan)[0]
    assert gm.segments == plan.workers["world-simulator"].segments
    narrator = {"inputs": ["世界.事件", "对话.历史"], "segments": own}
    blind = slot_plans(sample_plan({**WORKERS, "narrator": narrator}))[2]
    assert [s.id for s in blind.segments] == ["a"]


def test_the_variant_that_the_package_chose_is_what_a_slot_shows() -> None:
    worker = {
        "inputs": INPUTS,
        "segments": [segment("a", ["世界.事件"])],
        "variants": {"short": [segment("b", ["世界.事件"])]},
        "variant": "short",
    }
    assert shown(slot_plans(sample_plan({"world-simulator": worker}))) == ["b"]


def test_inputs_make_rows_where_there_are_no_segments() -> None:
    made = slot_plans(a_plan())
    assert shown(made) == [
        "worker.persona",
        "设计.实现机制",
        "对话.历史",
        "世界.事件",
        "变量.当前",
        "用户.最新输入",
    ]
    assert shown(made, "narrator") == ["世界.事件"]


def test_the_synthesised_order_shows_what_the_slots_show_and_is_normal() -> None:
    plan = a_plan()
    order = synthesised_order(plan)
    assert normal_order(order) == order
    assert order["play_slots"] == {"gm": True, "perspective": False, "narrator": True, "auditor": True}
    plans, faults = compile_order(plan, order)
    assert faults == ()
    assert [s.segments for s in plans] == [s.segments for s in slot_plans(plan)]


def test_the_synthesised_order_tells_of_the_policies_that_it_leaves_out() -> None:
    own = [segment("a", ["世界.事件", "设计.实现机制"], label="## 甲", policy=("tail_lines", 3))]
    plan = sample_plan({"world-simulator": {"inputs": INPUTS, "segments": own}})
    rows = synthesised_order(plan)["slots"][0]["inserts"]
    assert rows == [
        {"order": 0, "ref": "世界.事件", "note": "policy tail_lines_3", "label": "## 甲"},
        {"order": 1, "ref": "设计.实现机制"},
    ]


# Which order applies (SPEC 11.5)


def test_the_one_in_the_worker_set_comes_first_then_the_order_then_the_package() -> None:
    play = {
        "slots": [{"key": "gm", "worker": "world-simulator", "on": True}],
        "order": normal_order(order_of("变量.当前")),
        "origin": "package",
        "segments": {"world-simulator": [segment("变量.当前", ["变量.当前"])]},
    }
    plan = a_plan(play=play)
    late, later = order_of("用户.最新输入"), {"context_order": order_of("世界.事件")}
    assert (shown(slot_plans(plan)), slot_plans(plan)[0].origin) == (["变量.当前"], "package")
    assert shown(slot_plans(plan, Board())) == ["变量.当前"]
    made = slot_plans(plan, board_with(上下文投影排序=late))
    assert (shown(made), made[0].origin) == (["用户.最新输入"], "order")
    made = slot_plans(plan, board_with(上下文投影排序=late, worker集=later))
    assert (shown(made), made[0].origin) == (["世界.事件"], "worker-set")
    assert [
        shown(slot_plans(plan, board_with(上下文投影排序=late, worker集=x)))
        for x in ("散文", {"brief": "无"})
    ] == [["用户.最新输入"]] * 2


@pytest.mark.parametrize(
    "write",
    [
        lambda order: order,
        lambda order: f"排好了：\n```json\n{order}\n```\n",
        lambda order: f"排好了 {order} 请过目",
        lambda order: json.dumps({"schema": "context-fragment.v1", "正文": json.loads(order)}),
    ],
)
def test_an_order_is_read_as_models_write_it(write: Callable[[str], str]) -> None:
    text = write(json.dumps({"agents": [{"id": "gm", "插入": [{"序": "3", "标签": "世界.事件"}]}]}))
    assert shown(slot_plans(a_plan(), board_with(上下文投影排序=text))) == ["世界.事件"]


def test_the_newest_live_item_counts_and_no_draft() -> None:
    board = board_with(上下文投影排序=order_of("世界.事件"))
    board.write("设计.上下文投影排序.草稿", json.dumps(order_of("变量.当前")), source="refine")
    assert shown(slot_plans(a_plan(), board)) == ["世界.事件"]
    board.write("设计.上下文投影排序.确认稿", json.dumps(order_of("变量.当前")), source="refine")
    assert shown(slot_plans(a_plan(), board)) == ["变量.当前"]
    last = board.write("设计.上下文投影排序", json.dumps(order_of("用户.最新输入")), source="user")
    assert shown(slot_plans(a_plan(), board)) == ["用户.最新输入"]
    board.set_status(last.id, "rejected")
    assert shown(slot_plans(a_plan(), board)) == ["变量.当前"]


def test_switches_of_documents_count_on_top_of_each_other() -> None:
    plan = a_plan()

    def on(board: Board) -> dict[str, bool]:
        return {slot.key: slot.on for slot in slot_plans(plan, board)}

    default = {"gm": True, "perspective": False, "narrator": True, "auditor": True}
    specs = board_with(
        worker规格={"正文": {"play_slots": {"perspective": True}}, "schema": "context-fragment.v1"}
    )
    assert on(specs) == {**default, "perspective": True}
    specs.write("设计.worker集", json.dumps({"play_slots": {"旁观维护": False}}), source="refine")
    assert on(specs) == {**default, "perspective": True, "auditor": False}
    enabled = {
        "agents": [{"id": "narrator", "enabled": False}, {"id": "gm", "inserts": [{"ref": "世界.事件"}]}]
    }
    specs.write("设计.上下文投影排序", json.dumps(enabled), source="refine")
    assert on(specs) == {**default, "perspective": True, "auditor": False, "narrator": False}


# Refused as a whole


def test_all_faults_are_listed_and_nothing_is_followed() -> None:
    order = {
        "schema": "context-order.v1",
        "play_slots": {"critic": True, "gm": "maybe"},
        "slots": [
            {
                "ref": "world-simulator",
                "inserts": [{"ref": "核心.危险"}, {"ref": "世界.事件", "projection": "brief"}],
            },
            {"ref": "judge", "inserts": [{"ref": "世界．事件"}]},
            {"inserts": [{"ref": "世界.事件"}]},
            {"ref": "gm", "inserts": [{"order": "三", "ref": "世界.事件"}, {"projection": "full"}, 7]},
        ],
    }
    plans, faults = compile_order(a_plan(), order)
    assert plans == ()
    assert [(fault.kind, fault.slot, fault.index, fault.ref) for fault in faults] == [
        ("unknown-slot", "critic", None, None),
        ("field-type", "gm", None, None),
        ("order-outside-inputs", "world-simulator", 0, "核心.危险"),
        ("unknown-projection", "world-simulator", 1, "世界.事件"),
        ("unknown-slot", "judge", None, None),
        ("bad-tag", "judge", 0, "世界．事件"),
        ("missing-field", None, None, None),
        ("duplicate-key", "gm", None, None),
        ("field-type", "gm", 0, "世界.事件"),
        ("missing-field", "gm", 1, None),
        ("field-type", "gm", 2, None),
    ]
    board = board_with(上下文投影排序=order)
    with pytest.raises(
        OrderRefused, match=r"`设计.上下文投影排序` is refused: .*`核心.危险`.*`judge`"
    ) as refused:
        slot_plans(a_plan(), board)
    assert len(refused.value.faults) == 11
    with pytest.raises(AssemblyRefused):
        a_plan().assemble("gm", board, slot="gm")


@pytest.mark.parametrize(
    "order",
    [
        "散文而已",
        [1],
        {},
        {"brief": "排好了"},
        {"slots": "x"},
        {"slots": [3]},
        {"schema": "context-order.v2"},
    ],
)
def test_what_is_no_order_is_refused(order: Any) -> None:
    with pytest.raises(OrderRefused):
        slot_plans(a_plan(), board_with(上下文投影排序=order))


def test_a_slot_that_is_turned_on_needs_its_worker() -> None:
    plan = sample_plan({"narrator": {"inputs": ["世界.事件"]}})
    _, faults = compile_order(
        plan, {"play_slots": {"perspective": True}, "slots": [{"ref": "gm", "inserts": [{"ref": "a.b"}]}]}
    )
    assert [(fault.kind, fault.slot) for fault in faults] == [
        ("slot-without-worker", "gm"),
        ("slot-without-worker", "perspective"),
    ]
    assert compile_order(plan, {"play_slots": {"perspective": False}})[1] == ()


# Who fills a slot

EVENTS = [{"ref": "世界.事件"}]


def filled(order: dict[str, Any], plan: RunnablePlan | None = None) -> dict[str, str]:
    plans, faults = compile_order(plan or a_plan(), order)
    assert faults == ()
    return {slot.key: slot.worker for slot in plans}


@pytest.mark.parametrize("key", ["slots", "agents"])
def test_a_slot_is_given_to_a_worker_that_is_another_slots_own(key: str) -> None:
    order = {key: [{"id": "narrator", "ref": "auditor", "inserts": EVENTS}]}
    plans, faults = compile_order(a_plan(), order)
    assert faults == ()
    narrator = next(slot for slot in plans if slot.key == "narrator")
    assert (narrator.worker, narrator.origin, narrator.on) == ("auditor", "order", True)
    assert [segment.id for segment in narrator.segments] == ["世界.事件"]
    assert filled(order) == {"gm": "world-simulator", "perspective": "role-decide", "narrator": "auditor"}
    board = board_with(上下文投影排序=order)
    board.write("世界.事件", "钟响", source="world-simulator")
    assert a_plan().assemble("auditor", board, slot="narrator").messages[1]["content"] == "钟响"
    with pytest.raises(AssemblyRefused, match="nobody for the slot `perspectives`"):
        a_plan().assemble("auditor", board, slot="perspectives")


def test_two_workers_change_their_places() -> None:
    order = {
        "slots": [
            {"id": "narrator", "ref": "auditor", "inserts": EVENTS},
            {"id": "auditor", "ref": "narrator", "inserts": EVENTS},
        ]
    }
    found = filled(order)
    assert (found["narrator"], found["auditor"]) == ("auditor", "narrator")
    plan, board = a_plan(), board_with(上下文投影排序=order)
    board.write("世界.事件", "钟响", source="world-simulator")
    for slot, worker in (("narrator", "auditor"), ("auditor", "narrator")):
        assert plan.assemble(worker, board, slot=slot).messages[1]["content"] == "钟响"
        with pytest.raises(AssemblyRefused, match="is played by"):
            plan.assemble("world-simulator", board, slot=slot)


@pytest.mark.parametrize("rows_first", [True, False])
def test_rows_and_slot_of_a_worker_may_stand_in_two_entries(rows_first: bool) -> None:
    entries = [{"ref": "chance", "inserts": EVENTS}, {"id": "gm", "ref": "chance"}]
    order = {"slots": entries if rows_first else entries[::-1]}
    normal = normal_order(order)
    assert normal["slots"] == [{"ref": "chance", "id": "gm", "inserts": [{"order": 0, "ref": "世界.事件"}]}]
    assert normal_order(normal) == normal
    assert filled(order)["gm"] == "chance"


def test_an_order_gives_a_slot_back_to_its_own_worker() -> None:
    slots = [{"key": "gm", "worker": "chance", "on": True}]
    play = {"slots": slots, "order": None, "origin": "package", "segments": {"chance": []}}
    plan = a_plan(play=play)
    assert filled({"slots": []}, plan)["gm"] == "chance"
    assert filled({"slots": [{"id": "gm", "ref": "world-simulator", "inserts": EVENTS}]}, plan)["gm"] == (
        "world-simulator"
    )
    _, faults = compile_order(plan, {"agents": [{"id": "gm", "inserts": EVENTS}]})
    assert [fault.text for fault in faults] == [
        "the rows of `gm` are for `world-simulator`, but `chance` fills that slot: write `ref: chance`"
    ]


def test_rows_for_a_worker_are_shown_in_the_slot_that_the_package_gave_it() -> None:
    slots = [{"key": "narrator", "worker": "auditor", "on": True}]
    plan = a_plan(play={"slots": slots, "order": None, "origin": "package", "segments": {"auditor": []}})
    plans, faults = compile_order(plan, {"slots": [{"ref": "auditor", "inserts": EVENTS}]})
    assert faults == ()
    assert [(slot.key, slot.origin) for slot in plans if slot.worker == "auditor"] == [("narrator", "order")]


@pytest.mark.parametrize(
    ("entries", "kind", "said"),
    [
        (
            [{"id": "gm", "ref": "chance", "inserts": EVENTS}, {"id": "auditor", "ref": "chance"}],
            "duplicate-key",
            "`chance` is given two slots, `gm` and `auditor`; a worker fills one",
        ),
        (
            [{"id": "gm", "ref": "chance"}, {"id": "主世界层", "ref": "narrator"}],
            "duplicate-key",
            "the slot `gm` is given to two workers, `chance` and `narrator`",
        ),
        (
            [{"id": "narrator", "ref": "auditor", "inserts": EVENTS}, {"ref": "auditor", "inserts": EVENTS}],
            "duplicate-key",
            "the rows of `auditor` stand twice",
        ),
        (
            [{"id": "narrator", "ref": "主世界层", "inserts": EVENTS}],
            "unknown-slot",
            "`ref` names the slot `主世界层` and `id` the slot `narrator`; `ref` is the worker that fills it",
        ),
        (
            [{"ref": "gm", "inserts": EVENTS}, {"id": "gm", "ref": "chance"}],
            "unknown-slot",
            "the rows of `gm` are for `world-simulator`, but `chance` fills that slot: write `ref: chance`",
        ),
        (
            [{"ref": "narrator", "inserts": EVENTS}, {"id": "narrator", "ref": "chance"}],
            "unknown-slot",
            "the rows of `narrator` are for `narrator`, but `chance` fills that slot: write `ref: chance`",
        ),
        (
            [{"id": "narrator", "ref": "auditor"}, {"id": "auditor", "enabled": True}],
            "slot-without-worker",
            "slot `auditor` is on, but its worker `auditor` fills the slot `narrator`",
        ),
    ],
)
def test_who_fills_what_is_followed_or_refused_and_never_dropped(
    entries: list[Any], kind: str, said: str
) -> None:
    _, faults = compile_order(a_plan(), {"slots": entries})
    assert [(fault.kind, fault.text) for fault in faults] == [(kind, said)]
    with pytest.raises(OrderRefused, match=re.escape(said)):
        slot_plans(a_plan(), board_with(上下文投影排序={"agents": entries}))


def test_a_slot_is_not_given_to_a_worker_that_there_is_not() -> None:
    plan = sample_plan({name: WORKERS[name] for name in ("world-simulator", "narrator")})
    _, faults = compile_order(plan, {"slots": [{"id": "narrator", "ref": "auditor"}]})
    assert [(fault.kind, fault.text) for fault in faults] == [
        ("slot-without-worker", "the slot `narrator` is given to `auditor`, and there is no such worker")
    ]


def test_the_document_of_the_worker_set_turns_on_no_slot_that_its_order_leaves_empty() -> None:
    order = {"slots": [{"id": "narrator", "ref": "auditor", "inserts": EVENTS}]}
    document = worker_set(a_plan(), order)
    assert document["play_slots"] == {"gm": True, "perspective": False, "narrator": True}
    assert filled(document["context_order"])["narrator"] == "auditor"


def test_old_names_and_own_roles_are_covered() -> None:
    plan = a_plan(moved={"old.event": "世界.事件"})
    assert compile_order(plan, order_of("old.event"))[1] == ()
    assert compile_order(plan, order_of("角色.{id}.状态", "角色.*", slot="perspective"))[1] == ()
    assert [f.ref for f in compile_order(plan, order_of("角色.B.状态", slot="perspective"))[1]] == [
        "角色.B.状态"
    ]


# Contexts


def test_a_context_of_a_slot_shows_the_rows_and_nothing_else() -> None:
    plan = a_plan()
    board = board_with(实现机制={"brief": "灯会熄", "细节": "长"}, 上下文投影排序=ORDER)
    board.write("世界.事件", "钟响", source="world-simulator")
    board.write("用户.最新输入", "开门", source="user")
    board.variables["血量"] = 3
    context = plan.assemble("world-simulator", board, slot="gm")
    texts = [context.messages[s["message"]]["content"] for s in context.segments]
    assert [s["id"] for s in context.segments] == [
        "worker.persona",
        "设计.实现机制",
        "变量.当前",
        "用户.最新输入",
    ]
    assert "灯会熄" in texts[1]
    assert "钟响" not in json.dumps(context.messages, ensure_ascii=False)
    assert plan.assemble("gm", board, slot="主世界层").to_json() == context.to_json()


def test_isolation_holds_for_what_an_order_asks_for() -> None:
    plan = a_plan()
    board = board_with(隐藏真相="凶手是甲", 美学纲领="冷", 上下文投影排序=order_of("设计.*", slot="auditor"))
    context = plan.assemble("auditor", board, slot="auditor")
    assert "设计.隐藏真相" not in context.reads
    assert "凶手" not in json.dumps(context.to_json(), ensure_ascii=False)
    own = board_with(上下文投影排序=order_of("角色.*", slot="perspective"))
    for tag in ("角色.A.状态", "角色.B.状态", "角色.A.思考"):
        own.write(tag, tag, source="gm")
    context = plan.assemble("role-decide", own, role="A", slot="perspective")
    assert [s["tags"] for s in context.segments] == [["角色.A.状态"]]


def test_what_does_not_go_with_a_slot_is_refused() -> None:
    plan = a_plan()
    with pytest.raises(AssemblyRefused, match="played by `world-simulator`, not by `narrator`"):
        plan.assemble("narrator", Board(), slot="gm")
    with pytest.raises(AssemblyRefused, match="nobody for the slot `critic`; it has `gm`, `perspective`"):
        plan.assemble("gm", Board(), slot="critic")
    with pytest.raises(AssemblyRefused, match="no variant"):
        plan.assemble("gm", Board(), slot="gm", variant="short")
    with pytest.raises(AssemblyRefused, match="no worker `gm`"):
        plan.assemble("gm", Board())
    with pytest.raises(AssemblyRefused, match="no role"):
        plan.assemble("role-decide", Board(), slot="perspective")


# Remembered


def test_a_compiled_order_is_remembered_by_plan_and_document(monkeypatch: pytest.MonkeyPatch) -> None:
    import skillc.runtime.slotplan as module

    made: list[object] = []
    compiling = module.play_of

    def counted(plan: RunnablePlan, order: dict[str, Any], *more: Any) -> tuple[SlotPlan, ...]:
        made.append(order)
        return compiling(plan, order, *more)

    monkeypatch.setattr(module, "play_of", counted)
    plan, again = a_plan(moved={"x": "y"}), a_plan(moved={"x": "y"})
    board = board_with(上下文投影排序=ORDER)
    first = slot_plans(plan, board)
    spaced = board_with(上下文投影排序=json.dumps(ORDER, indent=3, ensure_ascii=False))
    assert slot_plans(plan, board) is first
    assert slot_plans(again, spaced) is first, "another load of the plan, another spelling of the document"
    assert len(made) == 1
    assert slot_plans(plan, board_with(上下文投影排序=order_of("世界.事件"))) is not first
    assert slot_plans(a_plan(moved={"x": "z"}), board) is not first
    assert len(made) == 3
    for at in range(module.REMEMBERED):
        slot_plans(plan, board_with(上下文投影排序={**ORDER, "brief": str(at)}))
    assert len(module._known) == module.REMEMBERED
    assert slot_plans(plan, board) == first


# What a host does with an order


def test_a_host_edits_the_order_in_force_and_learns_what_to_write() -> None:
    plan, board = a_plan(), board_with(上下文投影排序=ORDER)
    answer = post_context_order(plan, board, {"op": "move", "slot": "gm", "index": 4, "to": 1})
    assert (answer["ok"], answer["tag"]) == (True, "设计.上下文投影排序")
    assert order_in_force(plan, board)[0] == normal_order(ORDER), "nothing is changed until it is written"
    board.write(answer["tag"], answer["content"], source="user")
    assert shown(slot_plans(plan, board))[:2] == ["worker.persona", "用户.最新输入"]


def test_an_order_that_is_the_body_of_a_fragment_stays_one() -> None:
    fragment = {"schema": "context-fragment.v1", "技能": "context-order", "正文": ORDER}
    board = board_with(上下文投影排序=fragment)
    answer = post_context_order(a_plan(), board, {"op": "move", "slot": "gm", "index": 4, "to": 1})
    assert json.loads(answer["content"]) == {**fragment, "正文": answer["order"]}


def test_an_order_in_the_worker_set_is_edited_there() -> None:
    plan = a_plan()
    board = board_with(
        worker集={"schema": "context-fragment.v1", "brief": "终稿", "正文": {"context_order": ORDER}}
    )
    request = {"op": "set_projection", "slot": "gm", "index": 1, "projection": "full"}
    answer = post_context_order(plan, board, request)
    document = json.loads(answer["content"])
    assert (answer["tag"], document["brief"]) == ("设计.worker集", "终稿")
    assert document["正文"]["context_order"] == answer["order"]
    board.write(answer["tag"], answer["content"], source="user")
    assert slot_plans(plan, board)[0].segments[1].projection == "full"


def test_without_an_order_the_synthesised_one_is_edited() -> None:
    answer = post_context_order(
        a_plan(), Board(), {"op": "set_anchor", "slot": "narrator", "index": 0, "anchor": "after"}
    )
    assert [row["ref"] for row in answer["order"]["slots"][2]["inserts"]] == ["对话.历史", "世界.事件"]


def test_an_edit_after_which_a_worker_would_not_read_a_row_is_refused() -> None:
    board = board_with(上下文投影排序=ORDER)
    request = {"op": "replace", "slot": "gm", "inserts": [{"ref": "核心.危险"}, {"ref": "秘密.甲"}]}
    answer = post_context_order(a_plan(), board, request)
    assert answer["ok"] is False
    assert [fault["kind"] for fault in answer["faults"]] == ["order-outside-inputs"] * 2
    assert "`核心.危险`" in answer["error"] and "`秘密.甲`" in answer["error"]


def test_order_and_switches_are_merged_into_the_document_of_the_worker_set() -> None:
    plan = a_plan()
    document = worker_set(
        plan, {**ORDER, "play_slots": {"perspective": True}}, {"brief": "终稿", "启用槽": {"gm": False}}
    )
    on = {"gm": True, "perspective": True, "narrator": True, "auditor": True}
    assert document == {
        "brief": "终稿",
        "play_slots": on,
        "context_order": {**normal_order(ORDER), "play_slots": on},
    }
    board = board_with(worker集=document)
    assert [s.on for s in slot_plans(plan, board)] == [True] * 4
    assert slot_plans(plan, board)[0].segments == compile_order(plan, ORDER)[0][0].segments
    with pytest.raises(OrderRefused):
        worker_set(plan, order_of("核心.危险"))


# What a row names


SEGMENTS = st.sampled_from(
    ["设计", "规则", "a", "{id}", "*", "**", "#天气", "规则#天气", "*#x", "", "甲 乙", "Ａ", "{x}", "甲*"]
)


@given(st.lists(SEGMENTS, min_size=1, max_size=4))
def test_a_ref_is_read_as_the_grammar_reads_a_pattern(segments: list[str]) -> None:
    """The runtime has no grammar; the two must not disagree about what a row shows."""
    ref = ".".join(segments)
    pattern, wrong = read_ref(ref)
    parsed, found = parse_pattern(Text(ref, Source("ref", ref).span(0, len(ref))))
    assert (pattern is None) == bool(found) == bool(wrong)
    assert pattern == parsed

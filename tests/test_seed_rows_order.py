"""The design document of slots and projection orders, row by row: each test names the row that it holds to.

Sections: 1 division of work, 2 fixed slots, 4 the order and its fields, 4.1 对话.历史, 4.2 assembly, 4.3 edits, 5 where
a run finds its order.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from playing_package import BOARD, ORDER, PACKAGE, ROWS, YAML_ORDER, files
from skillc import driver
from skillc.artifact.codec import decode, encode
from skillc.artifact.plan import Plan
from skillc.plan import compile_package
from skillc.runtime import Board, Context, RunnablePlan
from skillc.runtime.layout import takes_history
from skillc.runtime.order import HISTORY, normal_order
from skillc.runtime.orderdocument import post_context_order, worker_set
from skillc.runtime.slotplan import compile_order, slot_plans, synthesised_order
from skillc.runtime.slots import ON_DEMAND, SLOTS, slot_named
from skillc.source.reader import DictReader


def compiled(order: str | None = None, name: str = "context-order.yaml", front: str = "") -> RunnablePlan:
    """The plan of the package, as a host loads it."""
    checked = driver.check(DictReader(files(order, name, front)))
    errors = [d.message for d in checked.diagnostics if d.severity.word == "error"]
    assert not errors
    return decode(encode(compile_package(checked.graphs["dialogue/play"])[0]), RunnablePlan)


PLAN = compiled()


def codes(order: str, **more: str) -> list[str]:
    made = {**files(order), **more}
    return [d.code.slug for d in driver.check(DictReader(made)).diagnostics]


def board(**documents: Any) -> Board:
    made = Board.from_data(BOARD)
    for tag, content in documents.items():
        made.write(f"设计.{tag}", json.dumps(content, ensure_ascii=False), source="refine")
    return made


def shown(context: Context) -> list[str]:
    return [segment["id"] for segment in context.segments]


# 1 分工


def test_row_1_中段各技能_a_fragment_says_where_it_is_mounted_and_never_its_place() -> None:
    fragment = {
        "schema": "context-fragment.v1",
        "mount": ["gm"],
        "稳变": "稳",
        "正文": {"规则": "一"},
        "order": 3,
    }
    case = json.dumps({"items": [{"tag": "设计.实现机制", "content": fragment}]}, ensure_ascii=False)
    assert "fragment-has-order" in codes(YAML_ORDER, **{f"{PACKAGE}/contexts/a.yaml": case})


def test_row_1_游玩拓扑_the_worker_specs_say_which_slots_play() -> None:
    specs = board(worker规格={"play_slots": {"perspective": True, "auditor": False}})
    assert {slot.key: slot.on for slot in slot_plans(PLAN, specs)} == {
        "gm": True, "perspective": True, "narrator": True, "auditor": False,
    }  # fmt: skip


def test_row_1_上下文投影排序_the_late_order_is_what_a_slot_shows() -> None:
    context = PLAN.assemble("gm", board(上下文投影排序=ORDER), slot="gm")
    assert shown(context) == [row["ref"] for row in ROWS]


def test_row_1_细化终稿_the_worker_set_holds_switches_and_order() -> None:
    document = worker_set(PLAN, ORDER)
    assert list(document) == ["play_slots", "context_order"]
    assert shown(PLAN.assemble("gm", board(worker集=document), slot="gm")) == [row["ref"] for row in ROWS]


# 2 固定槽


@pytest.mark.parametrize(
    ("key", "worker", "name", "on"),
    [
        ("auditor", "auditor", "旁观维护", True),
        ("gm", "world-simulator", "主世界层", True),
        ("narrator", "narrator", "叙事转述", True),
        ("perspective", "role-decide", "角色视角", False),
    ],
)
def test_row_2_each_slot_has_a_worker_a_name_and_a_default(
    key: str, worker: str, name: str, on: bool
) -> None:
    slot = slot_named(name)
    assert slot is not None
    assert (slot.key, slot.worker, slot.name, slot.on) == (key, worker, name, on)
    (made,) = [made for made in slot_plans(PLAN) if made.key == key]
    assert (made.worker, made.on) == (worker, on)


def test_row_2_the_turn_goes_gm_perspective_narrator_auditor() -> None:
    assert [slot.key for slot in SLOTS] == ["gm", "perspective", "narrator", "auditor"]
    assert [made.key for made in slot_plans(PLAN)] == [slot.key for slot in SLOTS]
    assert ON_DEMAND == ("chance",)


def test_row_2_auditor_and_narrator_get_no_history_by_default() -> None:
    assert [slot.key for slot in SLOTS if takes_history(slot.key)] == ["gm", "perspective"]
    with_history = {made.key for made in slot_plans(PLAN) if any(s.id == HISTORY for s in made.segments)}
    assert with_history == {"gm", "perspective"}, "the narrator of the package would read it"
    given = (
        YAML_ORDER.replace("id: gm", "id: narrator")
        .replace("设计.实现机制", "世界.事件")
        .replace("用户.最新输入", "角色.*.行动")
    )
    assert "history-in-blind-slot" in codes(given)


def test_row_2_play_slots_of_the_manifest_turn_slots_on_and_off() -> None:
    plan = compiled(front="playSlots: {perspective: true, auditor: false}\n")
    assert plan.play is not None
    assert {slot.key: slot.on for slot in plan.play.slots} == {
        "gm": True, "perspective": True, "narrator": True, "auditor": False,
    }  # fmt: skip


# 4 投影排序


def test_row_4_the_example_is_one_flat_list_with_the_dialogue_in_it() -> None:
    plans, faults = compile_order(PLAN, ORDER)
    assert faults == ()
    assert [(s.id, s.projection) for s in plans[0].segments] == [
        ("worker.persona", "fixed"),
        ("设计.实现机制", "summary"),
        ("对话.历史", "summary"),
        ("变量.当前", "fields"),
        ("用户.最新输入", "full"),
    ]
    assert normal_order(ORDER) == ORDER


def test_row_4_agents_are_gathered_into_slots_and_switches() -> None:
    agents = {
        "agents": [
            {
                "id": "auditor",
                "enabled": True,
                "when": "每回合",
                "inserts": [{"order": 0, "ref": "世界.事件"}],
            },
            {"id": "gm", "enabled": True, "inserts": ROWS},
            {"id": "narrator", "enabled": True},
            {"id": "perspective", "enabled": False},
            {"id": "chance", "when": "要掷骰时"},
        ]
    }
    normal = normal_order(agents)
    assert normal["play_slots"] == ORDER["play_slots"]
    assert [slot["ref"] for slot in normal["slots"]] == ["auditor", "world-simulator"]
    assert normal["slots"][1]["inserts"] == ROWS
    assert normal_order(normal) == normal


def test_row_4_order_each_slot_is_numbered_by_itself_and_the_persona_is_0() -> None:
    rows = [
        {"order": 9, "ref": "变量.当前"},
        {"order": 2, "ref": "设计.实现机制"},
        {"order": 5, "ref": "worker.persona"},
    ]
    (slot,) = normal_order({"slots": [{"ref": "gm", "inserts": rows}]})["slots"]
    assert [(row["order"], row["ref"]) for row in slot["inserts"]] == [
        (0, "worker.persona"), (1, "设计.实现机制"), (2, "变量.当前"),
    ]  # fmt: skip


@pytest.mark.parametrize("ref", ["设计.实现机制", "worker.persona", "对话.历史"])
def test_row_4_ref_a_tag_the_persona_or_the_dialogue(ref: str) -> None:
    plans, faults = compile_order(PLAN, {"slots": [{"ref": "gm", "inserts": [{"ref": ref}]}]})
    assert faults == ()
    assert shown(
        PLAN.assemble(
            "gm", board(上下文投影排序={"slots": [{"ref": "gm", "inserts": [{"ref": ref}]}]}), slot="gm"
        )
    ) == [ref]
    assert [segment.tags[0].text for segment in plans[0].segments] == [ref]


@pytest.mark.parametrize(
    ("projection", "mechanism", "history"),
    [
        ("fixed", '{"brief":"灯会熄","细节":"很长"}', None),
        ("full", '{"brief":"灯会熄","细节":"很长"}', "门虚掩着"),
        ("summary", "灯会熄", "门虚掩着"),
        ("fields", "灯会熄\n细节 = 很长", "门虚掩着"),
    ],
)
def test_row_4_projection_works_on_tags_and_on_the_dialogue(
    projection: str, mechanism: str, history: str | None
) -> None:
    rows = [{"ref": ref, "projection": projection} for ref in ("设计.实现机制", HISTORY)]
    context = PLAN.assemble(
        "gm", board(上下文投影排序={"slots": [{"ref": "gm", "inserts": rows}]}), slot="gm"
    )
    assert context.messages[1]["content"].startswith(mechanism)
    said = "".join(message["content"] for message in context.messages[1:])
    assert (history in said) if history else (HISTORY not in shown(context) and "门虚掩着" not in said)


def test_row_4_anchor_is_read_reported_and_dropped() -> None:
    order = YAML_ORDER.replace("projection: full", "projection: full, anchor: before")
    assert "anchor" in codes(order)
    assert all(
        "anchor" not in row
        for row in normal_order({"slots": [{"ref": "gm", "inserts": [{"ref": "a.b", "anchor": 1}]}]})[
            "slots"
        ][0]["inserts"]
    )


# 4.1 对话.历史


def blocks(count: int) -> list[dict[str, str]]:
    return [{"role": ("user", "assistant")[at % 2], "content": f"第{at}段"} for at in range(count)]


def of_gm(history: list[dict[str, str]], projection: str) -> Context:
    rows = [{"ref": "设计.实现机制"}, {"ref": HISTORY, "projection": projection}, {"ref": "用户.最新输入"}]
    return PLAN.assemble(
        "gm", board(上下文投影排序={"slots": [{"ref": "gm", "inserts": rows}]}), slot="gm", history=history
    )


@pytest.mark.parametrize(("projection", "n"), [("fields", 5), ("summary", 20), ("full", 80)])
def test_row_4_1_n_to_2n_blocks_are_kept_and_the_first_changes_once_in_many_turns(
    projection: str, n: int
) -> None:
    firsts = []
    for count in range(2, 6 * n, 2):
        told = "".join(message["content"] for message in of_gm(blocks(count), projection).messages)
        kept = [at for at in range(count) if f"第{at}段" in told]
        assert min(n, count) <= len(kept) <= 2 * n
        assert kept == list(range(kept[0], count))
        assert kept[0] % 2 == 0, "no answer without its question"
        firsts.append(kept[0])
    changes = sum(a != b for a, b in pairwise(firsts))
    assert changes <= len(firsts) * 2 / n + 1


def test_row_4_1_the_kept_blocks_are_real_messages() -> None:
    context = of_gm(blocks(4), "summary")
    assert [m["role"] for m in context.messages] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]


def test_row_4_1_before_any_turn_the_latest_input_stands_in() -> None:
    rows = [{"ref": HISTORY, "projection": "summary"}]
    context = PLAN.assemble(
        "gm", board(上下文投影排序={"slots": [{"ref": "gm", "inserts": rows}]}), slot="gm", history=[]
    )
    assert "我推开门" in context.messages[1]["content"]


# 4.2 拼装


def test_row_4_2_pieces_stand_in_the_order_of_the_rows_and_in_bags() -> None:
    context = PLAN.assemble("gm", board(上下文投影排序=ORDER), slot="gm")
    assert shown(context) == [row["ref"] for row in ROWS]
    filled = {bag: len(texts) for bag, texts in context.bags.items()}
    assert filled == {"before": 2, "history": 1, "after": 1, "turn": 1, "postTurn": 0}


def test_row_4_2_before_the_dialogue_is_static_after_it_dynamic() -> None:
    context = PLAN.assemble("gm", board(上下文投影排序=ORDER), slot="gm")
    assert [segment["tier"] for segment in context.segments] == ["static"] * 2 + ["dynamic"] * 3
    assert context.prefix["static_bytes"] == context.segments[1]["end"]


# 4.3 可编排


@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        ({"op": "move", "slot": "gm", "index": 3, "to": 2}, [0, 1, 3, 2, 4]),
        ({"op": "set_anchor", "slot": "gm", "index": 4, "anchor": "before"}, [0, 1, 4, 2, 3]),
        ({"op": "set_anchor", "slot": "gm", "index": 1, "anchor": "after"}, [0, 2, 1, 3, 4]),
        ({"op": "set_anchor", "ref": "world-simulator", "index": 4, "anchor": "史前"}, [0, 1, 4, 2, 3]),
        ({"op": "replace", "slot": "gm", "inserts": ROWS[1:3]}, [1, 2]),
    ],
)
def test_row_4_3_each_edit_by_the_request_of_a_host(request_: dict[str, Any], rows: list[int]) -> None:
    session = board(上下文投影排序=ORDER)
    answer = post_context_order(PLAN, session, request_)
    assert answer["ok"] is True
    session.write(answer["tag"], answer["content"], source="user")
    wanted = [ROWS[at]["ref"] for at in rows]
    assert shown(PLAN.assemble("gm", session, slot="gm")) == wanted


def test_row_4_3_a_projection_is_changed() -> None:
    session = board(上下文投影排序=ORDER)
    request = {"op": "set_projection", "slot": "gm", "index": 1, "projection": "full"}
    answer = post_context_order(PLAN, session, request)
    assert answer["order"]["slots"][0]["inserts"][1]["projection"] == "full"


def test_row_4_3_an_anchor_brings_the_dialogue_where_there_is_none() -> None:
    rows = [{"ref": "设计.实现机制"}, {"ref": "用户.最新输入"}]
    session = board(上下文投影排序={"slots": [{"ref": "gm", "inserts": rows}]})
    answer = post_context_order(
        PLAN, session, {"op": "set_anchor", "slot": "gm", "index": 1, "anchor": "after"}
    )
    refs = [row["ref"] for row in answer["order"]["slots"][0]["inserts"]]
    assert refs == ["设计.实现机制", HISTORY, "用户.最新输入"]


# 5 运行规格落点


def test_row_5_without_a_table_one_is_made_from_the_declarations_with_the_dialogue_in_it() -> None:
    order = synthesised_order(PLAN)
    by_worker = {slot["ref"]: [row["ref"] for row in slot["inserts"]] for slot in order["slots"]}
    assert by_worker["world-simulator"] == [
        "worker.persona", "设计.实现机制", "设计.worker集", "对话.历史", "变量.当前", "用户.最新输入",
    ]  # fmt: skip
    assert HISTORY in by_worker["role-decide"]
    assert HISTORY not in by_worker["narrator"] + by_worker["auditor"]
    assert compile_order(PLAN, order)[1] == ()


# What the plan carries


@pytest.mark.parametrize(
    ("name", "order"),
    [("context-order.yaml", YAML_ORDER), ("context-order.json", json.dumps(ORDER)), ("", None)],
)
def test_the_plan_carries_what_a_fresh_compile_gives(name: str, order: str | None) -> None:
    plan = compiled(order, name or "context-order.yaml")
    assert plan.play is not None
    assert plan.play.origin == ("package" if order else "declared")
    fresh, faults = compile_order(plan, plan.play.order or {"slots": []})
    assert faults == ()
    assert [(s.key, s.worker, s.on, s.segments) for s in slot_plans(plan)] == [
        (s.key, s.worker, s.on, s.segments) for s in fresh
    ]
    assert {s.worker: s.segments for s in fresh} == plan.play.segments
    assert {s.key: s.origin for s in slot_plans(plan)}["gm"] == ("package" if order else "declared")


def test_a_plan_without_the_key_plays_by_what_its_workers_declare() -> None:
    data = json.loads(encode(PLAN))
    del data["play"]
    data["fingerprint"] = "sha256:older"
    older = decode(json.dumps(data).encode(), RunnablePlan)
    assert older.play is None
    assert [(s.key, s.segments) for s in slot_plans(older)] == [(s.key, s.segments) for s in slot_plans(PLAN)]


def plays(change: dict[str, str | None], front: str = "") -> Plan:
    made = {path: text for path, text in {**files(None, front=front), **change}.items() if text is not None}
    checked = driver.check(DictReader(made))
    return compile_package(checked.graphs["dialogue/play"])[0]


def test_which_packages_play_with_slots() -> None:
    mechanism = f"{PACKAGE}/workers/mechanism/SKILL.md"
    narrator = f"{PACKAGE}/workers/narrator/SKILL.md"
    no_set = {mechanism: files()[mechanism].replace(', "设计.worker集"', "")}
    assert plays(no_set).play is not None, "it has the worker of every slot that plays by default"
    assert plays({**no_set, narrator: None}).play is None
    assert plays({narrator: None}).play is not None, "one of its workers writes the order"
    assert plays({**no_set, narrator: None}, front="playSlots: {narrator: false}\n").play is not None
    assert plays({**no_set, narrator: None, f"{PACKAGE}/context-order.yaml": YAML_ORDER}).play is not None


# Files and documents agree


FAULTY = {
    "unknown-slot": "slots:\n  - {ref: judge, inserts: [{ref: a.b}]}\n",
    "unknown-projection": "slots:\n  - {ref: gm, inserts: [{ref: 变量.当前, projection: brief}]}\n",
    "slot-without-worker": "play_slots: {perspective: true}\n",
    "order-outside-inputs": "slots:\n  - {ref: gm, inserts: [{ref: 核心.危险}]}\n",
    "bad-tag": "slots:\n  - {ref: gm, inserts: [{ref: 变量..当前}]}\n",
    "missing-field": "slots:\n  - {inserts: [{ref: 变量.当前}]}\n",
    "duplicate-key": "slots:\n  - {ref: gm, inserts: [{ref: 变量.当前}]}\nagents:\n  - {id: gm, inserts: [{ref: 变量.当前}]}\n",
    "field-type": "slots:\n  - {ref: gm, inserts: [{order: 三, ref: 变量.当前}]}\n",
}


@pytest.mark.parametrize("slug", FAULTY)
def test_a_fault_in_a_file_and_on_a_board_is_called_the_same(slug: str) -> None:
    role_decide = f"{PACKAGE}/workers/role-decide/SKILL.md"
    made = files(FAULTY[slug])
    if slug == "slot-without-worker":
        del made[role_decide]
        manifest = f"{PACKAGE}/orchestrator.md"
        made[manifest] = made[manifest].replace("role-decide, ", "")
    checked = driver.check(DictReader(made))
    order_file = [d for d in checked.diagnostics if d.span.path.endswith("context-order.yaml")]
    assert slug in [d.code.slug for d in order_file if d.severity.word == "error"]
    plan = compile_package(
        driver.check(DictReader({k: v for k, v in made.items() if "context-order" not in k})).graphs[
            "dialogue/play"
        ]
    )[0]
    assert [fault.kind for fault in compile_order(plan, yaml.safe_load(FAULTY[slug]))[1]] == [slug]


def test_the_published_schema_takes_both_forms_and_nothing_unreadable() -> None:
    schema = json.loads((Path(__file__).parent.parent / "docs/schema/context-order.schema.json").read_bytes())
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    agents = {
        "brief": "名册",
        "启用槽": {"旁观维护": False},
        "agents": [
            {
                "id": "主世界层",
                "启用": True,
                "插入": [{"序": "7", "标签/源": HISTORY, "投影": "摘要", "锚点": 1}],
            }
        ],
        "x-我的": 1,
    }
    for good in (ORDER, normal_order(ORDER), agents, normal_order(agents), yaml.safe_load(YAML_ORDER)):
        assert not list(validator.iter_errors(good))
    for slug in ("unknown-projection", "field-type"):
        assert list(validator.iter_errors(yaml.safe_load(FAULTY[slug])))
    for bad in (
        {"slots": [{"ref": "gm", "inserts": [{"order": 1}]}]},
        {"slotz": []},
        {"play_slots": {"judge": True}},
    ):
        assert list(validator.iter_errors(bad))

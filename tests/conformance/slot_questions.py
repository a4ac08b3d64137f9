"""Questions about slots and projection orders (docs/plan-format.md, "Slots and orders"); `w` fills a slot in each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sample_plans import segment

Vector = dict[str, Any]
INPUTS = ["设计.*", "世界.事件", "对话.历史", "变量.当前", "用户.最新输入"]
WORKER: dict[str, Any] = {"inputs": INPUTS, "outputs": ["世界.事件"], "persona": "你是世界。"}
ITEMS: list[Any] = [
    ("设计.机制", '{"brief": "灯会熄", "细节": "很长"}'),
    ("世界.事件", "钟响"),
    ("用户.最新输入", "开门"),
]
MORE = {
    "history": [{"role": "user", "content": "走近"}, {"role": "assistant", "content": "门虚掩着"}],
    "variables": {"灯油": 2},
}
ROWS = [
    {"order": 1, "ref": "worker.persona", "projection": "fixed"},
    {"order": 1, "ref": "设计.机制", "projection": "summary", "label": "## 机制"},
    {"order": 2, "ref": "对话.历史", "projection": "summary"},
    {"order": 3, "ref": "变量.当前", "projection": "fields"},
    {"order": 4, "ref": "用户.最新输入"},
]

COVERED = [
    "设计.规则#天气",
    "世界.事件.一",
    "世界.*",
    "角色.{id}.记忆",
    "甲.丙.乙",
    "甲.{id}.乙",
    "甲.*.乙",
    "甲.丙.乙#一",
]
UNCOVERED = [
    ("family", "设计.规则#天气", "设计.规则"),
    ("itself", "世界.*", "世界"),
    ("wider", "世界.事件", "世界.*"),
    ("role", "角色.{id}.记忆", "角色.阿离.记忆"),
    ("any", "角色.{id}.记忆", "角色.*.记忆"),
    ("board", "设计.*", "**"),
]
"""The end of a name, an input, and a row that it does not cover."""
MEETING = [
    *("世界.钟.事件", "世界.*", "世界.钟", "世界.钟.事件#一", "角色.阿青.行动", "角色.*.行动", "角色.*.记忆"),
    *("甲", "甲.乙.丙", "规则", "规则#天气", "规则#风"),
]


def slots(ask: Callable[..., Vector]) -> dict[str, Vector]:
    """The questions, made by `ask` of `vectors`."""

    def asked(
        about: str, slot: str, documents: dict[str, Any], worker: dict[str, Any] = WORKER, **more: Any
    ) -> Vector:
        items = [*ITEMS, *more.pop("rows", ()), *((f"设计.{tag}", _text(c)) for tag, c in documents.items())]
        return {**ask(about, worker, items, board=MORE, **more), "slot": slot}

    entry = {"id": "gm", "ref": "w", "inserts": ROWS}
    fills = {"agents": [{"id": "narrator", "ref": "w"}]}
    late = {"agents": [{"id": "主世界层", "ref": "w", "插入": _authors_rows()}]}
    prose = f"都排好了：\n```json\n{_text({'schema': 'context-fragment.v1', '正文': {'context_order': late}})}\n```\n"
    return {
        "slots-order": asked(
            "the order on the board stands in place of the worker's segments",
            "gm",
            {"上下文投影排序": {"slots": [entry]}},
            {**WORKER, "segments": [segment("s", ["世界.事件"])]},
        ),
        "slots-worker-set": asked(
            "the order in the worker set comes first; the author's form under other names, by number, persona first, "
            "one row of the dialogue",
            "gm",
            {"上下文投影排序": {"slots": [entry]}, "worker集": prose},
        ),
        "slots-draft": asked(
            "a draft of an order does not count, its 确认稿 does",
            "gm",
            {
                "上下文投影排序.草稿": {"slots": [{**entry, "inserts": ROWS[:1]}]},
                "上下文投影排序.确认稿": {"slots": [{**entry, "inserts": ROWS[1:3]}]},
                "worker规格": "谁来演，另说",
            },
        ),
        "slots-moving": asked(
            "what play rewrites is dynamic wherever it stands, and a repeated tag has an id of its own",
            "gm",
            {"上下文投影排序": {"slots": [{**entry, "inserts": [{"ref": r} for r in ("世界.事件", "设计.机制", "世界.事件")]}]}},
        ),
        "slots-declared-inputs": asked(
            "without rows a worker without segments shows its inputs, the narrator without the dialogue",
            "narrator",
            {"上下文投影排序": fills},
            {**WORKER, "inputs": ["用户.最新输入", "对话.历史", "世界.事件", "变量.当前", "设计.机制"]},
        ),
        "slots-declared-segments": asked(
            "without rows a worker shows its own segments, the narrator without the dialogue",
            "narrator",
            {"上下文投影排序": fills},
            {
                **WORKER,
                "segments": [
                    segment("both", ["对话.历史", "世界.事件"], label="## 两样"),
                    segment("talk", ["对话.历史"], label="## 对话"),
                    segment("last", ["用户.最新输入"], policy=("tail_lines", 1)),
                ],
            },
        ),
        "slots-plan": asked("a plan carries the segments of its slots", "gm", {}, play=_play()),
        "slots-isolation": asked(
            "an order brings back nothing that isolation drops",
            "auditor",
            {"隐藏真相": "密", "上下文投影排序": {"agents": [{"id": "auditor", "ref": "w", "inserts": [{"ref": "设计.*"}]}]}},
            {**WORKER, "isolation": "blind_review"},
        ),
        "refused-order": asked(
            "a row that the worker's inputs do not cover refuses the whole order",
            "gm",
            {"上下文投影排序": {"slots": [{**entry, "inserts": [*ROWS, {"ref": "核心.危险"}]}]}},
        ),
        "refused-order-empty": asked("an order that says nothing is none", "gm", {"上下文投影排序": {}}),
        "refused-order-two-slots": asked(
            "a worker fills one slot",
            "gm",
            {"上下文投影排序": {"slots": [entry, {"id": "auditor", "ref": "w"}]}},
        ),
        "refused-order-two-workers": asked(
            "a slot has one worker",
            "gm",
            {"上下文投影排序": {"slots": [entry, {"id": "gm", "ref": "narrator"}]}},
            others={"narrator": WORKER},
        ),
        "refused-order-two-names": asked(
            "an entry whose `ref` is the name of another slot than its `id`",
            "gm",
            {"上下文投影排序": {"slots": [entry, {"id": "narrator", "ref": "主世界层"}]}},
            others={"narrator": WORKER, "world-simulator": WORKER},
        ),
        "refused-order-nobodys-rows": asked(
            "rows under the name of a slot that somebody else fills",
            "gm",
            {"上下文投影排序": {"slots": [{"id": "gm", "ref": "w"}, {"ref": "gm", "inserts": ROWS}]}},
            others={"world-simulator": WORKER},
        ),
        "refused-order-no-such-worker": asked(
            "a slot is given to a worker that there is not",
            "gm",
            {"上下文投影排序": {"slots": [entry, {"id": "narrator", "ref": "auditor"}]}},
        ),
        "refused-order-left-and-on": asked(
            "a slot is on whose worker fills another one",
            "narrator",
            {
                "上下文投影排序": {
                    "play_slots": {"auditor": True},
                    "slots": [{"id": "narrator", "ref": "auditor", "inserts": ROWS[:2]}],
                }
            },
            others={"auditor": WORKER},
            ask="auditor",
        ),
        "slots-given": asked(
            "a slot is given to the worker of another one, rows and slot in two entries",
            "narrator",
            {"上下文投影排序": {"agents": [{"ref": "auditor", "inserts": ROWS[:3]}, {"id": "narrator", "ref": "auditor"}]}},
            others={"auditor": WORKER},
            ask="auditor",
        ),
        "slots-given-crosswise": asked(
            "two workers change their places",
            "auditor",
            {
                "上下文投影排序": {
                    "slots": [
                        {"id": "narrator", "ref": "auditor", "inserts": ROWS[:2]},
                        {"id": "auditor", "ref": "narrator", "inserts": ROWS[3:]},
                    ]
                }
            },
            others={"auditor": WORKER, "narrator": WORKER},
            ask="narrator",
        ),
        "slots-given-back": asked(
            "a slot that the plan gives to one worker goes back to its own where the order says so",
            "gm",
            {"上下文投影排序": {"slots": [{"id": "gm", "ref": "world-simulator", "inserts": ROWS[:2]}]}},
            others={"world-simulator": WORKER},
            ask="world-simulator",
            play=_play(),
        ),
        "refused-slot-left": asked(
            "the slot of a worker that is given another has nobody",
            "auditor",
            {"上下文投影排序": {"slots": [{"id": "narrator", "ref": "auditor", "inserts": ROWS[:2]}]}},
            others={"auditor": WORKER},
            ask="auditor",
        ),
        "slots-covered": asked(
            "what inputs cover: a family its slots, `.*` all that is longer, `*` any segment and `{id}`, `{id}` itself",
            "gm",
            {"上下文投影排序": {"slots": [{**entry, "inserts": [{"ref": ref} for ref in COVERED]}]}},
            {**WORKER, "inputs": ["设计.规则", "世界.*", "角色.{id}.记忆", "甲.*.乙"]},
            role="阿离",
            rows=[(tag, tag) for tag in ("设计.规则#天气", "世界.事件.一", "角色.阿离.记忆", "甲.丙.乙", "甲.阿离.乙", "甲.丙.乙#一")],
        ),
        **{
            f"refused-order-uncovered-{name}": asked(
                f"`{given}` does not cover `{ref}`",
                "gm",
                {"上下文投影排序": {"slots": [{**entry, "inserts": [{"ref": ref}]}]}},
                {**WORKER, "inputs": [given]},
                role="阿离",
            )
            for name, given, ref in UNCOVERED
        },
        "slots-covered-role-pov": asked(
            "under role_pov `*` behind 角色 is the role, in inputs and rows",
            "gm",
            {"上下文投影排序": {"slots": [{**entry, "inserts": [{"ref": "角色.*"}, {"ref": "角色.{id}.记忆"}]}]}},
            {**WORKER, "inputs": ["角色.*"], "isolation": "role_pov"},
            role="阿离",
            rows=[("角色.阿离.记忆", "己"), ("角色.阿青.记忆", "禁")],
        ),
        "slots-overlapping": asked(
            "a row is dynamic where some tag is both its and that of something that moves",
            "gm",
            {"上下文投影排序": {"slots": [{**entry, "inserts": [{"ref": ref} for ref in MEETING]}]}},
            {**WORKER, "inputs": ["**"], "outputs": ["世界.*.事件", "角色.{id}.行动", "甲.*", "规则#天气"]},
            role="阿离",
            rows=[(tag, tag) for tag in (*MEETING, "世界.钟.声", "角色.阿离.行动", "角色.阿离.记忆") if "*" not in tag],
        ),
        "refused-slot": asked("nobody fills the slot", "gm", {}),
        "refused-slot-no-role": asked(
            "the role is at fault, not the slot",
            "gm",
            {"上下文投影排序": {"slots": [entry]}},
            {**WORKER, "role_bound": True},
        ),
        "refused-slot-variant": asked(
            "a slot has no variants", "gm", {"上下文投影排序": {"slots": [entry]}}, variant="x"
        ),
        "refused-slot-other-worker": asked(
            "the worker does not fill the slot", "gm", {"上下文投影排序": {"slots": [entry]}}, ask="chance", others={"chance": WORKER}
        ),
    }  # fmt: skip


def _authors_rows() -> list[dict[str, Any]]:
    return [
        {"序": "7", "标签/源": "对话.历史", "投影": "字段"},
        {"序": 3, "标签": "用户.最新输入", "anchor": "after"},
        {"源": "世界.事件", "投影": "全文"},
        {"序": 9, "ref": "对话.历史"},
        {"序": 8, "ref": "worker.persona", "投影": "固定"},
    ]


def _play() -> dict[str, Any]:
    return {
        "slots": [{"key": "gm", "worker": "w", "on": True}],
        "order": {
            "schema": "context-order.v1",
            "play_slots": {},
            "slots": [{"ref": "w", "id": "gm", "inserts": [{"order": 0, "ref": "世界.事件"}]}],
        },
        "origin": "package",
        "segments": {"w": [segment("世界.事件", ["世界.事件"])]},
    }


def _text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)

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


def slots(ask: Callable[..., Vector]) -> dict[str, Vector]:
    """The questions, made by `ask` of `vectors`."""

    def asked(
        about: str, slot: str, documents: dict[str, Any], worker: dict[str, Any] = WORKER, **more: Any
    ) -> Vector:
        items = [*ITEMS, *((f"设计.{tag}", _text(content)) for tag, content in documents.items())]
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
        "refused-slot": asked("nobody fills the slot", "gm", {}),
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

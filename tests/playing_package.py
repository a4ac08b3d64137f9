"""A small package that plays in slots, on disk, with a projection order to edit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cli import write

PACKAGE = "skills/dialogue/play"
ROWS = [
    {"order": 0, "ref": "worker.persona", "projection": "fixed"},
    {"order": 1, "ref": "设计.实现机制", "projection": "summary"},
    {"order": 2, "ref": "对话.历史", "projection": "summary", "note": "按投影裁剪"},
    {"order": 3, "ref": "变量.当前", "projection": "fields"},
    {"order": 4, "ref": "用户.最新输入", "projection": "full"},
]
ORDER: dict[str, Any] = {
    "schema": "context-order.v1",
    "brief": "先名册再分配：旁观 + 主世界层 + 转述",
    "play_slots": {"auditor": True, "gm": True, "narrator": True, "perspective": False},
    "slots": [{"ref": "world-simulator", "inserts": ROWS}],
}
"""The order of the design document's example."""
YAML_ORDER = """\
# 主世界层的投影序
# 由上下文投影排序一步写成

schema: context-order.v1
agents:
  - id: gm
    enabled: true
    inserts:
      - {order: 0, ref: worker.persona, projection: fixed}
      - {order: 1, ref: "设计.实现机制", projection: summary, label: "## 机制"}
      - {order: 2, ref: "对话.历史", projection: summary}
      - {order: 3, ref: "用户.最新输入", projection: full}
"""
BOARD: dict[str, Any] = {
    "items": [
        {"tag": "设计.实现机制", "content": {"brief": "灯会熄", "细节": "很长"}, "source": "mechanism"},
        {"tag": "用户.最新输入", "content": "我推开门", "source": "user"},
    ],
    "history": [
        {"role": "user", "content": "我走近"},
        {"role": "assistant", "content": "门虚掩着"},
    ],
    "variables": {"灯油": "2"},
}


def _skill(id: str, inputs: list[str], outputs: list[str], stage: str = "play", more: str = "") -> str:
    lists = f"inputTags: {json.dumps(inputs, ensure_ascii=False)}\noutputTags: {json.dumps(outputs, ensure_ascii=False)}"
    return (
        f"---\nid: {id}\nskill: play\nname: {id}\ndescription: {id}\nstage: {stage}\n{more}{lists}\n---\n"
        f"# {id}\n\n## 角色与口吻\n\n你是{id}。\n\n## 能力范围\n\n写好自己的一份。\n"
    )


def files(order: str | None = None, name: str = "context-order.yaml", front: str = "") -> dict[str, str]:
    """The files of the package, with `order` as its order file."""
    workers = {
        "mechanism": _skill("mechanism", ["用户.需求"], ["设计.实现机制", "设计.worker集"], "design"),
        "world-simulator": _skill(
            "world-simulator",
            ["设计.实现机制", "设计.worker集", "对话.历史", "变量.当前", "用户.最新输入"],
            ["世界.事件", "角色.A.见闻"],
        ),
        "role-decide": _skill(
            "role-decide",
            ["角色.{id}.*", "对话.历史", "世界.当前角色.id"],
            ["角色.{id}.行动"],
            more="contextIsolation: role_pov\n",
        ),
        "narrator": _skill("narrator", ["世界.事件", "角色.*.行动", "对话.历史"], ["输出.正文"]),
        "auditor": _skill("auditor", ["世界.事件", "变量.当前"], ["变量.更新"]),
    }
    manifest = (
        "---\nname: play\ndescription: 一局\ncategory: 扮演\nbookKind: dialogue\nversion: 1\n"
        f'workers: [{", ".join(workers)}]\ndemandTag: "用户.需求"\nroles: [A]\n{front}'
        'prerequisiteTags: ["设计.实现机制"]\n---\n# 一局\n'
    )
    found = {f"{PACKAGE}/orchestrator.md": manifest}
    found.update({f"{PACKAGE}/workers/{id}/SKILL.md": text for id, text in workers.items()})
    if order is not None:
        found[f"{PACKAGE}/{name}"] = order
    return found


def package(folder: Path, order: str | None = YAML_ORDER, name: str = "context-order.yaml") -> Path:
    """The package below `folder`, with a board beside it."""
    board = json.dumps(BOARD, ensure_ascii=False)
    return write(folder, {**files(order, name), "board.json": board})

"""Plans that play by slots, for tests: a world, a narrator, an auditor; roles and a die where they are wanted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from running import plan_data
from sample_plans import segment
from skillc.runtime import RunnablePlan, load_plan

FREE = {"mode": "no_confirmation"}
WORKERS: dict[str, dict[str, Any]] = {
    "design": {"outputs": ["设计.变量设计与更新规则", "设计.开场白与开场变量"], "stage": "design"},
    "world-simulator": {
        "inputs": ["用户.最新输入?", "对话.历史?", "变量.当前?", "场景.投影.当前?"],
        "outputs": ["世界.裁决.当前", "场景.投影.当前", "变量.更新"],
    },
    "role-decide": {"inputs": ["世界.裁决.当前"], "outputs": ["角色.{id}.行动"], "role_bound": True},
    "narrator": {"inputs": ["世界.裁决.当前", "角色.*?"], "outputs": ["输出.正文"]},
    "auditor": {"inputs": ["输出.正文", "变量.当前?"], "outputs": ["变量.更新", "世界.编年.当前"]},
    "chance": {"inputs": ["世界.裁决.当前"], "outputs": ["世界.机缘.当前", "输出.机缘"]},
}
KEYS = {"world-simulator": "gm", "role-decide": "perspective", "narrator": "narrator", "auditor": "auditor"}


def turn_plan(
    workers: Mapping[str, Mapping[str, Any]] = WORKERS,
    on: Mapping[str, bool] | None = None,
    accept: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> RunnablePlan:
    """A plan that plays by slots: those whose worker is there, `perspective` off unless `on` says so."""
    switches = {"perspective": False, **(on or {})}
    rules = dict.fromkeys(workers, FREE) | dict(accept or {})
    more.setdefault("roles", {"ids": ["甲", "乙"], "from": None})
    more.setdefault("deliverables", [["输出", ".*"]])
    data = plan_data(workers, rules, **more)
    data["play"] = {
        "slots": [
            {"key": key, "worker": id, "on": switches.get(key, True)}
            for id, key in KEYS.items()
            if id in workers
        ],
        "order": None,
        "origin": "declared",
        "segments": {
            id: [
                segment(
                    key, [tag.removesuffix("?") for tag in workers[id].get("inputs", ())], inline=f"槽 {key}"
                )
            ]
            for id, key in KEYS.items()
            if id in workers
        },
    }
    text = json.dumps(data, ensure_ascii=False)
    data["fingerprint"] = "sha256:" + sha256(text.encode()).hexdigest()
    return load_plan(json.dumps(data).encode())


def without(*names: str) -> dict[str, dict[str, Any]]:
    """The workers but those."""
    return {id: spec for id, spec in WORKERS.items() if id not in names}


def fragment(**body: Any) -> str:
    """A design as text."""
    return json.dumps(
        {"schema": "context-fragment.v1", "brief": "短", "mount": ["gm"], "正文": body}, ensure_ascii=False
    )


def effect(
    id: str, key: str, op: str, value: object, *do: Mapping[str, object], **more: object
) -> dict[str, Any]:
    return {"id": id, "when": {"key": key, "op": op, "value": value}, "do": list(do), **more}


def seeded(**tags: str) -> dict[str, object]:
    """A board file with these texts, `_` for `.`, accepted."""
    rows = [
        {"tag": tag.replace("_", "."), "content": text, "source": "design", "status": "accepted"}
        for tag, text in tags.items()
    ]
    return {"items": rows}


def sets(key: str, value: object, **more: object) -> str:
    """The text of one change."""
    return json.dumps([{"key": key, "value": value, **more}], ensure_ascii=False)

"""Sessions that a model or a host drives, for tests: a plan with a template, and calls of tools as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from running import plan_data, startup
from skillc.execute.session import Session
from skillc.execute.store import Store
from skillc.runtime import RunnablePlan, load_plan

NEED = "需求.核心要点"
WORKERS: dict[str, dict[str, Any]] = {
    "scout": {"inputs": [NEED], "outputs": ["设计.地图"], "stage": "design"},
    "outline": {"inputs": [NEED, "用户.修改说明?"], "outputs": ["大纲.草稿", "核心.危险.隐藏"]},
    "write": {"inputs": ["大纲.确认稿"], "outputs": ["输出.正文"]},
    "actor": {
        "inputs": ["角色.{id}.*?", "大纲.确认稿"],
        "outputs": ["角色.{id}.行动"],
        "isolation": "role_pov",
        "role_bound": True,
    },
}
FREE = {"mode": "no_confirmation"}
TEMPLATES: dict[str, dict[str, Any]] = {
    "helper": {"inputs": [NEED], "outputs": ["设计.备注"], "stage": "design"},
    "stand-in": {
        "inputs": ["角色.{id}.*?", "大纲.确认稿"],
        "outputs": ["角色.{id}.行动"],
        "isolation": "role_pov",
        "role_bound": True,
    },
    "reader": {
        "inputs": ["大纲.确认稿", "核心.*?"],
        "outputs": ["验收.读者.记录"],
        "isolation": "blind_review",
    },
}


def led_plan(
    workers: Mapping[str, Mapping[str, Any]] = WORKERS,
    accept: Mapping[str, Mapping[str, Any]] | None = None,
    templates: Mapping[str, Mapping[str, Any]] = TEMPLATES,
    **more: Any,
) -> RunnablePlan:
    """A plan that an orchestrator can drive: it asks for the need, is ready when a map is there, and has templates."""
    rules = {id: FREE for id in workers if id != "outline"} | dict(accept or {})
    made = plan_data(templates)
    told = {
        "system": "总管",
        "task": "# 本次任务\n\n",
        "templates": made["workers"],
        "acceptance": {id: rule | FREE for id, rule in made["acceptance"].items()},
    }
    base: dict[str, Any] = {
        "startup": startup(NEED),
        "ready": {"prerequisites": [["设计", "地图"]] if "scout" in workers else [], "condition": None},
        "asks": [["项目", "风格要求"], ["角色", "{id}", "设定"]],
        "roles": {"ids": ["甲", "乙"], "from": None},
        "orchestrator": told,
    }
    return load_plan(json.dumps(plan_data(workers, rules, **{**base, **more})).encode())


def calls(tool: str, **arguments: object) -> str:
    """A call of a tool as the JSON object that stands for one; what decides has a reason."""
    if tool not in ("read_blackboard", "list_workers", "list_artifacts", "declare_instance_ready"):
        arguments.setdefault("reason", "因为")
    return json.dumps({"tool": tool, "arguments": arguments}, ensure_ascii=False)


def runs(worker: str, role: str | None = None, **more: object) -> str:
    given = {"workerId": worker} | ({"roleId": role} if role else {})
    return calls("run_worker", **given, **more)


def hosted(store: Store, plan: RunnablePlan, model: Any = None, **more: Any) -> Session:
    """A session that its host drives, behind the startup inquiry."""
    session = Session.open(store, plan, model, driver="host", **more)
    session.advance()
    if session.status.reason == "intake":
        session.answer("夜班便利店")
        session.advance()
    return session


def stored(store: Store, session: Session) -> object:
    """All that the store knows of a session."""
    return store.load(session.id)

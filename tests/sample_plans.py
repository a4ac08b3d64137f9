"""Minimal plans as JSON-ready data, for tests of what runs on plans.

>>> plan = sample_plan({"w": {"inputs": ["需求.*"], "segments": [segment("s", ["需求.*"])]}})
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from skillc.artifact.codec import canonical, digest
from skillc.runtime import RunnablePlan, load_plan

LABELS = [
    {"label": "hidden", "pattern": None, "segment": "隐藏", "except": []},
    {"label": "user_only", "pattern": ["角色", "{id}", "思考"], "segment": None, "except": []},
    {"label": "user_only", "pattern": ["角色", "{id}", "思考", ".*"], "segment": None, "except": []},
    {
        "label": "role_private",
        "pattern": ["角色", "{id}", ".*"],
        "segment": None,
        "except": [["角色", "{id}", "行动"], ["角色", "{id}", "行动", ".*"]],
    },
]


def parts(pattern: str) -> list[str]:
    """The parts of well-formed pattern text."""
    if pattern == "**":
        return ["**"]
    names = pattern.split(".")
    return [*names[:-1], ".*"] if names[-1] == "*" and len(names) > 1 else names


def segment(id: str, tags: Sequence[str] = (), tier: str = "dynamic", **more: Any) -> dict[str, Any]:
    """A segment; `policy` as `("tail_lines", 3)`."""
    policy = more.pop("policy", None)
    return {
        "id": id,
        "tier": tier,
        "label": None,
        "tags": [parts(tag) for tag in tags],
        "policy": None if policy is None else {"kind": policy[0], "n": policy[1]},
        "projection": None,
        "inline": None,
        **more,
    }


def sample_data(workers: Mapping[str, Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """A plan with these workers; each says only what matters to the test."""
    return {
        "schema": "skillc.plan/1",
        "compiler": "0",
        "package": {
            "path": "novel/sample",
            "name": "sample",
            "kind": "novel",
            "language": "zh",
            "description": "",
            "version": "1",
        },
        "fingerprint": "sha256:0",
        "startup": None,
        "asks": [],
        "ready": {"prerequisites": [], "condition": None},
        "roles": {"ids": [], "from": None},
        "labels": [dict(rule) for rule in LABELS],
        "sources": {"user": [], "runtime": [], "book": [], "rag": []},
        "deliverables": [],
        "moved": {},
        "order": list(workers),
        "acceptance": {
            id: {"mode": "user_confirmed", "requires_approval": False, "reviews": []} for id in workers
        },
        "workers": {id: _worker(id, spec) for id, spec in workers.items()},
        "flows": {"disclosures": [], "declassified": []},
        **more,
    }


def sample_plan(workers: Mapping[str, Mapping[str, Any]], **more: Any) -> RunnablePlan:
    """`sample_data` as a host loads it; each plan has a fingerprint of its own, as compiled ones have."""
    data = sample_data(workers, **more)
    return load_plan(json.dumps({**data, "fingerprint": digest(canonical(data)), **more}).encode())


def _worker(id: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    lists = {key: [parts(p) for p in spec.get(key, ())] for key in ("outputs", "denied")}
    return {
        "id": id,
        "name": id,
        "description": "",
        "version": "1",
        "stage": "play",
        "actor": "llm",
        "isolation": "none",
        "role_bound": False,
        "merge": "latest",
        "aliases": {},
        "profiles": {"default": None, "by_role": {}},
        "persona": None,
        "system": "系统",
        "segments": None,
        "instruction": "按协议回答",
        "variants": {},
        "variant": None,
        "reply": {"type": "object"},
        "digest": "sha256:0",
        **spec,
        **lists,
        "inputs": [{"pattern": parts(p), "needed": True} for p in spec.get("inputs", ())],
    }

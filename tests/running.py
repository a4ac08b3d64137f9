"""Sessions for tests: small plans, a model that answers from a list, and a user who does what is listed.

>>> plan = running_plan({"w": {"inputs": ["需求.*", "备注.*?"], "outputs": ["正文.草稿"]}})
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sample_plans import parts, sample_data
from skillc.execute.models.protocol import Completion, ModelError, Request
from skillc.execute.session import Session
from skillc.execute.store import Store
from skillc.runtime import RunnablePlan, load_plan


def running_plan(
    workers: Mapping[str, Mapping[str, Any]],
    accept: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> RunnablePlan:
    """A plan; an input that ends in `?` is optional, and every worker's digest follows its contract."""
    return load_plan(json.dumps(plan_data(workers, accept, **more)).encode())


def plan_data(
    workers: Mapping[str, Mapping[str, Any]],
    accept: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """`running_plan` as JSON-ready data."""
    data = sample_data(workers, **more)
    for id, spec in workers.items():
        data["workers"][id]["inputs"] = [
            {"pattern": parts(tag.removesuffix("?")), "needed": not tag.endswith("?")}
            for tag in spec.get("inputs", ())
        ]
        data["workers"][id]["digest"] = "sha256:" + json.dumps(spec, ensure_ascii=False, sort_keys=True)
    for id, rule in (accept or {}).items():
        data["acceptance"][id] |= rule
    return data


def startup(*targets: str) -> dict[str, Any]:
    return {"prompt": "写什么？", "mode": "ask", "targets": list(targets), "required": [], "optional": []}


def writes(texts: Mapping[str, object], **more: object) -> str:
    """A reply that writes `texts`."""
    return json.dumps({"outputs": texts, **more}, ensure_ascii=False)


class ListedModel:
    """Answers with the next text of a list (an exception is raised), and keeps what it was asked."""

    def __init__(self, *replies: str | Exception) -> None:
        self.replies = list(replies)
        self.requests: list[Request] = []

    def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        if not self.replies:
            raise ModelError("test", f"nothing is left for {request.worker}")
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return Completion(reply, "stop", prompt_tokens=10, completion_tokens=2, cached_tokens=4)

    @property
    def workers(self) -> list[str]:
        """Who asked, in order; `worker/role` for a role."""
        return [f"{r.worker}/{r.role}" if r.role else r.worker for r in self.requests]


class TickingClock:
    """Tells a new time at each look."""

    def __init__(self) -> None:
        self.ticks = 0

    def now(self) -> str:
        self.ticks += 1
        return f"2020-01-01T00:00:{self.ticks:02}Z"


def live(session: Session) -> dict[str, str]:
    """Live tags of the session with their newest text."""
    return {item.tag: item.content for item in session.board.items if item.live}


def statuses(session: Session) -> list[tuple[str, str]]:
    """Tag and status of every item, in writing order."""
    return [(item.tag, item.status) for item in session.board.items]


def opened(store: Store, plan: RunnablePlan, model: Any = None, **more: Any) -> Session:
    """A session that went as far as it can."""
    session = Session.open(store, plan, model, **more)
    session.advance()
    return session


def needs(items: Mapping[str, str]) -> dict[str, object]:
    """A board file that holds these user texts."""
    return {"items": [{"tag": tag, "content": text, "source": "user"} for tag, text in items.items()]}

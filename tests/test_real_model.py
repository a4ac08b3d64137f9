"""One real model behind a real server: the protocol, streaming, the ladder of ways, cached tokens as it reports them.

The model is tiny: what it writes is of no use, and nothing here depends on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from real_model import NoServer, model_server
from running import plan_data
from skillc.execute.happening import Happening
from skillc.execute.models.probe import probe
from skillc.execute.profiled import ProfiledClient, served
from skillc.execute.profiles import Profile, load_profiles
from skillc.execute.session import Session
from skillc.execute.store import open_store
from skillc.runtime import RunnablePlan, load_plan

WAYS = ["json_schema", "tools", "json_object"]
IN_FORM = {"ok", "length-limit", "blank-text"}
"""What can become of a reply whose form the server enforces."""
PROTOCOL = """You are a storyteller of a small town by the sea. Write one short sentence about what the user names.

Return one JSON object and nothing else: {"outputs": {"<tag>": "<text>"}, "summary": "<summary>", "askUser": null}

- `outputs`: the keys are these tags, the values are texts.
  - `story.now`
- `summary`: at most 50 characters.
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    try:
        with model_server() as found:
            yield found
    except NoServer as reason:
        pytest.skip(str(reason))


def plan() -> RunnablePlan:
    data = plan_data(
        {"tell": {"inputs": ["subject", "用户.最新输入?"], "outputs": ["story.now"]}},
        {"tell": {"mode": "no_confirmation"}},
    )
    data["workers"]["tell"]["system"] = PROTOCOL * 3
    data["package"]["language"] = "en"
    return load_plan(json.dumps(data).encode())


def profile(address: str, **more: Any) -> dict[str, Any]:
    return {
        "id": "real",
        "baseUrl": address,
        "model": "small",
        "maxOutputTokens": 200,
        "temperature": 0,
        "timeoutSeconds": 1800,
        **more,
    }


def play(address: str, folder: Path, told: list[Happening], **more: Any) -> Session:
    client = ProfiledClient(load_profiles([profile(address, **more)]), {})
    board = {"items": [{"tag": "subject", "content": "the lighthouse", "source": "user"}]}
    store = open_store(str(folder / "s.db"))
    session = Session.open(store, plan(), client, board=board, rounds=2, on_event=told.append)
    for said in ("It rains.", "It snows."):
        if session.advance().phase == "waiting_user":
            session.answer(said)
    session.advance()
    return session


def test_a_session_speaks_to_a_real_server_and_its_cache_is_predicted(address: str, tmp_path: Path) -> None:
    told: list[Happening] = []
    session = play(address, tmp_path, told)
    calls = session.record.calls
    assert session.status.phase in ("done", "error")
    assert calls and all(row.way == "text" and row.prompt_tokens > 100 for row in calls)
    assert all(row.completion_tokens > 0 for row in calls)
    pieces = [one.data["characters"] for one in told if one.kind == "progress"]
    assert pieces == sorted(pieces) and len(pieces) > 0
    assert len(calls) > 1 and sum(row.cached_tokens for row in calls) > 0
    for row in calls[1:]:
        assert row.predicted_tokens > 0
        assert abs(row.predicted_tokens - row.cached_tokens) <= 0.3 * row.prompt_tokens, row


def test_a_schema_is_enforced_or_stepped_down_from(address: str, tmp_path: Path) -> None:
    told: list[Happening] = []
    session = play(address, tmp_path, told, capabilities=WAYS)
    calls = session.record.calls
    assert calls[0].way == "json_schema"
    dropped = [one.data["way"] for one in told if one.kind == "stepped_down"]
    if "json_schema" not in dropped:
        assert {row.outcome for row in calls} <= IN_FORM
    written = [item.content for item in session.board.items if item.source == "tell"]
    assert bool(written) == (session.status.phase == "done") and all(map(str.strip, written))


def test_every_way_gets_a_verdict_by_what_came_back(address: str) -> None:
    settings = Profile.model_validate(profile(address))
    verdicts = {
        way: probe(lambda way: served(settings, {}, (way,)), way)
        for way in ("json_schema", "forced_tool", "json_object", "text")
    }
    assert verdicts["text"].word in ("works", "cut")
    for verdict in verdicts.values():
        assert verdict.word in ("works", "refused", "ignored", "blank", "cut")
        assert verdict.word == "works" or verdict.why

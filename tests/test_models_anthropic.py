"""Anthropic's Messages protocol against a real server: tools, thinking, marks for the cache, usage, faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatting import KEY, Server, serving
from running import TickingClock, live, running_plan
from sample_plans import segment
from skillc.execute.models.breakpoints import with_breakpoints
from skillc.execute.profiled import ProfiledClient
from skillc.execute.profiles import load_profiles
from skillc.execute.session import Session
from skillc.execute.store import open_store

PLAN = running_plan(
    {"outline": {"outputs": ["大纲.草稿", "大纲.说明"]}}, {"outline": {"mode": "no_confirmation"}}
)
BOARD = {"大纲.草稿": "为 大纲.草稿 而写", "大纲.说明": "为 大纲.说明 而写"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving("messages.py") as found:
        yield found


def play(
    server: Server, folder: Path, course: str, plan: Any = PLAN, board: Any = None, **more: Any
) -> Session:
    profile = server.profile(course, provider="anthropic", **more)
    client = ProfiledClient(load_profiles([profile]), {"CHAT_KEY": KEY})
    store = open_store(str(folder / "s.db"), TickingClock())
    session = Session.open(store, plan, client, board=board)
    session.advance()
    return session


@pytest.mark.parametrize(
    ("more", "way", "choice"),
    [
        ({}, "forced_tool", {"type": "any"}),
        ({"capabilities": {"streaming": False}}, "forced_tool", {"type": "any"}),
        ({"thinkingTokens": 2048}, "auto_tool", {"type": "auto"}),
        ({"thinkingTokens": 2048, "capabilities": {"streaming": False}}, "auto_tool", {"type": "auto"}),
        ({"capabilities": {"tools": False}}, "text", None),
    ],
)
def test_a_reply_comes_by_tool_or_as_text(
    server: Server, tmp_path: Path, more: dict[str, Any], way: str, choice: object
) -> None:
    session = play(server, tmp_path, "ok", **more)
    assert live(session) == BOARD
    (call,) = session.record.calls
    assert (call.way, call.outcome) == (way, "ok")
    assert (call.prompt_tokens, call.cached_tokens, call.cache_written_tokens, call.completion_tokens) == (
        71,
        40,
        20,
        7,
    )
    request = server.requests("ok")[-1]
    assert request["key"].removeprefix("Bearer ") == KEY and request["path"] == "/ok/v1/messages"
    assert request["body"].get("tool_choice") == choice
    assert request["body"]["system"][0]["text"] and request["body"]["messages"][0]["role"] == "user"


def test_a_thinking_model_may_answer_as_text_where_tools_are_offered(server: Server, tmp_path: Path) -> None:
    session = play(server, tmp_path, "plain", thinkingTokens=2048)
    assert live(session) == BOARD
    body = server.requests("plain")[-1]["body"]
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 2048} and body["max_tokens"] > 2048


@pytest.mark.parametrize(
    ("course", "kind", "sentence"),
    [
        ("401", "refused-key", "refused the key"),
        ("529", "server-error", "failed (529)"),
        ("cut", "cut-stream", "broke its answer off"),
        ("overloaded", "refused", "answered with an error: Overloaded"),
        ("html", "bad-response", "sent `text/html` in place of JSON"),
    ],
)
def test_faults_have_names(server: Server, tmp_path: Path, course: str, kind: str, sentence: str) -> None:
    session = play(server, tmp_path, course)
    assert session.status.phase == "error" and sentence in str(session.status.error)
    assert [row.outcome for row in session.record.calls] == [kind]
    assert session.board.items == [] and KEY.encode() not in (tmp_path / "s.db").read_bytes()


def test_a_reply_at_the_limit_is_cut_off(server: Server, tmp_path: Path) -> None:
    session = play(server, tmp_path, "length")
    assert [row.outcome for row in session.record.calls] == ["length-limit"] * 3


LONG = running_plan(
    {
        "write": {
            "inputs": ["设定.固定", "用户.最新输入?"],
            "outputs": ["正文.当前"],
            "segments": [
                segment("lore", ["设定.固定"], tier="static"),
                segment("now", ["用户.最新输入"], tier="dynamic"),
            ],
        }
    },
    {"write": {"mode": "no_confirmation"}},
)


def test_marks_stand_behind_the_fixed_prefix_and_the_static_part(server: Server, tmp_path: Path) -> None:
    items = [
        {"tag": "设定.固定", "content": "雨夜的店", "source": "user"},
        {"tag": "用户.最新输入", "content": "推门", "source": "user"},
    ]
    session = play(server, tmp_path, "ok+ok", plan=LONG, board={"items": items})
    session.answer("推门")
    session.advance()
    body = server.requests("ok+ok")[-1]["body"]
    assert "cache_control" in body["system"][-1]
    (user,) = body["messages"]
    assert [("cache_control" in block, block["text"]) for block in user["content"]] == [
        (True, "雨夜的店"),
        (False, "\n\n---\n\n推门"),
    ]


def conversation(turns: int) -> list[dict[str, str]]:
    said = [{"role": role, "content": "说" * 10} for _ in range(turns) for role in ("user", "assistant")]
    return [{"role": "system", "content": "规" * 100}, *said, {"role": "user", "content": "现在"}]


def marked(static: int, minimum: int, turns: int = 2) -> list[tuple[int, str]]:
    system, said = with_breakpoints(conversation(turns), static, minimum)
    blocks = [(-1, block) for block in system]
    blocks += [(at, block) for at, message in enumerate(said) for block in message["content"]]
    assert "".join(b["text"] for _, b in blocks) == "".join(m["content"] for m in conversation(turns))
    return [(at, block["text"]) for at, block in blocks if "cache_control" in block]


def test_at_most_three_places_are_marked_and_none_below_the_minimum() -> None:
    everything = [(-1, "规" * 100), (0, "说" * 10), (3, "说" * 10)]
    assert marked(static=330, minimum=0) == everything
    assert marked(static=330, minimum=100) == everything
    assert marked(static=330, minimum=105) == everything[1:]
    assert marked(static=330, minimum=130) == everything[2:]
    assert marked(static=330, minimum=1000) == []
    assert marked(static=300, minimum=0) == [everything[0], everything[2]]
    assert marked(static=306, minimum=0)[1] == (0, "说说")
    assert len(marked(static=330, minimum=0, turns=30)) == 3

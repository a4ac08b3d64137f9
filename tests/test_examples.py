"""The example packages: clean, runnable from the first question to the last acceptance, and isolated as they say."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from skillc import driver
from skillc.artifact.codec import encode
from skillc.cli.datafile import read_data
from skillc.diagnostic import Severity
from skillc.execute.models.scripted import ScriptedClient, read_script
from skillc.execute.session import Session
from skillc.execute.store import open_store
from skillc.runtime import Board, Context, RunnablePlan, load_plan
from skillc.source.reader import DiskReader

ROOT = Path(__file__).parent.parent
INHERENT = {"feedback-loop", "updates-in-place", "mergeable-tags", "disclosure", "whole-board"}
"""Infos that the design of a package brings with it: a rework is a loop, a rewrite reads what it rewrites, and one
package is there to show the whole board."""

PACKAGES = (
    "dialogue/blackjack-roleplay",
    "dialogue/roleplay-game-theory",
    "dialogue/scene-roleplay",
    "dialogue/world-simulator",
    "novel/basic",
    "novel/interactive-novel",
    "novel/novel-standard",
    "novel/quick-write",
    "novel/weird-rules-short",
)
BOARDS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("skills/*/*/contexts/*.yaml"))


@cache
def checked() -> driver.Checked:
    return driver.check(DiskReader(str(ROOT)))


@cache
def plan_of(package: str) -> RunnablePlan:
    built = {one.package.path: one.plan for one in driver.build(checked())}
    plan = built[package]
    assert plan is not None
    return load_plan(encode(plan))


def read(path: str) -> dict[str, Any]:
    """A board or a script, read as the command line reads it."""
    return dict(read_data(str(ROOT / path), "file"))


def context_of(board: str) -> Context:
    data = read(board)
    package = "/".join(board.split("/")[1:3])
    who, slot = data.get("worker") or data["slot"], data.get("slot")
    return plan_of(package).assemble(who, Board.from_data(data), role=data.get("role"), slot=slot)


def text_of(context: Context) -> str:
    return "\n".join(message["content"] for message in context.messages)


def content(board: str, tag: str) -> str:
    """The newest text of `tag` on a board file."""
    texts: list[str] = [item["content"] for item in read(board)["items"] if item["tag"] == tag]
    return texts[-1]


def test_all_examples_are_found() -> None:
    assert {package.path for package in checked().workspace.packages} == set(PACKAGES)


def test_examples_have_no_error_no_warning_and_only_inherent_infos() -> None:
    found = checked().diagnostics
    assert [d.message for d in found if d.severity > Severity.INFO] == []
    assert {d.code.slug for d in found} <= INHERENT


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_reaches_its_worker(board: str) -> None:
    context = context_of(board)
    assert context.reads
    assert all(segment["tags"] for segment in context.segments)


def test_a_blind_reviewer_never_sees_the_danger_that_lies_on_its_board() -> None:
    board = "skills/novel/weird-rules-short/contexts/infer-first.yaml"
    danger = content(board, "核心.危险.隐藏")
    shown = text_of(context_of(board))
    assert content(board, "规则.确认稿") in shown
    assert not any(line in shown for line in danger.splitlines() if len(line) > 20)


def test_an_author_reviewer_sees_the_danger() -> None:
    board = "skills/novel/weird-rules-short/contexts/author-first.yaml"
    assert content(board, "核心.危险.隐藏") in text_of(context_of(board))


@pytest.mark.parametrize("role", ["A", "C"])
def test_a_seat_sees_its_own_secrets_and_nobody_elses(role: str) -> None:
    board = f"skills/dialogue/roleplay-game-theory/contexts/decide-third-{role.lower()}.yaml"
    shown = text_of(context_of(board))
    for seat in "ABC":
        for tag in (f"角色.{seat}.设定.确认稿", f"角色.{seat}.可见信息"):
            assert (content(board, tag) in shown) == (seat == role)
        assert content(board, f"角色.{seat}.思考") not in shown
    assert content(board, "世界.隐藏设定") not in shown


def test_seats_share_the_beginning_of_their_prompts() -> None:
    prompts = [
        text_of(context_of(f"skills/dialogue/roleplay-game-theory/contexts/decide-third-{seat}.yaml"))
        for seat in "ac"
    ]
    scene = content("skills/dialogue/roleplay-game-theory/contexts/decide-third-a.yaml", "场景.设定.确认稿")
    end = prompts[0].index(scene) + len(scene)
    assert prompts[0][:end] == prompts[1][:end]


def played(package: str, folder: Path) -> tuple[Session, tuple[str, ...]]:
    """The session of a package's own script, and what the script had left."""
    script = read_script(read(f"skills/{package}/scripts/demo.yaml"))
    client = ScriptedClient(script.replies)
    store = open_store(str(folder / "sessions.db"))
    session = Session.open(store, plan_of(package), client, rounds=script.rounds or 1)
    user = list(script.user)
    while session.advance().phase == "waiting_user" and user:
        entry = user.pop(0)
        if entry.action == "refused":
            assert not isinstance(entry.value, list) and session.answer(entry.value).refused
            continue
        value = () if entry.action == "accept" else (entry.value,)
        assert getattr(session, entry.action)(*value).status == "written"
    return session, (*client.left_over, *(entry.action for entry in user))


@pytest.mark.parametrize(
    ("package", "delivered"),
    [
        ("novel/basic", ["大纲.确认稿"]),
        ("novel/interactive-novel", ["正文.确认稿"] * 3),
        ("novel/novel-standard", ["正文.确认稿"] * 2),
        ("novel/quick-write", ["正文.确认稿"]),
        ("dialogue/blackjack-roleplay", ["输出.场景反馈"]),
        (
            "dialogue/scene-roleplay",
            ["输出.场景反馈", *(f"角色.{id}.思考" for id in ("林晚", "周叔", "小秦"))],
        ),
        ("novel/weird-rules-short", ["规则.确认稿", "规则.说明.确认稿"]),
        ("dialogue/roleplay-game-theory", ["输出.场景反馈"]),
        ("dialogue/world-simulator", ["输出.正文"]),
    ],
)
def test_a_script_runs_to_the_end_and_delivers(package: str, delivered: list[str], tmp_path: Path) -> None:
    session, left = played(package, tmp_path)
    assert (session.status.phase, session.status.error, left) == ("done", None, ())
    assert sorted(item.tag for item in session.deliverables()) == sorted(delivered)

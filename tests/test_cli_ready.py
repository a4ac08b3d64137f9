"""`skillc check --explain-ready` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

from cli import examples, replace, skillc

GAME = "dialogue/roleplay-game-theory"
SETUP = f"skills/{GAME}/workers/setup-scenario/SKILL.md"


def test_a_schedule_worker_by_worker(tmp_path: Path) -> None:
    done = skillc("check", "--explain-ready", "roleplay-game-theory", cwd=examples(tmp_path))
    assert done.code == 0
    assert done.out == (
        "dialogue/roleplay-game-theory can become ready; 1 worker must run before play\n"
        "  given: 需求.核心要点 (the user, at the startup)\n"
        "  1. setup-scenario reads 需求.核心要点\n"
        "     writes 场景.设定.草稿, 角色.*.设定.草稿, 世界.隐藏设定\n"
        "     accepted: 场景.设定.确认稿, 角色.*.设定.确认稿\n"
    )


def test_a_workspace_has_a_proof_for_each_package(tmp_path: Path) -> None:
    examples(tmp_path)
    done = skillc("check", "--explain-ready", ".", "--format", "json", cwd=tmp_path)
    report = json.loads(done.out)
    assert (done.code, report["format_version"]) == (0, "1.0")
    assert {package["path"]: len(package["steps"]) for package in report["packages"]} == {
        "dialogue/blackjack-roleplay": 2,
        GAME: 1,
        "dialogue/scene-roleplay": 3,
        "dialogue/world-simulator": 16,
        "novel/basic": 0,
        "novel/interactive-novel": 2,
        "novel/novel-standard": 3,
        "novel/quick-write": 0,
        "novel/weird-rules-short": 0,
    }


def test_what_is_missing(tmp_path: Path) -> None:
    examples(tmp_path, GAME)
    replace(tmp_path / SETUP, "stage: design", "stage: play")
    done = skillc("check", "--explain-ready", GAME, cwd=tmp_path)
    assert done.code == 1
    assert done.out.splitlines()[:2] == [
        f"{GAME} can never become ready",
        "  missing: 场景.设定.确认稿 (written in play only, by setup-scenario)",
    ]
    data = json.loads(skillc("check", "--explain-ready", GAME, "--format", "json", cwd=tmp_path).out)
    (package,) = data["packages"]
    assert (package["verdict"], len(package["missing"])) == ("never", 3)


def test_the_root_of_what_is_missing(tmp_path: Path) -> None:
    examples(tmp_path, GAME)
    replace(tmp_path / SETUP, '"需求.核心要点"\n', '"需求.核心要占"\n', 1)
    done = skillc("check", "--explain-ready", GAME, cwd=tmp_path)
    assert done.out.splitlines()[1:] == [
        "  missing: 需求.核心要占 (needed by setup-scenario); did you mean `需求.核心要点`?"
    ]


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    examples(tmp_path, GAME)
    assert skillc("check", "--explain-ready", "nothing", cwd=tmp_path).code == 2
    assert skillc("check", "--explain-ready", GAME, GAME, cwd=tmp_path).code == 2
    assert skillc("check", "--explain-ready", GAME, "--format", "sarif", cwd=tmp_path).code == 2

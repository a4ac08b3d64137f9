"""The program in docs/host-loop.md is one that plays a package."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

from cli import SKILLS, examples, skillc

PAGE = Path(__file__).resolve().parent.parent / "docs" / "host-loop.md"


def test_the_program_of_the_page_plays_a_session(tmp_path: Path) -> None:
    examples(tmp_path, "dialogue/roleplay-game-theory")
    assert skillc("build", cwd=tmp_path).code == 0
    script = SKILLS / "dialogue/roleplay-game-theory/scripts/demo.yaml"
    demo = yaml.safe_load(script.read_text(encoding="utf-8"))
    replies = [json.dumps(entry["reply"], ensure_ascii=False) for entry in demo["replies"]]
    answers = [str(next(iter(entry.values()))) for entry in demo["user"] if "accept" not in entry]
    program = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.S)
    names: dict[str, Any] = {"ask_my_model": lambda _: replies.pop(0)}
    exec("\n".join(program), names)
    plan = tmp_path / "build/dialogue/roleplay-game-theory/plan.json"
    status, delivered = names["play"](str(plan), str(tmp_path / "s.db"), lambda _: answers.pop(0))
    assert (status.phase, replies, answers) == ("done", [], [])
    assert "输出.场景反馈" in [item.tag for item in delivered]

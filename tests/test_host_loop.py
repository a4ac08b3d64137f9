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


def names_of_the_page(**more: Any) -> dict[str, Any]:
    names: dict[str, Any] = dict(more)
    exec("\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.S)), names)
    return names


def test_the_host_of_the_page_decides_a_session(tmp_path: Path) -> None:
    """Whose second worker lacks what the first one's product becomes when it is accepted: the review waits in between."""
    examples(tmp_path, "novel/weird-rules-short")
    assert skillc("build", cwd=tmp_path).code == 0
    script = SKILLS / "novel/weird-rules-short/scripts/demo.yaml"
    demo = yaml.safe_load(script.read_text(encoding="utf-8"))
    kept = [entry for entry in demo["replies"] if '"verdict": "fail"' not in json.dumps(entry)]
    last = {entry["worker"]: json.dumps(entry["reply"], ensure_ascii=False) for entry in kept}
    asked: list[str] = []

    def reply(_: object) -> str:
        return last[asked[-1]]

    names = names_of_the_page(ask_my_model=reply)
    complete = names["MyModel"].complete

    class Model(names["MyModel"]):  # type: ignore[misc, name-defined]
        def complete(self, request: Any) -> Any:
            asked.append(request.worker)
            return complete(self, request)

    plan = str(tmp_path / "build/novel/weird-rules-short/plan.json")
    session, said = names["lead"](plan, str(tmp_path / "s.db"), Model(), lambda _: "夜班便利店")
    assert said == "done", said
    assert session.status.phase == "done"
    assert asked == ["write-rules", "review-infer", "review-author"]
    assert [(row.action, row.worker, row.driver) for row in session.record.decisions] == [
        *(("run_worker", worker, "host") for worker in asked),
        ("finish", None, "host"),
    ]
    refused = session.run_worker("write-rules")
    assert refused.message == "`run_worker` is not possible while the session is done"


def test_the_host_of_the_page_hears_what_is_missing(tmp_path: Path) -> None:
    examples(tmp_path, "dialogue/world-simulator")
    assert skillc("build", cwd=tmp_path).code == 0
    names = names_of_the_page()
    plan = str(tmp_path / "build/dialogue/world-simulator/plan.json")
    session, said = names["lead"](plan, str(tmp_path / "s.db"), None, lambda _: "一座孤岛")
    assert said.startswith("the package is not ready: nothing is there under `设计.")
    assert session.status.phase == "running" and session.record.decisions == ()

"""`skillc cache-report`: readable for authors, complete for tools, silent about nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli import SKILLS, write
from playing_package import PACKAGE as PLAYING
from playing_package import YAML_ORDER
from playing_package import files as playing_files
from reading import FRONT, ORCHESTRATOR
from skillc.cli.main import run


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with one worker that has segments, a tail and a variant."""
    segments = (
        "contextSegments:\n"
        '  - id: brief\n    tier: static\n    tags: ["需求.核心要点"]\n    label: "## 需求"\n'
        '  - id: log\n    tier: dynamic\n    tags: ["运行.事件流"]\n    policy: tail_lines_80\n'
        "  - id: note\n    tier: dynamic\n    inline: 保持短句。\n"
        '  - id: turn\n    tier: dynamic\n    tags: ["用户.最新输入"]\n    policy: tail_tokens_500\n'
        "contextVariants:\n  calm:\n    policies:\n      log: window_lines_80\n"
    )
    front = FRONT.replace('["需求.核心要点"]', '["需求.核心要点", "运行.事件流", "用户.最新输入?"]')
    package = tmp_path / "skills" / "novel" / "demo"
    (package / "workers" / "write").mkdir(parents=True)
    (package / "orchestrator.md").write_text(
        ORCHESTRATOR.replace("---\nname", "---\ndemandTag: 需求.核心要点\nname")
    )
    (package / "workers" / "write" / "SKILL.md").write_text(
        f"---\n{front}{segments}---\n# 正文\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["cache-report", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def data(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    code, out, _ = report(capsys, "--format", "json")
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found["packages"][0]["workers"][0]


def test_the_text_names_writers_cuts_tails_and_bounds(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = report(capsys)
    assert (code, err) == (0, "")
    assert "tokens: skillc-estimate/1, an estimate: no profile names a model" in out
    assert "write (play): fixed prefix" in out
    lines = out.splitlines()
    log = next(line for line in lines if "(runtime) 运行.事件流" in line)
    assert "play" in log and "log (2 of 4)" in log and log.endswith("+ log + turn")
    assert (
        "tail_lines_80 of log slides: in 100 turns of 4 it reads 6,480 lines anew, window_lines_80 640 (90 % less)"
        in out
    )
    assert "variant calm" in out and out.count("slides:") == 1
    assert "nothing bounds brief, log" in out and "turn" not in out.split("nothing bounds")[1].splitlines()[0]


def test_the_json_says_the_same(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    worker = data(capsys)
    assert run(["cache-report", "--json"]) == 0 and json.loads(capsys.readouterr().out)
    assert worker["counter"]["exact"] is False and worker["counter"]["why"]
    base, calm = worker["layouts"]
    assert (base["variant"], calm["variant"]) == (None, "calm")
    assert [cut["segment"] for cut in base["cuts"]] == ["brief", "log", "turn"]
    assert base["sliding"][0]["window"] == "window_lines_80" and calm["sliding"] == []
    assert base["unbounded"] == ["brief", "log"]
    assert base["worst_tokens"] == base["constant_tokens"] + 500
    assert [segment["bound"] for segment in base["segments"]] == [None, None, 0, 500]
    for cut in base["cuts"]:
        assert cut["kept_tokens"] + cut["lost_tokens"] == base["constant_tokens"]


def test_the_model_of_a_profile_decides_who_counts(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profiles = [{"id": "main", "model": "gpt-4o", "contextWindow": 64000, "maxOutputTokens": 900}]
    (workspace / "profiles.json").write_text(json.dumps(profiles))
    code, out, _ = report(capsys)
    assert code == 0
    assert "tokens: o200k_base\n" in out
    assert "profile main, model gpt-4o: window 64,000, 900 of it for the reply" in out
    assert "OpenAI caches from 1,024 tokens on in steps of 128" in out and "alone is below that" in out
    assert data(capsys)["counter"] == {"name": "o200k_base", "exact": True, "why": ""}


def test_a_package_with_errors_is_named_and_left_out(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skill = workspace / "skills" / "novel" / "demo" / "workers" / "write" / "SKILL.md"
    skill.write_text(skill.read_text().replace("id: write\n", "id: other\n"))
    code, out, err = report(capsys)
    assert code == 1 and "novel/demo" not in out
    assert err == "skillc: `novel/demo` has errors and is left out: `skillc check` names them\n"


def test_a_worker_without_segments_has_one_part(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    skill = workspace / "skills" / "novel" / "demo" / "workers" / "write" / "SKILL.md"
    skill.write_text(f"---\n{FRONT}---\n# 正文\n")
    (layout,) = data(capsys)["layouts"]
    assert [segment["id"] for segment in layout["segments"]] == ["inputs"]
    assert {cut["segment"] for cut in layout["cuts"]} == {"inputs"}


def test_the_examples_have_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = report(capsys, str(SKILLS))
    assert code == 0
    fronts = [
        path.read_text(encoding="utf-8").split("\n---\n")[0] for path in SKILLS.rglob("workers/*/SKILL.md")
    ]
    assert out.count("fixed prefix") == sum("\nactor: " not in front for front in fronts)
    assert "slides:" not in out


def test_a_worker_whose_segments_the_order_replaces_is_told_by_its_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is sent counts: the rows of the order, not the declared segments that they replace."""
    files = playing_files(YAML_ORDER)
    skill = f"{PLAYING}/workers/world-simulator/SKILL.md"
    declared = (
        'contextSegments:\n  - id: latest\n    tier: dynamic\n    tags: ["用户.最新输入"]\n'
        '  - id: all\n    tier: dynamic\n    tags: ["设计.实现机制", "对话.历史"]\n    policy: tail_tokens_500\n'
    )
    files[skill] = files[skill].replace("inputTags:", f"{declared}inputTags:", 1)
    monkeypatch.chdir(write(tmp_path, files))
    code, out, err = report(capsys, "--json")
    assert (code, err) == (0, "")
    workers = {worker["id"]: worker for worker in json.loads(out)["packages"][0]["workers"]}
    gm = workers["world-simulator"]
    (layout,) = gm["layouts"]
    rows = ["worker.persona", "设计.实现机制", "对话.历史", "用户.最新输入"]
    assert (gm["slot"], [segment["id"] for segment in layout["segments"]]) == ("gm", rows)
    assert [segment["tier"] for segment in layout["segments"]] == ["static", "static", "dynamic", "dynamic"]
    cuts = {cut["tag"]: (cut["segment"], cut["position"]) for cut in layout["cuts"]}
    assert cuts["设计.实现机制"] == ("设计.实现机制", 1) and cuts["用户.最新输入"] == ("用户.最新输入", 3)
    assert layout["unbounded"] == rows[1:] and layout["worst_tokens"] == layout["constant_tokens"]
    assert workers["mechanism"]["slot"] is None
    assert workers["role-decide"]["slot"] is None, "its slot is off: nothing is sent there"
    assert workers["role-decide"]["layouts"][0]["segments"][0]["id"] == "inputs"
    narrator = [segment["id"] for segment in workers["narrator"]["layouts"][0]["segments"]]
    assert narrator == ["worker.persona", "世界.事件", "角色.*.行动"], (
        "without the dialogue, which its slot does not get"
    )
    assert "as slot gm sends it, not as the worker declares it" in report(capsys)[1]

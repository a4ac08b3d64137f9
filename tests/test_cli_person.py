"""A session with a person alone: who answers the questions writes the replies of the workers, too."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from running import running_plan, startup, writes
from skillc.cli.playing import run_command
from skillc.runtime import RunnablePlan
from test_cli_conversation import Person

PLAN = running_plan({"w": {"inputs": ["需求"], "outputs": ["文.草稿"]}}, startup=startup("需求"))
TWO = running_plan({"w": {"outputs": ["文.草稿", "题.草稿"]}})
LOOSE = running_plan({"w": {"outputs": ["文.*.草稿"]}})


def play(folder: Path, *lines: str, plan: RunnablePlan = PLAN, **more: Any) -> tuple[int, str, list[str]]:
    """The exit code, the account and what was asked when a person types `lines`."""
    out, person = io.StringIO(), Person(*lines)
    more = {"interactive": True, "full": True, **more}
    code = run_command(plan, store_path=str(folder / "s.db"), out=out, prompt=person, **more)
    return code, out.getvalue(), person.asked


def test_the_person_reads_the_prompt_and_writes_the_text(tmp_path: Path) -> None:
    code, out, _ = play(tmp_path, "一场雨", ".", "雨下了", "", "一夜。", ".", "y")
    prompt = tmp_path / "prompts" / "w.md"
    assert code == 0 and f"(/file PATH takes it from a file); the prompt is in {prompt}" in out
    assert "一场雨" in prompt.read_text(encoding="utf-8")
    assert (
        out.endswith("confirmed 文.确认稿: 雨下了 …\n  雨下了\n\n  一夜。\n")
        or "  雨下了\n\n  一夜。\n" in out
    )


def test_each_tag_is_asked_for_and_a_blank_one_is_left_out(tmp_path: Path) -> None:
    code, out, asked = play(tmp_path, ".", "夜班", ".", "y", plan=TWO)
    assert code == 0 and "题.确认稿" in out and "文.确认稿" not in out
    assert asked[0].startswith("文.草稿, or the whole reply as JSON") and asked[1].startswith("题.草稿 ")


@pytest.mark.parametrize("plan", [PLAN, TWO], ids=["one", "two"])
def test_a_whole_reply_is_taken_as_one(tmp_path: Path, plan: RunnablePlan) -> None:
    intake = ["一场雨", "."] if plan is PLAN else []
    code, out, _ = play(tmp_path, *intake, writes({"文.草稿": "雨。"}, summary="短"), ".", "y", plan=plan)
    assert code == 0 and "  summary: 短" in out and "文.确认稿: 雨。" in out


def test_what_does_not_fit_is_asked_for_again_as_with_a_model(tmp_path: Path) -> None:
    bad = (writes({"别的": "雨"}), ".", '{"outputs": {"文.草稿": "雨', ".")
    code, out, _ = play(tmp_path, "一场雨", ".", *bad, "雨。", ".", "y")
    assert code == 0 and out.count("asking again") == 2 and "may not write `别的`" in out
    assert out.count("you write this reply") == 1


def test_json_that_is_no_reply_is_the_text_of_the_tag(tmp_path: Path) -> None:
    code, out, _ = play(tmp_path, "一场雨", ".", '{"天气": "雨"}', ".", "y")
    assert code == 0 and '{"天气": "雨"}' in out


def test_tags_that_are_not_fixed_need_the_whole_reply(tmp_path: Path) -> None:
    code, out, asked = play(tmp_path, writes({"文.一.草稿": "雨。"}), ".", "y", plan=LOOSE)
    assert code == 0 and "the reply is JSON" in out and asked[0].startswith("the reply ")


@pytest.mark.parametrize("lines", [("一场雨", "."), ("一场雨", ".", ".")])
def test_who_gives_no_reply_goes_on_later(tmp_path: Path, lines: tuple[str, ...]) -> None:
    code, out, _ = play(tmp_path, *lines)
    assert code == 0 and "was interrupted" in out and "resume with: skillc run" in out
    session = out.split("suspended: session ")[1].split()[0]
    code, out, _ = play(tmp_path, "雨。", ".", "y", resume=session)
    assert code == 0 and "文.确认稿: 雨。" in out


def test_a_finished_session_tells_where_its_texts_are(tmp_path: Path) -> None:
    plan = running_plan(
        {"w": {"outputs": ["文.草稿"]}, "end": {"inputs": ["文.确认稿"], "outputs": ["评.草稿"]}}
    )
    code, out, _ = play(tmp_path, "雨下了。\n夜里。", ".", "y", "好。", ".", "y", plan=plan, full=False)
    assert code == 0
    lines = out.splitlines()[-3:]
    assert lines[:2] == ["  confirmed 文.确认稿: 雨下了。 …", "  confirmed 评.确认稿: 好。"]
    assert lines[2].startswith("in full: skillc run") and lines[2].endswith(
        "--text (or --export FILE, as Markdown)"
    )
    session = lines[2].split("--resume ")[1].split()[0]
    file = tmp_path / "out.md"
    code, out, _ = play(tmp_path, plan=plan, resume=session, export=str(file), full=False)
    assert code == 0 and out.endswith(f"written to {file}\n")
    text = file.read_text(encoding="utf-8")
    assert text.endswith("## 文.确认稿\n\n雨下了。\n夜里。\n\n## 评.确认稿\n\n好。\n")
    code, out, _ = play(tmp_path, plan=plan, resume=session, export=str(tmp_path))
    assert code == 2 and "cannot write" in out


def test_what_is_hidden_is_not_among_the_finished_texts(tmp_path: Path) -> None:
    plan = running_plan({"w": {"outputs": ["核心.隐藏.草稿", "文.草稿"]}})
    file = tmp_path / "out.md"
    code, out, _ = play(tmp_path, "真相", ".", "雨。", ".", "y", plan=plan, export=str(file))
    assert code == 0 and "confirmed 文.确认稿" in out and "confirmed 核心" not in out
    assert "真相" not in file.read_text(encoding="utf-8")


def test_a_text_that_the_terminal_cut_is_refused_and_taken_from_a_file(tmp_path: Path) -> None:
    text = "雨" * 3000
    (tmp_path / "long.txt").write_text(text + "\n", encoding="utf-8")
    (tmp_path / "bad.txt").write_bytes(b"\xff")
    typed = ["雨" * 1365, ".", f"/file {tmp_path}/none", ".", f"/file {tmp_path}/bad.txt", "."]
    code, out, _ = play(tmp_path, "一场雨", ".", *typed, f"/file {tmp_path}/long.txt", ".", "y")
    assert code == 0 and out.endswith(f"  {text}\n")
    assert "terminals cut it" in out and "cannot read it" in out and "not UTF-8" in out

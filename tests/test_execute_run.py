"""`skillc run` at the terminal: the account, the script, the questions, the exit codes."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from running import needs, running_plan, startup
from skillc.cli.playing import run_command
from skillc.runtime import RunnablePlan

PLAN = running_plan(
    {
        "write": {
            "inputs": ["需求.核心要点", "用户.修改说明?"],
            "outputs": ["规则.草稿"],
            "name": "规则创作",
        },
        "infer": {"inputs": ["规则.草稿"], "outputs": ["验收.读者.记录"]},
    },
    {"infer": {"mode": "programmatic_review", "reviews": ["write"]}},
    startup=startup("需求.核心要点"),
    deliverables=[["规则", "确认稿"]],
)
SCRIPT: dict[str, Any] = {
    "user": [{"answer": "夜班便利店"}, {"reject": "短些"}, {"accept": True}],
    "replies": [
        {"worker": "write", "reply": {"outputs": {"规则.草稿": "一、不要回头。\n二、……"}, "summary": "两条"}},
        {"worker": "write", "reply": '```json\n{"outputs": {"规则.草稿": "一、不要回头。"}}\n```'},
        {"worker": "infer", "text": '{"outputs": {"验收.读者.记录": {"verdict": "pass"}}}'},
    ],
}
MODEL = [{"id": "p", "model": "m"}]
"""A model that is never asked: the session waits for the user before."""


class Terminal:
    """Runs a command on one store, keeps what it printed, and types what it is given."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "s.db")
        self.text = ""

    def run(self, plan: RunnablePlan = PLAN, typed: tuple[str, ...] | None = None, **more: Any) -> int:
        out = io.StringIO()
        lines = iter(typed or ())

        def prompt(text: str) -> str:
            out.write(text)
            try:
                line = next(lines)
            except StopIteration:
                raise EOFError from None
            out.write(line + "\n")
            return line

        code = run_command(
            plan, store_path=self.path, interactive=typed is not None, out=out, prompt=prompt, **more
        )
        self.text = re.sub(r"\b[0-9a-f]{12}\b", "ID", out.getvalue()).replace(self.path, "STORE")
        self.ids = re.findall(r"session ([0-9a-f]{12})", out.getvalue())
        return code


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def test_a_scripted_run_is_told_from_the_first_question_to_what_was_delivered(terminal: Terminal) -> None:
    assert terminal.run(script=SCRIPT) == 0
    assert (
        terminal.text
        == """\
session ID of novel/sample started
waiting (intake): the package asks
  > answer: 夜班便利店
play, round 1
run write 规则创作
  reads 需求.核心要点
  writes 规则.草稿: 一、不要回头。 …
  summary: 两条
waiting (review_artifact) · write 规则创作: do you accept what was written?
  > reject: 短些
  rejected 规则.草稿
run write 规则创作 again
  reads 需求.核心要点, 用户.修改说明
  writes 规则.草稿: 一、不要回头。
waiting (review_artifact) · write 规则创作: do you accept what was written?
  > accept
  promoted 规则.草稿 -> 规则.确认稿
run infer
  reads 规则.确认稿
  writes 验收.读者.记录: {"verdict":"pass"}
  verdict pass
  accepted 验收.读者.记录
done
  delivered 规则.确认稿: 一、不要回头。
in full: skillc run novel/sample --resume ID --text (or --export FILE, as Markdown)
"""
    )


def altered(**changes: object) -> Mapping[str, object]:
    return {**SCRIPT, **changes}


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (altered(replies=SCRIPT["replies"][:2]), "the script has no reply left, but `infer` asks for one"),
        (
            altered(replies=[*SCRIPT["replies"], SCRIPT["replies"][0]]),
            "the script has replies that nobody asked for: `write`",
        ),
        (
            altered(replies=[SCRIPT["replies"][2]]),
            "reply 1 of the script is for `infer`, but `write` asks",
        ),
        (
            altered(replies=[{"worker": "write", "error": "overloaded"}]),
            "the model failed for `write`: overloaded",
        ),
        (
            altered(user=SCRIPT["user"][:1]),
            "the script has no user entry left, but the session waits (review_artifact)",
        ),
        (
            altered(user=[*SCRIPT["user"], "accept"]),
            "the script has user entries that nobody asked for: accept",
        ),
        (
            altered(user=[{"accept": True}]),
            "user entry 1 of the script (`accept`) does not fit: "
            "`accept` is not possible while the session is waiting for the user (intake)",
        ),
    ],
)
def test_a_script_that_does_not_fit_fails_the_run_and_says_what_was_expected(
    terminal: Terminal, script: Mapping[str, object], sentence: str
) -> None:
    assert terminal.run(script=script) == 1
    assert f"error: {sentence}\n" in terminal.text


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ({"replies": [{"reply": "x"}]}, "the script does not fit: reply 1 needs `worker`"),
        ({"replis": []}, "the script does not fit: a script has no key `replis`; the nearest is `replies`"),
        (
            {"replies": [{"worker": "a", "outputs": {}}, {"worker": "b"}], "user": ["accept", {"say": "x"}]},
            "the script does not fit: reply 1 has no key `outputs`; the nearest is `text`; "
            "reply 2: it needs exactly one of `reply`, `text`, `error`; "
            "user entry 2: it is one of answer, accept, reject, input, edit, refused with its text",
        ),
        (
            {"replies": [{"worker": "a", "text": "x", "error": "y"}]},
            "the script does not fit: reply 1: it needs exactly one of `reply`, `text`, `error`",
        ),
        (
            {"user": [{"accept": "ja"}]},
            "the script does not fit: user entry 1: `accept` takes nothing but true",
        ),
        (
            {"rounds": "x"},
            "the script does not fit: a script, `rounds`: a whole number is wanted",
        ),
        ({"rounds": "0"}, "a session plays at least one round, not 0"),
    ],
)
def test_a_script_that_cannot_be_read_is_a_usage_error(
    terminal: Terminal, script: Mapping[str, object], sentence: str
) -> None:
    assert terminal.run(script=script) == 2
    assert f"error: {sentence}\n" in terminal.text


def test_without_anybody_to_answer_the_session_is_suspended_and_can_be_resumed(terminal: Terminal) -> None:
    assert terminal.run(profiles=MODEL) == 0
    assert (
        terminal.text
        == """\
session ID of novel/sample started
waiting (intake): the package asks
  写什么？
standard input is no terminal and was not read: answer at a terminal, or with --script FILE
suspended: session ID waits for the user (intake)
resume with: skillc run novel/sample --resume ID
"""
    )
    assert terminal.run(resume=terminal.ids[0], script=SCRIPT) == 0
    assert terminal.text.startswith("session ID of novel/sample resumed\nwaiting (intake)")
    assert "done\n  delivered 规则.确认稿: 一、不要回头。\n" in terminal.text


def test_a_person_answers_in_lines_and_says_yes_or_what_to_change(terminal: Terminal) -> None:
    model = {"replies": SCRIPT["replies"]}
    plan = PLAN
    assert terminal.run(plan, profiles=MODEL) == 0
    assert terminal.run(plan, ("第一行", "第二行", "."), resume=terminal.ids[0]) == 0
    assert terminal.text.endswith("resume with: skillc run novel/sample --resume ID\n")
    assert terminal.run(plan, script={**model, "user": [{"reject": "短些"}]}, resume=terminal.ids[0]) == 1
    assert terminal.run(plan, ("", "y"), resume=terminal.ids[0]) == 0
    assert "say y to accept, or what to change" in terminal.text
    assert "promoted 规则.草稿 -> 规则.确认稿" in terminal.text


def test_an_unknown_session_names_those_that_can_go_on(terminal: Terminal) -> None:
    terminal.run(script=SCRIPT)
    assert terminal.run(resume="000") == 2
    assert terminal.text.endswith("has no session `000`; of `novel/sample` can go on: none\n")
    terminal.run(profiles=MODEL)
    assert terminal.run(resume="000") == 2
    assert "of `novel/sample` can go on: ID (waits (intake), of 2" in terminal.text


def test_the_end_of_input_suspends(terminal: Terminal) -> None:
    assert terminal.run(profiles=MODEL) == 0
    assert terminal.run(typed=(), resume=terminal.ids[0]) == 0
    assert terminal.text.endswith("resume with: skillc run novel/sample --resume ID\n")


def test_a_model_that_fails_leaves_a_session_that_can_be_resumed(terminal: Terminal) -> None:
    bad = {"user": [{"answer": "店"}], "replies": [{"worker": "write", "reply": "不会"}] * 3}
    assert terminal.run(script=bad) == 1
    assert terminal.text.count("reply not usable (not-json)") == 2
    assert terminal.run(resume=terminal.ids[0], script=altered(user=SCRIPT["user"][1:])) == 0
    assert "done\n  delivered 规则.确认稿: 一、不要回头。\n" in terminal.text


def test_a_damaged_store_is_exit_code_3(terminal: Terminal) -> None:
    terminal.run()
    Path(terminal.path).write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert terminal.run() == 3
    assert terminal.text.startswith("error: the store `STORE` is corrupt: ")


def test_what_cannot_be_used_is_exit_code_2(terminal: Terminal) -> None:
    assert terminal.run(resume="nobody") == 2
    assert (
        terminal.text
        == "error: the store `STORE` has no session `nobody`; of `novel/sample` can go on: none\n"
    )
    assert terminal.run(board={"items": [{"tag": "a"}]}, script=SCRIPT) == 2
    assert terminal.text.startswith("error: the board cannot be used: ")
    assert terminal.run(profiles=[{"id": "p", "model": "m"}], profile="q") == 2
    assert terminal.text == "error: there is no profile `q`; there are `p`\n"
    terminal.run(script=altered(user=[]))
    assert terminal.run(resume=terminal.ids[0], board=needs({"a": "b"})) == 2


def test_a_change_of_the_asking_worker_must_be_accepted(terminal: Terminal) -> None:
    asking = {"w": {"inputs": ["用户.worker答复?"], "outputs": ["文.草稿"]}}
    changed = {"w": {"inputs": ["用户.worker答复?", "别的?"], "outputs": ["文.草稿"]}}
    ask = {"replies": [{"worker": "w", "reply": {"outputs": {}, "askUser": ["几条？"]}}]}
    assert terminal.run(running_plan(asking), script=ask) == 1
    session = terminal.ids[0]
    go_on = {
        "user": [{"answer": "五条"}, "accept"],
        "replies": [{"worker": "w", "reply": {"outputs": {"文.草稿": "一"}}}],
    }
    assert terminal.run(running_plan(changed), resume=session, script=go_on) == 1
    assert "worker `w` was compiled anew since it asked; give --accept-change to go on" in terminal.text
    assert terminal.run(running_plan(changed), resume=session, script=go_on, accept_change=True) == 0
    assert "compiled anew since it asked; accepted" in terminal.text


def test_workers_that_never_ran_are_named_with_what_they_lacked(terminal: Terminal) -> None:
    plan = running_plan({"w": {"inputs": ["没有.的"], "outputs": ["x"]}})
    assert terminal.run(plan, script={"replies": []}) == 0
    assert "  note: w never ran; missing: 没有.的\ndone\n" in terminal.text


def test_a_turn_of_the_user_shows_the_inputs_and_where_the_text_goes(terminal: Terminal) -> None:
    plan = running_plan({"turn": {"actor": "user", "inputs": ["场景"], "outputs": ["角色.用户.行动"]}})
    assert terminal.run(plan, ("要牌", ""), board=needs({"场景": "你有 15 点"})) == 0
    assert "your turn; it is written to 角色.用户.行动\n  场景\n  你有 15 点\n" in terminal.text
    assert "  writes 角色.用户.行动: 要牌\n" in terminal.text


HAND = {"turn": {"actor": "user", "inputs": ["场景.合法行动"], "outputs": ["角色.用户.行动"]}}
TABLE = needs({"场景.合法行动": "要牌、停牌"})


def test_a_script_tells_of_an_answer_that_is_refused_and_asked_for_again(terminal: Terminal) -> None:
    script = {"user": [{"refused": "弃牌"}, {"answer": "停牌"}]}
    assert terminal.run(running_plan(HAND), board=TABLE, script=script) == 0
    told = terminal.text[terminal.text.index("  > refused: 弃牌") :]
    assert told.startswith(
        "  > refused: 弃牌\n  `弃牌` is not possible; possible is `要牌`, `停牌`\nwaiting (worker_questions)"
    )
    assert "  writes 角色.用户.行动: 停牌\n" in told and "writes 角色.用户.行动: 弃牌" not in told


def test_an_answer_that_should_be_refused_and_is_taken_fails_the_run(terminal: Terminal) -> None:
    script = {"user": [{"refused": "要牌"}]}
    assert terminal.run(running_plan(HAND), board=TABLE, script=script) == 1
    assert "user entry 1 of the script should have been refused, and it was taken" in terminal.text


def test_what_a_worker_may_never_receive_is_not_called_missing(terminal: Terminal) -> None:
    plan = running_plan(
        {
            "judge": {"inputs": ["规则.隐藏"], "outputs": ["评"], "isolation": "blind_review"},
            "write": {"inputs": ["线索", "没有.的"], "outputs": ["文"], "denied": ["线索"]},
        }
    )
    terminal.run(plan, board=needs({"规则.隐藏": "密", "线索": "一"}), script={"replies": []})
    assert terminal.text.endswith(
        "  note: judge never ran; 规则.隐藏 is there, but never given to it (hidden under blind_review)\n"
        "  note: write never ran; missing: 没有.的; 线索 is there, but never given to it (禁止注入)\n"
        "done\n"
    )


def test_a_design_worker_that_was_skipped_is_named(terminal: Terminal) -> None:
    plan = running_plan(
        {
            "design": {"stage": "design", "inputs": ["需求"], "outputs": ["设计"]},
            "play": {"inputs": ["需求"], "outputs": ["文"]},
        },
        {"play": {"mode": "no_confirmation"}},
        ready={"prerequisites": [["需求"]], "condition": None},
    )
    script = {"replies": [{"worker": "play", "reply": {"outputs": {"文": "一"}}}]}
    terminal.run(plan, board=needs({"需求": "店"}), script=script)
    assert "  note: design never ran; the package was ready before its turn\n" in terminal.text

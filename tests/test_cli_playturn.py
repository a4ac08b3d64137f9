"""`skillc run` of a package that plays by slots: each turn is told from the input to what is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from playing import effect, seeded, turn_plan, without
from playing import fragment as design
from test_execute_run import Terminal

PLAN = turn_plan(without("design", "role-decide"))
RULE = effect(
    "入夜",
    "时辰",
    ">=",
    18,
    {"replace_tag": {"tag": "场景.投影.当前", "text": "夜"}},
    {"queue_worker": "chance"},
)
BOARD = seeded(设计_变量设计与更新规则=design(真值=[{"key": "时辰", "初值": 12}], side_effects=[RULE]))


def reply(worker: str, **outputs: object) -> dict[str, Any]:
    return {
        "worker": worker,
        "reply": {"outputs": {tag.replace("_", "."): text for tag, text in outputs.items()}},
    }


TURN = [
    reply("world-simulator", 世界_裁决_当前="门开了。"),
    reply("narrator", 输出_正文="风从门缝里进来。\n灯灭了。"),
    reply("auditor", 变量_更新=[{"key": "时辰", "value": 18}, {"key": "血量", "value": 1}]),
    reply("chance", 输出_机缘="远处有钟声。"),
]


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def test_a_script_edits_by_rows_too_and_null_is_null(terminal: Terminal) -> None:
    rows = [{"key": "幕后", "value": "甲", "visibility": "hidden"}, {"key": "血量", "value": "9", "rev": "0"}]
    last: dict[str, Any] = {"血量": None, "天": "", "旗": [1, {"a": "2"}]}
    user = [{"edit": rows}, {"edit": last}, {"input": "我推门"}]
    assert terminal.run(PLAN, script={"replies": TURN, "user": user}, board=BOARD) == 0
    assert (
        """\
  > edit: 幕后, 血量
  variable 幕后 = 甲
  variable 血量 = 9
  > edit: 血量, 天, 旗
  variable 血量 = null (was 9)
  variable 天 = ""
  variable 旗 = [1, {"a": "2"}]
"""
        in terminal.text
    )


@pytest.mark.parametrize("edit", ["9", ["9"], True])
def test_an_edit_is_a_mapping_or_rows(terminal: Terminal, edit: object) -> None:
    assert terminal.run(PLAN, script={"user": [{"edit": edit}]}, board=BOARD) == 2
    assert "`edit` takes a mapping of variables to their values, or a list of {key, value}" in terminal.text


def test_rows_that_do_not_fit_are_told_as_ever(terminal: Terminal) -> None:
    user = [{"edit": [{"key": "血量", "value": "9", "rev": "7"}]}]
    assert terminal.run(PLAN, script={"user": user}, board=BOARD) == 1
    assert "has no revision 7 yet" in terminal.text


def test_a_turn_is_told_from_the_input_to_what_is_shown(terminal: Terminal) -> None:
    user = [{"edit": {"血量": "10", "天": "阴"}}, {"input": "我推门"}]
    assert terminal.run(PLAN, script={"replies": TURN, "user": user}, board=BOARD) == 0
    assert (
        terminal.text
        == """\
session ID of novel/sample started
turn 1
waiting (input): your input for this round; nothing to skip it
  > edit: 血量, 天
  variable 血量 = 10
  variable 天 = 阴
  > input: 我推门
run world-simulator in slot gm
  reads 用户.最新输入, 变量.当前
  writes 世界.裁决.当前: 门开了。
  accepted 世界.裁决.当前
run narrator in slot narrator
  reads 世界.裁决.当前
  writes 输出.正文: 风从门缝里进来。 …
  accepted 输出.正文
run auditor in slot auditor
  reads 输出.正文, 变量.当前
  writes 变量.更新: [{"key":"时辰","value":18},{"key":"血量","value":1}]
  variable 时辰 = 18 (was 12)
  variable 血量 stays as you set it in this turn
  accepted 变量.更新
side effect 入夜
  writes 场景.投影.当前: 夜
  queues chance
run chance
  reads 世界.裁决.当前
  writes 输出.机缘: 远处有钟声。
  accepted 输出.机缘
shown:
  风从门缝里进来。
  灯灭了。

  远处有钟声。
done
  delivered 输出.正文: 风从门缝里进来。 …
  delivered 输出.机缘: 远处有钟声。
in full: skillc run novel/sample --resume ID --text (or --export FILE, as Markdown)
"""
    )


def test_rounds_are_turns(terminal: Terminal) -> None:
    script = {"replies": TURN + TURN[:3], "user": [{"input": "我推门"}, {"input": "我点灯"}], "rounds": 2}
    assert terminal.run(PLAN, script=script, board=BOARD) == 0
    assert [line for line in terminal.text.splitlines() if line.startswith("turn")] == ["turn 1", "turn 2"]
    assert terminal.text.count("shown:") == 2


def test_who_was_never_called_for_is_told_so(terminal: Terminal) -> None:
    script = {"replies": TURN[:3], "user": [{"input": ""}]}
    assert terminal.run(PLAN, script=script) == 0
    assert "note: chance never ran; it is no slot that is on, and no side effect called it" in terminal.text


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"edit": "血量"}, "`edit` takes a mapping of variables to their values"),
        (
            {"edit": {" ": "1"}},
            "user entry 1 of the script (`edit`) does not fit: `key` of entry 1 is no name",
        ),
    ],
)
def test_an_edit_that_does_not_fit_fails_the_run(
    terminal: Terminal, entry: dict[str, Any], message: str
) -> None:
    assert terminal.run(PLAN, script={"replies": TURN, "user": [entry, {"input": "x"}]}) != 0
    assert message in terminal.text


def test_a_script_with_edits_goes_on_where_it_stopped(terminal: Terminal) -> None:
    broken = [TURN[0], {"worker": "narrator", "error": "weg"}]
    user = [{"edit": {"血量": "10"}}, {"input": "我推门"}]
    assert terminal.run(PLAN, script={"replies": broken, "user": user}) == 1
    mended = {"replies": TURN[:3], "user": user}
    assert terminal.run(PLAN, script=mended, resume=terminal.ids[0]) == 0
    assert "> edit" not in terminal.text and "stays as you set it" in terminal.text

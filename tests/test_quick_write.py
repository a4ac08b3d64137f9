"""The package that gives everything to one worker: from one sentence to a text, with the whole board in view."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli import ROOT, examples, replace, skillc
from rehearsing import Rehearsal, killed, left_behind, rehearsed, replied, script_of
from skillc.runtime import Board
from test_examples import plan_of, read

PACKAGE = "novel/quick-write"
SKILL = f"skills/{PACKAGE}/workers/write/SKILL.md"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    return rehearsed(PACKAGE, tmp_path_factory.mktemp("played"))


def inputs(message: str) -> dict[str, Any]:
    """What the worker was given, by tag."""
    given: dict[str, Any] = json.loads(message)["inputs"]
    return given


def test_it_is_clean_but_for_what_it_says_of_itself() -> None:
    done = skillc("check", "--strict", f"skills/{PACKAGE}", "--format", "concise", cwd=ROOT)
    assert done.code == 0
    assert [line.split()[1:4] for line in done.out.splitlines()] == [["T041", "info", "whole-board:"]]


def test_one_sentence_one_note_one_text(played: Rehearsal) -> None:
    session = played.session
    assert [(run.worker, run.revision) for run in session.record.runs] == [("write", False), ("write", True)]
    first, second = replied(script_of(PACKAGE), "write", "正文.草稿")
    assert {item.tag: (item.content, item.status) for item in session.board.items if item.live} == {
        "用户.输入": (script_of(PACKAGE).user[0].value, "live"),
        "用户.修改说明": (script_of(PACKAGE).user[1].value, "live"),
        "需求.摘要": (replied(script_of(PACKAGE), "write", "需求.摘要")[1], "accepted"),
        "正文.确认稿": (second, "accepted"),
    }
    assert [item.content for item in session.deliverables()] == [second] != [first]
    assert "「我就住对面，」她说，「你还要走回去呢。」" in first and first != second
    assert second.split("到底站的灯坏了一半")[1] == first.split("到底站的灯坏了一半")[1], "the umbrella stays"


def test_it_never_asks_again(played: Rehearsal) -> None:
    assert [one.reason for one in played.asked] == ["intake", "review_artifact", "review_artifact"]


def test_it_is_shown_the_whole_board_with_what_a_host_put_there() -> None:
    data = read(f"skills/{PACKAGE}/contexts/rework.yaml")
    extra = {"tag": "资料.线路.旧站表", "source": "host", "content": "十四路：纺织厂、电影院、河沿一站"}
    board = Board.from_data({**data, "items": [*data["items"], extra]})
    context = plan_of(PACKAGE).assemble("write", board)
    given = inputs(context.messages[-1]["content"])
    assert {item["tag"]: item["content"] for item in (*data["items"], extra)} == given
    assert set(context.reads) == set(given)


def test_of_the_board_it_is_shown_only_what_lives() -> None:
    board = Board()
    board.write("用户.输入", "一个夜班司机", "user")
    old = board.write("正文.草稿", "旧稿，写坏了", "write")
    gone = board.write("需求.摘要", "听岔了", "write")
    board.set_status(gone.id, "rejected")
    new = board.write("正文.草稿", "新稿", "write")
    confirmed = board.write("正文.确认稿", "新稿", "write", dependencies=(new.id,))
    board.set_status(new.id, "superseded", confirmed.id)
    board.write("用户.修改说明", "第一句太长", "user")
    board.write("用户.修改说明", "结尾再短", "user")
    assert not old.live
    given = inputs(plan_of(PACKAGE).assemble("write", board).messages[-1]["content"])
    assert given == {
        "用户.输入": "一个夜班司机",
        "正文.确认稿": "新稿",
        "用户.修改说明": "第一句太长\n\n结尾再短",
    }


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('  - "需求.摘要"\n', '  - "**"\n', "let it write every tag there is"),
        (
            "stage: play\n",
            "stage: play\ncontextIsolation: blind_review\n",
            "reads the whole board, hidden tags",
        ),
    ],
)
def test_to_write_everything_or_to_read_everything_blind_is_an_error(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    examples(tmp_path, PACKAGE)
    replace(tmp_path / SKILL, old, new, 1)
    done = skillc("check", "quick-write", "--format", "concise", cwd=tmp_path)
    assert done.code == 1 and "T041 error whole-board" in done.out and said in done.out


@pytest.mark.parametrize("every", [1, 2, 3])
def test_a_session_that_dies_anywhere_ends_as_one_that_did_not(
    played: Rehearsal, tmp_path: Path, every: int
) -> None:
    assert left_behind(killed(PACKAGE, tmp_path, every)) == left_behind(played.session)

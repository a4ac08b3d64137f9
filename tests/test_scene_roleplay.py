"""The scene with roles that a user may take over: who plays whom, who knows what, and what counts as having happened."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli import ROOT, skillc
from rehearsing import Rehearsal, killed, left_behind, rehearsed, replied, script_of, text_of
from skillc.execute.models.protocol import Request
from skillc.runtime import Board
from test_examples import context_of, plan_of, read
from test_examples import text_of as shown_on

PACKAGE = "dialogue/scene-roleplay"
FOLDER = f"skills/{PACKAGE}"
ROLES = ("林晚", "周叔", "小秦")
CASTS = (("周叔", "小秦"), ("林晚", "周叔", "小秦"), ("林晚", "周叔"))
PRIVATE = ("设定.确认稿", "记忆", "信念", "思考", "台词.候选", "代言.当前")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    return rehearsed(PACKAGE, tmp_path_factory.mktemp("played"))


def sentences(text: str) -> list[str]:
    """The parts of a text that nobody says by accident."""
    return [part for part in re.split(r"[，。：；？！「」\n]|甲|乙", text) if len(part.strip()) >= 6]


def calls(played: Rehearsal, worker: str) -> list[Request]:
    return [call for call in played.calls if call.worker == worker]


def adopted(played: Rehearsal) -> list[list[dict[str, str]]]:
    """The record of each round."""
    return [json.loads(text) for text in played.texts("采用.记录")]


def test_it_has_no_error_and_no_warning() -> None:
    done = skillc("check", "--strict", FOLDER, "--format", "concise", cwd=ROOT)
    assert done.code == 0, done.out
    infos = {line.split()[3].rstrip(":") for line in done.out.splitlines()}
    assert infos == {"feedback-loop", "updates-in-place"}


# Who plays whom


def test_a_role_that_the_user_has_taken_over_is_played_by_no_model(played: Rehearsal) -> None:
    runs = [(run.round, run.role) for run in played.session.record.runs if run.worker == "role-decide"]
    assert runs == [(number, role) for number, cast in enumerate(CASTS, 1) for role in cast]
    assert "user-act" not in {call.worker for call in played.calls}
    assert [tuple(text.split()) for text in played.texts("场景.扮演名单.当前")] == list(CASTS)


def test_what_the_user_says_is_kept_and_shown_word_for_word(played: Rehearsal) -> None:
    said = [str(entry.value) for entry in script_of(PACKAGE).user if entry.action == "answer"][1:]
    assert played.texts("用户.行动输入") == said
    told = played.texts("输出.场景反馈")
    for words, text in (("闸是你下去看的，真是跳了？", told[0]), ("我小时候手就细。", told[2])):
        assert any(words in one for one in said) and f"「{words}」" in text


def test_a_line_that_the_user_lends_is_shown_to_that_role_alone_and_spoken_as_it_is(
    played: Rehearsal,
) -> None:
    lent = "钥匙一直在我这里。"
    shown = {call.role: text_of(call) for call in calls(played, "role-decide")[2:5]}
    assert [role for role, text in shown.items() if lent in text] == ["周叔"]
    assert f"「{lent}」" in played.texts("角色.周叔.台词.候选")[1]
    assert f"「{lent}」" in played.texts("输出.场景反馈")[1]
    assert lent not in text_of(calls(played, "role-decide")[-1]).split("这一轮你必须说的一句")[1], "once"


def test_a_role_that_is_given_back_remembers_what_the_user_played(played: Rehearsal) -> None:
    lin = next(call for call in calls(played, "role-decide") if call.role == "林晚")
    assert "我点了蜡烛，问周叔闸是不是真跳了" in text_of(lin)


def test_the_user_is_shown_the_page_of_the_role_that_he_plays_and_no_other(played: Rehearsal) -> None:
    first, second, third = played.prompts("user-act")
    own, *others = (
        replied(script_of(PACKAGE), "setup-cards", f"角色.{role}.设定.草稿")[-1] for role in ROLES
    )
    assert "你接管的是林晚" in first and "定金上个月就收了" in first and "定金上个月就收了" in own
    assert "我点了蜡烛" in second and "林晚：用户" in second
    assert "你在旁观" in third and "定金" not in third
    for prompt in (first, second, third):
        assert not any(part in prompt for text in others for part in sentences(text))


# Who knows what


def test_no_byte_of_what_is_private_to_a_role_reaches_another(played: Rehearsal) -> None:
    """Thoughts, papers, memories, beliefs, lines not yet spoken: each request of a role against those of the others."""
    board = played.session.board
    runs = [run for run in played.session.record.runs if run.worker == "role-decide"]
    for run, call in zip(runs, calls(played, "role-decide"), strict=True):
        assert run.role == call.role
        others = [
            item
            for item in board.items
            if item.tag.split(".")[0] == "角色" and item.tag.split(".")[1] not in (call.role, "用户")
        ]
        assert {item.tag.split(".", 2)[2] for item in others} > {*PRIVATE}
        assert not {item.id for item in others} & {*run.used}
        for item in others:
            if item.tag.endswith((".思考", ".设定.确认稿", ".信念")):
                assert not any(part in text_of(call) for part in sentences(item.content)), item.tag


def test_a_role_never_sees_what_it_thought_itself(played: Rehearsal) -> None:
    thoughts = [
        part for role in ROLES for text in played.texts(f"角色.{role}.思考") for part in sentences(text)
    ]
    assert len(thoughts) > 15
    for call in played.calls:
        assert not any(part in text_of(call) for part in thoughts), call.worker


def test_what_the_scene_hides_is_known_to_the_world_alone(played: Rehearsal) -> None:
    (hidden,) = replied(script_of(PACKAGE), "setup-secrets", "场景.隐藏信息")
    parts = sentences(hidden.replace("露着的角：柜台左手的抽屉关不严，总留着一线", ""))
    for call in calls(played, "world-engine"):
        assert hidden.strip() in text_of(call)
    state = played.texts("世界.隐藏状态")
    for call in played.calls:
        if call.worker not in ("world-engine", "setup-secrets"):
            assert hidden.strip() not in text_of(call)
            assert not any(text.strip() in text_of(call) for text in state)
    before = [call for call in played.calls if call.worker in ("role-decide", "narrator", "brief-user")][:7]
    for call in before:
        assert not any(part in text_of(call) for part in parts), call.worker


def test_it_comes_out_step_by_step_when_somebody_touches_it(played: Rehearsal) -> None:
    scenes = [item.content for item in played.session.board.items if item.tag == "场景.可见信息"]
    assert ["纸边" in text for text in scenes] == [False, False, True, False]
    assert ["转让" in text for text in scenes] == [False, False, False, True]
    assert "转让" not in "".join(text_of(call) for call in calls(played, "role-decide"))
    assert ["碰到：还没有" in text for text in played.texts("世界.隐藏状态")] == [True, True, False, False]


@pytest.mark.parametrize(("board", "own"), [("decide-first-zhou", "周叔"), ("decide-second-lin", "林晚")])
def test_on_a_board_with_everything_a_role_is_shown_its_own(board: str, own: str) -> None:
    path = f"{FOLDER}/contexts/{board}.yaml"
    data = read(path)
    shown = shown_on(context_of(path))
    texts: dict[str, str] = {item["tag"]: item["content"] for item in data["items"]}
    assert texts["场景.隐藏信息"] not in shown and texts["世界.隐藏状态"] not in shown
    for role in ROLES:
        assert (texts[f"角色.{role}.设定.确认稿"].strip() in shown) == (role == own)
    board_ = Board.from_data(data)
    for role in set(ROLES) - {own}:
        board_.write(f"角色.{role}.思考", "她不知道我知道她知道", "role-decide")
        board_.write(f"角色.{role}.台词.候选", "这句话谁也没有听见", "role-decide")
    board_.write("场景.隐藏信息", "墙里还有一本账", "setup-secrets")
    again = shown_on(plan_of(PACKAGE).assemble("role-decide", board_, role=own))
    assert again == shown


# What counts as having happened


def test_the_record_says_of_every_candidate_whether_it_was_written(played: Rehearsal) -> None:
    for number, (record, text) in enumerate(zip(adopted(played), played.texts("输出.场景反馈"), strict=True)):
        counted = {(row["候选"].split(".")[1], row["哪一句"]) for row in record}
        wanted = {(role, which) for role in CASTS[number] for which in _offered(played, number, role)}
        assert counted == wanted and len(record) == len(wanted)
        for row in record:
            assert (row["采用"] == "否") == (row["原字"] == "")
            assert row["原字"] in text
            if row["采用"] != "否" and row["哪一句"] != "动作":
                assert row["原字"] in _line(played, number, row)


def test_what_was_not_written_is_in_nobodys_memory_and_in_no_later_context(played: Rehearsal) -> None:
    dropped: list[tuple[int, str]] = []
    for number, record in enumerate(adopted(played)):
        dropped += [(number, _line(played, number, row)) for row in record if row["采用"] == "否"]
    assert len(dropped) == 7 and ("不过我不急" in played.texts("角色.小秦.台词.候选")[0])
    dropped.append((0, "不过我不急"))
    kept = "".join(
        text for role in ROLES for what in ("记忆", "信念") for text in played.texts(f"角色.{role}.{what}")
    )
    for number, line in dropped:
        assert line not in kept
        assert not any(line in text_of(call) for call in calls(played, "role-decide")), (number, line)
        assert not any(line in text_of(call) for call in calls(played, "keep-minds"))


def test_what_is_quoted_in_a_memory_stands_in_the_text(played: Rehearsal) -> None:
    told = "".join(played.texts("输出.场景反馈")).replace("「", "").replace("」", "")
    for role in ROLES:
        for quoted in re.findall(r"「(.+?)」", played.texts(f"角色.{role}.记忆")[-1]):
            assert quoted in told, (role, quoted)


def test_who_keeps_the_memories_sees_no_candidate_and_no_role_s_papers(played: Rehearsal) -> None:
    for run in played.session.record.runs:
        if run.worker == "keep-minds":
            tags = set(run.reads)
            assert not {tag for tag in tags if tag.endswith((".候选", ".设定.确认稿", ".思考"))}
            assert {"采用.记录", "输出.场景反馈"} <= tags


def _line(played: Rehearsal, number: int, row: dict[str, str]) -> str:
    role = row["候选"].split(".")[1]
    return _offered(played, number, role)[row["哪一句"]]


def _offered(played: Rehearsal, number: int, role: str) -> dict[str, Any]:
    """The candidates of a role in a round: the act, and the lines by their letter."""
    at = sum(role in cast for cast in CASTS[:number])
    lines = re.findall(r"(甲|乙)：「(.+)」", played.texts(f"角色.{role}.台词.候选")[at])
    return {"动作": played.texts(f"角色.{role}.行动.候选")[at], **dict(lines)}


# Whole


def test_the_card_is_confirmed_once_it_is_right(played: Rehearsal) -> None:
    assert len(played.texts("角色卡.确认稿")) == 1
    assert not any("催款函" in text for text in played.texts("角色.小秦.设定.确认稿"))
    live = [item.tag for item in played.session.board.items if item.live and "催款函" in item.content]
    assert live == []


@pytest.mark.parametrize("every", [1, 6, 11])
def test_a_session_that_dies_anywhere_ends_as_one_that_did_not(
    played: Rehearsal, tmp_path: Path, every: int
) -> None:
    assert left_behind(killed(PACKAGE, tmp_path, every)) == left_behind(played.session)

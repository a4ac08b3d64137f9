"""The long novel as a publisher makes it: nothing reaches the user before two reviews have passed it, nothing is kept
before he has said yes, and who reads as a reader knows nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli import ROOT, skillc
from rehearsing import Rehearsal, killed, left_behind, rehearsed, replied, script_of, text_of
from skillc.execute.readiness import is_ready
from skillc.runtime import Board
from test_examples import context_of, plan_of, read
from test_examples import text_of as shown_on

PACKAGE = "novel/novel-standard"
FOLDER = f"skills/{PACKAGE}"
DRAFT, FINAL = "章节.初稿.当前", "正文.草稿"
REVIEWERS = ("review-continuity", "review-reader")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    return rehearsed(PACKAGE, tmp_path_factory.mktemp("played"))


def test_it_has_no_error_and_no_warning() -> None:
    done = skillc("check", "--strict", FOLDER, "--format", "concise", cwd=ROOT)
    assert done.code == 0, done.out
    assert {line.split()[3] for line in done.out.splitlines()} == {"feedback-loop:", "updates-in-place:"}


def test_the_stations_of_two_chapters(played: Rehearsal) -> None:
    runs = [(run.worker, run.verdict) for run in played.session.record.runs]
    write, continuity, reader = "write-chapter", *REVIEWERS
    assert runs == [
        *(("setting", None), ("outline", None), ("review-outline", "pass")),
        *(("plan-chapter", None), (write, None), (continuity, "fail")),
        *((write, None), (continuity, "pass"), (reader, "pass")),
        *(("proof", None), ("proof", None), ("archive", None)),
        *(("plan-chapter", None), (write, None), (continuity, "fail")),
        *((write, None), (continuity, "pass"), (reader, "fail")),
        *((write, None), (continuity, "pass"), (reader, "pass")),
        *(("proof", None), ("archive", None)),
    ]


def test_play_begins_only_when_the_structure_has_passed() -> None:
    """The user's yes to the outline is not enough."""
    board = Board()
    board.write("需求.核心要点", "x", "user")
    for tag in ("项目.设定", "大纲.确认稿", "大纲.隐藏伏笔"):
        board.set_status(board.write(tag, "x", "outline").id, "accepted")
    assert not is_ready(plan_of(PACKAGE), board)
    review = board.write("验收.大纲.记录", '{"verdict": "fail"}', "review-outline")
    assert not is_ready(plan_of(PACKAGE), board)
    board.set_status(review.id, "accepted")
    assert is_ready(plan_of(PACKAGE), board)


def test_the_user_is_shown_nothing_that_a_review_would_send_back(played: Rehearsal) -> None:
    shown = [
        item.content
        for one in played.asked
        for item in played.session.board.items
        if one.reason == "review_artifact" and item.id in one.items
    ]
    assert not any(text in shown for text in played.texts(DRAFT))
    spoiled = ("他念出标签上的字：当归。", "这药是给下游的伤兵用的", "谁都看得出来那里面装的不是当归")
    for words in spoiled:
        assert any(words in text for text in played.texts(DRAFT))
        assert not any(words in text for text in (*shown, *played.texts("正文.确认稿")))
        assert not any(words in text_of(call) for call in played.calls if call.worker in ("proof", "archive"))


def test_who_wrote_is_told_what_was_wrong_and_changes_that_alone(played: Rehearsal) -> None:
    drafts, told = played.texts(DRAFT), played.shown("write-chapter")
    assert len(drafts) == len(told) == 5
    for number in (1, 3, 4):
        assert drafts[number - 1].strip() in told[number]
    first, second = drafts[0].splitlines(), drafts[1].splitlines()
    assert len(first) == len(second)
    assert sum(one != other for one, other in zip(first, second, strict=True)) == 1
    assert "设定：阿青不识字" in told[1] and "凭" in told[4]


def test_every_failed_review_quotes_the_draft_that_it_failed(played: Rehearsal) -> None:
    drafts = iter(played.texts(DRAFT))
    draft = ""
    for run in played.session.record.runs:
        if run.worker == "write-chapter":
            draft = next(drafts)
        if run.worker in REVIEWERS and run.verdict == "fail":
            (record,) = (item.content for item in played.session.board.items if item.id in run.items)
            for row in json.loads(record)["问题"]:
                assert row["原句"] in draft and row["要求"]
        if run.worker == "review-reader" and run.verdict == "pass":
            (record,) = (item.content for item in played.session.board.items if item.id in run.items)
            assert json.loads(record)["往下翻"] in draft


def test_the_reader_knows_the_two_chapters_and_nothing_else(played: Rehearsal) -> None:
    base = "西药"
    (secret,) = played.texts("大纲.隐藏伏笔")
    assert base in secret
    for run in played.session.record.runs:
        if run.worker == "review-reader":
            assert {*run.reads} <= {"正文.确认稿", DRAFT}
    for shown in played.shown("review-reader"):
        assert base not in shown and "伤兵医院" not in shown
    data = read(f"{FOLDER}/contexts/reader-second.yaml")
    shown = shown_on(context_of(f"{FOLDER}/contexts/reader-second.yaml"))
    texts = {item["tag"]: item["content"] for item in data["items"]}
    for tag in ("大纲.隐藏伏笔", "大纲.确认稿", "项目.设定", "章节.计划.当前", "验收.连贯.记录"):
        assert texts[tag].strip() not in shown
    board = Board.from_data(data)
    board.write("大纲.隐藏伏笔", "那一格里是西药", "outline")
    assert shown_on(plan_of(PACKAGE).assemble("review-reader", board)) == shown


@pytest.mark.parametrize("worker", ["write-chapter", "proof", "review-reader"])
def test_what_lies_under_the_story_reaches_a_text_by_declared_ways_alone(worker: str) -> None:
    assert skillc("leak", "大纲.隐藏伏笔", "--to", f"{PACKAGE}:{worker}", cwd=ROOT).code == 0
    for entry in plan_of(PACKAGE).workers[worker].inputs:
        assert "隐藏" not in ".".join(map(str, entry.pattern.parts))


def test_what_is_kept_comes_from_what_was_confirmed(played: Rehearsal) -> None:
    board = played.session.board
    for run in played.session.record.runs:
        if run.worker == "archive":
            used = {item.tag for id in run.used if (item := board.get(id)) is not None}
            assert "正文.确认稿" in used and not used & {DRAFT, FINAL, "章节.计划.当前"}
    for text in (*played.texts("记忆.长期摘要"), *played.texts("记忆.人物.当前")):
        assert "西药" not in text and "镜子" not in text


def test_the_user_sends_one_sentence_back_and_gets_one_sentence_changed(played: Rehearsal) -> None:
    first, second = replied(script_of(PACKAGE), "proof", FINAL)[:2]
    assert first.splitlines()[:-1] == second.splitlines()[:-1]
    assert "镜子" in first and "镜子" not in second and "抹布还搭在锁上" in second


def test_a_chapter_is_told_from_the_last_by_its_number(played: Rehearsal) -> None:
    """In the second chapter the newest draft on the board is that of the first: the first line says so."""
    shown = played.shown("write-chapter")[2]
    plan, last = played.texts("章节.计划.当前")[1], played.texts(DRAFT)[1]
    assert plan.startswith("章：第二章") and last.startswith("第一章")
    assert plan.strip() in shown and last.strip() in shown
    assert "章号与细纲相同，是被退回的；不同，是上一章的" in shown
    for text in (*played.texts(DRAFT), *played.texts("正文.确认稿")):
        assert text.startswith(("第一章　第七排\n", "第二章　初七\n"))


def test_the_book_is_its_chapters_in_order(played: Rehearsal) -> None:
    finals = replied(script_of(PACKAGE), "proof", FINAL)
    assert [item.content for item in played.session.deliverables()] == [finals[1], finals[2]]


@pytest.mark.parametrize("every", [1, 5, 9])
def test_a_session_that_dies_anywhere_ends_as_one_that_did_not(
    played: Rehearsal, tmp_path: Path, every: int
) -> None:
    assert left_behind(killed(PACKAGE, tmp_path, every)) == left_behind(played.session)

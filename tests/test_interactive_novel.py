"""The long novel that is written in rounds: what was confirmed is remembered, what was not is not, and only that is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli import ROOT, Done, examples, skillc
from rehearsing import Rehearsal, killed, left_behind, rehearsed, replied, script_of, text_of
from skillc.execute.session import Session
from skillc.execute.store import open_store
from test_examples import context_of, plan_of, read
from test_examples import text_of as shown_on

PACKAGE = "novel/interactive-novel"
FOLDER = f"skills/{PACKAGE}"
SCRIPT = f"{FOLDER}/scripts/demo.yaml"
ROUND = ["understand", "confirm-intent", "steer", "write"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    return rehearsed(PACKAGE, tmp_path_factory.mktemp("played"))


def drafts() -> list[str]:
    return replied(script_of(PACKAGE), "write", "正文.草稿")


def refused_words() -> str:
    """What only the refused draft says."""
    first, second, *_ = drafts()
    assert first.startswith(second.rstrip("\n"))
    return first.removeprefix(second.rstrip("\n")).strip()


def test_it_has_no_error_and_no_warning() -> None:
    done = skillc("check", "--strict", FOLDER, "--format", "concise", cwd=ROOT)
    assert done.code == 0, done.out
    assert {line.split()[3] for line in done.out.splitlines()} == {"feedback-loop:", "updates-in-place:"}


def test_who_runs_in_three_rounds_with_a_question_a_rejection_and_a_failed_check(played: Rehearsal) -> None:
    runs = [(run.worker, run.revision) for run in played.session.record.runs]
    assert [worker for worker, _ in runs] == [
        *("setup", "setup", "outline"),
        *(*ROUND, "write", "remember", "remember"),
        *(*ROUND, "remember"),
        *(*ROUND, "remember"),
    ]
    assert [worker for worker, again in runs if again] == ["write", "remember"]
    assert [run.verdict for run in played.session.record.runs if run.verdict] == [
        "fail",
        "pass",
        "pass",
        "pass",
    ]


def test_the_user_is_asked_by_the_user_and_not_by_a_model(played: Rehearsal) -> None:
    script = script_of(PACKAGE)
    assert "confirm-intent" not in {call.worker for call in played.calls}
    assert played.texts("用户.确认结果") == [
        entry.value for entry in script.user if str(entry.value).startswith(("照此", "不是去问人"))
    ]
    prompts = played.prompts("confirm-intent")
    for prompt, meaning in zip(prompts, replied(script, "understand", "用户.意图转述"), strict=True):
        assert meaning.strip() in prompt
    assert "甲：" in prompts[1] and "乙：" in prompts[1]


def test_what_the_user_corrects_counts_and_not_how_he_was_understood(played: Rehearsal) -> None:
    steered = played.shown("steer")[2]
    wrong, right = "问老魏椅子在哪里", "不是去问人。她谁也不问"
    assert steered.index(wrong) < steered.index(right), "what he confirmed stands last"
    for worker in ("write", "remember"):
        assert wrong not in played.shown(worker)[-1]


def test_the_draft_that_was_refused_reaches_nobody_but_who_writes_it_anew(played: Rehearsal) -> None:
    words = refused_words()
    assert words == "椅子上坐过的人只能是母亲。"
    seen = [number for number, call in enumerate(played.calls) if words in text_of(call)]
    assert [played.calls[number].worker for number in seen] == ["write"]
    assert "用户历来的修改意见" in text_of(played.calls[seen[0]])


def test_no_draft_ever_enters_memory(played: Rehearsal) -> None:
    board = played.session.board
    kept = [item for item in board.items if "记忆" in item.tag.split(".") or item.tag == "正文.续写锚点"]
    assert kept and all("母亲" not in item.content for item in kept)
    for run in played.session.record.runs:
        if run.worker == "remember":
            used = [board.get(id) for id in run.used]
            tags = {item.tag for item in used if item is not None}
            assert {"正文.确认稿", "事件.确认稿"} <= tags
            assert not {tag for tag in tags if tag.endswith((".草稿", ".候选", ".候选修改"))}


def test_a_later_round_reads_what_was_confirmed_of_all_earlier_ones(played: Rehearsal) -> None:
    third = played.shown("write")[-1]
    for chapter in ("第一段", "第二段"):
        (memory,) = (text for text in played.texts("记忆.确认稿") if text.startswith(chapter))
        assert memory.strip() in third
    assert drafts()[2].strip() in third, "the last chapter as it was confirmed"
    assert drafts()[1].strip() not in third, "earlier ones only as memory"


def test_what_the_check_of_the_memory_found_wrong_is_in_no_memory(played: Rehearsal) -> None:
    board, wrong = played.session.board, "底片本有十八张"
    (first, second, *_) = replied(script_of(PACKAGE), "remember", "记忆.草稿")
    assert wrong in first and wrong not in second
    assert all(wrong not in text for text in played.texts("记忆.确认稿"))
    assert [item.tag for item in board.items if item.live and wrong in item.content] == []
    assert not any(wrong in text for text in (*played.shown("write"), *played.shown("understand")))


def test_every_fact_of_the_memory_has_its_words_in_what_was_confirmed(played: Rehearsal) -> None:
    chapters = {text.split("\n", 1)[0]: text for text in played.texts("正文.确认稿")}
    for memory in played.texts("记忆.确认稿"):
        head, *facts = memory.strip().splitlines()
        assert len(facts) >= 4
        for fact in facts:
            quoted = re.search(r"（「(.+?)」）$", fact)
            assert quoted and quoted[1] in chapters[head], fact
    for record in played.texts("验收.记忆.记录"):
        data = json.loads(record)
        assert (data["verdict"] == "pass") == all(row["判断"] == "有" for row in data["回查"])


def test_the_anchor_is_the_end_of_the_text_letter_by_letter(played: Rehearsal) -> None:
    ends = [text.strip().replace("\n", "") for text in played.texts("正文.确认稿")]
    anchors = [re.search(r"原句：(.+)", text) for text in played.texts("正文.续写锚点")[1:]]
    for end, anchor in zip(ends, anchors, strict=True):
        assert anchor and end.endswith(anchor[1])


def test_all_chapters_are_delivered(played: Rehearsal) -> None:
    assert [item.content for item in played.session.deliverables()] == drafts()[1:]


def test_a_blank_beginning_is_no_way_to_start(tmp_path: Path) -> None:
    """The inquiry has two targets: what is wanted, and what is there already."""
    session = Session.open(open_store(str(tmp_path / "s.db")), plan_of(PACKAGE))
    session.advance()
    assert session.pending and session.pending.targets == ("用户.原始输入", "正文.原文")
    assert session.answer("一部慢的长篇").status == "written"
    session.advance()
    assert session.pending and session.pending.targets == ("正文.原文",)
    assert session.answer(" ").refused and session.answer("没有").status == "written"


def until(round_: int) -> dict[str, Any]:
    """The script up to the end of a round: what was to come is not written yet."""
    script = read(SCRIPT)
    said = [at for at, entry in enumerate(script["user"]) if "input" in entry]
    begun = [at for at, entry in enumerate(script["replies"]) if entry["worker"] == "understand"]
    users, replies = ([*said, None][round_], [*begun, None][round_])
    return {**script, "user": script["user"][:users], "replies": script["replies"][:replies]}


def test_three_rounds_each_taken_up_by_the_id_of_the_session(tmp_path: Path, played: Rehearsal) -> None:
    """Each evening one round, by a command of its own; the session is all that is left in between."""
    examples(tmp_path, PACKAGE)
    session_id, evenings = "", []
    for round_ in (1, 2, 3):
        path = tmp_path / f"evening-{round_}.json"
        path.write_text(json.dumps(until(round_), ensure_ascii=False), encoding="utf-8")
        resume = ("--resume", session_id) if session_id else ()
        done = skillc("run", PACKAGE, "--script", str(path), "--store", "s.db", *resume, cwd=tmp_path)
        evenings.append(done)
        session_id = session_id or done.out.split("session ")[1].split()[0]
    assert [done.code for done in evenings] == [1, 1, 0], "a script that ends before its session says so"
    for done in evenings[:2]:
        assert "no user entry left, but the session waits (input)" in done.out
    assert _runs(evenings[1]) == [*ROUND, "remember"] == _runs(evenings[2])
    store = open_store(str(tmp_path / "s.db"))
    (summary,) = store.sessions()
    assert (summary.id, summary.phase) == (session_id, "done")
    texts = [item.content for item in store.load(session_id).items]
    assert texts == [item.content for item in played.session.board.items]


def _runs(done: Done) -> list[str]:
    return [line.split()[1] for line in done.out.splitlines() if line.startswith("run ")]


@pytest.mark.parametrize("every", [1, 4, 7])
def test_a_session_that_dies_anywhere_ends_as_one_that_did_not(
    played: Rehearsal, tmp_path: Path, every: int
) -> None:
    assert left_behind(killed(PACKAGE, tmp_path, every)) == left_behind(played.session)


def test_the_boards_of_the_snapshots_are_moments_of_the_script(played: Rehearsal) -> None:
    sent = {(call.worker, text_of(call)) for call in played.calls}
    cases = sorted((ROOT / FOLDER / "contexts").glob("*.yaml"))
    assert len(cases) == 7
    for case in cases:
        board = case.relative_to(ROOT).as_posix()
        worker = read(board)["worker"]
        if worker != "confirm-intent":
            assert (worker, shown_on(context_of(board))) in sent, case.name

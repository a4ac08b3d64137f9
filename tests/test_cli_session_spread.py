"""`skillc session start`, `answer`, `suspend`, `wake`: sessions that hosts move on, from the command line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cli import SKILLS, Done, skillc, skillc_process
from hosting import chat_server
from running import ListedModel, needs, running_plan
from skillc.execute.lease import held_lease
from skillc.execute.session import Session
from skillc.execute.spread.plans import keep_plan
from skillc.execute.store import open_store

PACKAGE = "novel/quick-write"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(SKILLS / PACKAGE, tmp_path / "skills" / PACKAGE)
    with chat_server(tmp_path, "ok"):
        yield tmp_path


def serve(place: Path) -> Done:
    """A host that does what can be done now."""
    done = skillc_process("serve-sessions", "--engine", "loop", "--once", cwd=place, SMALL_KEY="sk-canary")
    assert (done.code, done.err) == (0, "") and "sk-canary" not in done.out
    return done


def shown(place: Path, session: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(skillc("session", "show", session, "--json", cwd=place).out)
    return found


def test_a_session_from_its_beginning_to_its_end_without_a_terminal_of_its_own(place: Path) -> None:
    started = skillc("session", "start", PACKAGE, "--json", cwd=place)
    session = json.loads(started.out)["session"]
    assert "waiting_user (intake)" in serve(place).out
    asked = skillc("session", "show", session, cwd=place).out
    assert f"answer with: skillc session answer {session} TEXT" in asked
    answer = ("session", "answer", session, "夜班便利店", "--id", "first")
    assert skillc(*answer, cwd=place).out == f"session {session}: under way; a host will move it on\n"
    again = skillc(*answer, cwd=place)
    assert (again.code, again.out.splitlines()[0]) == (
        0,
        "this answer was delivered before; nothing was written",
    )
    assert "waiting_user (review_artifact)" in serve(place).out
    shows = skillc("session", "show", session, cwd=place).out
    assert f"read it whole with: skillc session show {session} --text" in shows
    whole = skillc("session", "show", session, "--text", cwd=place).out
    assert "\n正文.草稿\n为 正文.草稿 而写\n" in whole
    assert f"skillc session answer {session} --accept" in shows and "TEXT" not in shows
    assert skillc("session", "answer", session, "--accept", cwd=place).code == 0
    serve(place)
    assert shown(place, session)["phase"] == "done"
    texts = {text["tag"]: text["status"] for text in shown(place, session)["texts"]}  # type: ignore[attr-defined]
    assert texts["用户.输入"] and texts["正文.确认稿"] == "accepted"


def test_notes_that_are_given_as_an_answer_are_told_how_they_are_sent_back(place: Path) -> None:
    session = json.loads(skillc("session", "start", PACKAGE, "--json", cwd=place).out)["session"]
    serve(place)
    assert skillc("session", "answer", session, "夜班便利店", cwd=place).code == 0
    serve(place)
    asked = skillc("session", "show", session, "--lang", "zh", cwd=place).out
    assert "接受写好的内容吗？" in asked
    refused = skillc("session", "answer", session, "改短 些", "--lang", "zh", cwd=place)
    assert refused.code == 1 and "接受它，或者写上意见退回；要退回：" in refused.err
    assert refused.err.rstrip().endswith(f"skillc session answer {session} --reject '改短 些'")
    assert skillc("session", "answer", session, "--reject", "改短 些", cwd=place).code == 0


def test_what_does_not_fit_is_said_and_nothing_changes(place: Path) -> None:
    session = json.loads(skillc("session", "start", PACKAGE, "--json", cwd=place).out)["session"]
    early = skillc("session", "answer", session, "太早", cwd=place)
    assert (early.code, early.err) == (1, "skillc: `answer` is not possible while the session is running\n")
    both = skillc("session", "answer", session, "text", "--accept", cwd=place)
    assert (both.code, both.err) == (2, "skillc: say one of TEXT, --accept and --reject NOTES\n")
    none = skillc("session", "start", PACKAGE, "--rounds", "0", cwd=place)
    assert (none.code, none.err) == (2, "skillc: a session plays at least one round, not 0\n")
    assert shown(place, session)["phase"] == "running"


def test_a_suspended_session_is_left_alone_until_it_is_woken(place: Path) -> None:
    session = json.loads(skillc("session", "start", PACKAGE, "--json", cwd=place).out)["session"]
    assert "it is suspended" in skillc("session", "suspend", session, cwd=place).out
    suspended = skillc("session", "show", session, cwd=place).out
    assert "whoever suspended it" in suspended and f"go on with: skillc session wake {session}" in suspended
    assert session not in serve(place).out
    refused = skillc("session", "resume", session, cwd=place, SMALL_KEY="k")
    assert refused.code != 0 and f"`skillc session wake {session}` lets it go on" in refused.err + refused.out
    assert "a host will move it on" in skillc("session", "wake", session, cwd=place).out
    assert "waiting_user (intake)" in serve(place).out


def test_a_session_of_the_terminal_goes_on_with_hosts(place: Path) -> None:
    """`run` keeps the plan of its session in the store, as `session start` does."""
    stopped = skillc("run", PACKAGE, "--profile", "small", cwd=place, SMALL_KEY="sk-canary")
    assert stopped.code == 0, stopped.out + stopped.err
    (session,) = json.loads(skillc("session", "list", "--json", cwd=place).out)
    assert skillc("session", "answer", session["id"], "夜班便利店", cwd=place).code == 0
    assert "waiting_user (review_artifact)" in serve(place).out


def test_whoever_looks_at_a_session_sees_which_process_has_it(place: Path) -> None:
    session = json.loads(skillc("session", "start", PACKAGE, "--json", cwd=place).out)["session"]
    path = str(place / ".skillc" / "sessions.sqlite3")
    with closing(open_store(path)) as store, held_lease(store, session) as lease:
        told = skillc("session", "show", session, cwd=place).out
        assert f"process {lease.holder.pid} on {lease.holder.host}" in told and "go on with" not in told
        assert shown(place, session)["holder"] == str(lease.holder)
        chinese = skillc("session", "show", session, "--lang", "zh", cwd=place).out
        assert f"{lease.holder.host} 上的进程 {lease.holder.pid}" in chinese
    assert shown(place, session)["holder"] is None
    assert "go on with" in skillc("session", "show", session, cwd=place).out


def test_states_are_told_in_chinese(place: Path) -> None:
    session = json.loads(skillc("session", "start", PACKAGE, "--json", cwd=place).out)["session"]
    early = skillc("session", "answer", session, "太早", "--lang", "zh", cwd=place)
    assert early.err == "skillc: 会话运行中的时候不能 `answer`\n"
    assert f"会话 {session}：进行中；" in skillc("session", "wake", session, "--lang", "zh", cwd=place).out


def test_a_host_needs_no_packages_and_speaks_the_language_of_its_user(place: Path) -> None:
    """The plan is in the store; a finished session is not suspended."""
    session = json.loads(skillc("session", "start", PACKAGE, "--json", cwd=place).out)["session"]
    store = str(place / ".skillc" / "sessions.sqlite3")
    host = place / "host"
    host.mkdir()
    shutil.copy(place / "profiles.json", host)
    for name in ("skills", "build"):
        shutil.rmtree(place / name, ignore_errors=True)
    serving = ("serve-sessions", "--engine", "loop", "--once", "--store", store)
    first = skillc_process(*serving, "--lang", "zh", cwd=host, SMALL_KEY="sk-canary")
    assert (first.code, first.err) == (0, "") and f"{session}  等待（开场提问）" in first.out
    skillc("session", "answer", session, "夜班便利店", "--store", store, cwd=host)
    skillc_process(*serving, cwd=host, SMALL_KEY="sk-canary")
    skillc("session", "answer", session, "--accept", "--store", store, cwd=host)
    skillc_process(*serving, cwd=host, SMALL_KEY="sk-canary")
    over = skillc("session", "suspend", session, "--store", store, cwd=host)
    assert (over.code, over.out) == (1, "") and "is over: there is nothing to suspend" in over.err


def test_an_answer_to_who_was_compiled_anew_is_taken_when_the_change_is_accepted(tmp_path: Path) -> None:
    before = running_plan({"outline": {"inputs": ["需求.核心要点"], "outputs": ["大纲.草稿"]}})
    after = running_plan({"outline": {"inputs": ["需求.核心要点"], "outputs": ["大纲.草稿", "大纲.备注"]}})
    where = str(tmp_path / "s.db")
    with closing(open_store(where)) as store:
        model = ListedModel('{"askUser": ["几条？"]}')
        session = Session.open(store, before, model, board=needs({"需求.核心要点": "店"}))
        assert session.advance().reason == "worker_questions"
        keep_plan(store, after)
        Session.resume(store, session.id, after)
    answer = ("session", "answer", session.id, "十条", "--store", where)
    refused = skillc(*answer, cwd=tmp_path)
    assert refused.code == 1 and "the change must be accepted first" in refused.err
    assert skillc(*answer, "--accept-change", cwd=tmp_path).code == 0
    with closing(open_store(where)) as store:
        record = store.load(session.id)
    assert record.answers[-1].text == "十条" and "accepted-change" in {note.kind for note in record.notes}


@pytest.mark.parametrize("command", [("session", "list"), ("run", PACKAGE), ("serve-sessions", "--once")])
@pytest.mark.parametrize("named", ["", " "])
def test_a_store_without_a_name_is_no_store(tmp_path: Path, command: tuple[str, ...], named: str) -> None:
    shutil.copytree(SKILLS / PACKAGE, tmp_path / "skills" / PACKAGE)
    done = skillc(*command, "--store", named, cwd=tmp_path)
    assert done.code == 2 and "--store is empty: name a file or a URL, or leave it out" in done.err
    assert not (tmp_path / ".skillc" / "sessions.sqlite3").exists()


def test_a_variable_that_names_no_store_says_nothing(place: Path) -> None:
    started = skillc("session", "start", PACKAGE, "--json", cwd=place, SKILLC_DATABASE=" ")
    session = json.loads(started.out)["session"]
    assert shown(place, session)["id"] == session
    assert (place / ".skillc" / "sessions.sqlite3").exists()

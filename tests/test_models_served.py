"""Sessions on a chat server with faults: each has its named outcome, and the board holds what was really said."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatting import KEY, Server, serving
from running import TickingClock, live, running_plan
from sample_plans import segment
from skillc.execute.happening import Happening
from skillc.execute.profiled import ProfiledClient
from skillc.execute.profiles import load_profiles
from skillc.execute.session import Session
from skillc.execute.store import open_store

PLAN = running_plan(
    {"outline": {"outputs": ["大纲.草稿", "大纲.说明"]}}, {"outline": {"mode": "no_confirmation"}}
)
BOARD = {"大纲.草稿": "为 大纲.草稿 而写", "大纲.说明": "为 大纲.说明 而写"}
ALL = ["json_schema", "forced_tool", "json_object"]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving("chat.py") as found:
        yield found


class Played:
    """A session that went as far as it could, what it told, and what its calls came to."""

    def __init__(self, folder: Path, profile: dict[str, Any], turns: int = 1) -> None:
        self.told: list[Happening] = []
        self.file = folder / "s.db"
        self.client = ProfiledClient(load_profiles([profile]), {"CHAT_KEY": KEY})
        for _ in range(turns):
            store = open_store(str(self.file), TickingClock())
            self.session = Session.open(store, PLAN, self.client, on_event=self.told.append)
            self.session.advance()

    @property
    def calls(self) -> list[tuple[str, str]]:
        return [(row.way, row.outcome) for row in self.session.record.calls]

    def of(self, kind: str) -> list[Happening]:
        return [one for one in self.told if one.kind == kind]


def play(server: Server, folder: Path, course: str, turns: int = 1, **more: Any) -> Played:
    return Played(folder, server.profile(course, **more), turns)


@pytest.mark.parametrize(
    ("capabilities", "way"),
    [
        (ALL, "json_schema"),
        (["tools", "json_object"], "forced_tool"),
        (["json_object"], "json_object"),
        ([], "text"),
        ({"thinking": True, "tools": True, "json_object": True}, "json_object"),
        ({"json_schema": True, "streaming": False}, "json_schema"),
        ({"tools": True, "streaming": False}, "forced_tool"),
    ],
)
def test_a_reply_comes_by_the_best_way_of_the_profile(
    server: Server, tmp_path: Path, capabilities: Any, way: str
) -> None:
    played = play(server, tmp_path, "ok", capabilities=capabilities)
    assert live(played.session) == BOARD
    assert played.calls == [(way, "ok")]
    (run,) = played.session.record.runs
    (call,) = played.session.record.calls
    assert (run.way, call.run, call.profile, call.model, call.attempt) == (way, 1, "p", "small", 1)
    assert call.prompt_tokens == run.prompt_tokens > 0 and call.cached_tokens == call.prompt_tokens // 2
    body = server.requests("ok")[-1]["body"]
    assert body.get("stream", False) is ("streaming" not in capabilities)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


def test_a_way_that_is_refused_is_stepped_down_at_once_told_and_remembered(
    server: Server, tmp_path: Path
) -> None:
    played = play(server, tmp_path, "noschema-notools", turns=2, capabilities=ALL)
    assert live(played.session) == BOARD and played.calls == [("json_object", "ok")]
    told = [(one.data["way"], one.data["to"]) for one in played.of("stepped_down")]
    assert told == [("json_schema", "forced_tool"), ("forced_tool", "json_object")]
    assert "refused the request (400)" in str(played.of("stepped_down")[0].data["why"])
    assert len(server.requests("noschema-notools")) == 4


def test_a_way_that_is_ignored_is_used_no_more_and_the_reply_counts(server: Server, tmp_path: Path) -> None:
    played = play(server, tmp_path, "plain", turns=4, capabilities=ALL)
    assert live(played.session) == BOARD
    whys = [one.data["why"] for one in played.of("stepped_down")]
    assert whys == [
        "the server ignores it: what it sent does not fit the schema",
        "the server ignores it: it called no tool",
    ]
    assert played.calls == [("json_object", "ok")]


def test_what_a_profile_cannot_be_blamed_for_changes_no_way(server: Server, tmp_path: Path) -> None:
    played = play(server, tmp_path, "400", capabilities=ALL)
    assert played.session.status.phase == "error" and "refused the request (400)" in str(
        played.session.status.error
    )
    assert played.of("stepped_down") == []
    assert [outcome for _, outcome in played.calls] == ["refused"] * 5
    assert played.session.board.items == []


def test_a_server_that_takes_no_stream_is_asked_for_the_whole(server: Server, tmp_path: Path) -> None:
    played = play(server, tmp_path, "nostream", turns=2)
    assert live(played.session) == BOARD
    assert [row["body"].get("stream", False) for row in server.requests("nostream")] == [True, False, False]


@pytest.mark.parametrize("course", ["ok", "fenced", "thinking", "deepseek"])
def test_c66_what_is_around_a_reply_is_not_in_it(server: Server, tmp_path: Path, course: str) -> None:
    played = play(server, tmp_path, course)
    assert live(played.session) == BOARD and played.calls == [("text", "ok")]
    (call,) = played.session.record.calls
    assert 0 < call.cached_tokens == call.prompt_tokens // 2


FAULTS: list[tuple[str, list[str], str, str]] = [
    ("401", [], "refused-key", "refused the key"),
    ("429", [], "rate-limited", "takes no more requests for now (429)"),
    ("500", [], "server-error", "failed (500)"),
    ("html", [], "bad-response", "sent `text/html` in place of JSON"),
    ("cut", [], "cut-stream", "broke its answer off in the middle"),
    ("torn", [], "cut-stream", "broke its answer off in the middle"),
]
BAD_REPLIES: list[tuple[str, list[str], str, str]] = [
    ("truncated", [], "truncated", "ends inside its JSON object"),
    ("length", [], "length-limit", "length limit"),
    ("length", ["json_schema"], "length-limit", "length limit"),
    ("invented", [], "undeclared-tag", "`规则.乱写` (nearest `大纲."),
    ("duplicate", [], "duplicate-key", "the key `outputs` stands twice"),
    ("two", [], "ambiguous", "more than one JSON object"),
    ("blank", [], "empty", "the reply is blank"),
    ("blank", ["json_object"], "empty", "the reply is blank"),
    ("noargs", ["tools"], "no-arguments", "`submit` was called without arguments"),
]


@pytest.mark.parametrize(("course", "capabilities", "kind", "sentence"), FAULTS)
def test_a_failed_call_has_its_name_and_writes_nothing(
    server: Server, tmp_path: Path, course: str, capabilities: list[str], kind: str, sentence: str
) -> None:
    played = play(server, tmp_path, course, capabilities=capabilities)
    assert played.session.status.phase == "error"
    assert sentence in str(played.session.status.error)
    assert [outcome for _, outcome in played.calls] == [kind]
    assert [row.run for row in played.session.record.calls] == [None]
    assert played.session.board.items == [] and played.session.record.runs == ()
    assert_no_canary(tmp_path, played)


@pytest.mark.parametrize(("course", "capabilities", "kind", "sentence"), BAD_REPLIES)
def test_a_bad_reply_has_its_name_is_asked_for_thrice_and_writes_nothing(
    server: Server, tmp_path: Path, course: str, capabilities: list[str], kind: str, sentence: str
) -> None:
    played = play(server, tmp_path, course, capabilities=capabilities)
    assert played.session.status.phase == "error"
    assert sentence in str(played.session.status.error)
    assert [outcome for _, outcome in played.calls] == [kind] * 3
    assert [one.data["kind"] for one in played.of("retry")] == [kind] * 2
    assert played.session.board.items == []
    assert_no_canary(tmp_path, played)


@pytest.mark.parametrize("capabilities", [[], ["tools"], ["json_schema"], {"streaming": False}])
def test_an_answer_with_the_key_in_it_is_kept_nowhere(
    server: Server, tmp_path: Path, capabilities: Any
) -> None:
    played = play(server, tmp_path, "parrot", capabilities=capabilities)
    assert played.session.status.phase == "error"
    assert "sent the key back in its answer" in str(played.session.status.error)
    assert [outcome for _, outcome in played.calls] == ["leaked-key"]
    assert played.session.board.items == []
    assert_no_canary(tmp_path, played)


def test_a_placeholder_for_a_key_is_a_word_like_any_other(server: Server, tmp_path: Path) -> None:
    played = play(server, tmp_path, "parrot", apiKeyEnv=None)
    assert played.session.status.phase == "done"


def test_c70_a_blank_answer_in_json_mode_is_asked_for_again(server: Server, tmp_path: Path) -> None:
    played = play(server, tmp_path, "blank+ok", capabilities=["json_object"])
    assert live(played.session) == BOARD
    assert played.calls == [("json_object", "empty"), ("json_object", "ok")]
    messages = server.requests("blank+ok")[-1]["body"]["messages"]
    assert [message["role"] for message in messages] == ["system", "user"]


@pytest.mark.parametrize(
    ("course", "kind"), [("429", "rate-limited"), ("500", "server-error"), ("cut", "cut-stream")]
)
def test_a_call_that_may_succeed_later_is_made_again(
    server: Server, tmp_path: Path, course: str, kind: str
) -> None:
    played = play(server, tmp_path, f"{course}+ok", maxRetries=1)
    assert live(played.session) == BOARD
    assert [outcome for _, outcome in played.calls] == [kind, "ok"]
    assert [(row.attempt, row.run) for row in played.session.record.calls] == [(1, 1), (2, 1)]
    assert played.session.record.runs[0].attempts == 1


def test_a_refused_key_is_not_tried_again(server: Server, tmp_path: Path) -> None:
    play(server, tmp_path, "401+401+ok", maxRetries=3)
    assert len(server.requests("401+401+ok")) == 1


def test_a_bad_reply_is_told_and_the_next_one_taken(server: Server, tmp_path: Path) -> None:
    played = play(server, tmp_path, "duplicate+ok", capabilities=["json_object"])
    assert live(played.session) == BOARD
    assert played.calls == [("json_object", "duplicate-key"), ("json_object", "ok")]
    messages = server.requests("duplicate+ok")[-1]["body"]["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    first, second = played.session.record.calls
    assert first.predicted_tokens == 0
    assert second.parts[: len(first.parts)] == first.parts
    assert 0 < second.predicted_tokens < second.prompt_tokens


def test_a_server_that_hangs_in_the_middle_is_given_up(server: Server, tmp_path: Path) -> None:
    """Whatever it said before: a slow machine may need more time until it has said something."""
    for seconds in (1, 4, 16, 60):
        played = play(server, tmp_path, "hang", timeoutSeconds=seconds)
        assert "did not answer in time" in str(played.session.status.error)
        assert [outcome for _, outcome in played.calls] == ["timed-out"]
        if played.of("progress"):
            break
    assert any(one.data["characters"] for one in played.of("progress"))


def test_an_interrupt_during_a_call_leaves_the_session_as_it_was(server: Server, tmp_path: Path) -> None:
    """Ctrl-C reaches whoever waits for the answer."""
    import _thread

    course = "hang+ok"

    def interrupt() -> None:
        server.wait_for(course)
        _thread.interrupt_main()

    thread = threading.Thread(target=interrupt)
    thread.start()
    store = open_store(str(tmp_path / "s.db"), TickingClock())
    client = ProfiledClient(load_profiles([server.profile(course)]), {"CHAT_KEY": KEY})
    session = Session.open(store, PLAN, client)
    with pytest.raises(KeyboardInterrupt):
        session.advance()
    thread.join()
    stored = store.load(session.id)
    assert stored.progress.status.phase == "running" and stored.items == ()
    assert [row.outcome for row in stored.calls] == ["interrupted"]
    resumed = Session.resume(store, session.id, PLAN, client)
    resumed.advance()
    assert live(resumed) == BOARD
    assert [row.outcome for row in resumed.record.calls] == ["interrupted", "ok"]


def test_what_is_predicted_is_what_a_server_that_caches_prefixes_reports(
    server: Server, tmp_path: Path
) -> None:
    """Over rounds in which only the last segment changes, and one reply that has to be asked for again."""
    inputs = ["设定.固定", "设定.人物", "用户.最新输入"]
    segments = [segment(f"s{at}", [tag], label=f"## {tag}") for at, tag in enumerate(inputs)]
    plan = running_plan(
        {"write": {"inputs": [f"{tag}?" for tag in inputs], "outputs": ["正文.当前"], "segments": segments}},
        {"write": {"mode": "no_confirmation"}},
    )
    board = {
        "items": [
            {"tag": tag, "content": f"{tag}：" + "雨夜的店。" * 20, "source": "user"} for tag in inputs[:2]
        ]
    }
    course = "prefix+prefix+blank+prefix"
    client = ProfiledClient(load_profiles([server.profile(course)]), {"CHAT_KEY": KEY})
    store = open_store(str(tmp_path / "s.db"), TickingClock())
    session = Session.open(store, plan, client, board=board, rounds=3)
    for said in ("推门。", "坐下。", "离开。"):
        session.advance()
        session.answer(said)
    session.advance()
    rows = session.record.calls
    assert [row.outcome for row in rows] == ["ok", "ok", "empty", "ok"]
    assert rows[0].predicted_tokens == 0
    for row in (rows[1], rows[3]):
        assert 0 < row.predicted_tokens <= row.prompt_tokens
        assert abs(row.predicted_tokens - row.cached_tokens) <= 0.1 * row.prompt_tokens, row


def assert_no_canary(folder: Path, played: Played) -> None:
    """The key is in no file, and in nothing that was said."""
    for path in folder.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
    said = [repr(one.data) for one in played.told] + [str(played.session.status), repr(played.session.record)]
    assert not any(KEY in text for text in said)

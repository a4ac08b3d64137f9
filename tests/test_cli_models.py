"""Models at the command line: probing, recording and replaying, usage, progress, Ctrl-C; and no secret anywhere."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatting import KEY, Server, serving
from cli import ROOT, Done, examples, replace, skillc, skillc_process

BOARD = {"items": [{"tag": "需求.核心要点", "content": "一家照相馆的最后三十天", "source": "user"}]}
DRAFT = "  writes 大纲.草稿: 为 大纲.草稿 而写"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving("chat.py") as found:
        yield found


@pytest.fixture
def place(tmp_path: Path) -> Path:
    examples(tmp_path, "novel/basic")
    (tmp_path / "board.json").write_text(json.dumps(BOARD, ensure_ascii=False), encoding="utf-8")
    return tmp_path


def uses(place: Path, server: Server, course: str, **more: Any) -> None:
    """Write the one profile of the workspace."""
    (place / "profiles.json").write_text(json.dumps([server.profile(course, **more)]), encoding="utf-8")


def run(place: Path, *options: str, **environment: str) -> Done:
    return skillc("run", "basic", "--board", "board.json", *options, cwd=place, CHAT_KEY=KEY, **environment)


def session_of(done: Done) -> str:
    return done.out.split()[1]


def test_what_was_recorded_is_played_without_a_key_and_without_a_network(server: Server, place: Path) -> None:
    uses(place, server, "duplicate+ok", capabilities=["json_object"])
    first = run(place, "--record", "taped")
    assert DRAFT in first.out and "duplicate-key" in first.out
    files = sorted(path.name for path in (place / "taped").iterdir())
    assert len(files) == 2 and all(name.startswith("outline-") for name in files)
    cassette = json.loads((place / "taped" / files[0]).read_text(encoding="utf-8"))
    assert cassette["format"] == "skillc.cassette/1" and cassette["worker"] == "outline"
    uses(place, server, "gone", capabilities=["json_object"])
    again = skillc("run", "basic", "--board", "board.json", "--replay", "taped", cwd=place, CHAT_KEY="")
    assert again.out.replace(session_of(again), "ID").replace("--replay", "--record") == first.out.replace(
        session_of(first), "ID"
    )
    assert server.requests("gone") == []
    (place / "profiles.json").unlink()
    assert DRAFT in skillc("run", "basic", "--board", "board.json", "--replay", "taped", cwd=place).out


def test_recording_again_gives_the_same_files(server: Server, place: Path) -> None:
    uses(place, server, "ok-twice")
    run(place, "--record", "taped")
    before = {path.name: path.read_bytes() for path in (place / "taped").iterdir()}
    run(place, "--record", "taped")
    assert {path.name: path.read_bytes() for path in (place / "taped").iterdir()} == before


MISSES = [
    (
        "the fixed text of `outline` changed (`system`:",
        lambda place: replace(SHARED(place), "因果先于巧合", "巧合先于因果"),
    ),
    ("segment `", lambda place: replace(place / "board.json", "三十天", "三天")),
    (
        "segment `brief` (创作需求 / 需求.核心要点) changed",
        lambda place: replace(place / "board.json", "三十天", "三天"),
    ),
    ("the profile's `model` changed", lambda place: replace(place / "profiles.json", "small", "large")),
    ("the profile's `temperature` changed", lambda place: edit_profile(place, temperature=0.5)),
    ("the profile's `maxOutputTokens` changed", lambda place: edit_profile(place, maxOutputTokens=99)),
    ("the profile's `id` changed", lambda place: edit_profile(place, id="q")),
    (
        "the form of the reply changed",
        lambda place: replace(WORKER(place), "outputTags:", "outputTags:\n  - 大纲.旁注"),
    ),
]


def SHARED(place: Path) -> Path:
    return place / "skills/novel/basic/shared-context.md"


def WORKER(place: Path) -> Path:
    return place / "skills/novel/basic/workers/outline/SKILL.md"


def edit_profile(place: Path, **more: Any) -> None:
    path = place / "profiles.json"
    (profile,) = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps([{**profile, **more}]), encoding="utf-8")


@pytest.mark.parametrize(("sentence", "change"), MISSES, ids=[row[0] for row in MISSES])
def test_b52_a_recording_answers_nothing_else_and_says_what_changed(
    server: Server, place: Path, sentence: str, change: Any
) -> None:
    uses(place, server, "ok-b52")
    assert run(place, "--record", "taped").code == 0
    change(place)
    done = run(place, "--replay", "taped")
    assert done.code == 1 and "has no recording of what `outline` asks now: " in done.out
    assert sentence in done.out


@pytest.mark.parametrize("key", ["timeoutSeconds", "maxRetries", "capabilities"])
def test_a_recording_does_not_mind_how_it_was_asked_for(server: Server, place: Path, key: str) -> None:
    uses(place, server, "ok-mind")
    run(place, "--record", "taped")
    edit_profile(place, **{key: ["json_schema"] if key == "capabilities" else 5})
    assert DRAFT in run(place, "--replay", "taped").out


def test_folders_without_recordings_are_refused(server: Server, place: Path) -> None:
    uses(place, server, "ok")
    assert "cannot be read" in run(place, "--replay", "nowhere").out
    (place / "empty").mkdir()
    done = run(place, "--replay", "empty")
    assert done.code == 2 and "there are no recordings in `empty`" in done.out
    (place / "empty" / "x.json").write_text("{}", encoding="utf-8")
    assert "is no recording" in run(place, "--replay", "empty").out
    script = "skills/novel/basic/scripts/demo.yaml"
    done = skillc("run", "basic", "--script", script, "--record", "taped", cwd=place)
    assert done.code == 2 and "leave out --record and --replay" in done.err


def test_usage_sums_up_all_calls(server: Server, place: Path) -> None:
    uses(place, server, "429+blank+ok", maxRetries=1)
    session = session_of(run(place))
    done = skillc("usage", session, cwd=place)
    assert done.code == 0
    head, names, row, faults = done.out.splitlines()
    assert head == f"session {session} of novel/basic: 3 calls"
    assert names.split() == ["calls", "retries", "prompt", "completion", "cached", "predicted"]
    assert row.split()[:3] == ["outline", "3", "2"]
    assert faults == "without a reply that counts: empty 1, rate-limited 1"
    data = json.loads(skillc("usage", session[:6], "--json", cwd=place).out)
    assert data["workers"]["outline"] == data["total"]
    assert data["total"]["ways"] == {"text": 3}
    assert data["total"]["outcomes"] == {"empty": 1, "ok": 1, "rate-limited": 1}
    total = data["total"]
    assert total["cached_tokens"] > 0 and 0 < total["predicted_tokens"] < total["prompt_tokens"]


def test_usage_of_a_failed_run_keeps_what_it_cost(server: Server, place: Path) -> None:
    uses(place, server, "500", maxRetries=1)
    failed = run(place)
    assert failed.code == 1
    data = json.loads(skillc("usage", session_of(failed), "--json", cwd=place).out)
    assert (data["total"]["calls"], data["total"]["retries"], data["total"]["failed"]) == (2, 1, 2)
    other = skillc("usage", "nothing", cwd=place)
    assert other.code == 2 and "there is no session `nothing`" in other.err


VERDICTS = [
    ("ok", {"json_schema": "works", "forced_tool": "works", "json_object": "works", "text": "works"}, 0),
    ("plain", {"json_schema": "ignored", "forced_tool": "ignored", "json_object": "works", "text": "works"}, 0),
    ("noschema-notools", {"json_schema": "refused", "forced_tool": "refused", "json_object": "works", "text": "works"}, 0),
    ("blank", dict.fromkeys(("json_schema", "forced_tool", "json_object", "text"), "blank"), 1),
    ("length", dict.fromkeys(("json_schema", "forced_tool", "json_object", "text"), "cut"), 1),
    ("401", dict.fromkeys(("json_schema", "forced_tool", "json_object", "text"), "failed"), 1),
    ("500", dict.fromkeys(("json_schema", "forced_tool", "json_object", "text"), "failed"), 1),
]  # fmt: skip


@pytest.mark.parametrize(("course", "verdicts", "code"), VERDICTS, ids=[row[0] for row in VERDICTS])
def test_probing_judges_by_what_comes_back(
    server: Server, place: Path, course: str, verdicts: dict[str, str], code: int
) -> None:
    uses(place, server, course)
    done = skillc("profile", "probe", "p", "--json", cwd=place, CHAT_KEY=KEY)
    data = json.loads(done.out)
    assert {way: one["verdict"] for way, one in data["ways"].items()} == verdicts and done.code == code
    kept = place / "profiles.probed.json"
    assert kept.exists() == bool({"works", "refused", "ignored", "blank"} & set(verdicts.values()))
    assert KEY not in done.out + done.err and (
        not kept.exists() or KEY not in kept.read_text(encoding="utf-8")
    )


def test_what_was_probed_is_used_shown_and_forgotten(server: Server, place: Path) -> None:
    uses(place, server, "noschema")
    done = skillc("profile", "probe", "p", cwd=place, CHAT_KEY=KEY)
    assert [line.split()[:2] for line in done.out.splitlines()[:4]] == [
        ["json_schema", "refused"],
        ["forced_tool", "works"],
        ["json_object", "works"],
        ["text", "works"],
    ]
    assert done.out.endswith("from now on: forced_tool, json_object, text\n")
    count = len(server.requests("noschema"))
    assert DRAFT in run(place).out
    assert "tools" in server.requests("noschema")[count]["body"]
    assert "probed 20" in skillc("profile", "list", cwd=place).out
    shown = skillc("profile", "show", "p", cwd=place, CHAT_KEY=KEY).out
    assert "`CHAT_KEY` is set" in shown and "refused the request (400)" in shown and KEY not in shown
    unset = skillc("profile", "show", "p", "--lang", "zh", cwd=place, CHAT_KEY="").out
    assert "档案 `p` 需要环境变量 `CHAT_KEY`" in unset
    assert len({line.index("可用") for line in unset.splitlines() if "可用" in line}) == 1
    assert max(len(line.split("可用")[0]) for line in unset.splitlines() if "可用" in line) < 20
    alone = skillc("profile", cwd=place)
    assert (alone.code, alone.out) == (0, skillc("profile", "list", cwd=place).out)
    replace(place / "profiles.json", '"small"', '"other"')
    assert "probed with other settings" in skillc("profile", "show", "p", cwd=place).out
    assert run(place).code == 0
    assert "tools" not in server.requests("noschema")[-1]["body"]
    assert "forgotten" in skillc("profile", "probe", "p", "--forget", cwd=place).out
    assert "nothing was probed of `p`" in skillc("profile", "probe", "p", "--forget", cwd=place).out


def test_profiles_that_cannot_be_used_are_told(server: Server, place: Path) -> None:
    uses(place, server, "ok")
    done = skillc("profile", "show", "q", cwd=place)
    assert done.code == 2 and "there is no profile `q`; there are `p`" in done.err
    for key, sentence in [
        ("apikey", "name its environment variable in `apiKeyEnv`"),
        ("API_KEY", "name its environment variable in `apiKeyEnv`"),
        ("baseURL", "a profile has no key `baseURL`; the nearest is `baseUrl`"),
        ("apiKeyENV", "a profile has no key `apiKeyENV`; the nearest is `apiKeyEnv`"),
    ]:
        uses(place, server, "ok", **{key: KEY})
        done = skillc("profile", "list", cwd=place)
        assert done.code == 2 and sentence in done.err and KEY not in done.err
    uses(place, server, "ok", capabilities=["json_shema"])
    assert (
        "there is no capability `json_shema`; the nearest is `json_schema`"
        in skillc("profile", "list", cwd=place).err
    )
    uses(place, server, "ok", provider="antropic", baseUrl=None)
    assert "the nearest that needs none is `anthropic`" in skillc("profile", "list", cwd=place).err
    uses(place, server, "ok", baseUrl=f"http://user:{KEY}@host/v1")
    done = skillc("profile", "list", cwd=place)
    assert "an address holds no password" in done.err and KEY not in done.err
    (place / "profiles.json").write_text('{"profiles": [], "defaultProfile": "x"}', encoding="utf-8")
    assert (
        "has no key `defaultProfile`; the nearest is `defaultProfileId`"
        in skillc("profile", "list", cwd=place).err
    )
    uses(place, server, "ok")
    (place / "profiles.probed.json").write_text("{}", encoding="utf-8")
    assert "remove the file and probe again" in skillc("profile", "list", cwd=place).err


def test_a_way_that_is_stepped_down_is_told(server: Server, place: Path) -> None:
    uses(place, server, "noschema-told", capabilities=["json_schema", "json_object"])
    done = run(place)
    assert (
        "  note: profile p is asked by json_object from now on, not by json_schema: the model server"
        in done.out
    )
    chinese = run(place, "--lang", "zh", "--profile", "p")
    assert "档案 p 从现在起用 json_object 来问，不再用 json_schema：" in chinese.out


def started(place: Path, *options: str, **streams: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "skillc", "run", "basic", "--board", "board.json", *options],
        cwd=place,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "compiler"),
            "LC_ALL": "C.UTF-8",
            "CHAT_KEY": KEY,
            "TERM": "xterm",
        },
        stdin=subprocess.DEVNULL,
        **streams,
    )


def test_progress_shows_at_a_terminal_and_nowhere_else(server: Server, place: Path) -> None:
    pty = pytest.importorskip("pty")
    uses(place, server, "slowly")
    ours, theirs = pty.openpty()
    process = started(place, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # the other side is closed
        pass
    process.wait()
    os.close(ours)
    text = shown.decode()
    assert " characters\r\x1b[K" in text and DRAFT in text
    assert "characters" not in run(place).out


def test_ctrl_c_during_a_call_suspends_and_the_session_goes_on(server: Server, place: Path) -> None:
    uses(place, server, "hang+ok")
    process = started(place, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    server.wait_for("hang+ok")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    text = out.decode()
    assert process.returncode == 0 and err == b"" and "was interrupted" in text
    session = text.split()[1]
    done = skillc("run", "basic", "--resume", session, cwd=place, CHAT_KEY=KEY)
    assert DRAFT in done.out
    data = json.loads(skillc("usage", session, "--json", cwd=place).out)
    assert data["total"]["outcomes"] == {"interrupted": 1, "ok": 1}


def test_a_canary_in_the_environment_is_in_nothing_that_is_written_or_said(
    server: Server, place: Path
) -> None:
    said = ""
    for course in ("ok", "401", "429", "500", "400", "html", "cut", "torn", "invented", "noschema-canary"):
        uses(place, server, course, capabilities=["json_schema"])
        for options in (["--record", "taped"], ["--lang", "zh", "--profile", "p"]):
            done = (
                skillc_process(
                    "run",
                    "basic",
                    "--board",
                    "board.json",
                    *options,
                    cwd=place,
                    CHAT_KEY=KEY,
                    PYTHONDEVMODE="1",
                )
                if course == "401"
                else run(place, *options)
            )
            said += done.out + done.err
        probed = skillc("profile", "probe", "p", cwd=place, CHAT_KEY=KEY)
        said += probed.out + probed.err + skillc("profile", "show", "p", cwd=place, CHAT_KEY=KEY).out
        said += skillc("usage", session_of(done), "--json", cwd=place).out
    assert KEY not in said and "refused the key" in said
    assert all(row["key"] == f"Bearer {KEY}" for row in server.requests())
    files = [path for path in place.rglob("*") if path.is_file()]
    assert len(files) > 20
    assert not [path for path in files if KEY.encode() in path.read_bytes()]

"""`skillc run --driver`: who decides what comes next, as a user sees it."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from chatting import serving
from cli import SKILLS, examples, skillc, write
from skillc.execute.profiled import ProfiledClient
from skillc.execute.profiles import load_profiles
from skillc.execute.session import Session
from skillc.execute.store import open_store
from skillc.runtime import load_plan

SCRIPT = str(SKILLS / "novel/basic/scripts/orchestrator.yaml")
PROFILE = {"id": "p", "model": "m", "baseUrl": "http://127.0.0.1:9/v1"}


def test_a_model_drives_an_example_and_the_account_tells_what_it_decides(tmp_path: Path) -> None:
    done = skillc("run", "basic", "--driver", "model", "--script", SCRIPT, cwd=examples(tmp_path))
    assert done.code == 0, done.out + done.err
    lines = done.out.splitlines()
    for line in (
        "looks (list_workers)",
        "ready; from now on run outline",
        "  refused: `run_worker` never carries `inputTags`: what a worker reads and writes stands in its contract",
        "decides run_worker outline 大纲: 需求收齐了，写大纲",
        "decides finish: 大纲已经由用户确认",
    ):
        assert line in lines
    assert (
        lines.index("run outline 大纲")
        == lines.index("decides run_worker outline 大纲: 需求收齐了，写大纲") + 1
    )


def test_the_account_is_there_in_chinese(tmp_path: Path) -> None:
    done = skillc(
        "run", "basic", "--driver", "model", "--script", SCRIPT, "--lang", "zh", cwd=examples(tmp_path)
    )
    lines = done.out.splitlines()
    assert "查看（列出 worker）" in lines and "决定结束：大纲已经由用户确认" in lines
    assert "  被拒绝：`run_worker` 从不带 `inputTags`：worker 读什么、写什么由它的契约决定" in lines


def test_a_session_goes_on_with_who_drove_it(tmp_path: Path) -> None:
    examples(tmp_path, "novel/basic")
    text = Path(SCRIPT).read_text(encoding="utf-8").replace("  - accept: true\n", "")
    write(tmp_path, {"cut.yaml": text})
    first = skillc("run", "basic", "--driver", "model", "--script", "cut.yaml", cwd=tmp_path)
    assert first.code == 1 and "the script has no user entry left" in first.out
    session = first.out.split("session ")[1].split()[0]
    write(tmp_path, {"cut.yaml": Path(SCRIPT).read_text(encoding="utf-8")})
    done = skillc("run", "basic", "--resume", session, "--script", "cut.yaml", cwd=tmp_path)
    assert done.code == 0 and "decides finish: 大纲已经由用户确认" in done.out, done.out


@pytest.mark.parametrize("profiles", [True, False])
def test_a_model_that_is_not_there_drives_nothing_and_no_session_is_begun(
    tmp_path: Path, profiles: bool
) -> None:
    examples(tmp_path, "novel/basic")
    if profiles:
        write(tmp_path, {"profiles.json": json.dumps([PROFILE, PROFILE | {"id": "q"}])})
        write(tmp_path, {"skills/novel/basic/llm-bindings.yaml": "defaultProfileId: p\n"})
    done = skillc("run", "basic", "--driver", "model", cwd=tmp_path)
    assert done.code == 2
    said = "no profile is chosen for the orchestrator: give --profile; there are `p`, `q`"
    assert (said if profiles else "needs a model") in done.out
    kept = tmp_path / ".skillc/sessions.sqlite3"
    assert not kept.exists() or open_store(str(kept)).sessions() == ()


def test_what_a_host_drives_is_driven_here_only_when_that_is_said(tmp_path: Path) -> None:
    examples(tmp_path, "novel/basic")
    assert skillc("build", cwd=tmp_path).code == 0
    plan = load_plan(tmp_path / "build/novel/basic/plan.json")
    session = Session.open(open_store(str(tmp_path / "s.db")), plan, driver="host")
    given = ("run", "basic", "--resume", session.id, "--store", "s.db", "--script", SCRIPT)
    refused = skillc(*given, cwd=tmp_path)
    assert refused.code == 2
    assert (
        "error: the session is driven by its host's program: give --driver scheduler or --driver model to drive it"
        in refused.out.splitlines()
    )
    assert skillc(*given, "--driver", "model", cwd=tmp_path).code == 0


@pytest.fixture
def address() -> Iterator[str]:
    """A server whose model drives and writes."""
    with serving("orchestrating.py") as server:
        yield server.address


@pytest.mark.parametrize("way", ["forced_tool", "json_object", "text"])
def test_a_model_behind_a_server_drives_by_whatever_its_profile_has(
    tmp_path: Path, address: str, way: str
) -> None:
    examples(tmp_path, "novel/basic")
    capabilities = [] if way == "text" else [way]
    profile = PROFILE | {"baseUrl": f"{address}/v1", "capabilities": capabilities}
    write(tmp_path, {"profiles.json": json.dumps([profile])})
    board = {"items": [{"tag": "需求.核心要点", "content": "一家店", "source": "user"}]}
    write(tmp_path, {"board.json": json.dumps(board, ensure_ascii=False)})
    given = ("--driver", "model", "--board", "board.json", "--store", "s.db")
    first = skillc("run", "basic", *given, cwd=tmp_path)
    assert "waits for the user (review_artifact)" in first.out, first.out + first.err
    store = open_store(str(tmp_path / "s.db"))
    (summary,) = store.sessions()
    record = store.load(summary.id)
    assert [row.kind for row in record.talk if row.kind == "refusal"] == ["refusal"]
    plan = load_plan(tmp_path / "build/novel/basic/plan.json")
    client = ProfiledClient(load_profiles([profile]))
    session = Session.resume(store, summary.id, plan, client)
    session.accept()
    assert session.advance().phase == "done", session.status
    paid = [row for row in session.record.calls if row.worker == "orchestrator"]
    assert {(row.way, row.cached_tokens) for row in paid} == {(way, 40)}
    assert [row.outcome for row in paid] == ["ok", "bad-arguments", "ok", "ok", "ok"]
    with urllib.request.urlopen(f"{address}/asked") as response:
        asked = json.load(response)
    loops = [body for body in asked if "总管规则" in body["messages"][0]["content"]]
    assert all(("tools" in body) == (way == "forced_tool") for body in loops)
    assert all(
        loops[at + 1]["messages"][: len(body["messages"])] == body["messages"]
        for at, body in enumerate(loops[:-1])
    )

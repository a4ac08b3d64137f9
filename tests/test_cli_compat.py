"""`skillc compat`: whether a session that waits goes on, held against what a session really does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli import Done, examples, replace, skillc, tree, write
from comparing import Git
from running import ListedModel, TickingClock, needs, writes
from skillc.compare.schema import compat_schema
from skillc.execute.session import Session, SessionRefused
from skillc.execute.store import open_store
from skillc.runtime import RunnablePlan, load_plan

BASIC = "skills/novel/basic"
OUTLINE = f"{BASIC}/workers/outline/SKILL.md"
RULES = "skills/novel/weird-rules-short"
INFER = f"{RULES}/workers/review-infer/SKILL.md"
ASKS = json.dumps({"outputs": {}, "summary": "", "askUser": ["谁在讲述？"]}, ensure_ascii=False)


def compat(folder: Path, *arguments: str) -> Done:
    return skillc("compat", *arguments, cwd=folder)


def data(folder: Path, *arguments: str) -> dict[str, Any]:
    """The JSON of an answer, which is as its schema says."""
    found: dict[str, Any] = json.loads(compat(folder, *arguments, "--format", "json").out)
    jsonschema.validate(found, compat_schema())
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two packages that were built once."""
    folder = examples(tmp_path, "novel/basic", "novel/weird-rules-short")
    assert skillc("build", cwd=folder).code == 0
    (folder / "build").rename(folder / "old")
    return folder


def plan_in(folder: Path, name: str = "old", package: str = "novel/basic") -> RunnablePlan:
    return load_plan(str(folder / name / package / "plan.json"))


def suspended(folder: Path, reply: str = ASKS, id: str = "s1", name: str = "s.db") -> Session:
    """A session of novel/basic whose outline has asked, or written, and that waits for the user."""
    store = open_store(str(folder / name), TickingClock())
    board = needs({"需求.核心要点": "夜班便利店"})
    session = Session.open(store, plan_in(folder), ListedModel(reply), session_id=id, board=board)
    session.advance()
    assert session.status.phase == "waiting_user"
    return session


def goes_on(folder: Path, session_id: str = "s1", accept: bool = False) -> bool:
    """Whether the session really takes an answer with what the sources compile to now."""
    assert skillc("build", cwd=folder).code == 0
    store = open_store(str(folder / "s.db"), TickingClock())
    session = Session.resume(
        store, session_id, plan_in(folder, "build"), ListedModel(ASKS), accept_change=accept
    )
    return session.answer("店员").status == "written"


def test_nothing_changed(home: Path) -> None:
    done = compat(home, "old")
    assert (done.code, done.err) == (0, "")
    assert "`novel/basic`: every worker is as it was\n" in done.out
    assert done.out.splitlines()[-1] == "every suspended session survives"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (f"{BASIC}/orchestrator.md", "description: ", "description: 新的"),
        (INFER, "description: ", "description: 新的"),
        (OUTLINE, "id: outline\n", "id: outline # 一个注释\n"),
    ],
)
def test_what_is_not_the_worker_itself_stops_no_session_of_it(
    home: Path, path: str, old: str, new: str
) -> None:
    suspended(home)
    replace(home / path, old, new, 1)
    assert compat(home, "old", "--store", "s.db").code == 0
    assert goes_on(home)


@pytest.mark.parametrize(
    ("path", "old", "new", "kinds"),
    [
        (OUTLINE, "name: 大纲", "name: 新大纲", ["prose"]),
        (OUTLINE, "policy: concat", "policy: latest", ["dynamic"]),
        (f"{BASIC}/shared-context.md", "\n\n", "\n\n先读这一句。\n\n", ["fixed_prefix", "prose"]),
        (OUTLINE, "stage: play\n", "stage: play\ncontextIsolation: blind_review\n", ["isolation"]),
    ],
)
def test_a_change_of_the_waiting_worker_stops_it_unless_told(
    home: Path, path: str, old: str, new: str, kinds: list[str]
) -> None:
    suspended(home)
    replace(home / path, old, new, 1)
    found = data(home, "old", "--store", "s.db")
    basic = found["packages"][0]
    assert (basic["path"], basic["survives"], basic["reason"]) == ("novel/basic", False, None)
    assert basic["workers"] == [
        {"id": "outline", "survives": False, "status": "changed", "now": None, "kinds": kinds}
    ]
    assert found["survive"] is False
    assert found["sessions"] == [
        {
            "id": "s1",
            "package": "novel/basic",
            "worker": "outline",
            "role": None,
            "waits": "worker_questions",
            "survives": False,
            "why": "changed",
        }
    ]
    assert not goes_on(home)
    assert goes_on(home, accept=True)


def test_a_store_names_the_sessions_and_decides(home: Path) -> None:
    suspended(home, id="asked")
    suspended(home, writes({"大纲.草稿": "一"}), id="shown")
    replace(home / OUTLINE, "name: 大纲", "name: 新大纲")
    done = compat(home, "old", "--store", "s.db")
    assert done.code == 1
    assert "session asked of `novel/basic` waits for `outline`, which changed\n" in done.out
    assert "sessions of the store that go on: 1\n" in done.out
    assert done.out.splitlines()[-1] == "some sessions of the store do not survive"
    suspended(home, writes({"大纲.草稿": "一"}), id="shown", name="other.db")
    only = compat(home, "old", "--store", "other.db")
    assert only.code == 0, "what waits for a review waits for no worker's plan"
    assert "1 of 1" in only.out and only.out.splitlines()[-1] == "all sessions of the store survive"


def test_the_plan_of_the_session_counts_not_that_of_the_old_side(home: Path) -> None:
    suspended(home)
    replace(home / OUTLINE, "name: 大纲", "name: 新大纲")
    skillc("build", cwd=home)
    assert compat(home, "build").code == 0
    assert compat(home, "build", "--store", "s.db").code == 1
    assert compat(home, "build", "old", "--store", "s.db").code == 0


def test_a_session_that_is_over_is_no_concern(home: Path) -> None:
    session = suspended(home, writes({"大纲.草稿": "一"}))
    session.accept()
    assert session.advance().phase == "done"
    replace(home / OUTLINE, "name: 大纲", "name: 新大纲")
    found = data(home, "old", "--store", "s.db")
    assert (found["sessions"], found["survive"]) == ([], True)


def test_a_package_that_is_gone_renamed_or_broken(home: Path) -> None:
    suspended(home)
    write(home / "x", {"skills/README.md": "x"})
    assert "`novel/basic` is gone: its sessions cannot go on\n" in compat(home, "old", "x").out
    replace(home / OUTLINE, '  - "需求.核心要点"\n', '  - "需求.核心要占"\n')
    done = compat(home, "old", "--store", "s.db")
    assert done.code == 1
    assert "`novel/basic` has errors now: its sessions cannot go on until these are fixed\n" in done.out
    assert "session s1 is of `novel/basic`, which has no plan now\n" in done.out
    replace(home / OUTLINE, "需求.核心要占", "需求.核心要点")
    (home / BASIC).rename(home / "skills/novel/plain")
    for path, old in (("orchestrator.md", "name"), ("workers/outline/SKILL.md", "skill")):
        replace(home / "skills/novel/plain" / path, f"{old}: basic", f"{old}: plain")
    done = compat(home, "old")
    assert done.code == 1
    assert "`novel/basic` is now `novel/plain`: its sessions cannot go on" in done.out
    skillc("build", cwd=home)
    with pytest.raises(SessionRefused):
        Session.resume(open_store(str(home / "s.db")), "s1", plan_in(home, "build", "novel/plain"))


def test_workers_that_are_gone_or_renamed(home: Path) -> None:
    (home / RULES / "workers/review-infer").rename(home / RULES / "workers/review-blind")
    replace(home / RULES / "workers/review-blind/SKILL.md", "id: review-infer", "id: review-blind")
    for path in (home / RULES).rglob("*.*"):
        text = path.read_text(encoding="utf-8").replace("review-infer", "review-blind")
        path.write_text(text, encoding="utf-8")
    workers = next(one["workers"] for one in data(home, "old")["packages"] if one["path"].endswith("short"))
    by_id = {one["id"]: (one["status"], one["now"]) for one in workers}
    assert by_id["review-infer"] == ("renamed", "review-blind")
    assert by_id["write-rules"] == ("same", None)
    assert compat(home, "old").code == 1


def test_stale_output_is_what_sessions_were_run_from(home: Path) -> None:
    suspended(home)
    (home / "old").rename(home / "build")
    replace(home / OUTLINE, '  - "需求.核心要点"\n', '  - "需求.核心要占"\n')
    skillc("build", cwd=home)
    replace(home / OUTLINE, "需求.核心要占", "需求.核心要点")
    assert compat(home, "build").code == 0
    assert compat(home, ".", "build").code == 1


def test_errors_on_the_old_side_leave_the_answer_to_a_store(home: Path) -> None:
    git = Git(home)
    replace(home / OUTLINE, '  - "需求.核心要点"\n', '  - "需求.核心要占"\n')
    git.commit()
    replace(home / OUTLINE, "需求.核心要占", "需求.核心要点")
    done = compat(home, "HEAD")
    assert done.code == 1
    assert "`novel/basic` had no plan of its own text" in done.out
    assert done.out.splitlines()[-1].startswith("whether every suspended session survives is not known")


@pytest.mark.parametrize("harm", [Path.unlink, lambda plan: plan.write_text("{}", encoding="utf-8")])
def test_nothing_is_promised_without_a_plan_of_the_old_side(home: Path, harm: Callable[[Path], None]) -> None:
    suspended(home)
    harm(home / "old/novel/basic/plan.json")
    found = data(home, "old")
    basic = next(one for one in found["packages"] if one["path"] == "novel/basic")
    assert (found["survive"], basic["survives"], basic["reason"]) == (False, False, "unknown")
    done = compat(home, "old")
    assert done.code == 1
    assert done.out.splitlines()[-1].startswith("whether every suspended session survives is not known")
    assert compat(home, "old", "--store", "s.db").code == 0


def test_a_store_is_only_read(home: Path) -> None:
    suspended(home)
    before = tree(home)
    assert compat(home, "old", "--store", "s.db").code == 0
    assert tree(home) == before


def test_stores_that_cannot_be_read(home: Path) -> None:
    missing = compat(home, "old", "--store", "none.db")
    assert (missing.code, missing.out) == (2, "")
    assert missing.err == "skillc: there is no store `none.db`\n"
    assert not (home / "none.db").exists()
    write(home, {"empty.db": "", "text.db": "no store at all" * 100})
    for name in ("empty.db", "text.db"):
        done = compat(home, "old", "--store", name)
        assert done.code == 3, done.err
        assert "is corrupt" in done.err


def test_in_chinese(home: Path) -> None:
    suspended(home)
    replace(home / OUTLINE, "name: 大纲", "name: 新大纲")
    out = compat(home, "old", "--store", "s.db", "--lang", "zh").out
    assert "`outline` 变了（文字）" in out
    assert "会话 s1（`novel/basic`）在等 `outline`，它变了" in out
    assert out.splitlines()[-1] == "会话库里有的会话无法继续"


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_what_is_shown_for_review_can_be_answered_without_its_worker(home: Path, action: str) -> None:
    session = suspended(home, writes({"大纲.草稿": "一"}))
    (home / BASIC / "workers/outline").rename(home / BASIC / "workers/plot")
    for path in (home / BASIC).rglob("*.*"):
        text = path.read_text(encoding="utf-8").replace("outline", "plot")
        path.write_text(text, encoding="utf-8")
    assert compat(home, "old").code == 1
    assert compat(home, "old", "--store", "s.db").code == 0
    assert skillc("build", cwd=home).code == 0
    store = open_store(str(home / "s.db"), TickingClock())
    again = Session.resume(
        store, session.id, plan_in(home, "build"), ListedModel(writes({"大纲.草稿": "二"}))
    )
    assert getattr(again, action)().status == "written"
    assert again.advance().phase in ("done", "waiting_user")


@pytest.mark.parametrize(
    ("change", "why"),
    [((), None), (("看一眼", "仔细看一眼"), "changed"), (("id: scout", ""), "removed")],
)
def test_a_worker_made_of_a_template_is_held_against_its_template(
    home: Path, change: tuple[str, str], why: str | None
) -> None:
    template = f"{BASIC}/templates/scout/SKILL.md"
    text = (home / OUTLINE).read_text(encoding="utf-8")
    text = text.replace("id: outline", "id: scout").replace("name: 大纲", "name: 看一眼")
    write(home, {template: text})
    assert skillc("build", cwd=home).code == 0
    store = open_store(str(home / "s.db"), TickingClock())
    board = needs({"需求.核心要点": "夜班便利店"})
    plan = plan_in(home, "build")
    session = Session.open(store, plan, ListedModel(ASKS), session_id="s1", board=board, driver="host")
    session.advance()
    session.declare_instance_ready()
    session.create_temp_worker("scout", "查一查")
    assert session.run_worker("scout-1").status == "written"
    assert session.status.reason == "worker_questions"
    if why == "removed":
        (home / template).unlink()
        (home / template).parent.rmdir()
    elif change:
        replace(home / template, *change, 1)
    (row,) = data(home, "old", "--store", "s.db")["sessions"]
    assert (row["worker"], row["why"]) == ("scout-1", why)
    assert goes_on(home) is (why is None)

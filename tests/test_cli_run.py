"""`skillc init` and `skillc run` as a new user meets them, in real processes."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from cli import SKILLS, examples, skillc, tree, write
from skillc.execute.store import open_store

SCRIPTS = sorted(SKILLS.glob("*/*/scripts/demo.yaml"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.parts[-3])
def test_every_example_plays_its_script_to_the_end(tmp_path: Path, script: Path) -> None:
    package = "/".join(script.parts[-4:-2])
    done = skillc("run", package, "--script", str(script), "--text", cwd=examples(tmp_path))
    assert done.code == 0, done.out + done.err
    assert done.out.rstrip().splitlines()[-1] and "\ndone\n" in done.out and "delivered " in done.out


def test_the_account_tells_who_ran_what_was_read_and_what_became_of_it(tmp_path: Path) -> None:
    examples(tmp_path)
    script = SKILLS / "novel/weird-rules-short/scripts/demo.yaml"
    out = skillc("run", "weird-rules-short", "--script", str(script), cwd=tmp_path).out
    for line in (
        "play, round 1",
        "run review-infer 读者视角验收",
        "  reads 需求.核心要点, 规则.确认稿, 规则.说明.确认稿",
        "  verdict fail",
        "run write-rules 规则创作 again",
        "  promoted 规则.草稿 -> 规则.确认稿",
    ):
        assert line in out.splitlines()
    assert out.index("verdict fail") < out.index("again") < out.rindex("verdict pass")


def test_a_session_without_anybody_to_answer_waits_and_goes_on(tmp_path: Path) -> None:
    examples(tmp_path, "novel/basic")
    write(
        tmp_path,
        {"profiles.json": json.dumps([{"id": "p", "model": "m", "baseUrl": "http://127.0.0.1:9/v1"}])},
    )
    first = skillc("run", "basic", cwd=tmp_path, stdin="一个故事\n")
    assert first.code == 0 and "standard input is no terminal and was not read" in first.out
    assert "waits for the user (intake)" in first.out
    session = first.out.split("suspended: session ")[1].split()[0]
    script = SKILLS / "novel/basic/scripts/demo.yaml"
    done = skillc("run", "basic", "--resume", session[:8], "--script", str(script), cwd=tmp_path)
    assert done.code == 0 and f"session {session} of novel/basic resumed" in done.out
    assert (tmp_path / ".skillc" / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("worker: outline", "worker: nobody"), "nobody"),
        (("  - accept: true\n", ""), "no user entry left"),
        (("user:\n", "user:\n  - accept: true\n"), "user entry 1 of the script (`accept`) does not fit"),
    ],
)
def test_a_script_that_does_not_fit_fails_loudly(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    examples(tmp_path, "novel/basic")
    text = (SKILLS / "novel/basic/scripts/demo.yaml").read_text(encoding="utf-8")
    assert change[0] in text
    write(tmp_path, {"script.yaml": text.replace(*change, 1)})
    done = skillc("run", "basic", "--script", "script.yaml", cwd=tmp_path)
    assert done.code == 1 and said in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("basic", "--script", "none.yaml"), 2, "cannot read the script `none.yaml`"),
        (("basic", "--resume", "000"), 2, "000"),
        (("basic", "--profile", "x"), 2, "profiles.json"),
        (("basic", "--rounds", "0"), 2, "at least one round"),
        (("nothing",), 2, "no package is named `nothing`"),
    ],
)
def test_what_cannot_run_is_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = skillc("run", *arguments, cwd=examples(tmp_path, "novel/basic"))
    assert done.code == code and said in done.out + done.err


def test_the_way_to_go_on_is_a_command_that_does(tmp_path: Path) -> None:
    examples(tmp_path, "novel/basic")
    text = (SKILLS / "novel/basic/scripts/demo.yaml").read_text(encoding="utf-8")
    assert "  - accept: true\n" in text
    write(tmp_path, {"my script.yaml": text.replace("  - accept: true\n", "", 1)})
    cut = skillc("run", "basic", "--script", "my script.yaml", "--store", "my store.db", cwd=tmp_path)
    assert cut.code == 1
    words = shlex.split(cut.out.split("resume with: skillc ")[1].splitlines()[0])
    assert words[4:] == ["--script", "my script.yaml", "--store", "my store.db"]
    write(tmp_path, {"my script.yaml": text})
    assert skillc(*words, cwd=tmp_path).code == 0
    write(
        tmp_path,
        {"profiles.json": json.dumps([{"id": "p", "model": "m", "baseUrl": "http://127.0.0.1:9/v1"}])},
    )
    plain = skillc("run", "basic", cwd=tmp_path).out.splitlines()[-1].split()
    assert plain[:6] == ["resume", "with:", "skillc", "run", "novel/basic", "--resume"] and len(plain) == 7


PROFILE = {"id": "p", "model": "m", "baseUrl": "http://127.0.0.1:9/v1", "apiKeyEnv": "NO_SUCH_KEY"}


@pytest.mark.parametrize(
    ("profiles", "said"),
    [
        ([PROFILE], "profile `p` needs the environment variable `NO_SUCH_KEY`"),
        ([PROFILE, {**PROFILE, "id": "q"}], "no profile is chosen for worker `outline`; there are `p`, `q`"),
    ],
)
def test_a_model_that_cannot_be_asked_is_said_before_the_first_question(
    tmp_path: Path, profiles: list[object], said: str
) -> None:
    examples(tmp_path, "novel/basic")
    write(tmp_path, {"profiles.json": json.dumps(profiles)})
    done = skillc("run", "basic", cwd=tmp_path)
    assert done.code == 2 and said in done.out and "intake" not in done.out


def test_a_pipe_that_nobody_writes_to_is_refused(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes in this file system")
    os.mkfifo(examples(tmp_path, "novel/basic") / "b.yaml")
    done = skillc("run", "basic", "--board", "b.yaml", cwd=tmp_path)
    assert done.code == 2 and "cannot read the board `b.yaml`: it is no file" in done.err


def test_no_session_is_begun_in_which_nobody_could_reply(tmp_path: Path) -> None:
    examples(tmp_path, "novel/basic")
    done = skillc("run", "basic", cwd=tmp_path, stdin="一个故事\n")
    assert done.code == 2 and "no terminal, and worker `outline` needs a model: give --profile" in done.out
    assert "session" not in done.out and not list(open_store(_store(tmp_path)).sessions())


def _store(folder: Path) -> str:
    return str(folder / ".skillc" / "sessions.sqlite3")


@pytest.mark.parametrize("kind", ["novel", "dialogue"])
def test_init_makes_a_package_that_checks_clean_and_runs(tmp_path: Path, kind: str) -> None:
    made = skillc("init", "my-story", "--kind", kind, cwd=tmp_path)
    assert made.code == 0
    checked = skillc("check", "--strict", "--format", "concise", cwd=tmp_path)
    assert checked.code == 0
    assert {line.split()[2] for line in checked.out.splitlines()} <= {"info"}
    for command in [line.strip() for line in made.out.splitlines() if line.startswith("  skillc ")]:
        done = skillc(*command.split()[1:], cwd=tmp_path)
        assert done.code == 0, f"{command}: {done.out}{done.err}"


def test_a_new_dialogue_plays_two_roles_in_rounds_that_do_not_see_each_other(tmp_path: Path) -> None:
    skillc("init", "tea-house", "--kind", "dialogue", cwd=tmp_path)
    script = "skills/dialogue/tea-house/scripts/demo.yaml"
    out = skillc("run", "tea-house", "--script", script, cwd=tmp_path).out.splitlines()
    turns = [line for line in out if line.startswith(("play", "run"))]
    one = ["run role-act 角色行动 as A", "run role-act 角色行动 as B", "run narrate 叙述"]
    assert turns == ["play, round 1", *one, "play, round 2", *one]
    reads = [line for line, before in zip(out[1:], out, strict=False) if before == one[0]]
    assert len(reads) == 2 and not any("角色.B" in line or "角色.A.行动" in line for line in reads)


def test_a_new_novel_gets_the_answer_to_its_question(tmp_path: Path) -> None:
    skillc("init", "my-story", cwd=tmp_path)
    board = "items:\n- {tag: 需求.核心要点, content: 雨}\n- {tag: 用户.worker答复, content: 五百字}\n"
    write(tmp_path, {"board.yaml": board})
    shown = skillc("show", "my-story:write", "--board", "board.yaml", cwd=tmp_path).out
    assert "## 用户的回答" in shown and "五百字" in shown


def test_init_adds_to_a_workspace_and_never_overwrites(tmp_path: Path) -> None:
    skillc("init", "one", cwd=tmp_path)
    before = tree(tmp_path)
    assert skillc("init", "two", cwd=tmp_path).code == 0
    after = tree(tmp_path)
    assert all(after[name].startswith(data) for name, data in before.items())
    assert skillc("check", "--strict", cwd=tmp_path).out == "no findings in 2 packages (2 workers)\n"
    again = skillc("init", "one", cwd=tmp_path)
    assert again.code == 2 and "is there already; nothing was changed" in again.err
    assert tree(tmp_path) == after


def test_init_finds_the_workspace_around_it_and_its_skills_folder(tmp_path: Path) -> None:
    write(tmp_path, {"skillc.toml": 'skills = "parts"\n', "notes/a.md": ""})
    made = skillc("init", "one", cwd=tmp_path / "notes")
    assert made.code == 0 and f"next in `{tmp_path}`:" in made.out
    assert sorted(tree(tmp_path / "notes")) == ["a.md"]
    assert "parts/novel/one/orchestrator.md" in tree(tmp_path) and "parts/registry.yaml" in tree(tmp_path)
    assert skillc("check", "--strict", cwd=tmp_path).out == "no findings in 1 package (1 worker)\n"


@pytest.mark.parametrize("name", ["Bad_Name", "con", "-x", "a" * 65, "故事", "../x"])
def test_init_refuses_a_name_that_could_not_be_checked_out(tmp_path: Path, name: str) -> None:
    done = skillc("init", "--", name, cwd=tmp_path)
    assert done.code == 2 and tree(tmp_path) == {}

"""The pytest plugin: the same verdicts as the command, in any project, and no trace where there is nothing for it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli import ROOT, examples, replace, skillc, tree, write
from skillc import pytest_plugin
from skillc.source import names
from snapshotting import DEMO, FIRST, KEPT, pytested, workspace

TEST = "def test_own():\n    assert True\n"


def updated(folder: Path) -> Path:
    """The workspace with all its snapshots."""
    assert skillc("snapshot", "--update", cwd=folder, CI="").code in (0, 1)
    return folder


def counts(text: str) -> dict[str, int]:
    """`{"passed": 3, "failed": 1}` of the last line of pytest."""
    return {word: int(n) for n, word in re.findall(r"(\d+) (\w+)", text.strip().splitlines()[-1])}


def test_the_plugin_knows_the_names_of_the_format() -> None:
    assert sorted(pytest_plugin.KINDS) == sorted(names.KINDS)
    assert pytest_plugin.CASE_SUFFIXES == names.DATA_SUFFIXES
    assert pytest_plugin.CONTEXTS == names.CONTEXTS
    assert (pytest_plugin.SNAPSHOTS, pytest_plugin.SNAPSHOT_SUFFIX) == (
        names.SNAPSHOTS,
        names.SNAPSHOT_SUFFIX,
    )


def test_it_takes_compares_and_tells_as_the_command_does(tmp_path: Path) -> None:
    workspace(tmp_path)
    missing = pytested(tmp_path, "-q")
    assert missing.code == 1 and counts(missing.out) == {"failed": 2, **counts(missing.out)}
    assert f"{DEMO}/contexts/first.yaml: has no snapshot yet" in missing.out
    assert tree(tmp_path / DEMO / "contexts").keys() == {"first.yaml", "rework.yaml"}

    taken = pytested(tmp_path, "-q", "--snapshot-update")
    assert taken.code == 0 and "snapshots updated: 0 as before, 2 new" in taken.out
    by_plugin = tree(tmp_path / KEPT)
    updated(tmp_path)
    assert tree(tmp_path / KEPT) == by_plugin, "the command finds nothing to change"

    replace(tmp_path / DEMO / "contexts/rework.yaml", "第三条删去", "第四条删去")
    os.rename(tmp_path / KEPT / "first.md", tmp_path / KEPT / "gone.md")
    write(tmp_path, {f"{DEMO}/contexts/bad.yaml": "worker: nobody\n"})
    told = skillc("snapshot", cwd=tmp_path, CI="true").out.splitlines()
    done = pytested(tmp_path, "-q", CI="true")
    assert done.code == 1 and counts(done.out)["failed"] == 4
    assert set(told) <= set(done.out.splitlines()), "line by line what the command says"
    assert "segment `notes` of message 1 (user)" in done.out
    assert not re.search(r"\.py:\d+", done.out), "no place in our code"


def test_an_update_writes_removes_and_leaves_what_failed(tmp_path: Path) -> None:
    updated(workspace(tmp_path))
    os.rename(tmp_path / DEMO / "contexts/first.yaml", tmp_path / DEMO / "contexts/second.yaml")
    write(tmp_path, {f"{DEMO}/contexts/rework.yaml": "worker: [\n"})
    old = tree(tmp_path / KEPT)["rework.md"]
    kept = pytested(tmp_path, "-q", "--snapshot-update", "--snapshot-no-cleanup")
    assert kept.code == 1 and (tmp_path / KEPT / "first.md").exists()
    done = pytested(tmp_path, "-q", "--snapshot-update")
    assert done.code == 1 and counts(done.out)["failed"] == 1
    assert tree(tmp_path / KEPT).keys() == {"rework.md", "second.md"}
    assert tree(tmp_path / KEPT)["rework.md"] == old


def test_a_selected_case_says_nothing_of_others(tmp_path: Path) -> None:
    updated(workspace(tmp_path))
    write(tmp_path, {f"{DEMO}/contexts/later.yaml": FIRST})
    before = tree(tmp_path)
    one = f"{DEMO}/contexts/first.yaml"
    for arguments in ([f"{one}::first"], ["-k", "rework", "--snapshot-update"]):
        done = pytested(tmp_path, "-q", *arguments)
        assert done.code == 0 and counts(done.out)["passed"] == 1, done.out
        assert tree(tmp_path) == before


@pytest.mark.parametrize("option", ["--snapshot-update", "--snapshot-update-new-only"])
def test_ci_updates_nothing(tmp_path: Path, option: str) -> None:
    updated(workspace(tmp_path))
    replace(tmp_path / DEMO / "contexts/rework.yaml", "第三条删去", "第四条删去")
    os.rename(tmp_path / KEPT / "first.md", tmp_path / KEPT / "gone.md")
    before = tree(tmp_path)
    done = pytested(tmp_path, "-q", option, CI="true")
    assert done.code == 1 and counts(done.out)["failed"] == 3
    assert done.out.count("not updated where CI is set") >= 3
    assert tree(tmp_path) == before


def test_under_xdist_every_case_is_compared_once(tmp_path: Path) -> None:
    workspace(tmp_path, {f"case{number}.yaml": FIRST for number in range(6)})
    workers = ("syrupy", "xdist")
    done = pytested(tmp_path, "-q", "-n", "2", "--snapshot-update", plugins=workers)
    assert done.code == 0 and counts(done.out)["passed"] == 6, done.out
    assert len(tree(tmp_path / KEPT)) == 6 and "6 new" in done.out
    replace(tmp_path / DEMO / "contexts/case3.yaml", "十条", "九条")
    os.rename(tmp_path / KEPT / "case4.md", tmp_path / KEPT / "gone.md")
    done = pytested(tmp_path, "-q", "-n", "2", plugins=workers)
    assert done.code == 1 and counts(done.out) == counts(done.out) | {"passed": 4, "failed": 3}, done.out
    assert "    + 夜班便利店，九条规则" in done.out.splitlines()


def test_snapshots_of_test_functions_stay_their_own(tmp_path: Path) -> None:
    """A project that uses syrupy itself: its unused snapshots are found as before, ours are none of them."""
    updated(workspace(tmp_path))
    write(tmp_path, {"tests/test_a.py": "def test_a(snapshot):\n    assert 'x' == snapshot\n"})
    done = pytested(tmp_path, "-q", "--snapshot-update")
    assert done.code == 0 and "1 snapshot generated." in done.out
    write(tmp_path, {"tests/test_a.py": "def test_b():\n    pass\n"})
    done = pytested(tmp_path, "-q")
    assert done.code == 1 and "1 snapshot unused." in done.out
    assert pytested(tmp_path, "-q", "--snapshot-update").code == 0
    assert tree(tmp_path / KEPT).keys() == {"first.md", "rework.md"}


def test_without_syrupy_one_clear_sentence_and_the_other_tests_run(tmp_path: Path) -> None:
    workspace(tmp_path)
    write(tmp_path, {"test_own.py": TEST})
    done = pytested(tmp_path, "-q", plugins=())
    assert counts(done.out) == {"failed": 1, "passed": 1}
    needs = "need syrupy: `pip install 'skillc[snapshot]'`, or `pytest -p no:skillc` to do without"
    assert sum(line.endswith(needs) and line.startswith("the ") for line in done.out.splitlines()) == 1
    assert "1 passed" in pytested(tmp_path, "-q", "test_own.py", plugins=()).out


def test_files_that_are_none_of_ours_are_left_alone(tmp_path: Path) -> None:
    """Boards only where a workspace reads packages; whatever else is called `contexts` belongs to others."""
    write(
        tmp_path,
        {
            "test_own.py": TEST,
            "contexts/first.yaml": "a: 1\n",
            "k8s/contexts/prod.yaml": "a: [\n",
            "deploy/novel/app/contexts/prod.yaml": "a: 1\n",
            "novel/app/orchestrator.md": "not in a skills folder",
            "novel/app/contexts/x.yaml": "worker: w\n",
            "skills/other/app/contexts/x.yaml": "worker: w\n",
            "skills/novel/app/notes/x.yaml": "worker: w\n",
            "skills/novel/app/contexts/deeper/x.yaml": "worker: w\n",
            "skills/novel/app/contexts/x.md": "x",
            "skills/novel/app/orchestrator.md": "---\n---\n",
        },
    )
    done = pytested(tmp_path, "-q")
    assert done.code == 0 and counts(done.out) == {"passed": 1, **counts(done.out)}, done.out


def test_settings_that_cannot_be_read_fail_with_a_sentence(tmp_path: Path) -> None:
    updated(workspace(tmp_path))
    write(tmp_path, {"test_own.py": TEST, "skillc.toml": "skils = 'x'\n"})
    done = pytested(tmp_path, "-q")
    assert done.code == 1 and counts(done.out)["passed"] == 1
    assert "unknown key `skils`; did you mean `skills`?" in done.out


def test_a_workspace_with_another_skills_folder_is_found(tmp_path: Path) -> None:
    workspace(tmp_path)
    os.rename(tmp_path / "skills", tmp_path / "prompts")
    write(tmp_path, {"pyproject.toml": "[tool.skillc]\nskills = 'prompts'\nlang = 'zh'\n"})
    done = pytested(tmp_path, "-q", "prompts")
    assert done.code == 1 and "prompts/novel/demo/contexts/first.yaml: 还没有快照" in done.out


HEAVY = ("skillc.cli", "skillc.snapshot", "skillc.driver", "pydantic", "networkx", "lark", "yaml", "jinja2")


def test_a_start_of_pytest_without_a_workspace_loads_nothing(tmp_path: Path) -> None:
    loaded = f"import sys\ndef test_own():\n    assert not [m for m in {HEAVY} if m in sys.modules]\n"
    write(tmp_path, {"test_own.py": loaded, "contexts/a.yaml": "a: 1\n", "docs/contexts/b.json": "{}"})
    assert pytested(tmp_path, "-q").code == 0
    script = "import sys; before = set(sys.modules); import skillc.pytest_plugin; print(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "compiler")},
    )
    assert set(done.stdout.split()) <= {"__future__", "skillc", "skillc.pytest_plugin"}


def test_our_own_tests_hold_no_case() -> None:
    """What pytest collects in this project are the packages of `skills`, and no package of a test by accident."""
    done = pytested(ROOT, "--collect-only", "-q", "tests", "--ignore-glob=*.py", plugins=("syrupy", "xdist"))
    assert "::" not in done.out


def test_each_case_of_ours_is_collected(tmp_path: Path) -> None:
    folder = examples(tmp_path)
    cases = sorted(folder.glob("skills/*/*/contexts/*.yaml"))
    done = pytested(folder, "--collect-only", "-q")
    collected = [line for line in done.out.splitlines() if "::" in line]
    assert collected == [f"{path.relative_to(folder).as_posix()}::{path.stem}" for path in cases]

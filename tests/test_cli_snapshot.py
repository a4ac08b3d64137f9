"""`skillc snapshot`: compares, updates, and is of one mind with the plugin."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from breaking import Disk, broken
from cli import Done, examples, replace, skillc, tree, write
from skillc.store import files
from snapshotting import DEMO, FIRST, KEPT, workspace


def snapshot(folder: Path, *arguments: str, **environment: str) -> Done:
    return skillc("snapshot", *arguments, cwd=folder, **({"CI": ""} | environment))


def test_from_nothing_to_a_kept_context_and_to_a_change(tmp_path: Path) -> None:
    workspace(tmp_path)
    before = tree(tmp_path)
    done = snapshot(tmp_path)
    assert done.code == 1 and tree(tmp_path) == before, "comparing writes nothing"
    assert done.out.splitlines() == [
        f"{DEMO}/contexts/first.yaml: has no snapshot yet",
        f"{DEMO}/contexts/rework.yaml: has no snapshot yet",
    ]
    assert "`skillc snapshot --update` accepts" in done.err
    done = snapshot(tmp_path, "--update")
    assert (done.code, done.out, done.err) == (0, "", "snapshots updated: 0 as before, 2 new\n")
    assert {path for path in tree(tmp_path) if path not in before} == {
        f"{KEPT}/first.md",
        f"{KEPT}/rework.md",
    }
    assert snapshot(tmp_path, "--check").err == "snapshots: 2 as before\n"

    replace(tmp_path / DEMO / "contexts/rework.yaml", "第三条删去", "第四条删去")
    done = snapshot(tmp_path)
    assert done.code == 1
    assert done.out.splitlines() == [
        f"{DEMO}/contexts/rework.yaml: another context: segment `notes` of message 1 (user)",
        "  segment `notes` of message 1 (user)",
        "      结尾改掉",
        "    - 第三条删去",
        "    + 第四条删去",
    ]
    kept = tree(tmp_path / KEPT)
    assert snapshot(tmp_path, "--update").err == "snapshots updated: 1 as before, 1 rewritten\n"
    assert tree(tmp_path / KEPT)["first.md"] == kept["first.md"]
    assert snapshot(tmp_path).code == 0


def test_a_change_of_the_package_shows_in_every_case_that_it_reaches(tmp_path: Path) -> None:
    snapshot(workspace(tmp_path), "--update")
    write(tmp_path, {f"{DEMO}/shared-context.md": "# 约定\n\n只写中文。\n"})
    done = snapshot(tmp_path)
    assert done.code == 1 and done.out.count("another context: message 0 (system)") == 2
    assert "    + # 固定创作上下文" in done.out.splitlines()


def test_unused_snapshots_fail_and_go_with_an_update(tmp_path: Path) -> None:
    snapshot(workspace(tmp_path), "--update")
    os.unlink(tmp_path / DEMO / "contexts/rework.yaml")
    done = snapshot(tmp_path)
    assert done.code == 1
    assert done.out == f"{KEPT}/rework.md: belongs to no case any more\n"
    assert snapshot(tmp_path, f"{DEMO}/contexts/first.yaml").code == 0, "one case says nothing of others"
    assert snapshot(tmp_path, "--update").err == "snapshots updated: 1 as before, 1 removed\n"
    assert list(tree(tmp_path / KEPT)) == ["first.md"]


def test_one_case_or_one_snapshot_may_be_named(tmp_path: Path) -> None:
    workspace(tmp_path)
    assert "1 new" in snapshot(tmp_path, f"{DEMO}/contexts/first.yaml", "--update").err
    assert list(tree(tmp_path / KEPT)) == ["first.md"]
    assert "1 as before" in snapshot(tmp_path, f"{KEPT}/first.md").err
    assert "1 as before" in snapshot(tmp_path / DEMO / "contexts", "first.yaml").err
    for whole in (f"{DEMO}/contexts", DEMO, "demo", f"{DEMO}/orchestrator.md", "."):
        assert "1 as before, 1 without" in snapshot(tmp_path, whole).err, whole


@pytest.mark.parametrize("ci", ["true", "1", "TRUE"])
def test_ci_updates_nothing(tmp_path: Path, ci: str) -> None:
    before = tree(workspace(tmp_path))
    done = snapshot(tmp_path, "--update", CI=ci)
    assert done.code == 2 and "not updated where CI is set" in done.err
    assert tree(tmp_path) == before
    assert snapshot(tmp_path, CI=ci).code == 1, "comparing is what CI is for"


def test_a_broken_case_fails_the_others_run_and_an_update_keeps_what_it_has(tmp_path: Path) -> None:
    snapshot(workspace(tmp_path), "--update")
    kept = tree(tmp_path / KEPT)
    write(tmp_path, {f"{DEMO}/contexts/rework.yaml": "worker: nobody\n", f"{DEMO}/contexts/new.yaml": FIRST})
    done = snapshot(tmp_path, "--update")
    assert done.code == 1
    assert done.out.startswith(f"{DEMO}/contexts/rework.yaml:1:9: ")
    assert done.err == "snapshots updated: 1 as before, 1 new, 1 failed\n"
    assert tree(tmp_path / KEPT) == kept | {"new.md": tree(tmp_path / KEPT)["new.md"]}


def test_a_checkout_with_other_line_ends_is_the_same(tmp_path: Path) -> None:
    snapshot(workspace(tmp_path), "--update")
    for name, data in tree(tmp_path / KEPT).items():
        (tmp_path / KEPT / name).write_bytes(data.replace(b"\n", b"\r\n"))
    before = tree(tmp_path)
    assert snapshot(tmp_path).code == 0
    assert snapshot(tmp_path, "--update").code == 0 and tree(tmp_path) == before
    board = tmp_path / DEMO / "contexts/first.yaml"
    board.write_bytes(board.read_bytes().replace(b"\n", b"\r\n"))
    assert snapshot(tmp_path).code == 0, "a board is read in canonical form"


def test_line_ends_in_a_content_are_another_context(tmp_path: Path) -> None:
    snapshot(workspace(tmp_path), "--update")
    replace(tmp_path / DEMO / "contexts/rework.yaml", "改掉\\n", "改掉\\r\\n")
    done = snapshot(tmp_path)
    assert done.code == 1
    assert "    - 结尾改掉" in done.out.splitlines() and "    + 结尾改掉<U+000D>" in done.out.splitlines()


def test_a_workspace_without_cases_is_told_what_a_case_is(tmp_path: Path) -> None:
    done = snapshot(workspace(tmp_path, {}))
    assert done.code == 0 and "contexts/<case>.yaml" in done.err
    empty = tmp_path / "empty"
    empty.mkdir()
    assert snapshot(tmp_path, "nowhere").code == 2


def test_in_chinese(tmp_path: Path) -> None:
    done = snapshot(workspace(tmp_path), "--lang", "zh")
    assert done.out.startswith(f"{DEMO}/contexts/first.yaml: 还没有快照\n")
    assert done.err.startswith("快照：0 个不变、2 个还没有快照；")


def test_a_check_knows_the_snapshots_and_nothing_else_beside_them(tmp_path: Path) -> None:
    snapshot(workspace(tmp_path), "--update")
    write(tmp_path, {f"{KEPT}/notes.txt": "x", f"{DEMO}/scripts/__snapshots__/a.md": "x"})
    done = skillc("check", "--format", "concise", cwd=tmp_path)
    stray = [line.split(":")[0] for line in done.out.splitlines() if "P051" in line]
    assert stray == [f"{KEPT}/notes.txt", f"{DEMO}/scripts/__snapshots__"]


def test_snapshots_are_no_part_of_a_plan(tmp_path: Path) -> None:
    skillc("build", cwd=workspace(tmp_path))
    before = tree(tmp_path / "build")
    snapshot(tmp_path, "--update")
    skillc("build", cwd=tmp_path)
    assert tree(tmp_path / "build") == before


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    workspace(tmp_path)
    with broken(Disk(1, "fail"), files):
        done = snapshot(tmp_path, "--update")
    assert done.code == 3 and f"cannot write `{KEPT}/first.md`" in done.err


def test_a_pristine_package_of_ours_has_snapshots_for_all_its_cases(tmp_path: Path) -> None:
    done = snapshot(examples(tmp_path, "novel/basic"))
    assert done.code == 0, done.out

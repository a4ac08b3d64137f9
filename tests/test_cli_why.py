"""What a build tells of itself: why, what it would do, and whether the build folder is what the sources say."""

from __future__ import annotations

import os
from pathlib import Path

from cli import PACKAGES, examples, skillc, write
from skillc.engine.reasons import Reason, told_of

OUTLINE = "skills/novel/basic/workers/outline/SKILL.md"


def broken_behind_a_build(root: Path) -> tuple[Path, str]:
    """A file that got an error after a build, and its text before."""
    examples(root)
    skillc("build", cwd=root)
    skill = root / OUTLINE
    whole = skill.read_text(encoding="utf-8")
    skill.write_text(whole.replace('"需求.核心要点"', '"没有.人写"', 1), encoding="utf-8")
    return skill, whole


def test_a_build_accounts_for_itself(tmp_path: Path) -> None:
    examples(tmp_path)
    planned = skillc("build", "--dry-run", cwd=tmp_path)
    assert planned.code == 0 and "novel/basic: the package is new\n" in planned.out
    assert not (tmp_path / "build").exists()
    missing = skillc("build", "--check", cwd=tmp_path)
    assert missing.code == 1 and "build/novel/basic/plan.json is missing\n" in missing.out
    assert "was not compiled yet" in skillc("why", "basic", cwd=tmp_path).out
    skillc("build", cwd=tmp_path)
    assert skillc("build", "--check", cwd=tmp_path).code == 0

    skill = tmp_path / OUTLINE
    skill.write_text(skill.read_text(encoding="utf-8") + "\n再写一句。\n", encoding="utf-8")
    why = skillc("why", "basic", cwd=tmp_path).out
    assert why.startswith(
        "the next build compiles `novel/basic`:\n  the text of `workers/outline/SKILL.md` changed\n"
    )
    assert skillc("build", "--check", cwd=tmp_path).code == 1
    told = skillc("build", "--explain", cwd=tmp_path).err
    assert told.startswith(
        "novel/basic: the text of `workers/outline/SKILL.md` changed → `outline`\n1 package"
    )
    assert skillc("why", "basic:outline", cwd=tmp_path).out == (
        "`novel/basic` is up to date\n"
        "the last time it was compiled because:\n"
        "  the text of `workers/outline/SKILL.md` changed\n"
        "`outline` came out otherwise than before\n"
    )
    verified = skillc("build", "--verify-incremental", cwd=tmp_path)
    assert verified.code == 0 and "compiled afresh: the same bytes\n" in verified.err


def test_a_check_between_makes_no_other_reason(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("build", cwd=tmp_path)
    skill = tmp_path / OUTLINE
    before = skill.read_text(encoding="utf-8")
    skill.write_text(before + "\n再写一句。\n", encoding="utf-8")
    why = skillc("why", "basic", cwd=tmp_path).out
    skillc("check", cwd=tmp_path)
    assert skillc("why", "basic", cwd=tmp_path).out == why
    reason = "novel/basic: the text of `workers/outline/SKILL.md` changed"
    assert f"{reason}\n" in skillc("build", "--dry-run", cwd=tmp_path).out
    assert skillc("build", "--explain", cwd=tmp_path).err.startswith(f"{reason} → `outline`\n")
    assert "`outline`" in skillc("why", "basic", cwd=tmp_path).out.splitlines()[-1]

    skill.write_text(before, encoding="utf-8")
    skillc("check", cwd=tmp_path)
    skill.write_text(before + "\n再写一句。\n", encoding="utf-8")
    told = skillc("build", "--explain", cwd=tmp_path).err
    assert told.startswith(
        "novel/basic: nothing was written of it the last time → no worker (from the cache)\n"
    )


def test_what_was_only_checked_is_new_to_a_build(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("check", cwd=tmp_path)
    assert "was not compiled yet" in skillc("why", "basic", cwd=tmp_path).out
    assert "novel/basic: the package is new\n" in skillc("build", "--dry-run", cwd=tmp_path).out


def test_errors_that_came_and_went_changed_nothing(tmp_path: Path) -> None:
    skill, whole = broken_behind_a_build(tmp_path)
    assert skillc("build", cwd=tmp_path).code == 1
    skill.write_text(whole, encoding="utf-8")
    assert skillc("build", cwd=tmp_path).code == 0
    assert skillc("why", "basic", cwd=tmp_path).out.endswith("every worker came out as before\n")


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("build", "basic", cwd=tmp_path)
    wrong = skillc("why", "basic:nobody", cwd=tmp_path)
    assert wrong.code == 2 and "it has `outline`" in wrong.err
    assert skillc("build", "--check", "--explain", cwd=tmp_path).code == 2


def test_a_package_with_errors_is_never_called_up_to_date(tmp_path: Path) -> None:
    broken_behind_a_build(tmp_path)
    told = skillc("build", "--explain", cwd=tmp_path)
    assert told.code == 1
    assert "`workers/outline/SKILL.md` changed → errors, so nothing was compiled\n" in told.err
    assert skillc("why", "basic", cwd=tmp_path).out.startswith(
        "`novel/basic` has errors, so nothing is compiled"
    )
    planned = skillc("build", "--dry-run", cwd=tmp_path)
    assert planned.err == f"0 packages to compile, {len(PACKAGES) - 1} up to date, 1 with errors\n"
    checked = skillc("build", "--check", cwd=tmp_path)
    assert checked.code == 1
    assert checked.err.endswith(
        "build/ is as a build leaves it: of 1 package with errors nothing is compiled, and older output is marked stale\n"
    )
    (tmp_path / "build/novel/basic/plan.stale").unlink()
    checked = skillc("build", "--check", cwd=tmp_path)
    assert checked.code == 1 and "build/novel/basic/plan.stale is missing\n" in checked.out
    assert checked.err.endswith("build/ is not what the sources say: run `skillc build`\n")


def test_a_change_behind_the_back_of_the_clock_is_seen(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("build", cwd=tmp_path)
    skill = tmp_path / OUTLINE
    before, data = skill.stat(), skill.read_bytes()
    assert data.count("五件事".encode()) == 1
    with open(skill, "r+b") as file:
        file.write(data.replace("五件事".encode(), "六件事".encode()))
    os.utime(skill, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert skillc("build", "--check", cwd=tmp_path).code == 1
    assert "1 package compiled" in skillc("build", cwd=tmp_path).err


def test_what_lies_in_the_way_in_the_build_folder_is_told(tmp_path: Path) -> None:
    examples(tmp_path)
    (tmp_path / "build/novel").mkdir(parents=True)
    (tmp_path / "build/novel/basic").write_text("x")
    checked = skillc("build", "--check", cwd=tmp_path)
    assert checked.code == 1 and "build/novel/basic/plan.json is missing\n" in checked.out
    built = skillc("build", cwd=tmp_path)
    assert built.code == 3 and "cannot write `build/novel/basic" in built.err and "bug" not in built.err


def test_each_change_is_told_once_and_in_chinese_as_one_sentence(tmp_path: Path) -> None:
    examples(tmp_path, "novel/basic")
    skillc("build", cwd=tmp_path)
    folder = tmp_path / "skills/novel/basic"
    write(folder, {"contexts/new.yaml": "items: []\n"})
    skill = tmp_path / OUTLINE
    skill.write_text(skill.read_text(encoding="utf-8") + "\n再写一句。\n", encoding="utf-8")
    assert skillc("why", "basic", "--lang=zh", cwd=tmp_path).out.startswith(
        "下次构建会编译 `novel/basic`：\n  `workers/outline/SKILL.md` 的正文变了\n  `contexts/new.yaml` 是新的\n上次"
    )
    assert [str(told) for told in told_of([Reason("contract", "/", "changed")])] == [
        "the list of files in the package's folder changed"
    ]
    listing = Reason("contract", "workers/", "changed")
    assert told_of([listing]) == ["the list of files in `workers` changed"]
    new = [Reason("contract", "workers/b/", "added"), Reason("contract", "workers/b/SKILL.md", "added")]
    text = Reason("body", "workers/b/SKILL.md", "added")
    assert told_of([text, listing, *new]) == ["`workers/b/SKILL.md` is new"]
    assert told_of([text]) == ["the text of `workers/b/SKILL.md` is new"]

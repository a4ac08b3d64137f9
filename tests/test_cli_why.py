"""What a build tells of itself: why, what it would do, and whether the build folder is what the sources say."""

from __future__ import annotations

from pathlib import Path

from cli import examples, skillc

OUTLINE = "skills/novel/basic/workers/outline/SKILL.md"


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


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("build", "basic", cwd=tmp_path)
    wrong = skillc("why", "basic:nobody", cwd=tmp_path)
    assert wrong.code == 2 and "it has `outline`" in wrong.err
    assert skillc("build", "--check", "--explain", cwd=tmp_path).code == 2

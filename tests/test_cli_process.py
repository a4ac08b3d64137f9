"""The command in a process of its own says and does what it says and does in this one, where most tests run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import examples, replace, skillc, skillc_process, tree

OUTLINE = "skills/novel/basic/workers/outline/SKILL.md"
SCRIPT = "skills/novel/basic/scripts/demo.yaml"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("check", "--lang", "zh"), 1),
        (("check", "--format", "json"), 1),
        (("check", "--diff"), 0),
        (("build",), 1),
        (("show", "basic:outline"), 1),
        (("nothing",), 2),
        (("explain", "G001"), 0),
        (("--version",), 0),
        ((), 2),
    ],
    ids=lambda value: " ".join(value) or "nothing typed" if isinstance(value, tuple) else "",
)
def test_both_say_and_write_the_same(tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    done = []
    for folder, run in (("inside", skillc), ("outside", skillc_process)):
        place = examples(tmp_path / folder, "novel/basic")
        replace(place / OUTLINE, "需求.核心要点", "需求.核心要占")
        said = run(*arguments, cwd=place)
        done.append(
            (said, {path: data for path, data in tree(place).items() if not path.startswith(".skillc/")})
        )
    assert done[0] == done[1]
    assert done[0][0].code == code


def test_a_session_and_snapshots_in_a_process(tmp_path: Path) -> None:
    place = examples(tmp_path, "novel/basic")
    assert skillc_process("run", "basic", "--script", SCRIPT, cwd=place).code == 0
    assert skillc_process("snapshot", cwd=place).code == 0
    piped = skillc_process(
        "check",
        "-",
        "--stdin-filename",
        OUTLINE,
        cwd=place,
        stdin=(place / OUTLINE).read_text(encoding="utf-8"),
    )
    assert piped.code == 0

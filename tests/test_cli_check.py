"""`skillc check` as a user and as CI meet it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from cli import examples, replace, skillc, write

BASIC = "novel/basic"
OUTLINE = f"skills/{BASIC}/workers/outline/SKILL.md"


def broken(folder: Path) -> Path:
    """A copy of novel/basic whose outline waits for a tag that is one character off."""
    examples(folder, BASIC)
    replace(folder / OUTLINE, "需求.核心要点", "需求.核心要占")
    return folder


def test_the_shipped_packages_check_clean_even_strictly(tmp_path: Path) -> None:
    done = skillc("check", "--strict", cwd=examples(tmp_path))
    assert done.code == 0
    assert "error" not in done.out and "warning" not in done.out


def test_the_whole_output_of_a_finding(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done = skillc("check", cwd=broken(tmp_path))
    assert done.code == 1
    assert done.out == snapshot


def test_concise_and_json_say_the_same(tmp_path: Path) -> None:
    broken(tmp_path)
    concise = skillc("check", "--format", "concise", cwd=tmp_path).out.splitlines()
    report = json.loads(skillc("check", "--format", "json", cwd=tmp_path).out)
    assert [f"{d['path']}:{d['line']}:{d['column']}: {d['code']}" for d in report["diagnostics"]] == [
        line.split(" error ")[0].split(" warning ")[0].split(" info ")[0] for line in concise
    ]
    assert report["format_version"] == "1.0"
    assert report["summary"]["errors"] == 1


def test_exit_codes(tmp_path: Path) -> None:
    clean = examples(tmp_path / "clean", BASIC)
    assert skillc("check", cwd=clean).code == 0
    warned = examples(tmp_path / "warned", BASIC)
    replace(warned / OUTLINE, '"需求.核心要点"\n', '"需求.核心要点"\n  - "需求.核心要点"\n', 1)
    assert skillc("check", cwd=warned).code == 0
    assert skillc("check", "--strict", cwd=warned).code == 1
    assert skillc("check", cwd=broken(tmp_path / "broken")).code == 1
    assert skillc("check", "nowhere", cwd=clean).code == 2
    assert skillc("check", "--format", "xml", cwd=clean).code == 2
    assert skillc("check", cwd=tmp_path.parent).code in (0, 2)


def test_a_package_a_file_and_a_name_mean_the_same(tmp_path: Path) -> None:
    broken(tmp_path)
    outputs = {
        skillc("check", "--format", "concise", path, cwd=tmp_path).out
        for path in (f"skills/{BASIC}", OUTLINE, BASIC, "basic", str(tmp_path / "skills" / BASIC))
    }
    assert len(outputs) == 1 and "unproduced-input" in outputs.pop()


def test_findings_of_other_packages_stay_out(tmp_path: Path) -> None:
    broken(tmp_path)
    shutil.copytree(tmp_path / "skills" / BASIC, tmp_path / "skills" / "dialogue" / "other")
    done = skillc("check", "--format", "concise", BASIC, cwd=tmp_path)
    assert "dialogue/other" not in done.out


def test_b37_an_ambiguous_name_lists_both_whatever_the_order(tmp_path: Path) -> None:
    for kind in ("novel", "dialogue"):
        shutil.copytree(Path("skills") / BASIC, tmp_path / "skills" / kind / "basic")
    done = skillc("check", "basic", cwd=tmp_path)
    assert done.code == 2
    assert "`basic` is ambiguous: say `dialogue/basic` or `novel/basic`" in done.err


def test_unknown_settings_are_refused(tmp_path: Path) -> None:
    examples(tmp_path, BASIC)
    write(tmp_path, {"skillc.toml": "stirct = true\n"})
    done = skillc("check", cwd=tmp_path)
    assert done.code == 2 and "did you mean `strict`?" in done.err


def test_settings_of_the_nearest_folder_upward_apply(tmp_path: Path) -> None:
    examples(tmp_path, BASIC)
    replace(tmp_path / OUTLINE, '"需求.核心要点"\n', '"需求.核心要点"\n  - "需求.核心要点"\n', 1)
    write(tmp_path, {"pyproject.toml": '[tool.skillc]\nstrict = true\nformat = "concise"\n'})
    done = skillc("check", cwd=tmp_path / "skills" / BASIC / "workers")
    assert done.code == 1
    assert done.out.startswith(f"{OUTLINE}:") and "duplicate-tag" in done.out


def test_one_bad_file_never_hides_another(tmp_path: Path) -> None:
    """All independent errors of all packages come in one run, and a broken worker causes no cascade."""
    examples(tmp_path)
    write(tmp_path, {OUTLINE: "---\nid: [\n---\n"})
    rules = tmp_path / "skills/novel/weird-rules-short/workers/write-rules/SKILL.md"
    replace(rules, "skill: weird-rules-short", "skill: weird-rules")
    done = skillc("check", "--format", "concise", cwd=tmp_path)
    errors = [line for line in done.out.splitlines() if " error " in line]
    assert [line.split(" error ")[1].split(":")[0] for line in errors] == ["yaml-syntax", "skill-mismatch"]


def test_colour_only_where_wanted(tmp_path: Path) -> None:
    broken(tmp_path)
    assert "\x1b[" not in skillc("check", cwd=tmp_path).out
    assert "\x1b[" in skillc("check", "--color", "always", cwd=tmp_path).out


def test_a_latin_terminal_gets_escapes_instead_of_a_crash(tmp_path: Path) -> None:
    done = skillc("check", cwd=broken(tmp_path), PYTHONIOENCODING="ascii")
    assert done.code == 1 and "\\u" in done.out


@pytest.mark.parametrize("command", ["check", "build", "show", "graph", "run", "explain", "init"])
def test_every_command_teaches(tmp_path: Path, command: str) -> None:
    done = skillc(command, "--help", cwd=tmp_path)
    assert done.code == 0
    assert "examples:" in done.out and f"skillc {command}" in done.out


def test_help_and_version(tmp_path: Path) -> None:
    assert "a first day:" in skillc("--help", cwd=tmp_path).out
    assert skillc("--version", cwd=tmp_path).out.startswith("skillc 0.")
    assert skillc(cwd=tmp_path).code == 2
    assert skillc("chekc", cwd=tmp_path).code == 2


@pytest.mark.parametrize(
    "command", [("check", "basic"), ("build", "basic"), ("show", "basic:outline"), ("run", "basic")]
)
def test_a_broken_catalogue_above_a_package_stops_the_package_too(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    """Its labels would be gone, and with them what isolation hides."""
    examples(tmp_path, BASIC)
    write(tmp_path, {"skills/tags.yaml": 'labels:\n  hidden: ["正文。隐"]\n'})
    done = skillc(*command, cwd=tmp_path)
    assert done.code == 1 and "bad-tag" in done.out + done.err
    assert not (tmp_path / "build").exists() or not (tmp_path / "build" / BASIC).exists()


def test_a_folder_that_is_no_package_is_never_clean(tmp_path: Path) -> None:
    examples(tmp_path, BASIC)
    shutil.copytree(tmp_path / "skills" / BASIC, tmp_path / "skills/novel/wrap/poem")
    write(tmp_path, {"skills/novel/notes/README.md": "# notes\n"})
    done = skillc("check", "skills/novel/wrap", cwd=tmp_path)
    assert done.code == 1 and "misnamed-file" in done.out
    empty = skillc("check", "skills/novel/notes", cwd=tmp_path)
    assert empty.code == 2 and "`skills/novel/notes` is no package" in empty.err


def test_a_bad_folder_name_is_the_only_error(tmp_path: Path) -> None:
    """Nothing asks for the bad name to be written anywhere."""
    examples(tmp_path, "novel/basic")
    (tmp_path / "skills/novel/basic").rename(tmp_path / "skills/novel/a%b")
    found = json.loads(skillc("check", "--format", "json", cwd=tmp_path).out)["diagnostics"]
    assert [one["code"] for one in found if one["severity"] == "error"] == ["P013"]

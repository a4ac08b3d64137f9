"""`skillc build`: the same bytes anywhere, whole files, nothing stale taken for fresh."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cli import PACKAGES, SKILLS, examples, replace, skillc, skillc_process, tree, write
from skillc.cli.build import PLAIN
from skillc.cli.main import parser_of
from skillc.store.quick import nothing_to_do

BASIC = "novel/basic"
RULES = "novel/weird-rules-short"
OUTLINE = f"skills/{BASIC}/workers/outline/SKILL.md"


def index(folder: Path) -> dict[str, str]:
    data = json.loads((folder / "build" / "index.json").read_bytes())
    assert data["schema"] == "skillc.index/1"
    return {row["path"]: row["status"] for row in data["packages"]}


def test_every_package_gets_a_plan_and_its_prompts(tmp_path: Path) -> None:
    done = skillc("build", cwd=examples(tmp_path))
    assert done.code == 0 and f"{len(PACKAGES)} packages compiled, 0 up to date" in done.err
    built = tree(tmp_path / "build")
    for package in PACKAGES:
        workers = sorted(path.name for path in (SKILLS / package / "workers").iterdir())
        plan = json.loads(built[f"{package}/plan.json"])
        assert plan["schema"] == "skillc.plan/1"
        assert sorted(plan["workers"]) == workers
        assert all(f"{package}/{worker}.prompt.md" in built for worker in workers)


def test_b47_the_second_build_does_nothing_and_a_touched_output_is_restored(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("build", cwd=tmp_path)
    before = tree(tmp_path / "build")
    times = {name: os.stat(tmp_path / "build" / name).st_mtime_ns for name in before}
    assert f"0 packages compiled, {len(PACKAGES)} up to date" in skillc("build", cwd=tmp_path).err
    assert times == {name: os.stat(tmp_path / "build" / name).st_mtime_ns for name in before}
    with open(tmp_path / "build" / BASIC / "plan.json", "ab") as file:
        file.write(b" ")
    assert f"1 package compiled, {len(PACKAGES) - 1} up to date" in skillc("build", cwd=tmp_path).err
    assert tree(tmp_path / "build") == before


def test_built_twice_anywhere_the_bytes_are_the_same(tmp_path: Path) -> None:
    """Two folders, two locales, two hash seeds, two directory orders."""
    one = examples(tmp_path / "one")
    two = tmp_path / "deep" / "er" / "zwei"
    for path in sorted(SKILLS.rglob("*"), reverse=True):
        if path.is_file():
            target = two / "skills" / path.relative_to(SKILLS)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    skillc("build", cwd=one, PYTHONHASHSEED="1", LC_ALL="C", TZ="UTC")
    skillc("build", cwd=two, PYTHONHASHSEED="4242", LC_ALL="C.UTF-8", TZ="Asia/Shanghai")
    assert tree(one / "build") == tree(two / "build") != {}


def test_line_ends_and_a_byte_order_mark_change_no_plan(tmp_path: Path) -> None:
    """A1, A2: what means the same compiles to the same bytes."""
    one, two = examples(tmp_path / "one", BASIC), examples(tmp_path / "two", BASIC)
    for path in (two / "skills").rglob("*.md"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    skillc("build", cwd=one)
    done = skillc("build", cwd=two)
    assert done.code == 0
    assert tree(one / "build") == tree(two / "build")


def test_a_package_with_errors_keeps_its_old_output_marked_stale(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("build", cwd=tmp_path)
    before = tree(tmp_path / "build" / BASIC)
    replace(tmp_path / OUTLINE, '"需求.核心要点"', '"需求.核心要占"')
    done = skillc("build", cwd=tmp_path)
    assert done.code == 1 and "1 with errors" in done.err and "unproduced-input" in done.out
    assert tree(tmp_path / "build" / BASIC) == {**before, "plan.stale": b""}
    assert index(tmp_path) == {package: "stale" if package == BASIC else "ok" for package in PACKAGES}


def test_a_package_that_never_built_stays_out_of_the_index(tmp_path: Path) -> None:
    examples(tmp_path, BASIC)
    replace(tmp_path / OUTLINE, '"需求.核心要点"', '"需求.核心要占"')
    assert skillc("build", cwd=tmp_path).code == 1
    assert index(tmp_path) == {}
    assert not (tmp_path / "build" / BASIC).exists()


def test_what_is_gone_leaves_no_ghosts(tmp_path: Path) -> None:
    examples(tmp_path, BASIC, RULES)
    skillc("build", cwd=tmp_path)
    write(tmp_path, {"build/novel/mine/notes.txt": "not ours"})
    shutil.rmtree(tmp_path / "skills" / RULES)
    skillc("build", cwd=tmp_path)
    assert index(tmp_path) == {BASIC: "ok"}
    assert not (tmp_path / "build" / RULES).exists()
    assert (tmp_path / "build/novel/mine/notes.txt").read_text() == "not ours"


def test_building_one_package_leaves_the_others_in_the_index(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("build", cwd=tmp_path)
    before = tree(tmp_path / "build")
    assert skillc("build", "basic", cwd=tmp_path).code == 0
    assert tree(tmp_path / "build") == before


def test_b46_an_unwritable_build_folder_is_a_sentence(tmp_path: Path) -> None:
    examples(tmp_path, BASIC)
    write(tmp_path, {"build": "a file where the folder should be"})
    done = skillc("build", cwd=tmp_path)
    assert done.code == 3 and "cannot write" in done.err
    assert (tmp_path / "build").read_text() == "a file where the folder should be"


@pytest.mark.parametrize("package", PACKAGES)
def test_the_parts_of_a_plan_are_the_parts_of_its_prompts(tmp_path: Path, package: str) -> None:
    """The readable prompt holds the system text and every label of the plan, word for word."""
    examples(tmp_path, package)
    skillc("build", cwd=tmp_path)
    folder = tmp_path / "build" / package
    for id, worker in json.loads((folder / "plan.json").read_bytes())["workers"].items():
        prompt = (folder / f"{id}.prompt.md").read_text(encoding="utf-8")
        assert worker["system"] in prompt
        for segment in worker["segments"] or []:
            assert segment["label"] is None or segment["label"] in prompt


def test_builds_at_once_lose_no_package(tmp_path: Path) -> None:
    """Each builds one package of the same folder; afterwards the index has them all."""
    examples(tmp_path)
    packages = ["basic", "weird-rules-short", "roleplay-game-theory"]
    for _ in range(3):
        shutil.rmtree(tmp_path / "build", ignore_errors=True)
        with ThreadPoolExecutor() as pool:
            done = list(pool.map(lambda name: skillc_process("build", name, cwd=tmp_path), packages))
        assert [one.code for one in done] == [0, 0, 0]
        assert list(index(tmp_path).values()) == ["ok"] * 3


def test_a_broken_package_whose_plan_is_gone_loses_nothing_more(tmp_path: Path) -> None:
    examples(tmp_path, BASIC)
    skillc("build", cwd=tmp_path)
    (tmp_path / "build" / BASIC / "plan.json").unlink()
    prompts = tree(tmp_path / "build" / BASIC)
    replace(tmp_path / OUTLINE, "需求.核心要点", "需求.核心要占")
    skillc("build", cwd=tmp_path)
    assert tree(tmp_path / "build" / BASIC) == prompts


def test_a_damaged_index_is_made_anew_from_what_is_there(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("build", cwd=tmp_path)
    before = tree(tmp_path / "build")
    (tmp_path / "build" / "index.json").write_text("garbage")
    skillc("build", "basic", cwd=tmp_path)
    assert tree(tmp_path / "build") == before


def test_a_run_that_is_refused_marks_the_old_output_stale(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("build", cwd=tmp_path)
    replace(tmp_path / OUTLINE, "需求.核心要点", "需求.核心要占")
    assert skillc("run", "basic", cwd=tmp_path).code == 1
    assert index(tmp_path)[BASIC] == "stale"
    replace(tmp_path / OUTLINE, "需求.核心要占", "需求.核心要点")
    skillc("build", cwd=tmp_path)
    assert index(tmp_path)[BASIC] == "ok" and not (tmp_path / "build" / BASIC / "plan.stale").exists()


def test_without_options_the_command_line_comes_to_what_a_parser_makes_of_it() -> None:
    made = vars(parser_of("build").parse_args(["here"]))
    assert {**made, "command": "build"} == {**PLAIN, "paths": ["here"]}


def settled(folder: Path) -> None:
    """All files as if they had been written long ago."""
    for path in [folder, *folder.rglob("*")]:
        if ".skillc" not in path.parts:
            os.utime(path, ns=(10**18, 10**18))


@pytest.mark.parametrize("words", [(), (".",)])
def test_what_a_build_keeps_serves_the_next_one_however_the_workspace_is_named(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    examples(tmp_path, BASIC)
    skillc("build", cwd=tmp_path)
    settled(tmp_path)
    done = skillc("build", *words, cwd=tmp_path)
    assert nothing_to_do(str(tmp_path), {**os.environ, "LC_ALL": "C.UTF-8"}) == done.err
    for cwd, named in ((tmp_path, ()), (tmp_path, (".",)), (tmp_path.parent, (str(tmp_path),))):
        assert skillc("build", *named, cwd=cwd) == done
        text = (tmp_path / OUTLINE).read_text(encoding="utf-8")
        write(tmp_path, {OUTLINE: f"{text}\n为 {len(named)} 再写一句。\n"})
        assert skillc("build", *named, cwd=cwd).err == "1 package compiled, 0 up to date → build/\n"
        assert skillc("build", *named, cwd=cwd) == done

"""After any edits a build leaves what a build without memory leaves, byte for byte, and does no more than it must."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from cli import tree
from skillc import driver
from skillc.engine.run import Run, run
from skillc.engine.setting import Options
from skillc.engine.verify import differences
from skillc.engine.writing import write, write_single
from skillc.store.cache import open_cache
from skillc.store.files import PREFIX
from skillc.store.output import index_of
from skillc.store.quick import nothing_to_do, variables

MANIFEST = (
    "---\nname: {name}\ndescription: 短文\nworkers: [write]\n{more}---\n\n# {name}\n\n"
    "## 启动询问\n\n```text\n想写什么？\n```\n\n写入目标：`需求.核心要点`\n"
)
SKILL = (
    "---\nid: write\nskill: {name}\nname: 写手\ndescription: 写\nversion: 1\nstage: play\n"
    'inputTags: ["需求.核心要点"]\noutputTags: ["正文.草稿"]\n---\n\n# 写手\n\n读 `需求.核心要点`。{text}\n'
)
NAMES = ("a", "b", "c")
WORDS = ("said\n", "", "build")


def manifest(name: str, more: str = "") -> str:
    ready = 'prerequisiteTags: ["需求.核心要点"]\ninstanceReadyWhen: startupCompleted\n'
    return MANIFEST.format(name=name, more=ready + more)


def skill(name: str, text: str = "") -> str:
    return SKILL.format(name=name, text=text)


def put(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def package(root: Path, name: str) -> None:
    put(root, f"skills/novel/{name}/orchestrator.md", manifest(name))
    put(root, f"skills/novel/{name}/workers/write/SKILL.md", skill(name))


def build(root: Path, forgetting: bool = False, to: str = "build") -> Run:
    done = run(str(root), Options(), True, forgetting=forgetting)
    broken = driver.spoilt(done.found, "skills", sorted(done.outcomes))
    broken |= {path for path, outcome in done.outcomes.items() if not outcome.is_built}
    write(str(root), str(root / to), done, broken, True, words=WORDS)
    return done


def made(done: Run) -> list[str]:
    return [decision.path for decision in done.decisions if decision.did == "made"]


class Edits(RuleBasedStateMachine):
    """Any order of what people and tools do to the files of a workspace."""

    @initialize()
    def start(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        for name in NAMES:
            package(self.root, name)
        self.touched: set[str] = set(NAMES)
        self.kept = True

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    def file(self, name: str) -> Path:
        return self.root / f"skills/novel/{name}/workers/write/SKILL.md"

    @rule(name=st.sampled_from(NAMES), text=st.sampled_from(["", "一", "二", "三三"]))
    def edit_a_body(self, name: str, text: str) -> None:
        if (self.root / f"skills/novel/{name}").exists():
            put(self.root, f"skills/novel/{name}/workers/write/SKILL.md", skill(name, text))
            self.touched.add(name)

    @rule(name=st.sampled_from(NAMES), tag=st.sampled_from(["需求.核心要点", "没有.人写", "用户.最新输入"]))
    def edit_a_tag(self, name: str, tag: str) -> None:
        if self.file(name).exists():
            put(
                self.root,
                f"skills/novel/{name}/workers/write/SKILL.md",
                skill(name).replace("需求.核心要点", tag),
            )
            self.touched.add(name)

    @rule(name=st.sampled_from(NAMES))
    def delete_a_package(self, name: str) -> None:
        shutil.rmtree(self.root / f"skills/novel/{name}", ignore_errors=True)

    @rule(name=st.sampled_from(NAMES))
    def add_a_package(self, name: str) -> None:
        package(self.root, name)
        self.touched.add(name)

    @rule(name=st.sampled_from(NAMES))
    def rename_a_worker(self, name: str) -> None:
        folder = self.root / f"skills/novel/{name}/workers"
        if (folder / "write").exists() and not (folder / "other").exists():
            (folder / "write").rename(folder / "other")
            self.touched.add(name)

    @rule(name=st.sampled_from(NAMES))
    def save_by_rename(self, name: str) -> None:
        if self.file(name).exists():
            new = self.file(name).with_suffix(".tmp")
            new.write_text(skill(name, "另存"), encoding="utf-8")
            new.replace(self.file(name))
            self.touched.add(name)

    @rule(name=st.sampled_from(NAMES))
    def touch(self, name: str) -> None:
        if self.file(name).exists():
            os.utime(self.file(name))

    @rule(labels=st.sampled_from(["", "sources:\n  user: [没有.人写]\n"]))
    def edit_the_catalogue(self, labels: str) -> None:
        if labels:
            put(self.root, "skills/tags.yaml", labels)
        else:
            (self.root / "skills/tags.yaml").unlink(missing_ok=True)
        self.touched.update(NAMES)

    @rule(name=st.sampled_from(NAMES), how=st.sampled_from(["delete", "change", "add"]))
    def meddle_with_the_output(self, name: str, how: str) -> None:
        plan = self.root / f"build/novel/{name}/plan.json"
        if how == "delete":
            plan.unlink(missing_ok=True)
        elif plan.exists():
            (plan if how == "change" else plan.with_name("ghost.prompt.md")).write_bytes(
                b'{"schema": "skillc.plan/1"'
            )
        self.touched.add(name)

    @rule()
    def lose_the_log(self) -> None:
        (self.root / ".skillc/log").unlink(missing_ok=True)
        self.touched.update(NAMES)

    @invariant()
    def a_build_is_what_a_clean_one_is(self) -> None:
        if not hasattr(self, "root"):
            return
        done = build(self.root)
        assert set(made(done)) <= {f"novel/{name}" for name in self.touched}
        self.touched.clear()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(self.root / "skills", Path(folder) / "skills")
            clean = build(Path(folder), forgetting=True)
            broken = driver.spoilt(clean.found, "skills", sorted(clean.outcomes))
            assert [d.sort_key for d in done.found] == [d.sort_key for d in clean.found]
            mine, fresh = tree(self.root / "build"), tree(Path(folder) / "build")
            for path in clean.outcomes:
                if path not in broken and clean.outcomes[path].is_built:
                    inside = {n: d for n, d in mine.items() if n.startswith(path + "/")}
                    assert inside == {n: d for n, d in fresh.items() if n.startswith(path + "/")}
            there = {name.rpartition("/")[0] for name in mine if name.endswith("plan.json")}
            assert there <= set(clean.outcomes)


TestEdits = Edits.TestCase
TestEdits.settings = settings(
    max_examples=12, stateful_step_count=10, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_a_package_with_errors_keeps_its_output_and_says_so(tmp_path: Path) -> None:
    package(tmp_path, "a")
    build(tmp_path)
    before = tree(tmp_path / "build")
    put(tmp_path, "skills/novel/a/workers/write/SKILL.md", skill("a").replace("需求.核心要点", "没有.人写"))
    assert made(build(tmp_path)) == ["novel/a"]
    after = tree(tmp_path / "build")
    assert after["novel/a/plan.json"] == before["novel/a/plan.json"] and "novel/a/plan.stale" in after
    assert made(build(tmp_path)) == []
    package(tmp_path, "a")
    assert made(build(tmp_path)) == ["novel/a"] and tree(tmp_path / "build") == before


def test_what_only_the_catalogue_keeps_from_being_built_is_built_when_that_is_mended(tmp_path: Path) -> None:
    package(tmp_path, "a")
    put(tmp_path, "skills/tags.yaml", "sources: [\n")
    build(tmp_path)
    assert not (tmp_path / "build/novel/a/plan.json").exists()
    (tmp_path / "skills/tags.yaml").unlink()
    build(tmp_path)
    assert (tmp_path / "build/novel/a/plan.json").exists()


def test_a_build_that_cannot_keep_anything_builds_all_the_same(tmp_path: Path) -> None:
    package(tmp_path, "a")
    (tmp_path / ".skillc").write_text("a file stands where the folder should be")
    build(tmp_path)
    assert (tmp_path / "build/novel/a/plan.json").exists()
    assert made(build(tmp_path)) == ["novel/a"]


def test_differences_name_what_a_build_would_write(tmp_path: Path) -> None:
    package(tmp_path, "a")
    build(tmp_path)
    build_folder = str(tmp_path / "build")

    def look() -> list[tuple[str, str]]:
        afresh = run(str(tmp_path), Options(), True, forgetting=True)
        return [(d.path, d.kind) for d in differences(build_folder, afresh, (), True)]

    assert look() == []
    (tmp_path / "build/novel/a/write.prompt.md").write_text("x")
    (tmp_path / "build/index.json").unlink()
    shutil.copytree(tmp_path / "build/novel/a", tmp_path / "build/novel/old")
    assert look() == [
        ("novel/a/write.prompt.md", "changed"),
        ("novel/old/plan.json", "extra"),
        ("novel/old/write.prompt.md", "extra"),
        ("index.json", "missing"),
    ]


def settle(root: Path) -> None:
    """The files as if they had been written long ago, then a build that has seen them so."""
    for path in [root, *root.rglob("*")]:
        if ".skillc" not in path.parts:
            os.utime(path, ns=(10**18, 10**18))


def test_the_log_alone_tells_that_there_is_nothing_to_do(tmp_path: Path) -> None:
    package(tmp_path, "a")
    (tmp_path / ".skillc").mkdir()
    (tmp_path / "build").mkdir()
    build(tmp_path)
    settle(tmp_path)
    build(tmp_path)
    assert nothing_to_do(str(tmp_path), {}) is None, "the variables are others"
    done = run(str(tmp_path), Options(), True)
    write(str(tmp_path), str(tmp_path / "build"), done, (), True, words=("said\n", variables({}), "build"))
    assert nothing_to_do(str(tmp_path), {}) == "said\n"
    assert nothing_to_do(str(tmp_path), {"LANG": "zh_CN.UTF-8"}) is None
    plan = tmp_path / "build/novel/a/plan.json"
    plan.write_bytes(plan.read_bytes() + b" ")
    assert nothing_to_do(str(tmp_path), {}) is None
    build(tmp_path)
    put(tmp_path, "skills/novel/a/workers/write/SKILL.md", skill("a", "改"))
    assert nothing_to_do(str(tmp_path), {}) is None


def test_a_changed_compiler_compiles_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, "a")
    build(tmp_path)
    monkeypatch.setattr("skillc.engine.around.compiler_identity", lambda old, rows: "0.1.0+other")
    done = build(tmp_path)
    assert made(done) == ["novel/a"]
    assert [(r.part, r.name) for d in done.decisions for r in d.reasons] == [("compiler", "version")]


def test_what_a_killed_build_had_half_written_goes_with_the_next(tmp_path: Path) -> None:
    package(tmp_path, "a")
    build(tmp_path)
    half = [tmp_path / name / ".skillc-0a1b.tmp" for name in ("build", "build/novel/a", ".skillc")]
    for path in half:
        path.write_bytes(b"{")
    build(tmp_path)
    assert not any(path.exists() for path in half)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_a_build_that_is_killed_anywhere_is_never_taken_for_finished(tmp_path: Path) -> None:
    for name in NAMES:
        package(tmp_path, name)
    build(tmp_path, to="clean")
    for pause in (0.05, 0.2, 0.4, 0.6, 0.8, 1.0):
        (tmp_path / ".skillc/log").unlink(missing_ok=True)
        shutil.rmtree(tmp_path / "build", ignore_errors=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "skillc", "build"], cwd=tmp_path, stderr=subprocess.DEVNULL
        )
        time.sleep(pause)
        process.kill()
        process.wait()
        build(tmp_path)
        left = {name: data for name, data in tree(tmp_path / "build").items() if PREFIX not in name}
        assert left == tree(tmp_path / "clean"), "but for what nobody was left to take away"


def test_builds_at_once_leave_one_result(tmp_path: Path) -> None:
    for name in NAMES:
        package(tmp_path, name)
    build(tmp_path, to="clean")
    (tmp_path / ".skillc/log").unlink()
    running = [
        subprocess.Popen([sys.executable, "-m", "skillc", "build"], cwd=tmp_path, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    assert [process.wait() for process in running] == [0] * 4
    for process in running:
        assert process.stderr is not None
        process.stderr.close()
    assert tree(tmp_path / "build") == tree(tmp_path / "clean")
    assert made(build(tmp_path)) == []


def test_what_was_made_before_is_taken_from_the_cache_and_never_otherwise(tmp_path: Path) -> None:
    package(tmp_path, "a")
    warned: list[str] = []

    def built() -> Run:
        cache = open_cache(str(tmp_path), {}, warned.append)
        done = run(str(tmp_path), Options(), True, cache=cache)
        write(str(tmp_path), str(tmp_path / "build"), done, (), True)
        return done

    def did(done: Run) -> list[str]:
        return [decision.did for decision in done.decisions]

    assert did(built()) == ["made"]
    first = tree(tmp_path / "build")
    put(tmp_path, "skills/novel/a/workers/write/SKILL.md", skill("a", "改"))
    assert did(built()) == ["made"]
    package(tmp_path, "a")
    again = built()
    assert did(again) == ["cached"] and tree(tmp_path / "build") == first
    assert [(r.part, r.name) for d in again.decisions for r in d.reasons] == [
        ("body", "workers/write/SKILL.md")
    ]
    for stored in (tmp_path / ".skillc/cache/cas").rglob("*"):
        if stored.is_file():
            stored.write_bytes(b"poison")
    (tmp_path / ".skillc/log").unlink()
    assert did(built()) == ["made"] and warned and tree(tmp_path / "build") == first


def test_a_package_with_errors_is_not_put_into_the_cache(tmp_path: Path) -> None:
    package(tmp_path, "a")
    put(tmp_path, "skills/novel/a/workers/write/SKILL.md", skill("a").replace("需求.核心要点", "没有.人写"))
    cache = open_cache(str(tmp_path), {}, print)
    run(str(tmp_path), Options(), True, cache=cache)
    assert not list((tmp_path / ".skillc/cache").rglob("cas/*/*"))


def test_an_index_that_is_gone_is_written_again(tmp_path: Path) -> None:
    package(tmp_path, "a")

    def built() -> None:
        done = run(str(tmp_path), Options(), True)
        write(
            str(tmp_path), str(tmp_path / "build"), done, (), True, words=("said\n", variables({}), "build")
        )

    built()
    settle(tmp_path)
    built()
    assert nothing_to_do(str(tmp_path), {}) == "said\n"
    (tmp_path / "build/index.json").unlink()
    assert nothing_to_do(str(tmp_path), {}) is None
    built()
    assert (tmp_path / "build/index.json").exists()


def test_the_index_is_that_of_what_is_there_whoever_wrote_it(tmp_path: Path) -> None:
    package(tmp_path, "a")
    package(tmp_path, "b")
    target = str(tmp_path / "build")
    build(tmp_path)
    settle(tmp_path)
    build(tmp_path)
    index, plan = tmp_path / "build/index.json", tmp_path / "build/novel/b/plan.json"

    def build_a(meanwhile: bytes) -> None:
        """Builds one package, while another build writes the other one."""
        put(tmp_path, "skills/novel/a/workers/write/SKILL.md", skill("a", meanwhile.decode()))
        done = run(str(tmp_path), Options(), True, frozenset({"novel/a"}))
        write_single(str(tmp_path), target, "novel/b", {"plan.json": meanwhile})
        write(str(tmp_path), target, done, (), False)

    old = plan.read_bytes()
    plan.write_bytes(old + b" ")
    build_a(old + b" ")
    assert index.read_bytes() == index_of(target)
    build_a(old + b"\n")
    assert index.read_bytes() == index_of(target) and plan.read_bytes() == old + b"\n"
    build(tmp_path)
    assert index.read_bytes() == index_of(target) and plan.read_bytes() == old


def test_what_changed_a_moment_ago_is_told_by_what_is_in_it(tmp_path: Path) -> None:
    """A second build behind an edit has nothing to do, and knows it without a look at all else."""
    package(tmp_path, "a")

    def built() -> None:
        done = run(str(tmp_path), Options(), True)
        words = ("said\n", variables({}), "build")
        write(str(tmp_path), str(tmp_path / "build"), done, (), True, words=words)

    def said() -> str | None:
        return nothing_to_do(str(tmp_path), {})

    built()
    settle(tmp_path)
    built()
    skill_file = tmp_path / "skills/novel/a/workers/write/SKILL.md"
    put(tmp_path, "skills/novel/a/workers/write/new.md", skill("a", "一"))
    os.replace(tmp_path / "skills/novel/a/workers/write/new.md", skill_file)
    assert said() is None
    built()
    assert said() == "said\n"

    plan = tmp_path / "build/novel/a/plan.json"
    for file in (skill_file, plan, tmp_path / "build/index.json"):
        data = file.read_bytes()
        file.write_bytes(data[:-1] + b"x")
        assert said() is None
        file.write_bytes(data)
        assert said() == "said\n"
    beside = tmp_path / "build/novel/a/old.prompt.md"
    beside.write_text("x")
    assert said() is None
    beside.unlink()
    assert said() == "said\n"
    (skill_file.parent / "more.md").write_text("x")
    assert said() is None
    (skill_file.parent / "more.md").unlink()
    assert said() == "said\n"
    (skill_file.parent / "more.md").symlink_to(skill_file)
    built()
    assert said() is None, "links are followed with care"

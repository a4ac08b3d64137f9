"""`skillc query` as people type it, and the options that choose packages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from cli import ROOT, examples, replace, skillc, skillc_process, tree, write

BASIC = "novel/basic"
RULES = "novel/weird-rules-short"
GAME = "dialogue/roleplay-game-theory"
OUTLINE = f"skills/{BASIC}/workers/outline/SKILL.md"
README = f"skills/{BASIC}/README.md"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return examples(tmp_path_factory.mktemp("query"), BASIC, RULES, GAME)


def lines(folder: Path, *arguments: str) -> list[str]:
    done = skillc("query", *arguments, cwd=folder)
    assert (done.err, done.code) == ("", 0)
    return done.out.splitlines()


def test_labels_one_a_line_sorted(workspace: Path) -> None:
    assert lines(workspace, "kind(worker, rdeps(..., 规则.草稿))") == [
        f"{RULES}:review-author",
        f"{RULES}:review-infer",
        f"{RULES}:write-rules",
    ]
    every = lines(workspace, "...")
    assert every == sorted(every) and len(every) == len(set(every))


def test_a_way_in_its_order(workspace: Path) -> None:
    assert lines(workspace, "somepath(basic:大纲.确认稿, 需求.核心要点)") == [
        f"{BASIC}:大纲.确认稿",
        f"{BASIC}:大纲.草稿",
        f"{BASIC}:outline",
        f"{BASIC}:需求.核心要点",
    ]


def test_a_way_the_other_way_round_is_told(workspace: Path) -> None:
    done = skillc("query", "somepath(basic:需求.核心要点, basic:outline)", cwd=workspace)
    assert (done.out, done.code) == ("", 0)
    assert done.err == "there is no such way, but one from the other end: swap the arguments of `somepath`\n"


def test_paths_narrow_what_is_asked(workspace: Path) -> None:
    assert {line.split(":")[0] for line in lines(workspace, "...", "basic")} == {BASIC}
    assert lines(workspace, "outline", f"skills/{BASIC}") == [f"{BASIC}:outline"]


@pytest.mark.parametrize(
    "query", ["...", "deps(basic:outline)", "somepath(basic:outline, user)", "stage:design ^ 用户.*"]
)
def test_json_follows_its_schema(workspace: Path, query: str) -> None:
    schema = json.loads((ROOT / "docs/schema/query.schema.json").read_text(encoding="utf-8"))
    data = json.loads(skillc("query", query, "--output", "json", cwd=workspace).out)
    jsonschema.validate(data, schema)
    known = [node["label"] for node in data["nodes"]]
    assert known == lines(workspace, query)
    assert all({edge["from"], edge["to"]} <= set(known) for edge in data["edges"])
    assert data["edges"] == sorted(data["edges"], key=lambda edge: (edge["from"], edge["to"], edge["kind"]))


def test_json_tells_what_is_known_of_nodes(workspace: Path) -> None:
    asked = "weird-rules-short:review-infer + 核心.危险.隐藏 + weird-rules-short:(user)"
    data = json.loads(skillc("query", asked, "--output", "json", cwd=workspace).out)
    reader, secret, user = sorted(
        data["nodes"], key=lambda node: ("worker", "tag", "user").index(node["kind"])
    )
    assert (reader["isolation"], reader["stage"]) == ("blind_review", "play")
    assert secret["labels"] == ["hidden"]
    assert user["origin"] == "user"


NODE = re.compile(r'    ("(?:[^"\\]|\\.)*") \[label="(?:[^"\\]|\\.)*", shape=[a-z]+(?:, style=dashed)?\];')
EDGE = re.compile(r'  ("(?:[^"\\]|\\.)*") -> ("(?:[^"\\]|\\.)*") \[label="[a-z]+"(?:, style=dashed)?\];')


def test_dot_is_well_formed(workspace: Path) -> None:
    text = skillc("query", "...", "--output", "dot", cwd=workspace).out
    declared = set(NODE.findall(text))
    ends = {end for edge in EDGE.findall(text) for end in edge}
    assert declared and ends <= declared
    other = [line for line in text.splitlines() if not NODE.fullmatch(line) and not EDGE.fullmatch(line)]
    assert all(re.fullmatch(r'digraph query \{|  rankdir=LR;|  subgraph "[^"]+" \{|    label="[^"]+";|  ?\}', line) or line == "}" for line in other)  # fmt: skip
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=text, text=True, check=True, capture_output=True)


def test_the_same_bytes_whatever_the_hash_seed(workspace: Path) -> None:
    asked = ("query", "+stage:play", "basic", "weird-rules-short", "--output", "json")
    ran = {skillc_process(*asked, cwd=workspace, PYTHONHASHSEED=seed).out for seed in ("0", "1")}
    assert len(ran) == 1


def test_a_fault_has_a_caret_below(workspace: Path) -> None:
    done = skillc("query", "规则.草稿 + deps(otline)", cwd=workspace)
    assert (done.out, done.code) == ("", 2)
    assert done.err == (
        "skillc: nothing is named `otline`: no package, worker, source or tag\n"
        "  规则.草稿 + deps(otline)\n"
        "                   ^^^^^^\n"
        "  did you mean `outline`?\n"
    )
    second = skillc("query", "basic +\n  dep(x)", cwd=workspace)
    assert second.err.splitlines()[1:3] == ["    dep(x)", "    ^^^"]
    chinese = skillc("query", "deps(", "--lang", "zh", cwd=workspace)
    assert chinese.err.startswith("skillc: 查询没有写完\n  deps(\n       ^\n  应当是")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["query", "...", "--state", "build"], "`--state` is for `state:` in a query, and the query has none"),
        (["check", "--state", "build"], "`--state` is for `state:` in a query: add `--select-packages EXPR`"),
        (["query", "state:new", "--state", "nowhere"], "`nowhere` is no folder"),
        (["query", "state:modified"], "`state:modified` has nothing to compare with"),
        (["check", "--select-packages", "basc"], "nothing is named `basc`"),
        (["check", "--changed-since", "HEAD"], "lies in no git repository"),
        (["check", "-", "--stdin-filename", OUTLINE, "--select-packages", "basic"], "standard input is one file"),
        (["check", "--show-settings", "--select-packages", "basic"], "`--show-settings` and `--select-packages` do not go together"),
    ],
)  # fmt: skip
def test_what_is_refused(workspace: Path, arguments: list[str], said: str) -> None:
    done = skillc(*arguments, cwd=workspace, GIT_CEILING_DIRECTORIES=str(workspace.parent))
    assert (done.out, done.code) == ("", 2)
    assert said in done.err


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("nosuch", "stands for everything"),
        ("大纲.草搞", "did you mean `大纲.草稿`?"),
        ("tag:outlin", "did you mean `outline`?"),
        ("quick-write:没有.这个", "stands for everything"),
    ],
)
def test_a_worker_that_takes_any_tag_makes_no_name_known(tmp_path: Path, asked: str, near: str) -> None:
    place = examples(tmp_path, BASIC, "novel/quick-write")
    for arguments in (["query", asked], ["check", "--select-packages", asked]):
        done = skillc(*arguments, cwd=place)
        assert (done.out, done.code) == ("", 2)
        assert "nothing is named" in done.err and near in done.err


@pytest.mark.parametrize("asked", ["大纲.草稿", "**", "quick-write:**", "运行.甲"])
def test_a_pattern_with_a_name_in_it_makes_its_tags_known(tmp_path: Path, asked: str) -> None:
    assert lines(examples(tmp_path, BASIC, "novel/quick-write"), asked)


def test_packages_of_a_query(workspace: Path) -> None:
    done = skillc("check", "--select-packages", "stage:design", "--format", "json", cwd=workspace)
    assert json.loads(done.out)["summary"]["packages"] == 1
    dot = skillc("graph", "--select-packages", "worker:outline", cwd=workspace).out
    assert re.findall(r'label="(\w+/[\w-]+)"', dot) == [BASIC]
    narrowed = skillc(
        "check", BASIC, "--select-packages", "novel/* - basic", "--format", "json", cwd=workspace
    )
    assert narrowed.code == 0 and json.loads(narrowed.out)["summary"]["packages"] == 0
    told = skillc("snapshot", "--select-packages", "basic", cwd=workspace)
    assert told.code == 0 and told.err.startswith("snapshots: 3 as before")


def test_an_expression_only_reads_what_it_needs() -> None:
    """Neither the grammar nor the room of queries is loaded by commands that were asked nothing."""
    script = (
        "import sys, skillc.cli.check, skillc.cli.build, skillc.cli.query;"
        "print([name for name in sys.modules if name in ('lark', 'skillc.query', 'skillc.grammar.query')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(ROOT / "compiler")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def git(folder: Path, *arguments: str) -> str:
    """Run git there, as nobody in particular."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.autocrlf=false"]
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A workspace in a folder of a repository, with one commit."""
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    folder = examples(tmp_path / "repo" / "book", BASIC, RULES)
    git(tmp_path / "repo", "init", "-q")
    git(tmp_path / "repo", "add", "-A")
    git(tmp_path / "repo", "commit", "-q", "-m", "one")
    return folder


def selected(folder: Path, revision: str = "HEAD") -> set[str]:
    """The packages that `skillc query` has anything of."""
    return {line.split(":")[0] for line in lines(folder, "...", "--changed-since", revision)}


def test_changed_since_a_revision(repository: Path) -> None:
    before = tree(repository.parent / ".git")
    assert selected(repository) == set()
    replace(repository / OUTLINE, "# 大纲", "# 大纲员")
    assert selected(repository) == {BASIC}
    assert lines(repository, "state:modified", "--changed-since", "HEAD") == [f"{BASIC}:outline"]
    done = skillc("check", "--changed-since", "HEAD", "--format", "json", cwd=repository)
    assert json.loads(done.out)["summary"]["packages"] == 1
    built = skillc("build", "--changed-since", "HEAD", cwd=repository)
    assert built.code == 0 and not (repository / "build" / RULES).exists()
    assert skillc("snapshot", "--changed-since", "HEAD", cwd=repository).code == 1
    assert tree(repository.parent / ".git") == before


def test_files_that_come_and_go_change_their_package(repository: Path) -> None:
    write(repository, {f"skills/{RULES}/contexts/new.yaml": "worker: write-rules\nitems: []\n"})
    assert selected(repository) == {RULES}
    (repository / f"skills/{RULES}/contexts/new.yaml").unlink()
    (repository / f"skills/{BASIC}/shared-context.md").unlink()
    assert selected(repository) == {BASIC}


def test_what_is_read_over_and_line_ends_change_nothing(repository: Path) -> None:
    write(repository, {README: "for people", f"skills/{BASIC}/.DS_Store": "x"})
    path = repository / OUTLINE
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert selected(repository) == set()


def test_what_all_packages_share_changes_all(repository: Path) -> None:
    write(repository, {"skills/tags.yaml": "docs:\n  大纲.*: 大纲\n"})
    assert selected(repository) == {BASIC, RULES}
    (repository / "skills/tags.yaml").unlink()
    write(repository, {"skillc.toml": "strict = true\n"})
    assert selected(repository) == {BASIC, RULES}
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "two")
    assert selected(repository) == set()
    assert selected(repository, "HEAD~1") == {BASIC, RULES}


def test_a_package_through_a_link_is_where_it_really_lies(repository: Path) -> None:
    moved = repository / "elsewhere" / "basic"
    moved.parent.mkdir()
    shutil.move(repository / "skills" / BASIC, moved)
    (repository / "skills" / BASIC).symlink_to("../../elsewhere/basic")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "moved")
    assert selected(repository) == set()
    replace(moved / "workers/outline/SKILL.md", "# 大纲", "# 大纲员")
    assert selected(repository) == {BASIC}


@pytest.mark.parametrize("name", ["nope", "-n", "--output=x", "HEAD:book/skillc.toml", "HEAD^{blob}", ""])
def test_a_revision_that_there_is_not(repository: Path, name: str) -> None:
    done = skillc("query", "...", f"--changed-since={name}", cwd=repository)
    assert (done.out, done.code) == ("", 2)
    assert f"`{name}` is no revision of the git repository here" in done.err


def test_from_another_folder(repository: Path, tmp_path: Path) -> None:
    """The repository is that of the workspace, not that of the working folder."""
    replace(repository / OUTLINE, "# 大纲", "# 大纲员")
    found = lines(tmp_path, "state:modified", str(repository), "--changed-since", "HEAD")
    assert found == [f"{BASIC}:outline"]


def test_a_state_is_a_build_or_a_workspace(repository: Path, tmp_path: Path) -> None:
    assert skillc("build", cwd=repository).code == 0
    shutil.copytree(repository, tmp_path / "old")
    replace(repository / OUTLINE, '  - "大纲.草稿?"', '  - "大纲.草稿?"\n  - "参考.*?"')
    for state in ("build", "../../old", str(tmp_path / "old")):
        assert lines(repository, "state:modified.contract", "--state", state) == [
            f"{BASIC}:outline",
            f"{BASIC}:参考.*",
        ]
        assert lines(repository, "state:modified.body", "--state", state) == []
        done = skillc(
            "check",
            "--select-packages",
            "state:modified",
            "--state",
            state,
            "--format",
            "json",
            cwd=repository,
        )
        assert json.loads(done.out)["summary"]["packages"] == 1


def test_a_package_with_errors_is_modified(repository: Path) -> None:
    assert skillc("build", cwd=repository).code == 0
    replace(repository / OUTLINE, "id: outline", "id: otline")
    found = lines(repository, "state:modified.workspace", "--state", "build")
    assert f"{BASIC}:outline" in found and not any(RULES in line for line in found)


def test_both_options_select_what_both_do(repository: Path) -> None:
    replace(repository / OUTLINE, "# 大纲", "# 大纲员")
    done = skillc(
        "check",
        "--changed-since",
        "HEAD",
        "--select-packages",
        "novel/basic",
        "--format",
        "json",
        cwd=repository,
    )
    assert json.loads(done.out)["summary"]["packages"] == 1
    none = skillc("graph", "--changed-since", "HEAD", "--select-packages", "... - basic", cwd=repository)
    assert none.code == 0 and "subgraph" not in none.out

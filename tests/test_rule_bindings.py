"""Profiles, bindings and secrets."""

from __future__ import annotations

import pytest

from reading import PACKAGE, read
from skillc import driver
from skillc.diagnostic import Diagnostic
from skillc.report import Counts, render
from skillc.source.reader import DictReader

MANIFEST = """---
name: demo
description: 短文
workers: [write]
demandTag: "需求.核心要点"
prerequisiteTags: []
---
"""
SKILL = """---
id: write
skill: demo
name: 写正文
description: 按需求写出正文
{more}inputTags: ["需求.核心要点"]
outputTags: ["正文.确认稿"]
---
按 `需求.核心要点` 写 `正文.确认稿`。
"""
PROFILES = '{"profiles": [{"id": "local", "model": "qwen3"}, {"id": "cloud", "model": "deepseek"}]}'
KEY = "sk-proj-" + "9fK2mQ7xVb3Lw8Rt5Yz1Nc6H"


def found(family: str, more: str = "", **files: str) -> list[Diagnostic]:
    """Findings of the family; names of files have `__` for `/` and `_` before the suffix."""
    named = {
        f"{PACKAGE}/orchestrator.md": MANIFEST,
        f"{PACKAGE}/workers/write/SKILL.md": SKILL.format(more=more),
        **{path.replace("__", "/"): text for path, text in files.items()},
    }
    checked = driver.check(DictReader(named))
    return [d for d in checked.diagnostics if d.code.id.startswith(family)]


def bound(text: str, profiles: str | None = PROFILES, more: str = "") -> list[str]:
    files = {f"{PACKAGE}/llm-bindings.yaml": text}
    if profiles is not None:
        files["profiles.json"] = profiles
    return [f"{d.code.slug}: {d.span.text}" for d in found("B", more, **files)]


def test_profiles_that_do_not_exist() -> None:
    text = "defaultProfileId: loca\nworkers:\n  write:\n    profileId: cluod\n    byRole:\n      A: cluod\n"
    assert bound(text) == ["unknown-profile: loca", "unknown-profile: cluod", "by-role-without-role: A"]
    assert bound("{}", more="llmProfileId: lokal\n") == ["unknown-profile: lokal"]


def test_an_unknown_profile_is_told_once_a_package_with_the_nearest() -> None:
    files = {
        f"{PACKAGE}/llm-bindings.yaml": "workers:\n  write:\n    profileId: cluod\n",
        "profiles.json": PROFILES,
    }
    (told,) = found("B", "llmProfileId: cluod\n", **files)
    assert "did you mean `cloud`" in told.help and len(told.related) == 1


def test_profiles_that_exist_or_that_nobody_can_know() -> None:
    assert bound("defaultProfileId: local\nworkers:\n  write:\n    profileId: cloud\n") == []
    assert bound("defaultProfileId: null\nworkers:\n  write: {}\n") == []
    assert bound("defaultProfileId: nowhere\n", None) == []
    assert bound("defaultProfileId: nowhere\n", '{"profiles": [') == []
    assert bound("defaultProfileId: nowhere\n", '{"profiles": [{"model": "qwen3"}]}') == []


def test_bindings_of_nobody() -> None:
    assert bound("workers:\n  wirte:\n    profileId: local\n") == ["unknown-worker-binding: wirte"]
    assert bound("workers:\n  write:\n    profileId: local\n") == []


@pytest.mark.parametrize(
    "text",
    [
        f"密钥 {KEY} 不要外传",
        f"Authorization: Bearer {KEY}",
        "ghp_" + "q7XmB2vKd9Lw3TzR8nYc5HsJ1fGa6PeU4oWi",
        "github_pat_" + "11AQXLZ7Y0kRm3TbVnWqHs" + "9Lp2Xc8Vd4",
        "AKIA" + "Q3ZL7PWX2MNV8KTJ",
        "AIza" + "SyD9k2mQ7xVb3Lw8Rt5Yz1Nc6Hq4Jp0Ab2C",
        "xoxb-" + "2871943650-Kq3mZ7vTbW9xLd1Rf5Yh",
        "hf_" + "QwErTy9UiOp1AsDf2GhJk3LzXc4VbNm5Qw",
        "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        'api_key: "9b2e7c41f8d64a0c93e5"',
        "apiKey = 7f3d9a5c1e8b.Kq3mZ7vTbW9x",
    ],
)
def test_a_secret_is_found_and_never_shown(text: str) -> None:
    (told,) = found("B002", **{f"{PACKAGE}/shared-context.md": f"# 固定的话\n\n{text}\n"})
    secret = max(text.split(), key=len).strip('"')
    for form in ("text", "concise", "json"):
        assert secret not in render(form, [told], Counts(1, 0, 0, 1, 1))


@pytest.mark.parametrize(
    "text",
    [
        "task-brief 与 risk-check，测试用 pk_test_ 开头",
        "ask-user-for-a-very-long-answer-please",
        "sk-this-is-a-very-long-skill-name-indeed",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-1234567890abcdef1234567890abcdef",
        "AKIAIOSFODNN7EXAMPLE",
        "工号是 sk-1a2b3c4d5e6f7g8h9i0jklmnop",
        "编号 sk-a9b8c7d6e5f4g3h2i1j0k9l8m7",
        "apiKeyEnv: DEEPSEEK_API_KEY_FOR_THE_WHOLE_TEAM",
        "api_key: ${DEEPSEEK_API_KEY_FOR_THE_TEAM}",
        "token 数：80000000000000000000000000",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "密码锁的密钥（secret key）在抽屉里",
        "github_pat_ 与 ghp_ 都是记号",
    ],
)
def test_what_is_no_secret(text: str) -> None:
    assert found("B002", **{f"{PACKAGE}/shared-context.md": f"# 固定的话\n\n{text}\n"}) == []


def test_every_file_of_a_package_is_searched() -> None:
    board = f"items:\n  - tag: 需求.核心要点\n    content: {KEY}\n"
    for path in ("contexts/first.yaml", "scripts/demo.yaml", "tags.yaml", "templates/extra/SKILL.md"):
        text = SKILL.format(more="").replace("按", KEY) if path.endswith(".md") else board
        (told,) = found("B002", **{f"{PACKAGE}/{path}": text})
        assert told.span.path == f"{PACKAGE}/{path}"


def test_the_secrets_of_a_file_are_one_finding() -> None:
    two = f"# 话\n\n{KEY}\n\n{KEY[:-1]}Z\n"
    (told,) = found("B002", **{f"{PACKAGE}/shared-context.md": two})
    assert [label.span.position[0] for label in told.related] == [5]


def test_texts_of_data_files_are_kept_and_not_part_of_what_a_plan_is_made_of() -> None:
    files = {
        f"{PACKAGE}/orchestrator.md": MANIFEST,
        f"{PACKAGE}/contexts/first.yaml": "items: []\n",
        f"{PACKAGE}/contexts/bad.yaml": b"\xff",
    }
    package = read(files)[0].packages[0]
    assert [s.path.rsplit("/", 1)[1] for s in package.sources] == ["first.yaml", "orchestrator.md"]
    assert [path for path, _ in package.digests] == ["orchestrator.md"]

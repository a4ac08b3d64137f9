"""Good packages with one fault put in: exactly the right code speaks, at exactly the right place, and no other.

A fault is a row of `FAULTS`: what is changed where, and what must be said about it. A row belongs to the code that
it expects; add rows freely.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from skillc import driver
from skillc.diagnostic import CODES, Diagnostic, Severity
from skillc.source.reader import DictReader

SKILLS = Path(__file__).parent.parent / "skills"
BASIC = "novel/basic"
RULES = "novel/weird-rules-short"
GAME = "dialogue/roleplay-game-theory"
MANIFEST = "orchestrator.md"


def skill(worker: str) -> str:
    return f"workers/{worker}/SKILL.md"


@dataclass(frozen=True)
class Fault:
    """`edits`: (file, old, new), every occurrence; an old text that stands nowhere is a broken row. A new text of
    None removes the file, an old one of None writes it. `said`: (code, file, what is pointed at), all of it.

    Files are below the package; those that begin with `/` are below the workspace.
    """

    name: str
    package: str
    edits: tuple[tuple[str, str | None, str | None], ...]
    said: tuple[tuple[str, str, str], ...]


def one(
    name: str, package: str, file: str, old: str | None, new: str | None, *said: tuple[str, str, str]
) -> Fault:
    """A fault of one edit."""
    return Fault(name, package, ((file, old, new),), said)


FAULTS = (
    one(
        "a prerequisite is renamed",
        GAME,
        MANIFEST,
        '  - "世界.隐藏设定"',
        '  - "世界.隐藏设置"',
        ("prerequisite-unproduced", MANIFEST, "世界.隐藏设置"),
    ),
    one(
        "a condition names what nobody makes",
        BASIC,
        MANIFEST,
        'instanceReadyWhen: "startupCompleted and has(需求.核心要点)"',
        'instanceReadyWhen: "startupCompleted and has(需求.核心要典)"',
        ("prerequisite-unproduced", MANIFEST, "需求.核心要典"),
    ),
    one(
        "a condition excludes itself",
        BASIC,
        MANIFEST,
        'instanceReadyWhen: "startupCompleted and',
        'instanceReadyWhen: "not startupCompleted and',
        ("prerequisite-unproduced", MANIFEST, "not startupCompleted and has(需求.核心要点)"),
    ),
    Fault(
        "the setup worker is moved to play",
        GAME,
        ((skill("setup-scenario"), "stage: design", "stage: play"),),
        (("prerequisite-unproduced", MANIFEST, "场景.设定.确认稿"),),
    ),
    one(
        "a producer is dropped from the contract",
        GAME,
        skill("setup-scenario"),
        '  - "世界.隐藏设定"\ninputMerge',
        "inputMerge",
        ("unproduced-input", skill("world-engine"), "世界.隐藏设定"),
    ),
    Fault(
        "the folder of a worker is dropped",
        RULES,
        ((skill("review-infer"), None, None),),
        (("missing-worker", MANIFEST, "review-infer"),),
    ),
    one(
        "an input is one character off",
        BASIC,
        skill("outline"),
        '  - "需求.核心要点"\n',
        '  - "需求.核心要占"\n',
        ("unproduced-input", skill("outline"), "需求.核心要占"),
        ("segment-outside-inputs", skill("outline"), "需求.核心要点"),
    ),
    one(
        "the notes on a rejection are not read",
        BASIC,
        skill("outline"),
        '  - "用户.修改说明?"\n',
        "",
        ("unreachable-revision", skill("outline"), "inputTags"),
        ("segment-outside-inputs", skill("outline"), "用户.修改说明"),
    ),
    Fault(
        "a reviewer is not heard",
        RULES,
        (
            (skill("write-rules"), '  - "验收.读者视角.记录?"\n', ""),
            (
                skill("write-rules"),
                'tags: ["验收.读者视角.记录", "验收.作者视角.记录"]',
                'tags: ["验收.作者视角.记录"]',
            ),
        ),
        (("unreachable-revision", skill("write-rules"), "inputTags"),),
    ),
    one(
        "acceptance is swapped in the table",
        BASIC,
        MANIFEST,
        "| outline | user_confirmed |",
        "| outline | no_confirmation |",
        ("acceptance-conflict", MANIFEST, "no_confirmation"),
    ),
    Fault(
        "acceptance is swapped everywhere",
        GAME,
        (
            (
                MANIFEST,
                "  setup-scenario:\n    mode: user_confirmed",
                "  setup-scenario:\n    mode: no_confirmation",
            ),
            (MANIFEST, "| setup-scenario | user_confirmed |", "| setup-scenario | no_confirmation |"),
        ),
        (
            ("never-promoted", skill("role-decide"), "场景.设定.确认稿"),
            ("never-promoted", skill("role-decide"), "角色.{id}.设定.确认稿"),
        ),
    ),
    one(
        "a reviewer writes the confirmed text",
        RULES,
        skill("review-infer"),
        'outputTags:\n  - "验收.读者视角.记录"',
        'outputTags:\n  - "验收.读者视角.记录"\n  - "规则.确认稿"',
        ("direct-confirm", skill("review-infer"), "规则.确认稿"),
    ),
    one(
        "memory is written from a draft",
        RULES,
        skill("review-author"),
        'outputTags:\n  - "验收.作者视角.记录"',
        'outputTags:\n  - "验收.作者视角.记录"\n  - "记忆.作者"',
        ("candidate-into-memory", skill("review-author"), "规则.草稿"),
    ),
    one(
        "a stage is mistyped",
        GAME,
        skill("world-engine"),
        "stage: play",
        "stage: paly",
        ("unknown-stage", skill("world-engine"), "paly"),
    ),
    Fault(
        "the manifest says no longer when it is ready",
        BASIC,
        (
            (MANIFEST, 'prerequisiteTags:\n  - "需求.核心要点"\n', ""),
            (MANIFEST, 'instanceReadyWhen: "startupCompleted and has(需求.核心要点)"\n', ""),
            (MANIFEST, "- prerequisiteTags：`需求.核心要点`\n", ""),
            (MANIFEST, "- instanceReadyWhen：`startupCompleted and has(需求.核心要点)`\n", ""),
        ),
        (("missing-readiness", MANIFEST, "basic"),),
    ),
    Fault(
        "the answer to the startup inquiry goes nowhere",
        BASIC,
        (
            (MANIFEST, 'demandTag: "需求.核心要点"\n', ""),
            (MANIFEST, "### 写入目标\n\n- `需求.核心要点`\n", ""),
        ),
        (("no-startup-target", MANIFEST, "启动询问"),),
    ),
    one(
        "a step table declares what workers read",
        BASIC,
        MANIFEST,
        "## 询问策略\n",
        "## Worker 编排\n\n| 步骤 | worker | inputTags |\n|---|---|---|\n| 1 | outline | `需求.核心要点` |\n\n## 询问策略\n",
        ("manifest-declares-io", MANIFEST, "inputTags"),
    ),
    one(
        "the orchestrator is told to pass tags",
        BASIC,
        MANIFEST,
        "| outline | 需求收齐之后；用户退回大纲之后 |",
        "| outline | 需求收齐之后；用户退回大纲之后 |\n\n调度时传入 inputTags。",
        ("manifest-routes-context", MANIFEST, "inputTags"),
    ),
    one(
        "the registry calls unwritten what is there",
        BASIC,
        "/skills/registry.yaml",
        "需求进，大纲出。第一次写包从这里抄起。",
        "需求进，大纲出（待建）",
        ("registry-stale", "/skills/registry.yaml", "待建"),
    ),
    one(
        "the registry gives another category",
        BASIC,
        "/skills/registry.yaml",
        "category: 小说\n    bookKind: novel\n    path: novel/basic",
        "category: 扮演\n    bookKind: novel\n    path: novel/basic",
        ("registry-mismatch", "/skills/registry.yaml", "扮演"),
    ),
    one(
        "a binding names nobody",
        BASIC,
        "llm-bindings.yaml",
        None,
        "workers:\n  outlin:\n    profileId: local\n",
        ("unknown-worker-binding", "llm-bindings.yaml", "outlin"),
    ),
    one(
        "a binding by role for a worker without one",
        BASIC,
        "llm-bindings.yaml",
        None,
        "workers:\n  outline:\n    byRole:\n      A: local\n",
        ("by-role-without-role", "llm-bindings.yaml", "A"),
    ),
    Fault(
        "a profile that there is not",
        BASIC,
        (
            ("llm-bindings.yaml", None, "defaultProfileId: clod\n"),
            ("/profiles.json", None, '{"profiles": [{"id": "cloud", "model": "m"}]}\n'),
        ),
        (("unknown-profile", "llm-bindings.yaml", "clod"),),
    ),
    one(
        "a key is left in a board",
        BASIC,
        "contexts/first.yaml",
        "items:",
        "# sk-proj-9fK2mQ7xVb3Lw8Rt5Yz1Nc6H\nitems:",
        ("secret-in-package", "contexts/first.yaml", "*" * 32),
    ),
)


@cache
def originals() -> dict[str, bytes]:
    """The packages as they are, by workspace-relative path."""
    return {
        path.relative_to(SKILLS.parent).as_posix(): path.read_bytes()
        for path in sorted(SKILLS.rglob("*"))
        if path.is_file()
    }


@cache
def before(package: str) -> Counter[tuple[str, str, str]]:
    """What is said of a package as it is."""
    return Counter(map(key, said(originals(), package)))


def said(files: dict[str, bytes], package: str) -> tuple[Diagnostic, ...]:
    return driver.check(DictReader(files), only=frozenset({package})).diagnostics


def key(diagnostic: Diagnostic) -> tuple[str, str, str]:
    return diagnostic.code.slug, diagnostic.span.path, diagnostic.span.text


def full(package: str, file: str) -> str:
    return file[1:] if file.startswith("/") else f"skills/{package}/{file}"


def faulty(fault: Fault) -> dict[str, bytes]:
    files = dict(originals())
    for file, old, new in fault.edits:
        path = full(fault.package, file)
        if old is None and new is not None:
            assert path not in files
            files[path] = new.encode()
        elif new is None:
            del files[path]
        else:
            text = files[path].decode()
            assert old is not None and old in text, f"{old!r} is not in {path}"
            files[path] = text.replace(old, new).encode()
    return files


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_told_by_the_right_code_at_the_right_place(fault: Fault) -> None:
    """All that is new is what the row says; infos only where the row is about one."""
    expected = Counter((slug, full(fault.package, file), text) for slug, file, text in fault.said)
    about_infos = any(CODES[slug].severity is Severity.INFO for slug, _, _ in fault.said)
    found = said(faulty(fault), fault.package)
    weighty = (d for d in found if about_infos or d.severity > Severity.INFO)
    assert Counter(map(key, weighty)) - before(fault.package) == expected


def test_the_packages_are_clean_without_a_fault() -> None:
    for package in (BASIC, RULES, GAME):
        assert all(CODES[slug].severity is Severity.INFO for slug, _, _ in before(package))

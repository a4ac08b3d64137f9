from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from skillc.artifact.codec import canonical, decode, digest, encode
from skillc.artifact.plan import Plan
from skillc.graph import build_graph
from skillc.model.workspace import build_workspace
from skillc.plan import compile_package, render_prompt
from skillc.runtime import Board, load_plan
from skillc.source.discover import read_workspace
from skillc.source.reader import DictReader

BASE = "skills/novel/demo"
MANIFEST = """---
name: demo
description: 示例
category: 测试
bookKind: novel
workers: [write, review]
prerequisiteTags: ["需求.核心要点"]
instanceReadyWhen: "startupCompleted and has(需求.核心要点)"
demandTag: 需求.核心要点
uiPrompt: 写什么？
acceptance:
  write: {mode: user_confirmed}
  review: {mode: programmatic_review, reviews: [write]}
---

# 示例
"""
WRITE = """---
id: write
skill: demo
name: 写
description: 写正文
inputTags: ["需求.核心要点", "验收.记录?"]
outputTags: ["正文.草稿", "核心.危险.隐藏"]
aliases: {正文: 正文.草稿}
contextSegments:
  - {id: brief, tier: static, tags: ["需求.核心要点"], label: "## 需求", policy: tail_lines_80}
  - {id: notes, tier: dynamic, tags: ["验收.记录"], projection: summary}
---


# 写

## 角色与口吻

冷静的{{编辑}}。

### 细节

不用感叹号。

## 能力范围

写。{% if x %}


"""
REVIEW = """---
id: review
skill: demo
name: 审
description: 审正文
contextIsolation: blind_review
inputTags: ["正文.草稿"]
outputTags: ["验收.记录"]
---
# 审

写明 verdict。
"""
FILES = {
    f"{BASE}/orchestrator.md": MANIFEST,
    f"{BASE}/workers/write/SKILL.md": WRITE,
    f"{BASE}/workers/review/SKILL.md": REVIEW,
}


def compiled(files: Mapping[str, str], compiler: str = "1.0") -> Plan:
    found, _ = read_workspace(DictReader(files))
    workspace, _ = build_workspace(found)
    plan, _ = compile_package(build_graph(workspace.packages[0]), compiler)
    return plan


def changed(path: str, old: str, new: str) -> dict[str, str]:
    """FILES with one text replaced in the file whose path ends so."""
    name = next(name for name in FILES if name.endswith(path))
    assert old in FILES[name]
    return {**FILES, name: FILES[name].replace(old, new)}


def test_a_plan_validates_against_its_schema_and_survives_its_bytes() -> None:
    plan = compiled(FILES)
    schema = json.loads(Path("docs/schema/plan.schema.json").read_bytes())
    jsonschema.Draft202012Validator(schema).validate(json.loads(encode(plan)))
    assert decode(encode(plan)) == plan


@pytest.mark.parametrize("path", sorted(str(p.parent) for p in Path("skills").glob("*/*/orchestrator.md")))
def test_the_packages_that_come_with_the_compiler_give_valid_plans(path: str) -> None:
    files = {str(p): p.read_text("utf-8") for p in Path(path).rglob("*") if p.suffix in (".md", ".yaml")}
    plan = compiled(files)
    schema = json.loads(Path("docs/schema/plan.schema.json").read_bytes())
    jsonschema.Draft202012Validator(schema).validate(json.loads(encode(plan)))
    for worker in plan.order:
        assert plan.workers[worker].system in render_prompt(plan, worker)


def test_what_the_manifest_says_stands_in_the_plan() -> None:
    data = json.loads(encode(compiled(FILES)))
    assert data["package"] == {
        "path": "novel/demo",
        "name": "demo",
        "kind": "novel",
        "language": "zh",
        "description": "示例",
        "version": "1",
    }
    assert data["order"] == ["write", "review"]
    assert data["startup"]["targets"] == ["需求.核心要点"]
    assert data["ready"] == {
        "prerequisites": [["需求", "核心要点"]],
        "condition": ["and", ["startupCompleted"], ["has", ["需求", "核心要点"]]],
    }
    assert data["acceptance"]["review"] == {
        "mode": "programmatic_review",
        "requires_approval": False,
        "reviews": ["write"],
    }
    assert data["moved"]["core.danger"] == "核心.危险.隐藏"
    assert {"label": "hidden", "pattern": None, "segment": "隐藏", "except": []} in data["labels"]


def test_what_a_worker_says_stands_in_the_plan() -> None:
    write = json.loads(encode(compiled(FILES)))["workers"]["write"]
    assert write["inputs"] == [
        {"pattern": ["需求", "核心要点"], "needed": True},
        {"pattern": ["验收", "记录"], "needed": False},
    ]
    assert write["aliases"] == {"正文": "正文.草稿"}
    assert write["segments"][0] == {
        "id": "brief",
        "tier": "static",
        "label": "## 需求",
        "tags": [["需求", "核心要点"]],
        "policy": {"kind": "tail_lines", "n": 80},
        "projection": None,
        "inline": None,
    }
    assert json.loads(encode(compiled(FILES)))["workers"]["review"]["segments"] is None


def test_the_reader_of_a_plan_assembles_what_the_author_wrote() -> None:
    plan = load_plan(encode(compiled(FILES)))
    board = Board()
    board.write("需求.核心要点", "便利店", source="user")
    context = plan.assemble("write", board)
    assert context.messages[1]["content"] == "## 需求\n\n便利店"
    board.write("核心.危险.隐藏", "秘密", source="write")
    board.write("正文.草稿", "稿", source="write")
    assert json.loads(plan.assemble("review", board).messages[1]["content"])["inputs"] == {"正文.草稿": "稿"}


# The system message (SPEC 9.2)


def system(files: Mapping[str, str], worker: str = "write") -> str:
    return compiled(files).workers[worker].system


def test_the_system_message_is_body_and_protocol() -> None:
    body, protocol = system(FILES, "review").split("\n\n---\n\n")
    assert body == "# 审\n\n写明 verdict。"
    assert protocol.startswith("# 输出协议\n\n")
    assert "  - `验收.记录`\n" in protocol
    assert not protocol.endswith("\n")


def test_a_tag_that_stands_twice_in_a_list_is_told_once() -> None:
    twice = changed("write/SKILL.md", '"正文.草稿", "核心', '"正文.草稿", "乙.*", "正文.草稿", "乙.*", "核心')
    once = changed("write/SKILL.md", '"正文.草稿", "核心', '"正文.草稿", "乙.*", "核心')
    for made in (system, lambda files: render_prompt(compiled(files), "write")):
        assert made(twice) == made(once)
    worker = compiled(twice).workers["write"]
    assert [pattern.text for pattern in worker.outputs] == ["正文.草稿", "乙.*", "核心.危险.隐藏"]
    assert worker.reply == compiled(once).workers["write"].reply
    doubled = changed(
        "write/SKILL.md",
        '["需求.核心要点", "验收.记录?"]',
        '["需求.核心要点", "验收.记录?", "需求.核心要点?"]',
    )
    inputs = [(entry.pattern.text, entry.needed) for entry in compiled(doubled).workers["write"].inputs]
    assert inputs == [("需求.核心要点", True), ("验收.记录", False)]


def test_the_shared_context_comes_first_without_its_frontmatter() -> None:
    for shared in ("\n\n简体中文。\n\n", "---\ntitle: x\n---\n\n简体中文。\n"):
        text = system({**FILES, f"{BASE}/shared-context.md": shared})
        assert text.startswith("# 固定创作上下文\n\n简体中文。\n\n---\n\n# 写\n\n## 角色与口吻")
    assert system({**FILES, f"{BASE}/shared-context.md": "\n"}) == system(FILES)


def test_braces_of_a_body_and_blanks_inside_it_are_untouched() -> None:
    assert "冷静的{{编辑}}。" in system(FILES)
    assert "写。{% if x %}\n\n---\n\n# 输出协议" in system(FILES)
    assert "# 审  \n" in system(changed("review/SKILL.md", "# 审\n", "  \n# 审  \n"), "review")
    assert system(changed("review/SKILL.md", "# 审\n", "  \n# 审\n"), "review").startswith("  \n# 审")


def test_wildcards_and_aliases_are_explained_where_there_are_any() -> None:
    outputs = 'outputTags: ["角色.{id}.行动", "角色.*.信念", "设计.*"]\naliases: {行动: "角色.{id}.行动"}'
    text = system(changed("review/SKILL.md", 'outputTags: ["验收.记录"]', outputs), "review")
    assert "  - `角色.{id}.行动`（`{id}` 换成本次运行的角色）\n" in text
    assert "  - `角色.*.信念`（`*` 换成一个具体的段）\n" in text
    assert "  - `设计.*`（末尾的 `*` 换成一段或用 `.` 连接的多段）\n" in text
    assert "  - 别名 `行动` 等于 `角色.{id}.行动`\n" in text
    assert "别名" not in system(FILES, "review")


def test_the_protocol_speaks_the_language_of_the_package() -> None:
    english = changed("orchestrator.md", "category: 测试", "category: 测试\nlanguage: en")
    text = system(english)
    assert "# Output protocol\n\nReturn one JSON object" in text
    assert "输出协议" not in text
    assert "the alias `正文` means `正文.草稿`" in text
    assert compiled(english).workers["write"].instruction.startswith("Work on inputs")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_protocol_names_all_it_must(language: str) -> None:
    text = system(changed("orchestrator.md", "category: 测试", f"category: 测试\nlanguage: {language}"))
    for word in (
        "JSON",
        "`outputs`",
        "`summary`",
        "`askUser`",
        "null",
        "50",
        "`正文.草稿`",
        "`核心.危险.隐藏`",
    ):
        assert word in text


# Persona (SPEC 5)


def inserting(variant: str = "") -> dict[str, str]:
    persona = '{id: who, tier: static, tags: ["worker.persona"]}\n  - {id: notes'
    return changed("write/SKILL.md", "{id: notes", persona)


def test_the_persona_is_the_section_and_stays_in_the_body() -> None:
    worker = compiled(FILES).workers["write"]
    assert worker.persona == "冷静的{{编辑}}。\n\n### 细节\n\n不用感叹号。"
    assert worker.persona in worker.system


def test_a_persona_that_a_segment_inserts_leaves_the_body() -> None:
    worker = compiled(inserting()).workers["write"]
    assert worker.persona == compiled(FILES).workers["write"].persona
    assert worker.system.startswith("# 写\n\n## 能力范围\n\n写。{% if x %}\n\n---\n\n# 输出协议")
    context = load_plan(encode(compiled(inserting()))).assemble("write", Board())
    assert context.messages[1]["content"] == worker.persona


def test_a_variant_without_the_persona_keeps_it_in_the_body() -> None:
    variant = 'contextVariants:\n  short: {contextSegments: [{id: a, tier: static, tags: ["需求.核心要点"]}]}\n---\n\n\n# 写'
    name = f"{BASE}/workers/write/SKILL.md"
    worker = compiled({**inserting(), name: inserting()[name].replace("---\n\n\n# 写", variant)}).workers[
        "write"
    ]
    assert "## 角色与口吻" in worker.system
    assert [segment.id for segment in worker.variants["short"]] == ["a"]


def test_the_field_persona_wins_and_leaves_the_body_alone() -> None:
    worker = compiled(changed("write/SKILL.md", "name: 写", "name: 写\npersona: 简短")).workers["write"]
    assert worker.persona == "简短"
    assert "## 角色与口吻" in worker.system


# Profiles, variants, denials, replies


def test_a_profile_is_resolved_in_order() -> None:
    bindings = "defaultProfileId: d\nworkers:\n  write: {profileId: w, byRole: {A: a}}\n  review: {}\n"
    files = {**FILES, f"{BASE}/llm-bindings.yaml": bindings}
    plan = compiled(files)
    assert (plan.workers["write"].profiles.default, plan.workers["write"].profiles.by_role) == (
        "w",
        {"A": "a"},
    )
    assert plan.workers["review"].profiles.default == "d"
    name = f"{BASE}/workers/write/SKILL.md"
    own = compiled({**files, name: files[name].replace("name: 写", "name: 写\nllmProfileId: o")})
    assert (own.workers["write"].profiles.default, own.workers["write"].profiles.by_role) == ("o", {})
    none = compiled({**FILES, f"{BASE}/llm-bindings.yaml": "defaultProfileId: null\n"})
    assert none.workers["write"].profiles.default is None


def test_the_manifest_chooses_a_variant_and_a_history_policy() -> None:
    profile = "contextProfile:\n  write: {variant: short, historyPolicy: window_turns_6}\n"
    files = changed("orchestrator.md", "uiPrompt:", profile + "uiPrompt:")
    name = f"{BASE}/workers/write/SKILL.md"
    variants = 'contextVariants:\n  short: {contextSegments: [{id: h, tier: dynamic, tags: ["对话.历史"]}]}\noutputTags:'
    files[name] = (
        files[name].replace("outputTags:", variants).replace('"验收.记录?"]', '"验收.记录?", "对话.历史"]')
    )
    worker = compiled(files).workers["write"]
    assert worker.variant == "short"
    policy = worker.variants["short"][0].policy
    assert policy is not None
    assert (policy.kind, policy.n) == ("window_turns", 6)
    files[name] = files[name].replace("  short:", "  long:")
    assert compiled(files).workers["write"].variant is None


@pytest.mark.parametrize(
    ("chosen", "own", "policy", "projection"),
    [
        ("summary", "last_3_turns", None, "summary"),
        ("window_turns_6", "last_3_turns", ("window_turns", 6), "fields"),
        (None, "last_3_turns", ("last_turns", 3), "fields"),
    ],
)
def test_what_the_manifest_says_of_the_dialogue_takes_the_place_of_what_its_segment_says(
    chosen: str | None, own: str, policy: tuple[str, int] | None, projection: str
) -> None:
    files = dict(FILES)
    if chosen:
        profile = f"contextProfile:\n  write: {{historyPolicy: {chosen}}}\n"
        files = changed("orchestrator.md", "uiPrompt:", profile + "uiPrompt:")
    name = f"{BASE}/workers/write/SKILL.md"
    row = f'{{id: h, tier: dynamic, tags: ["对话.*"], policy: {own}, projection: fields}}'
    files[name] = (
        files[name]
        .replace("projection: summary}", f"projection: summary}}\n  - {row}")
        .replace('"验收.记录?"]', '"验收.记录?", "对话.*?"]')
    )
    *_, segment = compiled(files).workers["write"].segments or ()
    assert (segment.policy and (segment.policy.kind, segment.policy.n)) == policy
    assert segment.projection == projection


def test_the_reply_schema_accepts_what_the_worker_may_write() -> None:
    def valid(worker: str, reply: Any, files: Mapping[str, str] = FILES) -> bool:
        schema = compiled(files).workers[worker].reply
        return not list(jsonschema.Draft202012Validator(schema).iter_errors(reply))

    assert valid("write", {"outputs": {"正文.草稿": "x"}, "summary": "s", "askUser": None})
    assert valid("write", {"outputs": {"正文": "x"}, "summary": "s", "askUser": ["?"]})
    assert not valid("write", {"outputs": {"正文.确认稿": "x"}, "summary": "s", "askUser": None})
    assert not valid("write", {"outputs": {}, "askUser": "?"})
    assert not valid("write", {"outputs": {}, "more": 1})
    family = changed("review/SKILL.md", '["验收.记录"]', '["验收.*"]')
    assert valid("review", {"outputs": {"验收.甲.记录": "x"}}, family)
    assert "验收.*" in json.dumps(compiled(family).workers["review"].reply, ensure_ascii=False)


# Determinism and fingerprints (SPEC 15.1)


def test_the_order_of_files_changes_no_byte() -> None:
    assert encode(compiled(dict(reversed(FILES.items())))) == encode(compiled(FILES))


def test_line_ends_and_a_byte_order_mark_change_no_byte() -> None:
    windows = {name: "\ufeff" + text.replace("\n", "\r\n") for name, text in FILES.items()}
    assert encode(compiled(windows)) == encode(compiled(FILES))


def test_the_fingerprint_is_over_everything_that_the_plan_is_made_of() -> None:
    first = compiled(FILES).fingerprint
    assert compiled(changed("review/SKILL.md", "verdict", "Verdict")).fingerprint != first
    assert compiled(FILES, "1.1").fingerprint != first
    labels = "labels: {hidden: [底牌.*]}\n"
    assert compiled({**FILES, "skills/tags.yaml": labels}).fingerprint != first
    assert compiled({**FILES, "skills/tags.yaml": "# nothing\n"}).fingerprint == first
    assert compiled({**FILES, "skills/registry.yaml": "skills: []\n"}).fingerprint == first


def test_a_worker_has_the_digest_of_its_own_part_alone() -> None:
    before, after = compiled(FILES), compiled(changed("review/SKILL.md", "verdict", "Verdict"))
    assert before.workers["write"].digest == after.workers["write"].digest
    assert before.workers["review"].digest != after.workers["review"].digest
    part = json.loads(encode(before))["workers"]["write"]
    stated = part.pop("digest")
    assert stated == digest(canonical(part))


# The readable form


def test_the_readable_prompt_shows_what_will_stand_where() -> None:
    text = render_prompt(compiled(FILES), "write")
    worker = compiled(FILES).workers["write"]
    size = len(worker.system.encode())
    assert f"<!-- system message: {size} bytes, about " in text
    assert f"{worker.system}\n\n<!-- the fixed prefix ends here -->" in text
    assert "<!-- brief: static · tail_lines 80 · full -->\n\n## 需求\n\n⟦需求.核心要点⟧\n" in text
    assert text.index("<!-- the static part ends here -->") < text.index(
        "<!-- notes: dynamic · latest · summary -->"
    )
    assert "<!-- reads: 需求.核心要点, 验收.记录? -->" in text
    assert text.endswith("⟦验收.记录⟧\n")


def test_the_readable_prompt_shows_the_json_object() -> None:
    text = render_prompt(compiled(FILES), "review")
    assert '"inputs": {"正文.草稿": "⟦正文.草稿⟧"}' in text
    assert "isolation blind_review" in text


def test_what_the_manifest_denies_stands_with_its_worker() -> None:
    table = "\n## 禁用行为\n\n- 禁止把 `core.danger` 注入 review\n"
    files = {**FILES, f"{BASE}/orchestrator.md": MANIFEST + table}
    denied = [pattern.text for pattern in compiled(files).workers["review"].denied]
    assert denied == ["core.danger", "核心.危险.隐藏"]
    assert compiled(files).workers["write"].denied == ()


TEMPLATE = """\
---
id: scout
skill: demo
name: 探路
description: 看一眼没去过的地方
stage: design
contextIsolation: blind_review
inputTags: ["需求.核心要点", "用户.最新输入", "世界.地图?"]
outputTags: ["设计.路线.草稿"]
---
# 探路
"""


def test_the_orchestrator_is_told_the_manifest_and_the_rules_as_literal_text() -> None:
    plan = compiled(FILES)
    assert plan.orchestrator is not None
    body, _, rules = plan.orchestrator.system.rpartition("\n\n---\n\n")
    assert body == "# 示例"
    assert "`run_worker`" in rules and "create_temp_worker" not in rules and "{{" not in rules
    assert plan.orchestrator.templates == {}


def test_a_template_is_compiled_as_a_worker_and_is_none() -> None:
    plan = compiled({**FILES, f"{BASE}/templates/scout/SKILL.md": TEMPLATE})
    assert plan.orchestrator is not None
    assert "create_temp_worker" in plan.orchestrator.system
    template = plan.orchestrator.templates["scout"]
    assert "scout" not in plan.workers and "scout" not in plan.order
    assert (template.stage, template.isolation) == ("design", "blind_review")
    assert [(entry.pattern.text, entry.needed) for entry in template.inputs] == [
        ("需求.核心要点", True),
        ("用户.最新输入", False),
        ("世界.地图", False),
    ]
    assert plan.orchestrator.acceptance["scout"].mode == "user_confirmed"
    assert template.digest.startswith("sha256:")

"""What an orchestrator.md means, in whatever style its author writes it."""

from __future__ import annotations

import pytest

from reading import MANIFEST, ORCHESTRATOR, PACKAGE, SKILL, lines, read_manifest, read_package, skill, texts
from skillc.model.package import Manifest, Registered

WORKERS = {
    "setup-card": "角色卡.草稿",
    "write-rules": "核心.危险.隐藏,规则.草稿,规则.说明.草稿",
    "review-infer": "验收.读者视角.记录",
    "user-turn-2": "角色.用户.行动",
}

PLAIN = """# 规则怪谈

## 启动询问

```text
想看什么样的规则？
写入目标：这一行是提示词
```

必须收集：

- 题材
- **条数**

可选收集：

- 口吻

写入目标：`需求.核心要点`、`项目.风格要求`（可多个）

这一句只是说明，`用户.最新输入` 不是目标。

## 实例化

- prerequisiteTags: `需求.核心要点`
- instanceReadyWhen: `startupCompleted and has(需求.核心要点)`
- setupWorkers: `setup-card`
- 其他：见 `docs.说明`

## Skill 注册表

### Instantiate

| worker | 用途 |
|--------|------|
| setup-card | 角色卡 |

### Run

| worker | 用途 |
|--------|------|
| `write-rules` | 写规则 |
| review-infer | 读者视角 |
| finish | — |

## 验收策略

| worker | acceptanceMode |
|--------|----------------|
| write-rules | user_confirmed |
| review-infer | `programmatic_review`（读 verdict） |
| finish | — |

## 询问策略

| 情形 | 目标 |
|------|------|
| 缺风格 | `项目.风格要求` |
| 其他 | 见下表 |
"""

NUMBERED = """# 1. 规则怪谈

### 1. 启动询问（brief）

**提示词**

```text
想看什么样的规则？
```

| 项 | 内容 |
|----|------|
| 必须收集 | 题材、条数 |
| 可选收集 | 口吻 |
| 写入目标 tag | `需求.核心要点`、`项目.风格要求` |

### 2、实例化（design）

| 字段 | 值 |
|---|---|
| `prerequisiteTags` | `需求.核心要点` ≈ `book.brief` |
| `instanceReadyWhen` | startupCompleted and has(需求.核心要点)（用户答完之后） |
| `setupWorkers` | setup-card |

### 三、Skill 注册表（instantiate + run）

#### 实例化 Skill

| 技能 | 说明 |
|---|---|
| setup-card（角色卡） | … |

#### 运行 Skill

| id | skill | 说明 |
|---|---|---|
| 1 | write-rules | 写 `规则.草稿` |
| 2 | review-infer | 读 `规则.草稿` |

### 4. 产物与验收

| 产物 | 验收模式 | 备注 |
|---|---|---|
| `规则.草稿` | user_confirmed | 用户点头 |
| 验收.读者视角.记录 | programmatic_review | |

### 5. 询问策略

- 目标：`项目.风格要求`
"""

HEADINGS = """## 启动询问

### 提示词

```
想看什么样的规则？
```

### 必须收集

1. 题材
2. 条数

### 可选收集

* 口吻

### 写入目标

- `需求.核心要点` — 用户的原话
- `项目.风格要求`（可空）

## Instance Ready 规则

### prerequisiteTags

- 需求.核心要点

### instanceReadyWhen

- startupCompleted and has(需求.核心要点)

## setupWorkers

- setup-card

## Skill 注册表

### Run

| workerId | stage | acceptanceMode |
|---|---|---|
| write-rules | run | user_confirmed |
| review-infer | run | programmatic_review |

## 询问策略

**目标：** `项目.风格要求`
"""

BLOCKS = """## 启动询问

```text
想看什么样的规则？
```

**必须收集：**
- 题材
- 条数

**可选收集：** 口吻

**写入目标**：
  `需求.核心要点`
  `项目.风格要求`

## 实例化

```yaml
prerequisiteTags:
  - 需求.核心要点        # 启动询问
instanceReadyWhen: startupCompleted and has(需求.核心要点)
setupWorkers: [setup-card]
```

```json
{"prerequisiteTags": ["不.算.数"], "run_worker": "run_worker(nobody)"}
```

## Skill 注册表

- `setup-card`：角色卡
- **write-rules**：写规则
- review-infer 读者视角

## 验收策略

| Worker / 产物 | 说明 | acceptanceMode |
|---|---|---|
| write-rules 的全部产物 | | user_confirmed |
| review-infer（`验收.读者视角.记录`） | | programmatic_review |

## 询问策略

| 何时 | 问什么 | 目标 tag |
|---|---|---|
| 缺风格 | 风格 | 项目.风格要求 |
"""


@pytest.mark.parametrize("body", [PLAIN, NUMBERED, HEADINGS, BLOCKS])
def test_honest_manifests_of_all_styles_are_read_alike_and_without_findings(body: str) -> None:
    manifest, found = read_manifest(body, workers=WORKERS)
    assert found == ()
    startup = manifest.startup
    assert startup is not None
    assert startup.prompt.startswith("想看什么样的规则？")
    assert texts(startup.targets) == ["需求.核心要点", "项目.风格要求"]
    assert "、".join(startup.required) == "题材、条数" and startup.optional == ("口吻",)
    assert texts(manifest.prerequisites) == ["需求.核心要点"]
    assert [bool(ready.condition) for ready in manifest.ready] == [True]
    assert manifest.ready[0].text.value == "startupCompleted and has(需求.核心要点)"
    assert {"write-rules", "review-infer", "setup-card"} <= _ids(manifest.registered)
    assert "finish" not in _ids(manifest.registered)
    assert _stages(manifest)["setup-card"] in ("design",)
    assert [(entry.worker.value, entry.mode) for entry in manifest.acceptance] == [
        ("write-rules", "user_confirmed"),
        ("review-infer", "programmatic_review"),
    ]
    assert texts(manifest.asks) == ["项目.风格要求"]
    assert {id.value for id in manifest.named} <= set(WORKERS)


def _ids(registered: tuple[Registered, ...]) -> set[str]:
    return {row.worker.value for row in registered}


def _stages(manifest: Manifest) -> dict[str, str | None]:
    return {row.worker.value: row.stage for row in manifest.registered}


def test_values_keep_their_place() -> None:
    manifest, _ = read_manifest(NUMBERED, workers=WORKERS)
    assert manifest.startup is not None
    spans = [ref.span for ref in (*manifest.startup.targets, *manifest.prerequisites, *manifest.asks)]
    assert [span.text for span in spans] == [
        "需求.核心要点",
        "项目.风格要求",
        "需求.核心要点",
        "项目.风格要求",
    ]
    assert all(row.worker.span.text == row.worker.value for row in manifest.registered)
    assert all(id.span.text == id.value for id in manifest.named)
    assert [entry.span.text for entry in manifest.acceptance] == ["user_confirmed", "programmatic_review"]


def test_the_machine_form_is_read_and_wins() -> None:
    front = """category: 小说
bookKind: novel
version: 2
tags: [短文, 示例]
workers: [write]
suggestedWorkers: [later]
demandTag: "需求.核心要点"
startupMode: ask
uiPrompt: 说说看
prerequisiteTags: ["需求.核心要点"]
instanceReadyWhen: "has(需求.核心要点)"
acceptance: {write: {mode: no_confirmation, requiresApproval: true}, later: {reviews: [write]}}
contextProfile: {write: {historyPolicy: tail_lines_20}}
playSlots: {gm: true, perspective: false}
roles: [A, no]
rolesFrom: "角色.名单.当前"
language: en
license: MIT
x-anything: 1
"""
    body = "## 实例化\n\n- prerequisiteTags：`别的.标签`\n- instanceReadyWhen：等用户说好\n"
    manifest, found = read_manifest(body, front)
    assert found == ()
    assert (manifest.category, manifest.kind, manifest.version) == ("小说", "novel", "2")
    assert manifest.genres == ("短文", "示例") and manifest.language == "en"
    assert [row.worker.value for row in manifest.registered] == ["write", "later"]
    assert manifest.startup is not None and manifest.startup.prompt == "说说看"
    assert texts(manifest.startup.targets) == ["需求.核心要点"]
    assert texts(manifest.prerequisites) == ["需求.核心要点"]
    assert [ready.in_front for ready in manifest.ready] == [True]
    write, later = manifest.acceptance
    assert (write.mode, write.requires_approval, write.in_front, write.explicit) == (
        "no_confirmation",
        True,
        True,
        True,
    )
    assert (later.mode, later.explicit) == ("user_confirmed", False)
    assert [id.value for id in later.reviews] == ["write"]
    assert [id.value for id in manifest.named] == ["write", "later", "write", "write"]
    assert manifest.context_profile == {"write": {"historyPolicy": "tail_lines_20"}}
    assert manifest.play_slots == {"gm": True, "perspective": False}
    assert [role.value for role in manifest.roles] == ["A", "no"]
    assert manifest.roles_from is not None and manifest.roles_from.text == "角色.名单.当前"


def test_targets_of_the_machine_form_and_of_the_body_count_both() -> None:
    body = "## 启动询问\n\n写入目标：`需求.核心要点`、`项目.风格要求`\n"
    manifest, found = read_manifest(body, 'demandTag: ["需求.核心要点", "用户.偏好"]\n')
    assert found == () and manifest.startup is not None
    assert texts(manifest.startup.targets) == ["需求.核心要点", "用户.偏好", "项目.风格要求"]


def test_errors_of_the_frontmatter_are_told_each_at_its_place() -> None:
    front = """demandTags: x
bookKind: poem
prerequisiteTags: ["需求。核心要点"]
instanceReadyWhen: "has(需求.核心要点"
acceptance: {write: {mode: maybe, aproval: true}}
playSlots: {gm: yes}
sharedContext: ../other.md
owner: me
"""
    manifest, found = read_manifest("", front)
    assert lines(found) == [
        "4:1 unknown-field",
        "5:11 field-type",
        "6:23 bad-tag",
        *[line for line in lines(found) if "bad-condition" in line],
        "8:28 unknown-acceptance",
        "8:35 unknown-field",
        "9:17 field-type",
        "10:16 unsafe-path",
        "11:1 legacy-fields",
    ]
    assert sum(d.code.slug == "bad-condition" for d in found) == 1
    assert manifest.broken


def test_a_bad_condition_or_mode_leaves_the_manifest_standing() -> None:
    manifest, found = read_manifest("", 'instanceReadyWhen: "has("\nacceptance: {write: {mode: maybe}}\n')
    assert [d.code.slug for d in found] == ["bad-condition", "unknown-acceptance"]
    assert not manifest.broken


def test_a_mode_beside_its_worker_is_one_finding() -> None:
    front = "acceptance:\n  write:\n  mode: no_confirmation\n  requiresApproval: true\n  plan:\n    mode: no_confirmation\n"
    manifest, (told,) = read_manifest("", front)
    assert (told.span.text, told.message) == ("mode", "`mode` belongs below `write`")
    assert told.fix is not None and [edit.text for edit in told.fix.edits] == ["  ", "  "]
    assert [(entry.worker.value, entry.mode) for entry in manifest.acceptance] == [
        ("write", "no_confirmation"),
        ("plan", "no_confirmation"),
    ]
    assert not manifest.broken
    assert read_manifest("", "acceptance: {write: , mode: no_confirmation}\n")[1][0].fix is None


@pytest.mark.parametrize(
    "entries",
    [
        "{mode: {mode: no_confirmation}}",
        "{write: }",
        "{write: {mode: no_confirmation}, reviews: {mode: no_confirmation}}",
    ],
)
def test_a_worker_may_be_called_like_a_field_of_its_entry(entries: str) -> None:
    found = read_manifest("", f"acceptance: {entries}\n")[1]
    assert not any("belongs below" in told.message for told in found)


def test_a_name_that_is_not_the_folders_is_a_mismatch() -> None:
    package, found = read_package({MANIFEST: "---\nname: Demo\ndescription: d\n---\n"})
    assert [(d.code.slug, d.span.text) for d in found] == [("id-mismatch", "Demo")]
    assert package.manifest is not None and not package.manifest.broken


def test_a_missing_name_is_told_at_the_fence() -> None:
    _, found = read_package({MANIFEST: "---\ndescription: d\n---\n"})
    assert lines(found) == ["1:1 missing-field"] and found[0].span.path == MANIFEST


def test_conditions_of_the_body_that_do_not_parse_are_prose() -> None:
    body = "## 实例化\n\ninstanceReadyWhen：\n\n- 用户确认了需求\n- has(需求.核心要点) — 启动询问之后\n- 见下表\n"
    manifest, found = read_manifest(body)
    assert found == ()
    assert [(ready.text.value, ready.condition is None) for ready in manifest.ready] == [
        ("用户确认了需求", True),
        ("has(需求.核心要点)", False),
    ]


def test_a_tag_that_one_wrong_character_spoils_is_not_dropped_silently() -> None:
    body = "## 实例化\n\n- prerequisiteTags：`需求。核心要点`、`orchestrator.md`、`workers/a/SKILL.md`\n"
    manifest, found = read_manifest(body)
    assert [(d.code.slug, d.span.text) for d in found] == [("bad-tag", "。")]
    assert manifest.prerequisites == ()


@pytest.mark.parametrize(
    "cell",
    ["user_confirm", "user-confirmed", "programmaticreview", "no_confirm（自动）", "`auto_accept`"],
)
def test_a_cell_meant_for_a_mode_is_unknown_acceptance(cell: str) -> None:
    manifest, found = read_manifest(f"| worker | acceptanceMode |\n|---|---|\n| write | {cell} |\n")
    assert [d.code.slug for d in found] == ["unknown-acceptance"] and manifest.acceptance == ()


@pytest.mark.parametrize("cell", ["—", "", "见下表", "finish", "无", "由用户定", "默认", "同上（见 3.2）"])
def test_a_cell_that_is_no_mode_says_nothing(cell: str) -> None:
    manifest, found = read_manifest(f"| worker | acceptanceMode |\n|---|---|\n| write | {cell} |\n")
    assert found == () and manifest.acceptance == ()


def test_an_acceptance_row_speaks_for_an_id_or_for_the_only_writer_of_a_tag() -> None:
    workers = {**WORKERS, "other": "规则.说明.草稿"}
    body = """| 产物 | 验收方式 |
|---|---|
| write-rules、review-infer | no_confirmation |
| `角色卡.确认稿` 由用户定 | user_confirmed |
| `规则.说明.草稿`（两人都写） | user_confirmed |
| 谁也不写的.东西 | user_confirmed |
| 说说 `角色卡.草稿` | user_confirmed |
"""
    manifest, found = read_manifest(body, workers=workers)
    assert found == ()
    assert [(entry.worker.value, entry.mode) for entry in manifest.acceptance] == [
        ("write-rules", "no_confirmation"),
        ("review-infer", "no_confirmation"),
        ("setup-card", "user_confirmed"),
    ]


def test_acceptance_may_be_a_list_of_workers_and_modes() -> None:
    body = "## 4. 验收策略\n\n- `write`：no_confirmation，落笔即成\n- 其他 user_confirmed\n- write 由用户定\n"
    manifest, found = read_manifest(body)
    assert found == ()
    assert [(entry.worker.value, entry.mode) for entry in manifest.acceptance] == [
        ("write", "no_confirmation")
    ]


@pytest.mark.parametrize(
    "line",
    [
        "prerequisiteTags：`需求.核心要点`",
        "- prerequisiteTags 必须有：`需求.核心要点`",
        "- **prerequisiteTags**（运行前必须有）: 需求.核心要点",
        "**prerequisiteTags：** `需求.核心要点`",
        "- `prerequisiteTags` = `需求.核心要点`",
        "prerequisiteTags `需求.核心要点`",
        "- 前置 tag 为：`需求.核心要点`",
        "> prerequisiteTags: `需求.核心要点`",
    ],
)
def test_a_label_is_read_however_it_is_joined_to_its_value(line: str) -> None:
    manifest, found = read_manifest(f"## 实例化\n\n{line}\n")
    assert found == () and texts(manifest.prerequisites) == ["需求.核心要点"]


@pytest.mark.parametrize(
    "line",
    [
        "- 说明：prerequisiteTags 见上，`别的.标签` 不算",
        "prerequisiteTags：无",
        "- prerequisiteTags：见下表",
        "先有 `需求.核心要点` 再运行",
        "- instanceReadyWhen：`has(需求.核心要点)`",
    ],
)
def test_what_is_no_value_of_a_label_is_not_read(line: str) -> None:
    manifest, found = read_manifest(f"## 实例化\n\n{line}\n\n这里提到 `世界.规则`。\n")
    assert found == () and manifest.prerequisites == ()


def test_only_columns_and_calls_name_workers_and_prose_never_does() -> None:
    body = """先 `write`，再 `nobody`，也可以 nobody-else。

run_worker(write) 之后 `run_worker(ghost)`；占位：run_worker(x)、run_worker(<id>)、run_worker(workerId)

| 步骤 | worker | 说明 |
|---|---|---|
| 1 | phantom-step | `not-a-worker` |
| 2 | write → `review` → wrote | |
| 2 | writ、write/review、write/write | |
| 3 | ask_user | |
| 4 | — | |
| 5 | 总管 | |
| 6 | n/a | |
| 7 | gm | |
| 8 | main-agent | |
| 9 | optional | |

```json
{"action": "run_worker", "call": "run_worker(json-only)"}
```
"""
    manifest, found = read_manifest(body)
    assert found == ()
    assert [id.value for id in manifest.named] == [
        *("write", "ghost", "phantom-step", "review"),
        *("writ", "write", "write"),
    ]


def test_columns_that_only_speak_of_workers_or_of_other_packages_name_none() -> None:
    body = """| worker 模型 | worker 数量 |
|---|---|
| gpt-4 | 3 |

| skill | 关系 |
|---|---|
| quick-write | 另一个包 |
| write | 本包 |

| 步骤 | 执行 worker（id） |
|---|---|
| 1 | 2 |
| 2 | polish-up |
"""
    manifest, found = read_manifest(body)
    assert found == () and [id.value for id in manifest.named] == ["write", "polish-up"]


@pytest.mark.parametrize(
    "table",
    [
        "| id | 技能 |\n|---|---|\n| 1 | write |\n| 2 | polish |\n",
        "| id | 技能 |\n|---|---|\n| `write` | 写正文 |\n| polish | 润色 |\n",
        "| 本包 worker（id） | 说明 |\n|---|---|\n| write（正文） | |\n| polish — 润色 | |\n| 见下表 | |\n",
    ],
)
def test_a_registry_table_has_its_ids_in_one_of_several_columns(table: str) -> None:
    manifest, found = read_manifest(f"## 二、Skill 注册表\n\n### 2.1 运行（play）\n\n{table}")
    assert found == ()
    assert [(row.worker.value, row.stage) for row in manifest.registered] == [
        ("write", "play"),
        ("polish", "play"),
    ]


def test_a_sentence_may_say_where_the_answer_goes() -> None:
    manifest, found = read_manifest(
        "## 启动询问\n\n用户的回答写入 `需求.核心要点`。\n\n不写入 `用户.偏好`。\n"
    )
    assert found == () and manifest.startup is not None
    assert texts(manifest.startup.targets) == ["需求.核心要点"]


def test_prohibitions_name_a_worker_and_a_tag() -> None:
    body = """## 禁用行为

- 禁止向 `review-infer` 注入 `核心.危险.隐藏`
- review-infer 不得读取 `规则.说明.草稿`、`角色.*`
- 禁止 write-rules 把 `设计.草图` 传给 `setup-card`
- 禁止在 write-rules 之前写 `规则.草稿`
- 不得泄露 `核心.危险.隐藏`

## 上下文

| worker | 禁止注入 |
|---|---|
| setup-card | `规则.草稿` |
| write-rules | 无 |
"""
    manifest, found = read_manifest(body, workers=WORKERS)
    assert found == ()
    assert {(worker.value, ref.text) for worker, ref in manifest.forbidden} == {
        ("review-infer", "核心.危险.隐藏"),
        ("review-infer", "规则.说明.草稿"),
        ("review-infer", "角色.*"),
        ("setup-card", "设计.草图"),
        ("setup-card", "规则.草稿"),
    }


def test_a_line_that_forbids_one_thing_over_and_over_forbids_it_once() -> None:
    manifest, _ = read_manifest("## 禁用行为\n" + "禁 write 读 `x.y` `x.z` " * 50)
    assert [(worker.value, ref.text) for worker, ref in manifest.forbidden] == [
        ("write", "x.y"),
        ("write", "x.z"),
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "| 业务 stage | 现 stageId | 含义 |\n|---|---|---|\n| 实例化 | brief | 启动 |\n| 运行 | write | 写 |\n"
            "| 结束 | done | finish |\n",
            {"brief": "design", "write": "play", "done": None},
        ),
        (
            "- `brief`：实例化，启动询问\n- `write`：运行\n- done\n",
            {"brief": "design", "write": "play", "done": None},
        ),
        (
            "instantiate → run（write / review …）→ done\n",
            {"instantiate": "design", "run": "play", "done": None},
        ),
        ("`setup` ≡ instantiate\n", {"setup": "design"}),
    ],
)
def test_stage_tables_and_lists(body: str, expected: dict[str, str | None]) -> None:
    manifest, found = read_manifest(f"## 3. 阶段定义\n\n{body}")
    assert found == () and {id.value: stage for id, stage in manifest.stages} == expected


@pytest.mark.parametrize(
    "body",
    [
        "- `user-turn-2`：玩家\n- role-decide 不在这里\n",
        "worker：`user-turn-2`\n",
        "| worker | 说明 |\n|---|---|\n| user-turn-2 | 玩家 |\n| ghost | |\n",
        "轮到玩家时 `run_worker(user-turn-2)`。\n",
    ],
)
def test_a_users_turn_lists_ids_that_exist(body: str) -> None:
    manifest, _ = read_manifest(f"## 用户回合\n\n{body}", workers=WORKERS)
    assert [id.value for id in manifest.user_turn] == ["user-turn-2"]


@pytest.mark.parametrize(
    "body",
    [
        "| worker | variant | historyPolicy |\n|---|---|---|\n| write | `short` | tail_lines_20 |\n",
        "- `write`：variant: `short`，historyPolicy: tail_lines_20\n",
    ],
)
def test_a_context_profile_of_the_body(body: str) -> None:
    manifest, found = read_manifest(f"## contextProfile\n\n{body}")
    assert found == ()
    assert manifest.context_profile == {"write": {"variant": "short", "historyPolicy": "tail_lines_20"}}


VARIANTS = "contextVariants:\n  short:\n    policies: {}\n"


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ("historyPolicy: window_turns_6", []),
        ("historyPolicy: summary", []),
        ("variant: short, historyPolicy: last_3_turns", []),
        (
            "historyPolicy: window_turn_6",
            ["unknown-policy: `window_turn_6` is no policy (did you mean `window_turns_6`?)"],
        ),
        ("variant: shrot", ["field-type: `write` has no variant `shrot` (did you mean `short`?)"]),
        ("variant: x", ["field-type: `write` has no variant `x` (its variants are `short`)"]),
    ],
)
def test_a_context_profile_chooses_what_there_is(profile: str, expected: list[str]) -> None:
    """SPEC 9.6: what is chosen is known when the package is compiled."""
    segments = 'contextSegments:\n  - {id: a, tier: static, tags: ["需求.核心要点"]}\n'
    write = skill().replace("outputTags", segments + VARIANTS + "outputTags")
    front = f"contextProfile: {{write: {{{profile}}}}}\n"
    _, found = read_package({MANIFEST: ORCHESTRATOR.replace("workers:", front + "workers:"), SKILL: write})
    assert [f"{d.code.slug}: {d.message} ({d.help})" for d in found] == expected


def test_a_worker_that_cannot_be_read_may_have_any_variant() -> None:
    front = "contextProfile: {write: {variant: short}, gone: {variant: short}}\n"
    _, found = read_package(
        {MANIFEST: ORCHESTRATOR.replace("workers:", front + "workers:"), SKILL: "---\nid: write\n"}
    )
    assert "field-type" not in [d.code.slug for d in found]


def test_workers_stand_in_manifest_order_then_by_id() -> None:
    files = {f"{PACKAGE}/workers/{id}/SKILL.md": skill(id) for id in ("a", "b", "zeta", "middle")}
    manifest = (
        "---\nname: demo\ndescription: d\nworkers: [zeta]\n---\n## 注册表\n\n| worker |\n|---|\n| middle |\n"
    )
    package, found = read_package({**files, MANIFEST: manifest})
    assert found == ()
    assert [worker.id for worker in package.workers] == ["zeta", "middle", "a", "b", "write"]


def test_a_manifest_without_frontmatter_is_broken_and_its_body_is_read() -> None:
    package, found = read_package({MANIFEST: "## Skill 注册表\n\n| worker |\n|---|\n| write |\n"})
    assert [d.code.slug for d in found] == ["frontmatter-missing"]
    assert package.manifest is not None and package.manifest.broken
    assert [row.worker.value for row in package.manifest.registered] == ["write"]


@pytest.mark.parametrize(
    ("front", "body", "expected"),
    [
        ("workers: []\n", "", True),
        ("workers:\n", "", True),
        ("suggestedWorkers: []\n", "", True),
        ("", "## Skill 注册表\n\n| worker | 用途 |\n|---|---|\n", True),
        ("", "## Skill 注册表\n\n见各文件夹。\n", False),
        ("", "", False),
    ],
)
def test_a_list_of_workers_may_be_there_and_empty(front: str, body: str, expected: bool) -> None:
    manifest, _ = read_manifest(body, front)
    assert manifest.has_list == expected and manifest.registered == ()


@pytest.mark.parametrize(
    ("cell", "near"),
    [
        ("auto", "no_confirmation"),
        ("none", "no_confirmation"),
        ("manual", "user_confirmed"),
        ("`用户确认`", "user_confirmed"),
        ("maybe", None),
    ],
)
def test_an_unreadable_mode_of_a_worker_is_told(cell: str, near: str | None) -> None:
    table = f"| worker | acceptanceMode |\n|---|---|\n| write | {cell} |\n| 别的 | {cell} |\n"
    manifest, found = read_manifest(f"## 验收策略\n\n{table}")
    assert [d.code.slug for d in found] == ["unknown-acceptance"] and manifest.acceptance == ()
    assert found[0].span.text == cell.strip("`")
    assert ("did you mean" in found[0].message) == (near is not None) and (near or "") in found[0].message


@pytest.mark.parametrize(
    "cell", ["", "—", "-", "见下表", "（同上）", "默认", "finish", "≈ 用户说了算", "n/a"]
)
def test_a_cell_without_a_mode_leaves_it_as_it_is(cell: str) -> None:
    manifest, found = read_manifest(f"| worker | acceptanceMode |\n|---|---|\n| write | {cell} |\n")
    assert found == () and manifest.acceptance == ()


@pytest.mark.parametrize(
    ("front", "help"),
    [
        ("workers: write, review\n", "write one entry a line, each behind `- `, or `[write, review]`"),
        ("workers: write、review\n", "write one entry a line, each behind `- `, or `[write, review]`"),
        ("acceptance: {write: user_confirmed}\n", "write `mode: user_confirmed`"),
        ("roles: [A.x]\n", "a role is one plain segment of a tag: letters, digits, `_`, `-`, `·`"),
        ('roles: ["B C"]\n', "a role is one plain segment of a tag: letters, digits, `_`, `-`, `·`"),
    ],
)
def test_a_slip_in_a_list_or_entry_is_one_finding_with_the_way_out(front: str, help: str) -> None:
    manifest, found = read_manifest("", front)
    assert [d.code.slug for d in found] == ["field-type"]
    assert found[0].help == help
    assert manifest.roles == () and manifest.registered == ()


def test_one_text_is_still_a_list_of_one() -> None:
    manifest, found = read_manifest(
        "", "workers: write\nroles: 阿离\ninstanceReadyWhen: has(a.b) and has(c.d)\n"
    )
    assert found == () and [role.value for role in manifest.roles] == ["阿离"]
    assert [row.worker.value for row in manifest.registered] == ["write"]


@pytest.mark.parametrize("arrow", ["->", "-->", "=>", "→", "："])
def test_any_arrow_leads_from_a_label_to_its_value(arrow: str) -> None:
    for line in (f"写入目标 {arrow} 需求.核心要点", f"- 写入目标{arrow}`需求.核心要点`"):
        manifest, found = read_manifest(f"## 启动询问\n\n{line}\n")
        assert found == () and manifest.startup and texts(manifest.startup.targets) == ["需求.核心要点"]
    table = f"| 步骤 | worker |\n|---|---|\n| 1 | write {arrow} write |\n"
    assert [id.value for id in read_manifest(table)[0].named] == ["write", "write"][
        : 1 if arrow == "：" else 2
    ]

"""Faults in who writes what whom reads, when, and in which state."""

from __future__ import annotations

from faults.fault import (
    AUTHOR,
    BASIC,
    DECIDE,
    ENGINE,
    GAME,
    INFER,
    MANIFEST,
    OUTLINE,
    PRESENT,
    RULES,
    SETUP,
    WRITE,
    Edit,
    Fault,
    one,
    reads_too,
    skill,
    writes_too,
)

SECOND = skill("second")

DOCUMENT = """  - id: document
    tier: dynamic
    tags: ["规则.说明.草稿", "规则.草稿"]
    label: "## {}"
"""

LOCKED = (
    (
        INFER,
        '  - "需求.核心要点"\n  - "规则.草稿"\n  - "规则.说明.草稿"\n',
        '  - "验收.作者视角.记录"\n',
    ),
    (INFER, 'static\n    tags: ["需求.核心要点"]', 'dynamic\n    tags: ["验收.作者视角.记录"]'),
    (INFER, DOCUMENT.format("你捡到的文件"), ""),
    (
        AUTHOR,
        '  - "需求.核心要点"\n  - "核心.危险.隐藏"\n  - "规则.草稿"\n  - "规则.说明.草稿"\n',
        '  - "验收.读者视角.记录"\n',
    ),
    (AUTHOR, 'static\n    tags: ["需求.核心要点"]', 'dynamic\n    tags: ["验收.读者视角.记录"]'),
    (
        AUTHOR,
        '  - id: core\n    tier: dynamic\n    tags: ["核心.危险.隐藏"]\n    label: "## 危险的真相"\n',
        "",
    ),
    (AUTHOR, DOCUMENT.format("要验收的文件"), ""),
)
PREVIOUS = '  - id: previous\n    tier: dynamic\n    tags: ["大纲.草稿"]\n    label: "## 上一稿"\n'


def _writes_afresh(file: str) -> tuple[Edit, ...]:
    """The worker does not see what it wrote before."""
    return ((file, '  - "大纲.草稿?"\n', ""), (file, PREVIOUS, ""))


PRODUCERS = (
    one(
        "a producer is dropped from the contract",
        GAME,
        SETUP,
        '  - "世界.隐藏设定"\ninputMerge',
        "inputMerge",
        ("unproduced-input", ENGINE, "世界.隐藏设定"),
    ),
    one(
        "an input is one character off",
        BASIC,
        OUTLINE,
        '  - "需求.核心要点"\n',
        '  - "需求.核心要占"\n',
        ("unproduced-input", OUTLINE, "需求.核心要占"),
    ),
    one(
        "an output is renamed by one character",
        GAME,
        ENGINE,
        '  - "行动.裁决结果"\n  - "运行',
        '  - "行动.裁决结局"\n  - "运行',
        ("unproduced-input", PRESENT, "行动.裁决结果"),
    ),
    Fault(
        "the inputs are dropped",
        BASIC,
        (
            (
                OUTLINE,
                'inputTags:\n  - "需求.核心要点"\n  - "大纲.草稿?"\n  - "用户.worker答复?"\n  - "用户.修改说明?"\n',
                "",
            ),
        ),
        (("missing-inputs", OUTLINE, "outline"),),
    ),
    Fault(
        "nobody reads a product",
        GAME,
        ((ENGINE, '  - "行动.裁决结果"\n  - "运行', '  - "行动.裁决结果"\n  - "行动.旁白"\n  - "运行'),),
        (("unread-output", ENGINE, "行动.旁白"),),
    ),
    one(
        "a format section writes what the contract does not",
        RULES,
        INFER,
        "### `验收.读者视角.记录`\n",
        "### `验收.读者视角.摘要`\n\n一句话。\n\n### `验收.读者视角.记录`\n",
        ("undeclared-write", INFER, "验收.读者视角.摘要"),
    ),
    one(
        "an input table lists what the contract does not",
        BASIC,
        OUTLINE,
        "## 上下文用法\n",
        "## 上下文用法\n\n| inputTags | 用途 |\n|---|---|\n| `需求.补充要求` | 补充 |\n",
        ("undeclared-read", OUTLINE, "需求.补充要求"),
    ),
    Fault(
        "the answer to a question is not read",
        BASIC,
        (
            (OUTLINE, '  - "用户.worker答复?"\n', ""),
            (
                OUTLINE,
                '  - id: answers\n    tier: dynamic\n    tags: ["用户.worker答复"]\n    policy: concat\n    label: "## 用户的补充回答"\n',
                "",
            ),
            (OUTLINE, "- `用户.worker答复`：你问过", "- 你问过"),
        ),
        (("undeclared-answer", OUTLINE, "用 `askUser`"),),
    ),
    one(
        "the notes on a rejection are not read",
        BASIC,
        OUTLINE,
        '  - "用户.修改说明?"\n',
        "",
        ("unreachable-revision", OUTLINE, "inputTags"),
        ("segment-outside-inputs", OUTLINE, "用户.修改说明"),
    ),
    Fault(
        "a reviewer is not heard",
        RULES,
        (
            (WRITE, '  - "验收.读者视角.记录?"\n', ""),
            (WRITE, 'tags: ["验收.读者视角.记录", "验收.作者视角.记录"]', 'tags: ["验收.作者视角.记录"]'),
        ),
        (("unreachable-revision", WRITE, "inputTags"),),
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
            ("never-promoted", DECIDE, "场景.设定.确认稿"),
            ("never-promoted", DECIDE, "角色.{id}.设定.确认稿"),
        ),
    ),
    Fault(
        "a reviewer writes the confirmed text",
        RULES,
        (writes_too(INFER, "验收.读者视角.记录", "规则.确认稿"),),
        (("direct-confirm", INFER, "规则.确认稿"),),
    ),
    Fault(
        "memory is written from a draft",
        RULES,
        (writes_too(AUTHOR, "验收.作者视角.记录", "记忆.作者"),),
        (("candidate-into-memory", AUTHOR, "规则.草稿"),),
    ),
    one(
        "a stage is mistyped",
        GAME,
        ENGINE,
        "stage: play",
        "stage: paly",
        ("unknown-stage", ENGINE, "paly"),
    ),
    Fault(
        "two reviewers wait for each other",
        RULES,
        LOCKED,
        (("deadlocked-loop", AUTHOR, "验收.读者视角.记录"),),
    ),
    Fault(
        "the writer waits for reviewers that wait for each other",
        RULES,
        (*LOCKED, (WRITE, '"验收.读者视角.记录?"', '"验收.读者视角.记录"')),
        (
            ("deadlocked-loop", AUTHOR, "验收.读者视角.记录"),
            ("unreachable-worker", WRITE, "验收.读者视角.记录"),
        ),
    ),
    Fault(
        "who knows the secret writes into the draft",
        RULES,
        (writes_too(AUTHOR, "验收.作者视角.记录", "规则.说明.草稿"),),
        (("hidden-flow", INFER, "规则.说明.草稿"), ("hidden-to-user", AUTHOR, "规则.说明.草稿")),
    ),
    Fault(
        "design reads what play writes",
        GAME,
        reads_too(SETUP, "用户.修改说明?", "行动.裁决结果"),
        (("wrong-stage-producer", SETUP, "行动.裁决结果"),),
    ),
    Fault(
        "a draft that nobody confirms is taken for a fact",
        GAME,
        (
            (ENGINE, "行动.裁决结果", "行动.裁决.草稿"),
            (PRESENT, "行动.裁决结果", "行动.裁决.草稿"),
            (MANIFEST, "行动.裁决结果", "行动.裁决.草稿"),
            ("tags.yaml", "行动.裁决结果", "行动.裁决.草稿"),
        ),
        (("draft-as-fact", PRESENT, "行动.裁决.草稿"),),
    ),
    Fault(
        "two workers write one draft, none after the other",
        BASIC,
        (
            (SECOND, None, f"@{OUTLINE}"),
            (SECOND, "id: outline", "id: second"),
            *_writes_afresh(SECOND),
            *_writes_afresh(OUTLINE),
            (MANIFEST, 'workers: ["outline"]', 'workers: ["outline", "second"]'),
            (MANIFEST, "| outline | 需求收齐之后", "| second | 另写一份 |\n| outline | 需求收齐之后"),
        ),
        (("ambiguous-producer", SECOND, "大纲.草稿"),),
    ),
)

"""Faults by which somebody comes to see what is not for him."""

from __future__ import annotations

from faults.fault import (
    AUTHOR,
    DECIDE,
    ENGINE,
    GAME,
    INFER,
    MANIFEST,
    PRESENT,
    RULES,
    WRITE,
    Edit,
    Fault,
    one,
    reads_too,
    skill,
)

EDITOR = skill("edit-rules")

_EDITOR = """---
id: edit-rules
skill: weird-rules-short
name: 润色
description: 对照作者的意见润色说明。
version: 1
stage: play
inputTags:
  - "验收.作者视角.记录"
outputTags:
  - "规则.附注"
---

# 润色

## 上下文用法

- `验收.作者视角.记录`：照它润色。

## 输出格式

`规则.附注`：一段话。
"""


def given(name: str, tag: str, slug: str) -> Fault:
    """The blind reader gets `tag`, in its inputs and before its eyes."""
    return Fault(name, RULES, _infer_reads(tag), ((slug, INFER, tag.removesuffix("?")),))


def _infer_reads(tag: str) -> tuple[Edit, ...]:
    return reads_too(INFER, "规则.说明.草稿", tag, '"规则.说明.草稿", "规则.草稿"')


WITHOUT_VIEW = (DECIDE, "contextIsolation: role_pov\n", "")
SEES_ALL = (DECIDE, '  - "角色.{id}.可见信息?"\noutputTags', '  - "角色.*.可见信息?"\noutputTags')


ISOLATION = (
    Fault(
        "a secret reaches the blind reader over two workers",
        RULES,
        (
            (EDITOR, None, _EDITOR),
            (MANIFEST, '"review-author"]\nsharedContext', '"review-author", "edit-rules"]\nsharedContext'),
            (
                MANIFEST,
                "| review-author | 读者视角通过之后 |",
                "| review-author | 读者视角通过之后 |\n| edit-rules | 最后 |",
            ),
            (MANIFEST, "acceptance:\n", "acceptance:\n  edit-rules:\n    mode: no_confirmation\n"),
            *_infer_reads("规则.附注?"),
        ),
        (("hidden-flow", INFER, "规则.附注"),),
    ),
    one(
        "what a worker reads is forbidden to it",
        RULES,
        MANIFEST,
        "- 不跳过任何一次验收。",
        "- 不跳过任何一次验收。\n- 禁止向 review-author 注入 `核心.危险.隐藏`。",
        ("blindness-undeclared", AUTHOR, "review-author"),
    ),
    Fault("a seat is no longer shut off from the others", GAME, (SEES_ALL,), ()),
    Fault(
        "a seat without a point of view reads all seats",
        GAME,
        (
            WITHOUT_VIEW,
            SEES_ALL,
            (DECIDE, 'tags: ["角色.{id}.可见信息"]', 'tags: ["角色.*.可见信息"]'),
        ),
        (("role-reads-others", DECIDE, "角色.*.可见信息"),),
    ),
    Fault(
        "a seat without a point of view writes all seats",
        GAME,
        (
            WITHOUT_VIEW,
            (DECIDE, '  - "角色.{id}.行动"\n', '  - "角色.*.行动"\n'),
        ),
        (("role-writes-others", DECIDE, "角色.*.行动"),),
    ),
    one(
        "the user's own move writes a thought",
        GAME,
        DECIDE,
        "stage: play\n",
        "stage: play\nactor: user\n",
        ("user-turn-writes-thought", DECIDE, "角色.{id}.思考"),
    ),
    Fault(
        "a declaration is about nothing",
        RULES,
        (
            (
                "tags.yaml",
                '    tags: ["规则.草稿", "规则.说明.草稿"]',
                '    tags: ["规则.草稿", "规则.说明.草稿", "规则.封面"]',
            ),
        ),
        (("unused-declassify", "tags.yaml", "规则.封面"),),
    ),
    one(
        "what was declared to be written for all is declared no more",
        RULES,
        "tags.yaml",
        'declassify:\n  - worker: write-rules\n    tags: ["规则.草稿", "规则.说明.草稿"]\n    label: hidden\n    reason: 规则是危险露出水面的那一部分，本来就是写给不知情的人看的；写的时候逐条自检，不直说危险。\n',
        "",
        ("disclosure", WRITE, "规则.草稿"),
    ),
    given("the blind reader is given the secret", "核心.危险.隐藏", "blind-reads-hidden"),
    given("a wildcard of the blind reader takes the secret in", "核心.*", "blind-reads-hidden"),
    given("a wildcard of the blind reader takes the author's notes in", "验收.*.记录?", "hidden-flow"),
    given("the blind reader is given the author's notes", "验收.作者视角.记录?", "hidden-flow"),
    Fault(
        "the ledger is shown to the user",
        GAME,
        reads_too(PRESENT, "行动.裁决结果", "世界.隐藏状态"),
        (("hidden-to-user", PRESENT, "输出.场景反馈"),),
    ),
    Fault(
        "a thought goes on to the other seats",
        GAME,
        reads_too(ENGINE, "角色.*.行动", "角色.*.思考"),
        (
            ("user-only-leak", DECIDE, "世界.当前状态"),
            ("hidden-flow", DECIDE, "角色.{id}.可见信息"),
        ),
    ),
    one(
        "a seat that is not at the table",
        GAME,
        MANIFEST,
        'roles: ["A", "B", "C"]',
        'roles: ["甲", "乙", "丙"]',
        ("field-type", "contexts/decide-first-a.yaml", "A"),
        ("field-type", "contexts/decide-third-a.yaml", "A"),
        ("field-type", "contexts/decide-third-c.yaml", "C"),
    ),
    Fault(
        "a private tag of a seat that there is not",
        GAME,
        ((ENGINE, "角色.*.可见信息", "角色.D.可见信息"), (DECIDE, "角色.{id}.可见信息", "角色.D.可见信息")),
        (("unowned-private-tag", ENGINE, "角色.D.可见信息"),),
    ),
)

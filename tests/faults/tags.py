"""Faults in how tags are written."""

from __future__ import annotations

from faults.fault import AUTHOR, BASIC, GAME, MANIFEST, OUTLINE, RULES, WRITE, Fault, one, skill

TAGS = (
    one(
        "a tag has a blank",
        BASIC,
        OUTLINE,
        '  - "大纲.草稿?"\n',
        '  - "大纲. 草稿?"\n',
        ("bad-tag", OUTLINE, " "),
    ),
    one(
        "a dot is full-width",
        RULES,
        AUTHOR,
        '  - "验收.作者视角.记录"\ninputMerge',
        '  - "验收．作者视角.记录"\ninputMerge',
        ("bad-tag", AUTHOR, "．"),
    ),
    one(
        "a letter is written as two",
        GAME,
        skill("present-round"),
        '  - "输出.场景反馈"',
        '  - "输出.cafe\u0301"',
        ("not-nfc", skill("present-round"), "e\u0301"),
    ),
    one(
        "a tag holds a character that nobody sees",
        RULES,
        skill("review-infer"),
        '  - "验收.读者视角.记录"',
        '  - "验收.读者\u200b视角.记录"',
        ("invisible-character", skill("review-infer"), "\u200b"),
    ),
    one(
        "an input is listed twice",
        RULES,
        AUTHOR,
        '  - "规则.草稿"\n',
        '  - "规则.草稿"\n  - "规则.草稿"\n',
        ("duplicate-tag", AUTHOR, "规则.草稿"),
    ),
    one(
        "an input is covered by another",
        GAME,
        skill("present-round"),
        '  - "角色.*.思考"\n',
        '  - "角色.*.思考"\n  - "角色.A.思考"\n',
        ("redundant-pattern", skill("present-round"), "角色.A.思考"),
    ),
    one(
        "prose names a tag that differs by one character",
        RULES,
        WRITE,
        "- `验收.作者视角.记录`：一个知道",
        "- `验收.作着视角.记录`：一个知道",
        ("unknown-tag", WRITE, "验收.作着视角.记录"),
    ),
    one(
        "prose drops the stage of a tag",
        GAME,
        skill("setup-scenario"),
        "## 能力范围\n",
        "## 能力范围\n\n先看 `场景.设定`。\n",
        ("unknown-tag", skill("setup-scenario"), "场景.设定"),
    ),
    one(
        "the old word for a list of inputs",
        BASIC,
        OUTLINE,
        "inputTags:",
        "inputKeys:",
        ("legacy-keys", OUTLINE, "inputKeys"),
    ),
    one(
        "a field of the old format",
        BASIC,
        OUTLINE,
        "name: 大纲\n",
        "name: 大纲\nowner: outline\n",
        ("legacy-fields", OUTLINE, "owner"),
    ),
    Fault(
        "two tags look alike",
        BASIC,
        (
            (
                OUTLINE,
                '  - "大纲.草稿"\ninputMerge',
                '  - "大纲.草稿"\n  - "大纲.结果二"\n  - "大纲.结果ニ"\ninputMerge',
            ),
            ("tags.yaml", "deliverables:\n", 'deliverables:\n  - "大纲.结果二"\n  - "大纲.结果ニ"\n'),
        ),
        (("confusable-tags", OUTLINE, "结果ニ"),),
    ),
    Fault(
        "a letter comes from another alphabet",
        BASIC,
        (
            (OUTLINE, '  - "大纲.草稿"\ninputMerge', '  - "大纲.草稿"\n  - "大纲.plаn"\ninputMerge'),
            ("tags.yaml", "deliverables:\n", 'deliverables:\n  - "大纲.plаn"\n'),
        ),
        (("mixed-script", OUTLINE, "а"),),
    ),
    Fault(
        "the whole board is read",
        RULES,
        (
            (WRITE, '  - "用户.修改说明?"\n', '  - "用户.修改说明?"\n  - "**?"\n'),
            (WRITE, 'tags: ["用户.修改说明"]', 'tags: ["用户.修改说明", "**"]'),
        ),
        (("whole-board", WRITE, "**"),),
    ),
    Fault(
        "a tag of the old format in the whole package",
        RULES,
        tuple((file, "核心.危险.隐藏", "core.danger") for file in (WRITE, AUTHOR, MANIFEST, "tags.yaml")),
        (("legacy-tag-names", WRITE, "core.danger"),),
    ),
    one(
        "one reader has the old name of a tag",
        RULES,
        AUTHOR,
        "核心.危险.隐藏",
        "core.danger",
        ("unproduced-input", AUTHOR, "core.danger"),
    ),
)

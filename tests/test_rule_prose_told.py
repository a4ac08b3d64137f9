"""What a sentence says of a tag beyond naming it: no to something else, old, wrong, another's; and what is told of it."""

from __future__ import annotations

import re

import pytest

from skillc import driver
from skillc.checks.page import base_files
from skillc.source.reader import DictReader
from test_rule_prose import MINE, OTHER, SKILL, found, said, skill

MANIFEST = "skills/novel/demo/orchestrator.md"


@pytest.mark.parametrize(
    ("body", "findings"),
    [
        ("写入 `采用.记录` <!-- 由别人读 -->", ["undeclared-write: 采用.记录"]),
        ("- 写入 `采用.记录` <!-- 用户不要看 -->", ["undeclared-write: 采用.记录"]),
        ("## 输出格式\n\n- `采用.记录` <!-- x -->", ["undeclared-write: 采用.记录"]),
        ("<!-- 写入 `采用.记录` -->", []),
        ("<!-- 拿不准就追问用户。 -->", []),
        ("不要写入 <!-- x --> `采用.记录`。", []),
    ],
)
def test_a_comment_is_no_part_of_what_is_said(body: str, findings: list[str]) -> None:
    assert said(body) == findings


def test_a_suppression_behind_a_sentence_puts_its_finding_aside() -> None:
    body = "写入 `采用.记录` <!-- skillc: ignore[G022] 由别人读 -->"
    assert [d.code.slug for d in found(body)] == ["undeclared-write"]


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ("写入 `正文.草搞`，不要解释。", "unknown-tag: 正文.草搞"),
        ("## 输出格式\n\n- `正文.草搞`：两千字，不要标题。", "unknown-tag: 正文.草搞"),
        ("## 输出格式\n\n- `采用.记录`：两千字，不要标题。", "undeclared-write: 采用.记录"),
        ("- `正文.草搞`：不能漏。", "unknown-tag: 正文.草搞"),
        ("写好放进 `正文.草搞`，只放信，不放说明。", "unknown-tag: 正文.草搞"),
        ("不要解释，直接写入 `正文.草搞`。", "unknown-tag: 正文.草搞"),
        ("写入 `正文.草搞`，没有就留空。", "unknown-tag: 正文.草搞"),
        ("写入 `正文.草搞`，否则重写。", "unknown-tag: 正文.草搞"),
        ("| 标签 | 说明 |\n|---|---|\n| `正文.草搞` | 两千字，不要标题 |", "unknown-tag: 正文.草搞"),
        ("| 输入 | 说明 |\n|---|---|\n| `世界.状态` | 必读，不得为空 |", "undeclared-read: 世界.状态"),
        ("| 输入 | 说明 |\n|---|---|\n| `世界.状态`（上一轮） | 看 |", "undeclared-read: 世界.状态"),
        ("把进度写入 `采用.记录`，无关内容一律删去。", "undeclared-write: 采用.记录"),
        ("写入 `采用.记录`，不得改动原意。", "undeclared-write: 采用.记录"),
        ("写入 `采用.记录`，不能为空。", "undeclared-write: 采用.记录"),
        ("写入 `采用.记录`，别写标题。", "undeclared-write: 采用.记录"),
        ("写入 `采用.记录`，禁止出现英文。", "undeclared-write: 采用.记录"),
        ("- `正文.草搞`：必须写，不写就退回。", "unknown-tag: 正文.草搞"),
        ("按官方口径写入 `采用.记录`。", "undeclared-write: 采用.记录"),
        ("写完后，你会把它存进 `采用.记录`。", "undeclared-write: 采用.记录"),
        ("全部写入 `采用.记录`。", "undeclared-write: 采用.记录"),
        ("每次都输出「正文.进度」。", "undeclared-write: 正文.进度"),
        ("好的例子：\n\n```text\n正文.草搞\n```", "unknown-tag: 正文.草搞"),
        ("对照原来的 `正文.草搞` 改。", "unknown-tag: 正文.草搞"),
        ("信息不清楚时用 askUser 提问。", "undeclared-answer: 用 askUser"),
        ("不臆造，走 askUser 问清楚。", "undeclared-answer: 走 askUser"),
    ],
)
def test_a_no_to_something_else_hides_nothing(body: str, finding: str) -> None:
    assert said(body) == [finding]


@pytest.mark.parametrize(
    "body",
    [
        "若看到 `正文.草搞`，不要写。",
        "若看到 `正文.草搞`，一律忽略。",
        "若看到 `正文.草搞`，当它不存在。",
        "`正文.草搞` 这种标签，本包没有。",
        "`正文.草搞`，你不用写。",
        "`正文.草搞`，以及 `采用.记录`，都别写进正文。",
        "禁止读取底牌，写入 `正文.草搞`。",
        "不得提到：`正文.草搞`，`采用.记录`。",
        "写入 `采用.记录` 是归档员的事，你不要碰。",
        "写入 `采用.记录`，不归你。",
        "写入 `采用.记录`，是大忌。",
        "想写入 `采用.记录`，也不行。",
        "把结果写入 `采用.记录`，这种事不要做。",
        "若想把结果存进 `采用.记录`，先停下，那不归你。",
        "## 输出格式\n\n- `正文.草搞`：不作为输入。",
        "## 输出格式\n\n- `正文.草搞`：没有这个标签。",
        "## 输出格式\n\n- `正文.草搞`：不是标签，只是例子。",
        "## 输出格式\n\n- `正文.草搞`：看一眼都不行。",
        "## 输出格式\n\n- `正文.草搞`：别席的底牌，不给你看",
        "## 输出格式\n\n- `正文.草搞`：不属于本步",
        "## 输出格式\n\n- `正文.草搞`：与你无关。",
        "## 输出格式\n\n- `正文.草搞`：绝不能写进正文。",
        "| 标签 | 说明 |\n|---|---|\n| `正文.草搞` | 底牌，你看不到 |",
        "| 输入 | 说明 |\n|---|---|\n| `世界.状态` | 无 |",
        "| 输出 | 说明 |\n|---|---|\n| `世界.状态` | 由 other 写，这里没有 |",
        "不使用 askUser；缺什么自己补。",
        "不使用 `askUser`。",
        "不走 askUser。",
        "不通过 askUser 提问。",
        "从不走 `askUser`。",
    ],
)
def test_a_no_to_the_tag_is_heard_in_every_clause(body: str) -> None:
    assert said(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "| 输入 | 说明 |\n|---|---|\n| `需求.核心要点`（由 `世界.状态` 升级而来） | 看 |",
        "| 输入 | 说明 |\n|---|---|\n| `需求.核心要点`（即 `世界.状态` 确认之后） | 看 |",
        "| 输入 | 说明 |\n|---|---|\n| `需求.核心要点`（原 `世界.状态`） | 看 |",
        "| 输出 | 说明 |\n|---|---|\n| `正文.草稿`（由 `世界.状态` 来） | 全文 |",
        "地点写成「北平.宛平城」。",
        "人名之间用点，写成「玛丽.安」。",
        "写完后，归档员会把它存进 `归档.正文`。",
        "写完后，归档员把它存进 `归档.正文`。",
        "那边（`novel/basic`）只有 `正文.章稿` 一步。",
        "别的包里叫 `正文.手稿`。",
        "以前叫 `正文.手稿`，现在叫 `正文.草稿`。",
        "把 `正文.手稿` 改名为 `正文.草稿`。",
        "原来的 `正文.定稿` 已经废弃。",
        "以前的 `正文.章稿` 也废了，改叫 `正文.草稿`。",
        "`正文.手稿`，后来改叫 `正文.草稿`。",
        "## 输出格式\n\n### `正文.草稿`（由 `采用.记录` 来）",
        "### 常见笔误\n\n- `正文.草搞`",
        "键必须是 `正文.草稿`，写成 `正文.草搞` 会被拒收。",
        '坏的例子：\n\n```json\n{"outputs": {"正文.草搞": ""}}\n```',
        '坏的（键写错了）：\n\n```json\n{"outputs": {"正文.草搞": ""}}\n```',
        "错写成 `正文.草槁`。",
        "键名拼错（如 `正文.章稿`）会被退回。",
    ],
)
def test_what_is_a_remark_a_text_or_told_as_old_or_wrong_is_nobodys_slip(body: str) -> None:
    assert said(body) == []


def renamed(body: str, remark: str = "", demand: bool = True) -> tuple[str, str]:
    """The body and the manifest after the fix for an old name, with a remark behind the target of the startup."""
    front = base_files()[MANIFEST].decode().replace("需求.核心要点", "book.brief")
    front = front.replace("写入目标：`book.brief`", f"写入目标：`book.brief`{remark}")
    front = front if demand else re.sub("demandTag.*\n", "", front)
    files = {
        **base_files(),
        MANIFEST: front.encode(),
        SKILL: skill(body, "book.brief 用户.修改说明", "正文.草稿"),
    }
    (one,) = (d for d in driver.check(DictReader(files)).diagnostics if d.code.slug == "legacy-tag-names")
    texts = {path: content.decode() for path, content in files.items()}
    assert one.fix
    for edit in sorted(one.fix.edits, key=lambda edit: -edit.span.start):
        text = texts[edit.span.path]
        texts[edit.span.path] = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return texts[SKILL].split("---\n", 2)[2].strip(), texts[MANIFEST].split("---\n", 2)[2]


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("按 `book.brief` 写。", "按 `需求.核心要点` 写。"),
        ("照旧按 book.brief 写。", "照旧按 需求.核心要点 写。"),
        ("读 `需求.核心要点` 而非旧 key `book.brief`。", None),
        ("对照：`book.brief` 是旧 key，`需求.核心要点` 是新 tag。", None),
        ("`book.brief` 是旧 key。", None),
        ("写入目标：`book.brief`（≈ `需求.核心要点`）", None),
        ("以前叫 `book.brief`。按 `book.brief` 写。", "以前叫 `book.brief`。按 `需求.核心要点` 写。"),
    ],
)
def test_the_fix_for_an_old_name_leaves_true_what_is_said_of_names(body: str, after: str | None) -> None:
    assert renamed(body)[0] == (after or body)


def test_a_target_with_the_new_name_in_brackets_is_renamed_without_them() -> None:
    remark = "（≈ `需求.核心要点`）"
    assert f"写入目标：`book.brief`{remark}\n" in renamed("写。", remark)[1], "demandTag is the contract"
    assert "写入目标：`需求.核心要点`\n" in renamed("写。", remark, demand=False)[1]


def pair(output: str, body: str, reader: str) -> list[str]:
    """All findings of prose and of gaps where `write` writes `output` and `other` reads `reader`."""
    manifest = base_files()[MANIFEST].decode().replace('["write"]', '["write", "other"]')
    files = {
        **base_files(),
        MANIFEST: manifest.encode(),
        SKILL: skill(body, "需求.核心要点 用户.修改说明", f"{output} 博弈.参数"),
        OTHER: skill("裁决。", reader, "世界.状态", "other"),
    }
    slugs = MINE | {"unproduced-input", "undescribed-output"}
    found = [d for d in driver.check(DictReader(files)).diagnostics if d.code.slug in slugs]
    assert all(not d.fix or not d.fix.safe for d in found)
    return [f"{d.code.slug}: {d.span.path.split('/')[-2]} {d.span.text}" for d in found]


BODY = "写 `博弈.参数` 和 `规则.草稿`。"


@pytest.mark.parametrize(
    ("output", "reader", "findings"),
    [
        ("规则.草搞", "规则.草稿", ["unproduced-input: write 规则.草搞"]),
        ("规则.草搞", "规则.确认稿", ["unproduced-input: write 规则.草搞"]),
        ("规则.草搞", "规则.草稿?", ["unknown-tag: write 规则.草搞"]),
        ("规则.草搞", "博弈.参数", ["unknown-tag: write 规则.草搞"]),
        ("规则.草稿", "规则.草稿", []),
        ("规则.草稿", "规则.草搞", ["unproduced-input: other 规则.草搞"]),
    ],
)
def test_a_stage_misspelt_at_the_output_is_told_there(output: str, reader: str, findings: list[str]) -> None:
    assert pair(output, BODY, reader) == findings


@pytest.mark.parametrize("output", ["规则.草图", "规则.草案", "规则.初稿", "规则.手稿", "规则.草搞"])
def test_a_word_that_is_only_like_a_stage_is_an_output_like_any_other(output: str) -> None:
    assert pair(output, f"写 `博弈.参数` 和 `{output}`。", f"{output} 博弈.参数") == []

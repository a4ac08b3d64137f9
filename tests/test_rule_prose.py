"""Prose against contract: what is a mention, what is none, and what follows from one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc import driver
from skillc.checks.mentions import dotted_names, mentions
from skillc.checks.page import base_files
from skillc.checks.vocabulary import vocabulary_of
from skillc.diagnostic import Diagnostic
from skillc.source.markdown import read_document
from skillc.source.reader import DictReader, DiskReader
from skillc.text import Source

ROOT = Path(__file__).parent
HONEST = ROOT / "honest"
SKILL = "skills/novel/demo/workers/write/SKILL.md"
MINE = frozenset(
    [
        "confusable-tags",
        "mixed-script",
        "redundant-pattern",
        "unknown-tag",
        "mergeable-tags",
        "undeclared-write",
        "undeclared-read",
        "undeclared-answer",
        "unmentioned-input",
        "legacy-tag-names",
    ]
)
OTHER = "skills/novel/demo/workers/other/SKILL.md"


def skill(body: str, inputs: str, outputs: str, id: str = "write", more: str = "") -> bytes:
    lists = "".join(
        f"{key}:{''.join(f'{chr(10)}  - {chr(34)}{tag}{chr(34)}' for tag in text.split()) or ' []'}\n"
        for key, text in (("inputTags", inputs), ("outputTags", outputs))
    )
    return f"---\nid: {id}\nskill: demo\nname: {id}\ndescription: d\n{lists}{more}---\n{body}\n".encode()


def found(
    body: str,
    inputs: str = "需求.核心要点 用户.修改说明",
    outputs: str = "正文.草稿 博弈.参数.草稿",
    more: str = "",
) -> list[Diagnostic]:
    """What the rules of prose say of the worker `write` with this body, beside a worker `other`."""
    manifest = (
        base_files()["skills/novel/demo/orchestrator.md"].decode().replace('["write"]', '["write", "other"]')
    )
    files = {
        **base_files(),
        "skills/novel/demo/orchestrator.md": manifest.encode(),
        SKILL: skill(body, inputs, outputs, more=more),
        OTHER: skill("裁决。", "正文.草稿 博弈.参数.草稿", "世界.状态 验收.读者.记录", "other"),
    }
    diagnostics = driver.check(DictReader(files)).diagnostics
    return [d for d in diagnostics if d.code.slug in MINE and d.span.path == SKILL]


def said(body: str, **more: str) -> list[str]:
    return [f"{d.code.slug}: {d.span.text}" for d in found(body, **more)]


@pytest.mark.parametrize(
    ("body", "tag"),
    [
        ("把 `博弈.参数` 写好", "博弈.参数"),
        ('```json\n{"outputs": {"博弈.参数": ""}}\n```', "博弈.参数"),
        ("```text\n博弈.参数.草搞\n```", "博弈.参数.草搞"),
        ("- `正文.草搞`：全文", "正文.草搞"),
        ("写进 正文．草稿 里", "正文．草稿"),
        ("写进 `正文。草稿`", "正文。草稿"),
        ("看「验收.读者.纪录」", "验收.读者.纪录"),
        ("| 产物 | 说明 |\n|---|---|\n| 正文.稿草 | 全文 |", "正文.稿草"),
        ("## `博弈.参数`", "博弈.参数"),
        ("世界 `世界.狀態`", "世界.狀態"),
        ("`需求核心.要点`", "需求核心.要点"),
    ],
)
def test_a_name_that_is_nearly_a_tag_is_reported_where_it_stands(body: str, tag: str) -> None:
    assert said(body) == ([f"unknown-tag: {tag}"] if tag != "需求核心.要点" else [])


@pytest.mark.parametrize(
    ("body", "tag"),
    [
        ("## 输出格式\n\n### `采用.记录`\n", "采用.记录"),
        ("## 输出格式\n\n### 采用.记录（选填）\n", "采用.记录"),
        ("## 输出\n\n- **`采用.记录`**：素材", "采用.记录"),
        ("## 输出格式\n\n| 标签 | 说明 |\n|---|---|\n| `采用.记录` | 素材 |", "采用.记录"),
        ("| outputTag | 说明 |\n|---|---|\n| 采用.记录 | 素材 |", "采用.记录"),
        ("最后把素材写入 `采用.记录`。", "采用.记录"),
        ("每次都输出 `正文.草稿`、`采用.记录`。", "采用.记录"),
        ("然后写 `采用.记录`。", "采用.记录"),
        ("按 `用户.修改说明` 改完，将状态更新到 `世界.状态`。", "世界.状态"),
        ("## 输出格式\n\n- `世界.状态`：一行一项", "世界.状态"),
        ("- 你：输出 `世界.状态`", "世界.状态"),
        ("- write：输出 `世界.状态`", "世界.状态"),
        ("要求：输出 `采用.记录`。", "采用.记录"),
        ("| 岗位 | 产出 |\n|---|---|\n| other | 世界.状态 |\n| write（你） | 采用.记录 |", "采用.记录"),
    ],
)
def test_a_text_that_writes_what_is_not_declared_is_reported(body: str, tag: str) -> None:
    assert said(body) == [f"undeclared-write: {tag}"]


@pytest.mark.parametrize(
    "body",
    [
        "裁决会写入 `世界.状态`。",
        "裁决写入 `世界.状态` 后你再动手。",
        "other 把状态写入 `世界.状态`。",
        "由总管写入 `采用.记录`。",
        "用户的意见写在 `用户.修改说明`，已写入的不动。",
        "输出 `采用.记录` 里的数字。",
        "各席的行动汇总写入 `世界.状态`。",
        "把全文写入 `正文.草稿`，确认后就是 `正文.确认稿`。",
        "输出 `博弈.参数.草稿.第一节`。",
        "## 输出格式\n\n- `需求.核心要点`：逐条落实",
        "## 输出格式\n\n### `角色.{id}.日记`\n",
        "## 输出示例\n\n### `采用.记录`\n",
        "分别写入 `正文.草稿` 与 `博弈.参数.草稿`。",
        "改写 `采用.记录`。",
        "1. 编剧：产出 `采用.记录`。\n2. 主编：输出 `世界.状态`。",
        "- other：输出 `世界.状态`",
        "裁决之后 other 动手，然后把状态写入 `世界.状态`。",
        "| 岗位 | 产出 |\n|---|---|\n| 编剧 | `采用.记录` |",
        "| 环节 | 输入 | 输出 |\n|---|---|---|\n| 一 | 正文.草稿 | 世界.状态 |",
        "| step | input | output |\n|---|---|---|\n| 1 | 正文.草稿 | 世界.状态 |",
        "| 次序 | 产出 |\n|---|---|\n| write | 正文.草稿 |\n| other | 采用.记录 |",
        "## 上游的输出\n\n- `采用.记录`：编剧写的",
        "## 下游怎么用你的输出\n\n- `世界.状态`：照你的写\n\n### `采用.记录`\n",
        "## 本包的产物\n\n- `世界.状态`：裁决写的",
        "然后写 `用户.最新输入`。",
    ],
)
def test_other_peoples_writing_is_nobodys_slip(body: str) -> None:
    assert said(body) == []


def test_a_character_that_tells_declared_tags_apart_makes_a_series() -> None:
    people = "人物.阿珍.草稿 人物.阿强.草稿"
    assert said("`人物.阿明.草稿`", outputs=people) == []
    assert said("`人物.阿珍.草搞`", outputs=people) == ["unknown-tag: 人物.阿珍.草搞"]
    assert said("`人物.阿明.草稿`", outputs="人物.阿珍.草稿") == ["unknown-tag: 人物.阿明.草稿"]
    assert said("`人物.阿珍.草稿`、`人物.阿強.草稿`", outputs=people) == ["unknown-tag: 人物.阿強.草稿"]


def test_a_label_is_not_what_an_input_is_called_by() -> None:
    inputs = "需求.核心要点 故事.主线.隐藏"
    assert said("按 `需求.核心要点` 写，结局看主线。", inputs=inputs) == []
    assert said("按 `需求.核心要点` 写，埋好隐藏的线。", inputs=inputs) == [
        "unmentioned-input: 故事.主线.隐藏"
    ]


TABLE = "## 输入\n\n| 标签 | 用法 |\n|---|---|\n| `需求.核心要点` | 写 |\n| `{}` | 改 |\n"


def test_a_read_that_another_finding_misses_is_told_once() -> None:
    asking = TABLE.format("用户.worker答复") + "\n拿不准就追问用户。\n"
    assert said(asking) == ["undeclared-answer: 追问用户"]
    assert said(TABLE.format("用户.worker答复")) == ["undeclared-read: 用户.worker答复"]
    for mode, slugs in (
        ("user_confirmed", {"unreachable-revision"}),
        ("no_confirmation", {"undeclared-read"}),
    ):
        manifest = base_files()["skills/novel/demo/orchestrator.md"].decode()
        files = {
            **base_files(),
            "skills/novel/demo/orchestrator.md": manifest.replace("user_confirmed", mode, 1).encode(),
            SKILL: skill(TABLE.format("用户.修改说明"), "需求.核心要点", "正文.草稿"),
        }
        told = {d.code.slug for d in driver.check(DictReader(files)).diagnostics}
        assert told & {"unreachable-revision", "undeclared-read"} == slugs


def test_what_the_user_says_is_added_as_optional() -> None:
    (one,) = found(TABLE.format("用户.补充"))
    assert one.help and "`用户.补充?`" in one.help
    assert one.fix and [edit.text for edit in one.fix.edits] == ['  - "用户.补充?"\n']


def test_a_slip_in_an_optional_input_is_told_at_the_input() -> None:
    """An optional input without a producer is no gap, so that nothing else would tell."""
    table = "## 输入\n\n| 标签 | 用法 |\n|---|---|\n| `验收.读者.记录` | 改 |\n| `需求.核心要点` | 写 |\n"
    for wrong, right in (("验收.读者.纪录", "验收.读者.记录"), ("博弈.参数", "博弈.参数.草稿")):
        (one,) = found(
            table if right.startswith("验收") else "写。", inputs=f"需求.核心要点 用户.修改说明 {wrong}?"
        )
        assert (one.code.slug, one.span.text) == ("unknown-tag", wrong)
        if right.startswith("验收"):
            assert one.fix and [edit.text for edit in one.fix.edits] == [right]
        else:
            assert not one.fix and right in one.message and "博弈.参数.确认稿" in one.message
    for honest in ("验收.读者.记录?", "用户.改动?", "素材.外来?", "验收.*?", "世界.快照?"):
        assert said("写。", inputs=f"需求.核心要点 用户.修改说明 {honest}") == [], honest


def test_what_the_user_is_asked_for_is_nobodys_output() -> None:
    assert said("## 输出格式\n\n- `需求.核心要点`：逐条落实", inputs="用户.修改说明") == []


@pytest.mark.parametrize(
    ("body", "tags"),
    [
        ("## 输入\n\n| 标签 | 用法 |\n|---|---|\n| `验收.读者.记录` | 看 |", ["验收.读者.记录"]),
        (
            "| inputTag | 用法 |\n|---|---|\n| 验收.读者.记录（上一轮） | 看 |\n| `世界.状态` | 不读 |",
            ["验收.读者.记录"],
        ),
        ("| 步骤 | 读 | 写 |\n|---|---|---|\n| 一 | `世界.状态` | |", []),
        ("| 序 | 读 | 写 |\n|---|---|---|\n| 一 | `世界.状态` | |", []),
        ("| 序 | 谁 | 读 | 写 |\n|---|---|---|---|\n| 一 | write（你） | `世界.状态` | |", ["世界.状态"]),
        ("| 岗位 | 读 |\n|---|---|\n| write | `世界.状态` |\n| other | `验收.读者.记录` |", ["世界.状态"]),
        ("| 次序 | 输入 |\n|---|---|\n| other | `世界.状态` |", []),
        ("| 上游输入 | 用法 |\n|---|---|\n| `世界.状态` | 看 |", ["世界.状态"]),
        ("## 下游怎么读\n\n| 输入 | 用法 |\n|---|---|\n| `世界.状态` | 看 |", []),
        ("| worker | 输入 |\n|---|---|\n| other | `世界.状态` |", []),
        ("| 标签 | 用法 |\n|---|---|\n| `世界.状态` | 看 |", []),
        ("读 `世界.状态`，参考 `验收.读者.记录`。", []),
        ("| 禁止读取 | 为什么 |\n|---|---|\n| `世界.状态` | 底牌 |", []),
    ],
)
def test_only_an_own_table_of_inputs_reads(body: str, tags: list[str]) -> None:
    assert said(body) == [f"undeclared-read: {tag}" for tag in tags]


@pytest.mark.parametrize(
    ("body", "asks"),
    [
        ("信息不足时用 askUser 提问，不臆造。", True),
        ("缺信息时 `askUser` 提问，不臆造。", True),
        ("拿不准就追问用户。", True),
        ("通过 ask_user 问清楚。", True),
        ('```json\n{"outputs": {}, "askUser": ["年代？"]}\n```', True),
        ("askUser 一律为 null。不要追问用户。", False),
        ("## 禁止\n\n- 用 askUser 提问", False),
        ("总管会用 ask_user 问清楚。", False),
        ("other 用 askUser 提问。", False),
        ('```json\n{"outputs": {}, "askUser": null}\n```', False),
        ("无需向用户提问。", False),
        ("问题写在「追问」里，不在 askUser 里再写一遍。", False),
        ("资料不在场，就在 askUser 里问清楚。", True),
        ("需求没写年代时，先向用户提问。", True),
        ("- 追问用户，直到清楚。", True),
        ("缺年代就请用户补充。", True),
        ("文中若写到商家，可以让店主问用户「好不好用」。", False),
        ("主角是产品经理，产品经理每天都在追问用户想要什么。", False),
        ("写客服时可以让她对用户发问，也可以让她沉默。", False),
        ("「客服小林说，问用户去。」", False),
        ("## 示例\n\n追问用户订单号。", False),
        ("## 文风\n\n像客服：向用户询问订单号。", False),
        ("不确定的地方问用户？不用，照原样排。", False),
        ("要不要追问用户？看需求写没写年代。", False),
        ("拿不准就追问用户吗？不。", False),
        ("若要追问用户，由 other 来。", False),
        ("如需追问用户，请总管去问。", False),
        ("如需追问用户，由 苏 来问。", False),
        ("如需追问用户，由你来问。", True),
        ("如需追问用户，一次问完。", True),
        ("没写年代？问用户。", True),
        ("向用户提问：哪个年代？", True),
    ],
)
def test_who_asks_reads_the_answer(body: str, asks: bool) -> None:
    assert [line.split(":")[0] for line in said(body)] == ["undeclared-answer"] * asks
    assert said(body, inputs="需求.核心要点 用户.*") == []
    assert said(body, more="actor: user\n") == []


def test_an_input_passed_over_is_told_only_by_a_text_that_explains_inputs() -> None:
    inputs = "需求.核心要点 验收.读者.记录 用户.修改说明? 对话.历史?"
    assert said("按 `需求.核心要点` 写。", inputs=inputs) == ["unmentioned-input: 验收.读者.记录"]
    assert said("按需求写。", inputs=inputs) == []
    for body in (
        "`需求.核心要点` 与 `验收.*.记录`",
        "`需求.核心要点`，不读 `验收.读者.记录`",
        "`需求.核心要点` 和上一轮的记录",
    ):
        assert said(body, inputs=inputs) == [], body


@pytest.mark.parametrize(
    "slip", ["验收.读者.纪录", "验收.读者.纪录?", "世界.狀態", "世界.狀態?", "正文.草搞"]
)
def test_an_input_that_is_mistyped_has_one_finding(slip: str) -> None:
    """It is not also told that the text never speaks of it, whatever else the text speaks of."""
    right = {"验收.读者.纪录": "验收.读者.记录", "世界.狀態": "世界.状态"}.get(
        slip.rstrip("?"), "博弈.参数.草稿"
    )
    for body in ("按 `需求.核心要点` 写。", f"按 `需求.核心要点` 和 `{right}` 写。"):
        told = said(body, inputs=f"需求.核心要点 用户.修改说明 {slip}")
        assert not [line for line in told if line.startswith("unmentioned-input")], body
    assert said("按 `需求.核心要点` 写。", inputs="需求.核心要点 用户.修改说明 验收.读者.记录") == [
        "unmentioned-input: 验收.读者.记录"
    ]


def test_a_look_alike_that_is_written_too_has_one_finding() -> None:
    inputs, outputs = "需求.核心要点 用户.修改说明 世界.狀態", "正文.草稿 世界.狀態"
    told = said("按 `需求.核心要点` 和 `世界.状态` 写。", inputs=inputs, outputs=outputs)
    assert [line.split(":")[0] for line in told] == ["confusable-tags"] * len(told) and told


def test_nothing_follows_from_a_worker_that_does_not_say_what_it_reads() -> None:
    body = "## 输出格式\n\n### `采用.记录`\n\n`博弈.参数`，用 askUser 提问。\n\n## 输入\n\n| 标签 | 用 |\n|---|---|\n| `世界.状态` | 看 |"
    files = {
        **base_files(),
        SKILL: skill(body, "", "正文.草稿 博弈.参数.草稿").replace(b"inputTags: []\n", b""),
    }
    slugs = {d.code.slug for d in driver.check(DictReader(files)).diagnostics}
    assert "missing-inputs" in slugs and not slugs & MINE


def test_one_name_is_one_finding_and_one_fix() -> None:
    (one,) = found("`博弈.参数`、`博弈.参数`\n\n```yaml\n博弈.参数: 1\n```\n")
    assert [label.span.text for label in one.related] == ["博弈.参数"] * 2
    assert one.fix and not one.fix.safe
    assert {(edit.span.text, edit.text) for edit in one.fix.edits} == {("博弈.参数", "博弈.参数.草稿")}


def test_a_missing_entry_is_added_behind_the_last() -> None:
    (one,) = found("最后把素材写入 `采用.记录`。")
    assert one.fix and [edit.text for edit in one.fix.edits] == ['  - "采用.记录"\n']
    (edit,) = one.fix.edits
    assert edit.span.source.text[: edit.span.start].endswith('  - "博弈.参数.草稿"\n')


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("见 `shared-context.md` 与 tags.yaml", "file or schema id"),
        ("`context-fragment.v1`、present.v1", "file or schema id"),
        ("1.2 版、v1.10、3.草稿", "number"),
        (
            "`角色.R.行动`、`角色.{id}.思考`、`角色.<谁>.卡`、`角色.……`、`角色.XX.卡`、`角色.某人.卡`",
            "placeholder",
        ),
        ("需求（≈ `需求.要求`） ← `旧.名字`", "annotation"),
        ("不得读取 `甲.乙`。", "prohibited"),
        ("严禁\n引用 `甲.乙`", "prohibited"),
        ("不能做：\n\n- 读 `甲.乙`\n  - 尤其是 `甲.丙`", "prohibited"),
        ("## 禁止\n\n```text\n甲.乙\n```", "prohibited"),
        ('不要写成：\n\n```json\n{"甲.乙": 1}\n```', "prohibited"),
        ("| 标签 | 读否 |\n|---|---|\n| `甲.乙` | 否，不读 |", "prohibited"),
        ("never read `甲.乙`", "prohibited"),
        ("`甲.乙` ✗", "prohibited"),
    ],
)
def test_what_is_no_mention(text: str, reason: str) -> None:
    document, _ = read_document(Source("a.md", text), head=False)
    names = dotted_names(document)
    assert names and {name.why_not for name in names} == {reason}


@pytest.mark.parametrize(
    "text",
    [
        "<!-- `甲.乙` -->",
        "https://a.example/甲.乙/c",
        "me@甲.乙",
        "`.思考` 与 .行动",
        "a/甲.乙",
        "甲.乙(1)",
        "看 …/甲.乙",
    ],
)
def test_what_is_not_even_a_dotted_name(text: str) -> None:
    document, _ = read_document(Source("a.md", text), head=False)
    assert [name for name in dotted_names(document) if name.name == "甲.乙"] == []


def test_code_is_a_mention_only_under_a_head_that_the_package_declares() -> None:
    document, _ = read_document(Source("a.md", "`askUser.questions` `rules.draft`"), head=False)
    assert [mention.name for mention in mentions(document, {"rules"})] == ["rules.draft"]


@cache
def honest() -> driver.Checked:
    return driver.check(DiskReader(str(HONEST)))


def test_honest_authors_hear_nothing() -> None:
    assert [f"{d.span.path}: {d.message}" for d in honest().diagnostics if d.code.slug in MINE] == []
    workers = [worker for graph in honest().graphs.values() for worker in graph.workers]
    assert len(workers) >= 12


def test_mentions_of_the_honest_and_of_the_examples_are_what_a_reader_says_they_are() -> None:
    """In 20 workers and six manifests every quoted mention names a tag of its package, but for one key of a sample
    reply, of which nothing follows. docs/guide/mentions.md states the figures."""
    strays = set()
    for checked in (honest(), driver.check(DiskReader(str(ROOT.parent)))):
        for path, graph in checked.graphs.items():
            words = vocabulary_of(graph)
            bodies = [worker.document for worker in graph.package.workers]
            for document in (*bodies, graph.package.manifest.document if graph.package.manifest else None):
                for mention in mentions(document, words.heads) if document else ():
                    if (
                        mention.quoted
                        and not words.knows(mention.pattern)
                        and not words.begins(mention.pattern)
                    ):
                        strays.add((path, mention.name))
    assert strays == {("novel/long-story", "需求.禁忌")}


NAMES = st.one_of(
    st.sampled_from(
        ["需求.核心", "正文.草搞", "设定.世界", "采用.记录", "世界.隐藏设定", "短篇.确认稿", "book.brief"]
    ),
    st.from_regex(
        r"[甲乙丙丁规则正文世界设定草稿]{1,4}(\.[甲乙丙丁规则正文世界设定草稿]{1,4}){1,3}", fullmatch=True
    ),
)
PROHIBITIONS = st.sampled_from(
    [
        "不得读取 `{}`。",
        "禁止写入 `{}`",
        "- 不要把任何内容写进 `{}`。",
        "`{}` 不读，也不写。",
        "严禁在输出里提到「{}」！",
        "切勿参考 `{}`、`{}`。",
        "避免输出 `{}`；",
        "Never write `{}`.",
        "## 不写 `{}`",
        "不能做：\n\n- 输出 `{}`\n- 写入 `{}`",
        "除 `{}` 以外都可以写。",
        "- `{}`：别的席位的底牌，不要读。",
        "- `{}`：你看不到它",
        "| 标签 | 说明 |\n|---|---|\n| `{}` | 禁止读取 |",
        "| 不可见 | 说明 |\n|---|---|\n| `{}` | 底牌 |",
        "### 禁用\n\n| 标签 | 说明 |\n|---|---|\n| `{}` | 底牌 |",
        "别把结果写入 `{}`，\n也别用 askUser 问 `{}`。",
        '反例：\n\n```json\n{{"outputs": {{"{}": ""}}}}\n```',
    ]
)


@cache
def honest_files() -> dict[str, bytes]:
    return {path.relative_to(HONEST).as_posix(): path.read_bytes() for path in HONEST.rglob("skills/**/*.*")}


@settings(max_examples=60, deadline=None)
@given(st.data(), NAMES, PROHIBITIONS)
def test_a_prohibition_never_makes_a_finding(data: st.DataObject, name: str, sentence: str) -> None:
    files = honest_files()
    path = data.draw(
        st.sampled_from(sorted(path for path in files if path.endswith(("SKILL.md", "orchestrator.md"))))
    )
    package = path.split("/")[2]
    text = files[path].decode() + "\n\n" + sentence.format(name, name) + "\n"
    own = {other: content for other, content in files.items() if f"/{package}/" in other}
    diagnostics = driver.check(DictReader({**own, path: text.encode()})).diagnostics
    assert [d.message for d in diagnostics if d.code.slug in MINE] == []

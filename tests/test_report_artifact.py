"""How artifacts look: nothing lost, nothing that acts, never a wall of JSON."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from artifact_samples import BODIES, BY_ID, sample, written
from skillc.model.artifact_reading import read_artifact
from skillc.report.artifact_html import render_html
from skillc.report.artifact_text import render_text
from skillc.report.language import words_of

VOID = {"meta"}


class Page(HTMLParser):
    """A page as a browser sees it: tags must close in order; the text of each element by its class."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[tuple[str, str]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("class") or ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1][0] == tag, (tag, self.open[-3:])
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append((" ".join(f"{tag}.{name}" for tag, name in self.open), data))

    def inside(self, place: str) -> str:
        return "\n".join(text for path, text in self.texts if place in path)


def page(tree: object, tag: str | None = None, language: str = "zh") -> Page:
    return Page(render_html(read_artifact(tree if isinstance(tree, str) else written(tree), tag), language))


def terminal(tree: object, tag: str | None = None, width: int = 100, **more: Any) -> str:
    text = tree if isinstance(tree, str) else written(tree)
    return render_text(read_artifact(text, tag), width, words=words_of("zh"), **more)


def leaves(value: object) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(leaf for item in value.values() for leaf in leaves(item))]
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [] if isinstance(value, bool) or value is None else [str(value)]


def flattened(text: str) -> str:
    """Text of a terminal without frames and line breaks: a long word may go on in the next line."""
    return "".join(character for character in text if not character.isspace() and character not in "│╭╮╰╯─·")


@pytest.mark.parametrize("id", BODIES)
def test_every_word_of_an_artifact_is_shown(id: str) -> None:
    fragment = sample(id)
    tag = f"设计.{BY_ID[id].name}"
    shown, shell = page(fragment, tag), {key: fragment[key] for key in ("brief", "mount", "追问", "开放问题")}
    body = shown.inside("div.sides") + shown.inside("header.") + shown.inside("section.")
    told = flattened(terminal(fragment, tag))
    hidden = {"导语", "题目", "问", "建议选项", "示例", "brief", "mount", "追问", "开放问题", *_machine(id)}
    for leaf in {*leaves(BODIES[id]), *leaves(shell), "8/10", "稳", "还薄"} - hidden:
        assert leaf in body, leaf
        assert flattened(leaf) in told, leaf


def _machine(id: str) -> set[str]:
    """Words of the format that a view says in its own way."""
    if id in ("context-order", "worker-set"):
        return {
            "schema",
            "context-order.v1",
            "slots",
            "inserts",
            "order",
            "ref",
            "context_order",
            "play_slots",
        }
    heads = {"generation-rules": {"rule_id", "名"}, "instances": {"name", "级", "标签"}, "variables": {"id"}}
    return heads.get(id, set()) | {"名", "key", "体验", "结论"}


@pytest.mark.parametrize("id", BODIES)
@pytest.mark.parametrize("form", ["html", "text"])
def test_no_json_is_thrown_at_people(id: str, form: str) -> None:
    shown = page(sample(id)).inside("div.sides") if form == "html" else terminal(sample(id))
    assert '{"' not in shown and '":' not in shown and "['" not in shown


def test_product_left_and_assessment_right() -> None:
    """Three groups of the aesthetics step: what goes into play, and what is there to be judged."""
    shown = page(sample("aesthetics-interaction"))
    left, right = shown.inside("section.side product"), shown.inside("section.side assessment")
    assert "交互范式" in left and "美学纲领" in left and "设定逻辑" not in left
    assert "设定逻辑" in right and "完备度 高" in right and "欠债的水手" not in right
    assert ("div", {"class": "sides two"}) in shown.tags
    wide = terminal(sample("aesthetics-interaction"), width=140).splitlines()
    both = next(line for line in wide if "产物" in line and "评估" in line)
    assert both.index("产物") < both.index("评估")
    narrow = terminal(sample("aesthetics-interaction"), width=80)
    assert narrow.index("交互范式") < narrow.index("设定逻辑")


def test_rule_cards() -> None:
    fragment = sample("generation-rules")
    shown = page(fragment)
    card = shown.inside("article.card")
    for word in (
        "weather · 天气",
        "数量 12",
        "一次生成 3",
        "配方",
        "表现",
        "分级表现",
        "产物格式",
        "方向池",
        "元素池",
    ):
        assert word in card, word
    assert "字段" in shown.inside("table.") and "暴雨" in shown.inside("table.")
    text = terminal(fragment)
    assert "weather · 天气  [数量 12]  [一次生成 3]" in text


def test_fields_of_a_rule_in_either_shape() -> None:
    rule = {**BODIES["generation-rules"]["rules"][0], "产物格式": {"name": "名字"}}
    shown = page(sample("generation-rules", 正文={"必要性判断": "要", "rules": [rule]}))
    assert "name" in shown.inside("table.") and "名字" in shown.inside("table.")


def test_support_points_relations_and_coverage() -> None:
    shown = page(sample("mechanism"))
    assert "代价" in shown.inside("article.card") and "讨债" in shown.inside("article.card")
    assert "→" in shown.inside("table.") and "促成" in shown.inside("table.")
    assert "覆盖检验" in shown.inside("section.side assessment")


def test_entity_cards_of_the_stage() -> None:
    card = page(sample("world-blueprint")).inside("article.card")
    assert all(word in card for word in ("账房", "码头", "记债", "雾"))


def test_the_row_of_the_history_stands_out() -> None:
    order = {
        "schema": "context-order.v1",
        "slots": [
            {
                "ref": "gm",
                "inserts": [
                    {"order": 2, "ref": "对话.历史", "projection": "summary", "note": "裁剪"},
                    {"order": 0, "ref": "worker.persona", "projection": "fixed"},
                    {"order": 1, "ref": "设计.实现机制", "projection": "摘要"},
                ],
            }
        ],
    }
    shown = page(order)
    assert shown.inside("tr.marked").split() == ["2", "对话.历史", "summary", "裁剪"]
    assert "主世界层 · world-simulator" in shown.inside("h3")
    (line,) = [line for line in terminal(order).splitlines() if "▶" in line]
    assert "对话.历史" in line
    assert '"order"' not in shown.inside("div.sides")


def test_what_cannot_be_read_is_folded_with_its_reason() -> None:
    text = '{"brief": "短", "正文": {"支撑点": [' + "长" * 3000
    shown = page(text, "设计.实现机制")
    assert "读不下去" in shown.inside("p.reason")
    assert shown.inside("details.raw") == f"原文\n\n{text}"
    folded = terminal(text, "设计.实现机制")
    assert "读不下去" in folded and "--full" in folded and folded.count("长") < 1500
    assert terminal(text, "设计.实现机制", full=True).count("长") == 3000


def test_a_short_text_is_not_folded() -> None:
    assert "一段散文" in terminal("一段散文", "设计.故事推进") and "--full" not in terminal("一段散文")


def test_the_text_as_stored_is_always_on_the_page() -> None:
    text = f"好的：\n```json\n{written(sample('mechanism'))}\n```\n请看。"
    raw = page(text).inside("details.raw")
    assert text in raw and "好的：\n\n请看。" in raw


def test_keys_that_nobody_knows_are_shown() -> None:
    for shown in (
        page(sample("mechanism", 评语={"好": "在"})).inside("div.sides"),
        terminal(sample("mechanism", 评语={"好": "在"})),
    ):
        assert "评语" in shown and "好" in shown


@pytest.mark.parametrize(
    "tree", [["甲", {"乙": 1}], {"a": {"b": [1, [2, {"c": None}]]}}, [[1], [2]], {"空": {}}, [], {}]
)
def test_whatever_it_is_keys_and_values(tree: Any) -> None:
    shown = page(tree).inside("div.sides") + page(tree).inside("header.")
    assert all(leaf in shown for leaf in leaves(tree))
    assert '{"' not in shown and terminal(tree)


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style></pre></details><h1>",
    "' onmouseover='x",
    "<!--",
    "]]>&amp;&lt;",
    "javascript:alert(1)",
    "\x1b[31m红\x1b]8;;http://x\x07",
    "\u202e倒\u2066",
    "[red]x[/red] :smile: [link=http://x]y[/link]",
    "{{x}} {% y %} {0} %s",
)


ELEMENTS = frozenset(
    [
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "header",
        "h1",
        "h2",
        "h3",
        "h4",
        "p",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "section",
        "article",
        "div",
        "span",
        "code",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "pre",
    ]
)
"""All that a page is made of."""


def replaced(value: Any, text: str) -> Any:
    """Every text of a tree, keys of free mappings too, made hostile."""
    if isinstance(value, dict):
        return {(key if key in KNOWN else key + text): replaced(item, text) for key, item in value.items()}
    if isinstance(value, list):
        return [replaced(item, text) for item in value]
    return value + text if isinstance(value, str) and value not in KEPT else value


KNOWN = {
    *(
        "schema",
        "技能",
        "brief",
        "mount",
        "稳变",
        "正文",
        "自评",
        "追问",
        "开放问题",
        "维度",
        "名",
        "分数",
        "说明",
    ),
    *("薄弱点", "导语", "题目", "问", "建议选项", "示例"),
    *(key for artifact in BY_ID.values() for key in artifact.body),
}
KEPT = {"context-fragment.v1", "context-order.v1", *(artifact.name for artifact in BY_ID.values())}


@pytest.mark.parametrize(
    ("id", "text"),
    [*(("generation-rules", text) for text in HOSTILE), *((id, "".join(HOSTILE)) for id in BODIES)],
)
def test_hostile_content_stays_text(id: str, text: str) -> None:
    shown = page(replaced(sample(id), text), f"设计.{BY_ID[id].name}#{text}")
    assert {name for name, _ in shown.tags} <= ELEMENTS
    allowed = {"class", "lang", "charset", "name", "content", "http-equiv", "scope", "aria-label", "role"}
    assert all(set(attributes) <= allowed for _, attributes in shown.tags)
    source = render_html(read_artifact(written(replaced(sample(id), text))), "zh")
    assert not any(ord(character) < 32 and character not in "\n\t" for character in source)
    assert not any(character in source for character in "\u202e\u2066")
    told = terminal(replaced(sample(id), text))
    assert "\x1b" not in told and "\u202e" not in told and "\x07" not in told
    if text.startswith("[red]"):
        assert flattened(text) in flattened(told)


def test_a_page_needs_nothing_from_anywhere() -> None:
    source = render_html(read_artifact(written(sample("mechanism"))))
    shown = Page(source)
    assert not {"script", "link", "img", "iframe", "object", "base", "form", "a"} & {
        name for name, _ in shown.tags
    }
    assert (
        "url(" not in source and "@import" not in source and "http:" not in source and "https:" not in source
    )
    policies = [attributes for name, attributes in shown.tags if attributes.get("http-equiv")]
    assert policies and "default-src 'none'" in str(policies[0]["content"])
    assert "prefers-color-scheme:dark" in source and '<html lang="en">' in source
    assert '<html lang="zh-CN">' in render_html(read_artifact("{}"), "zh")


def test_a_text_that_begins_with_a_line_break_keeps_it() -> None:
    assert page("\n\n散文").inside("pre.") == "\n\n\n散文"


def test_colour_is_only_there_where_it_is_wanted() -> None:
    reading = read_artifact(written(sample("mechanism")))
    assert "\x1b[" in render_text(reading, 100, color=True)
    assert "\x1b[" not in render_text(reading, 100)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    from rich.cells import cell_len

    for id in BODIES:
        assert (
            max(cell_len(line) for line in terminal(sample(id), width=width, full=True).splitlines()) <= width
        ), id


TREES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(BODIES)),
    st.dictionaries(st.sampled_from(sorted({key for body in BODIES.values() for key in body})), TREES)
    | TREES,
)
def test_no_body_is_too_odd_to_show(id: str, body: object) -> None:
    text = json.dumps(sample(id, 正文=body))
    reading = read_artifact(text, f"设计.{BY_ID[id].name}")
    Page(render_html(reading, "zh"))
    assert render_text(reading, 80)

from __future__ import annotations

import json

import pytest

from skillc.runtime.projection import project

FRAGMENT = json.dumps(
    {
        "brief": "雨夜的便利店",
        "正文": {"规则": ["一", "二"]},
        "说明": "两行\n  说明",
        "分数": 8.5,
        "空": None,
    },
    ensure_ascii=False,
)
PLAIN = "字" * 900


@pytest.mark.parametrize("projection", [None, "full", "fixed"])
@pytest.mark.parametrize("text", [FRAGMENT, PLAIN, "", "{不是 JSON", "a\r\nb"])
def test_full_and_fixed_are_the_text_as_stored(text: str, projection: str | None) -> None:
    assert project(text, projection) == text


def test_summary_is_the_brief_or_the_beginning() -> None:
    assert project(FRAGMENT, "summary") == "雨夜的便利店"
    assert project(PLAIN, "summary") == "字" * 800
    assert project('{"a": 1}', "summary") == '{"a": 1}'


def test_fields_is_the_brief_and_a_line_for_each_key() -> None:
    assert project(FRAGMENT, "fields").split("\n") == [
        "雨夜的便利店",
        '正文 = {"规则": ["一", "二"]}',
        "说明 = 两行 说明",
        "分数 = 8.5",
        "空 = null",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"brief": 3, "x": null}', "brief = 3\nx = null"),
        ('{"x": 1, "brief": {"a": "b"}}', 'x = 1\nbrief = {"a": "b"}'),
        ('{"x": 1, "brief": ""}', "x = 1\nbrief = "),
        ('{"brief": ["短"]}', 'brief = ["短"]'),
    ],
)
def test_a_brief_that_is_no_text_is_not_lost(text: str, shown: str) -> None:
    assert project(text, "fields") == shown


@pytest.mark.parametrize(
    "text",
    [
        r'{"brief": "\ud800坏", "a": "x"}',
        r'{"brief": "好", "a": ["\uDFFF"]}',
        r'{"brief": "好", "\udc00\ud800": 1}',
        r'[{"key": "a", "value": "\ud83dx"}]',
        '{"brief": "好", "a": "\ud83d"}',
    ],
)
def test_what_holds_half_a_character_is_no_json_and_stays_as_it_is_written(text: str) -> None:
    for form in (text, f"```json\n{text}\n```"):
        assert project(form, "summary") == project(form, "fields") == form


def test_a_pair_of_escapes_is_a_character_and_an_escaped_backslash_begins_none() -> None:
    assert project(r'{"brief": "\ud83d\ude00", "a": "\\ud800"}', "fields") == "😀\na = \\ud800"


def test_a_long_value_is_cut_to_one_line() -> None:
    line = project(json.dumps({"k": "长" * 500}), "fields")
    assert line == "k = " + "长" * 119 + "…"


@pytest.mark.parametrize(
    "shape", ["```json\n{0}\n```", "```\n{0}```", "  \n```JSON\n{0}\n```\n\n", "```json\r\n{0}\r\n```"]
)
def test_json_in_one_fence_counts_as_json(shape: str) -> None:
    assert project(shape.replace("{0}", FRAGMENT), "summary") == "雨夜的便利店"
    assert project(shape.replace("{0}", FRAGMENT), "fields") == project(FRAGMENT, "fields")
    assert project(shape.replace("{0}", FRAGMENT), "full") == shape.replace("{0}", FRAGMENT)


@pytest.mark.parametrize(
    "text",
    ["```{}```", "``````", "```", "```json\n```", "好的：\n```json\n{0}\n```", "```json\n{0}\n```\n完"],
)
def test_a_fence_that_is_not_all_is_text(text: str) -> None:
    text = text.replace("{0}", FRAGMENT)
    assert project(text, "summary") == project(text, "fields") == text[:800]


@pytest.mark.parametrize("text", ["普通文字", "[1, 2]", "{坏的", '{"a": ' * 5000, '"文字"', ""])
def test_text_without_fields_gives_its_summary(text: str) -> None:
    assert project(text, "fields") == text[:800]

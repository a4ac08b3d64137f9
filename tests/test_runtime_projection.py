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


def test_a_long_value_is_cut_to_one_line() -> None:
    line = project(json.dumps({"k": "长" * 500}), "fields")
    assert line == "k = " + "长" * 119 + "…"


@pytest.mark.parametrize("text", ["普通文字", "[1, 2]", "{坏的", '{"a": ' * 5000, '"文字"', ""])
def test_text_without_fields_gives_its_summary(text: str) -> None:
    assert project(text, "fields") == text[:800]

"""What is common is read without the parser, and is what the parser makes of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.grammar import condition, parse_condition, parse_pattern, parse_policy, policy, tag
from skillc.text import Source, Text

TAGS = st.lists(
    st.sampled_from(
        [*"a7_-·字〇", "大纲", "草稿", ".", ".", "#", "*", "{id}", "{x}", "**", "é", "e\u0301", "？", " "]
    )
    | st.sampled_from(["x" * 60, "y." * 20, "²", "龥", "龦", "\u9fff"]),
    max_size=8,
).map("".join)
TERMS = st.sampled_from(
    [
        *(
            "has(",
            "accepted(",
            "count(",
            ")",
            ") >= 2",
            "startupCompleted",
            " and ",
            " and ",
            " or ",
            "not ",
            " ",
        ),
        *(
            "a.b",
            "规则.草稿",
            "正文.*",
            "has(a.b)",
            "accepted(设定.草稿)",
            "and",
            "x y",
            "“a”",
            '"a"',
            "`a`",
            "坏 签",
        ),
    ]
)
POLICIES = st.lists(
    st.sampled_from(
        ["latest", "concat", "tail_", "window_", "last_", "lines_", "turns_", "tokens_", "_turns", "0"]
    )
    | st.sampled_from(["1", "80", "999999999", "x", " ", "\n", "lines", "turns"]),
    max_size=4,
).map("".join)


def text(value: str) -> Text:
    source = Source("a.md", f"…: {value}\n")
    return Text(value, source.span(3, 3 + len(value)))


@settings(max_examples=1000, deadline=None)
@given(TAGS)
def test_tags_and_patterns(value: str) -> None:
    assert tag._read(value) == tag.read_by_grammar(value)


@settings(max_examples=1000, deadline=None)
@given(st.lists(TERMS, max_size=7).map("".join))
def test_conditions(value: str) -> None:
    written = text(value)
    assert parse_condition(written) == condition.read_by_grammar(written)


@settings(max_examples=500, deadline=None)
@given(POLICIES)
def test_policies(value: str) -> None:
    written = text(value)
    assert parse_policy(written) == policy.read_by_grammar(written)


@pytest.mark.parametrize(
    "value", ["a", "设定.世界3.草稿", "角色.{id}.*", "大纲.*.草稿", "设计.生成规则#天气", "a-b_c·d"]
)
def test_what_is_common_needs_no_parser(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(value: str) -> None:
        raise AssertionError(value)

    monkeypatch.setattr(tag, "read_by_grammar", refuse)
    tag._known.cache_clear()
    found = parse_pattern(text(value))[0]
    assert found and found.text == value

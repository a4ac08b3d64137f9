"""Tags, patterns, conditions and policies: what they mean, and what is wrong at which character."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.diagnostic import Diagnostic
from skillc.grammar import (
    grammar_text,
    parse_condition,
    parse_input,
    parse_pattern,
    parse_policy,
    parse_tag,
)
from skillc.tags import Pattern
from skillc.text import Source, Text


def text(value: str, written: str | None = None) -> Text:
    """`value` as it stands in a file, behind three characters; or written in another way there."""
    source = Source("a.md", "…: " + (value if written is None else written) + "\n")
    return Text(value, source.span(3, len(source.text) - 1))


def pattern(value: str) -> tuple[str, ...] | None:
    found = parse_pattern(text(value))[0]
    return found.parts if found else None


def wrong(value: str) -> list[tuple[str, int, int]]:
    """Code, start and end in the value of each finding of a pattern."""
    return [(d.code.slug, d.span.start - 3, d.span.end - 3) for d in parse_pattern(text(value))[1]]


def fixed(value: str, found: list[Diagnostic]) -> str:
    """`value` with the fixes of the findings made."""
    edits = [edit for d in found if d.fix for edit in d.fix.edits]
    for edit in sorted(edits, key=lambda edit: -edit.span.start):
        value = value[: edit.span.start - 3] + edit.text + value[edit.span.end - 3 :]
    return value


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("需求.核心要点", ("需求", "核心要点")),
        ("正文", ("正文",)),
        ("角色.A.*", ("角色", "A", ".*")),
        ("大纲.*.草稿", ("大纲", "*", "草稿")),
        ("角色.*", ("角色", ".*")),
        ("角色.*.*.*", ("角色", "*", "*", ".*")),
        ("角色.{id}.行动.候选", ("角色", "{id}", "行动", "候选")),
        ("角色.{id}", ("角色", "{id}")),
        ("设计.生成规则#天气", ("设计", "生成规则#天气")),
        ("规则#一", ("规则#一",)),
        ("**", ("**",)),
        ("第2章.夜-雨_上.阿·甲", ("第2章", "夜-雨_上", "阿·甲")),
        ("卷.二〇二四", ("卷", "二〇二四")),
        ("book.brief", ("book", "brief")),
        ("場面.キャラ.セリフ", ("場面", "キャラ", "セリフ")),
        ("장면.대사", ("장면", "대사")),
        ("हिन्दी.कथा", ("हिन्दी", "कथा")),
    ],
)
def test_a_pattern_is_its_segments(value: str, parts: tuple[str, ...]) -> None:
    assert pattern(value) == parts
    assert parse_pattern(text(value))[1] == []


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("大纲*", (2, 3)),
        ("大*纲.草稿", (1, 2)),
        ("大纲.**", (3, 5)),
        ("**.草稿", (0, 2)),
        ("***", (0, 3)),
        ("*.草稿", (0, 1)),
        ("*", (0, 1)),
        ("{id}.行动", (0, 4)),
        ("角色.{name}.行动", (3, 9)),
        ("角色.{}.行动", (3, 5)),
        ("角色.{id}甲", (3, 8)),
        ("角色.{id", (3, 6)),
        ("角色..行动", (2, 4)),
        ("角色...行动", (2, 4)),
        (".行动", (0, 1)),
        ("角色.", (2, 3)),
        ("角色.*.", (4, 5)),
        ("设计#天气.规则", (2, 5)),
        ("设计#天气#风", (5, 7)),
        ("设计#", (2, 3)),
        ("#天气", (0, 3)),
        ("设计.#天气", (3, 6)),
        ("设计.*#天气", (4, 7)),
        ("", (0, 0)),
    ],
)
def test_a_bad_pattern_is_refused_at_what_is_wrong(value: str, place: tuple[int, int]) -> None:
    assert wrong(value) == [("bad-tag", *place)]
    assert all(d.help for d in parse_pattern(text(value))[1])


def test_b42_an_empty_segment_is_one_error_and_many_wildcards_end_at_once() -> None:
    assert wrong("角色..行动") == [("bad-tag", 2, 4)]
    assert pattern("角色.*.*.*") == ("角色", "*", "*", ".*")
    assert wrong("角色" + ".*" * 40) == [("too-large", 0, 82)]


def test_a27_a_leading_wildcard_is_refused_by_the_tag_rule() -> None:
    assert wrong("*.草稿") == [("bad-tag", 0, 1)]


def test_d77_a_tag_must_be_in_normal_form() -> None:
    value = "书.cafe\u0301.草稿"
    found = parse_pattern(text(value))[1]
    assert wrong(value) == [("not-nfc", 5, 7)]
    assert "U+0065 U+0301" in found[0].message and "U+00E9" in found[0].message
    assert pattern(fixed(value, found)) == ("书", "café", "草稿")


@given(st.text(alphabet="aeo\u0301\u0308\u0323é가\u1100\u1161\u11a8\uf900豈角.", max_size=8))
def test_d77_exactly_what_is_not_normal_is_reported_and_the_fix_makes_it_so(value: str) -> None:
    found = [d for d in parse_pattern(text(value))[1] if d.code.slug == "not-nfc"]
    assert bool(found) == (not unicodedata.is_normalized("NFC", value))
    for _ in range(10):
        value = fixed(value, [d for d in parse_pattern(text(value))[1] if d.code.slug == "not-nfc"])
    assert unicodedata.is_normalized("NFC", value)


def test_d78_full_width_dots_are_named_at_every_column() -> None:
    value = "角色。A．行动｡候选"
    found = parse_pattern(text(value))[1]
    assert wrong(value) == [("bad-tag", 2, 3), ("bad-tag", 4, 5), ("bad-tag", 7, 8)]
    assert [d.help for d in found] == ["write `.`"] * 3
    assert fixed(value, found) == "角色.A.行动.候选"
    assert wrong("角色。A。行动") == [("bad-tag", 2, 3), ("bad-tag", 4, 5)]


def test_d78_half_and_full_width_letters_are_not_merged() -> None:
    assert pattern("角色.Ａ") == ("角色", "Ａ")
    assert pattern("角色.Ａ") != pattern("角色.A")


@pytest.mark.parametrize(
    ("char", "instead"),
    [("＿", "_"), ("－", "-"), ("＃", "#"), ("・", "·"), ("•", "·")],
)
def test_d78_other_look_alikes_of_the_formats_own_characters_have_a_fix(char: str, instead: str) -> None:
    value = f"书{char}名"
    assert fixed(value, parse_pattern(text(value))[1]) == f"书{instead}名"


@pytest.mark.parametrize(
    "char",
    [
        "\u200b",
        "\u200d",
        "\u2060",
        "\u00ad",
        "\u202e",
        "\u3164",
        "\u115f",
        "\uffa0",
        "\ufe0f",
        "\U000e0101",
        "\u2800",
    ],
)
def test_d79_invisible_characters_are_named_by_code_point(char: str) -> None:
    value = f"规则{char}.草稿"
    found = parse_pattern(text(value))[1]
    assert wrong(value) == [("invisible-character", 2, 3)]
    assert f"`U+{ord(char):04X}`" in found[0].message
    assert fixed(value, found) == "规则.草稿"


def test_d81_bidirectional_controls_are_refused_in_tags() -> None:
    assert wrong("规则\u202e.草稿\u202c") == [("invisible-character", 2, 3), ("invisible-character", 6, 7)]


def test_d82_tag_characters_are_refused_in_tags() -> None:
    assert wrong("规则\U000e0041.草稿") == [("invisible-character", 2, 3)]


def test_d83_a_byte_order_mark_inside_a_tag_is_refused() -> None:
    assert wrong("规则\ufeff.草稿") == [("invisible-character", 2, 3)]


@pytest.mark.parametrize(
    "value", [" 规则.草稿", "规则.草稿 ", "规则. 草稿", "规则\u3000.草稿", "规则\t.草稿", "规则\n.草稿"]
)
def test_blanks_are_refused_wherever_they_stand(value: str) -> None:
    assert [slug for slug, *_ in wrong(value)] == ["bad-tag"]


def test_a_comment_glued_to_a_tag_is_explained() -> None:
    found = parse_pattern(text("规则.草稿# 必填"))[1]
    assert len(found) == 1 and "comment" in found[0].help


@pytest.mark.parametrize("char", "（）：/:!@$，、“”🙂①½")
def test_other_characters_are_named(char: str) -> None:
    found = parse_pattern(text(f"规则{char}.草稿"))[1]
    assert [d.code.slug for d in found] == ["bad-tag"]
    assert f"U+{ord(char):04X}" in found[0].message


def test_limits_name_their_numbers() -> None:
    assert pattern("长" * 64) and pattern(".".join("甲" * 32))
    assert wrong("书." + "长" * 65) == [("too-large", 2, 67)]
    assert "32" in parse_pattern(text(".".join("甲" * 33)))[1][0].message


@given(st.text(max_size=20))
def test_any_text_is_a_pattern_or_has_a_finding_inside_it(value: str) -> None:
    found, problems = parse_pattern(text(value))
    assert (found is None) == bool(problems)
    for problem in problems:
        assert 3 <= problem.span.start <= problem.span.end <= 3 + len(value)
        assert problem.message and problem.help
    if found is not None:
        assert found.text == value


@given(st.lists(st.sampled_from(["角色", "A", "*", "{id}", "**", "#", "草稿", "."]), max_size=7).map("".join))
def test_a_pattern_is_read_back_from_its_text(value: str) -> None:
    found, _ = parse_pattern(text(value))
    assert found is None or parse_pattern(text(found.text))[0] == found


def test_where_the_value_is_not_what_is_written_the_whole_place_is_shown() -> None:
    value, written = "规则\u200b.草稿", "规则\\u200b.草稿"
    found = parse_pattern(text(value, written))[1]
    assert [d.span.text for d in found] == [written]
    assert found[0].fix is None


def test_a_concrete_tag_has_no_wildcard() -> None:
    assert parse_tag(text("规则.草稿#一")) == ("规则.草稿#一", [])
    for value, place in [("规则.*", "*"), ("角色.{id}.行动", "{id}"), ("**", "**")]:
        tag, found = parse_tag(text(value))
        assert tag is None
        assert [d.span.text for d in found] == [place]


@pytest.mark.parametrize(
    ("value", "tag", "optional"),
    [
        ("用户.修改说明", "用户.修改说明", False),
        ("用户.修改说明?", "用户.修改说明", True),
        ("角色.*?", "角色.*", True),
    ],
)
def test_a_trailing_question_mark_marks_an_input_optional(value: str, tag: str, optional: bool) -> None:
    found, marked, problems = parse_input(text(value))
    assert (found and found.text, marked, problems) == (tag, optional, [])


def test_a_full_width_mark_is_named_and_mended() -> None:
    pattern, optional, (told,) = parse_input(text("规则.草稿？"))
    assert (pattern, optional, told.message) == (None, True, "a full-width `？` stands where `?` belongs")
    assert told.fix is not None and [edit.text for edit in told.fix.edits] == ["?"]


@pytest.mark.parametrize("value", ["规则.草稿？", "规则.草稿??", "规则?.草稿", "规则.草稿 ?"])
def test_other_question_marks_are_refused(value: str) -> None:
    found, _, problems = parse_input(text(value))
    assert found is None
    assert [d.code.slug for d in problems] == ["bad-tag"]


def test_the_same_text_in_two_places_has_two_places() -> None:
    one, other = parse_pattern(text("大纲*"))[1], parse_pattern(text("大纲*"))[1]
    assert one[0].message == other[0].message
    assert one[0].span.source is not other[0].span.source


def has(tag: str) -> tuple[object, ...]:
    return ("has", Pattern(tuple(tag.split("."))))


@pytest.mark.parametrize(
    ("value", "condition"),
    [
        ("has(a)", has("a")),
        ("has( 规则.草稿 )", has("规则.草稿")),
        ("accepted(规则.确认稿)", ("accepted", Pattern(("规则", "确认稿")))),
        ("count(验收.*) >= 2", ("count", Pattern(("验收", ".*")), 2)),
        ("count(验收.*)>=2", ("count", Pattern(("验收", ".*")), 2)),
        ("startupCompleted", ("startupCompleted",)),
        ("has(a) and has(b) and has(c)", ("and", has("a"), has("b"), has("c"))),
        ("has(a) or has(b) and has(c)", ("or", has("a"), ("and", has("b"), has("c")))),
        ("(has(a) or has(b)) and has(c)", ("and", ("or", has("a"), has("b")), has("c"))),
        ("not has(a) and has(b)", ("and", ("not", has("a")), has("b"))),
        ("not (has(a) and has(b))", ("not", ("and", has("a"), has("b")))),
        ("not not has(a)", has("a")),
        ("has(a)\n  and has(b)", ("and", has("a"), has("b"))),
        ('has("a")', has("a")),
        ("has(orchestra.android)", has("orchestra.android")),
    ],
)
def test_a_condition_is_its_parts(value: str, condition: tuple[object, ...]) -> None:
    assert parse_condition(text(value)) == (condition, [])


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("", ""),
        ("has(a", ""),
        ("has()", ")"),
        ("has(a) has(b)", "has(b)"),
        ("has(a) && has(b)", "&&"),
        ("has(a) AND has(b)", "AND"),
        ("has（a）", "（a）"),
        ("count(a) > 2", ">"),
        ("count(a) >= 两", "两"),
        ("count(a)", ""),
        ("规则齐全后即可", "规则齐全后即可"),
        ("nothas(a)", "nothas(a)"),
        ("has(a) and", ""),
        ("startupCompleted()", "()"),
    ],
)
def test_a_bad_condition_is_refused_where_it_stops_making_sense(value: str, place: str) -> None:
    condition, found = parse_condition(text(value))
    assert condition is None
    assert [(d.code.slug, d.span.text) for d in found] == [("bad-condition", place)]
    assert found[0].help


def test_a_bad_pattern_in_a_condition_is_named_in_it() -> None:
    condition, found = parse_condition(text("has(角色..行动) and accepted(规则．草稿)"))
    assert condition is None
    assert [(d.code.slug, d.span.text) for d in found] == [("bad-tag", ".."), ("bad-tag", "．")]


def test_deep_and_long_conditions_end_at_once() -> None:
    assert parse_condition(text("(" * 1500 + "has(a)" + ")" * 1500))[0] == has("a")
    assert parse_condition(text("not " * 900 + "has(a)"))[0] == has("a")
    deep = "has(a)"
    for _ in range(20):
        deep = f"not (has(b) and {deep})"
    assert [d.code.slug for d in parse_condition(text(deep))[1]] == ["too-large"]
    assert [d.code.slug for d in parse_condition(text("has(a) and " * 500 + "has(a)"))[1]] == ["too-large"]


@given(st.text(alphabet="has(a) andornot>=2中", max_size=25))
def test_any_text_is_a_condition_or_has_a_finding(value: str) -> None:
    condition, found = parse_condition(text(value))
    assert (condition is None) == bool(found)


@pytest.mark.parametrize(
    ("value", "policy"),
    [
        ("latest", ("latest", None)),
        ("concat", ("concat", None)),
        ("tail_lines_80", ("tail_lines", 80)),
        ("tail_tokens_400", ("tail_tokens", 400)),
        ("last_3_turns", ("last_turns", 3)),
        ("window_lines_80", ("window_lines", 80)),
        ("window_tokens_1", ("window_tokens", 1)),
        ("window_turns_20", ("window_turns", 20)),
    ],
)
def test_a_policy_is_its_kind_and_number(value: str, policy: tuple[str, int | None]) -> None:
    assert parse_policy(text(value)) == (policy, [])


@pytest.mark.parametrize(
    ("value", "help"),
    [
        ("tail_lines", "`tail_lines_N`"),
        ("tail_lines_0", "`tail_lines_N`"),
        ("tail_lines_-3", "`tail_lines_3`"),
        ("tail-lines-80", "`tail_lines_80`"),
        ("tail_line_80", "`tail_lines_80`"),
        ("last_turns_3", "`last_3_turns`"),
        ("Latest", "`latest`"),
        (" latest", "`latest`"),
        ("newest", "the policies are"),
        ("", "the policies are"),
        ("tail_lines_99999999999", "999,999,999"),
    ],
)
def test_an_unknown_policy_is_refused_with_what_may_be_meant(value: str, help: str) -> None:
    policy, found = parse_policy(text(value))
    assert policy is None
    assert [d.code.slug for d in found] == ["unknown-policy"]
    assert help in found[0].help


def test_the_grammars_are_found_and_say_what_they_are() -> None:
    for name in ("tag", "condition", "policy"):
        assert "start" in grammar_text(name)
    with pytest.raises(FileNotFoundError):
        grammar_text("no-such-language")


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("“需求.要点”", "use straight quotes around the whole tag, or none"),
        ("「需求.要点」", "use straight quotes around the whole tag, or none"),
        ("需求.要点，大纲", "write one tag an entry; in `[…]` entries are separated by `,`"),
        ("需求.要点、大纲", "write one tag an entry; in `[…]` entries are separated by `,`"),
    ],
)
def test_quotes_and_commas_in_a_tag_are_one_finding_with_the_way_out(text: str, help: str) -> None:
    (found,) = parse_tag(Text(text, Source("a", text).span(0, len(text))))[1]
    assert found.code.slug == "bad-tag" and found.help == help


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("has(a.b) AND has(c.d)", "and"),
        ("startupcompleted", "startupCompleted"),
        ("startup_completed or has(a.b)", "startupCompleted"),
        ("Has(a.b)", "has"),
        ("counts(a.b) >= 2", "count"),
        ("NOT has(a.b)", "not"),
    ],
)
def test_a_mistyped_word_of_a_condition_is_named(text: str, meant: str) -> None:
    (found,) = parse_condition(Text(text, Source("a", text).span(0, len(text))))[1]
    assert found.help == f"did you mean `{meant}`?"

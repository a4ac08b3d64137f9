"""The fast reading of plain YAML says what the strict one says, wherever it says anything."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.source.plainyaml import read_plain
from skillc.source.yamltree import read_tree
from skillc.text import Source

PIECES = st.sampled_from(
    [
        *(
            "id",
            "key",
            "用户.输入",
            "a",
            "null",
            "~",
            "3",
            "1:30",
            "b#c",
            "{id}",
            "?",
            "x?",
            "？",
            "— 说明",
            "*",
            "**",
        ),
        *(
            ": ",
            ":",
            " ",
            "  ",
            "    ",
            "\n",
            "\n",
            "\n  ",
            "\n- ",
            "\n  - ",
            "- ",
            "-",
            ",",
            ", ",
            "[",
            "]",
            "{",
            "}",
        ),
        *(
            '"',
            "'",
            '"引文"',
            "'单引'",
            '"a: b"',
            "#",
            " # ",
            "&x",
            "!y",
            "|",
            ">",
            "%",
            "@",
            "`",
            "\\",
            "...",
            "---",
        ),
        *(
            "\t",
            "\u3000",
            "\u200b",
            "\xa0",
            "é",
            "e\u0301",
            "𠮷",
            "😀",
            "key: value\n",
            "list:\n  - one\n  - two\n",
        ),
        *("tags: [a, b]\n", "map: {mode: x, list: [y]}\n", "- id: s\n  tags: [a]\n"),
    ]
)


@settings(max_examples=3000, deadline=None)
@given(st.lists(PIECES, max_size=24).map("".join))
def test_what_is_read_here_is_what_the_strict_reading_gives(text: str) -> None:
    span = Source("a.yaml", text).span(0, len(text))
    plain = read_plain(span)
    if plain is not None:
        assert (plain, []) == read_tree(span, strict=True)


FLOW_PIECES = st.sampled_from(
    ["[", "]", "{", "}", ",", ", ", '"引文"', "'单引'", "a", "b c", "key: ", " ", ":", "?"]
)


@settings(max_examples=1000, deadline=None)
@given(st.lists(FLOW_PIECES, max_size=9).map("".join), st.sampled_from("[{"))
def test_lists_and_mappings_in_a_line_are_what_the_strict_reading_gives(inside: str, opening: str) -> None:
    text = f"key: {opening}{inside}{']' if opening == '[' else '}'}\n"
    span = Source("a.yaml", text).span(0, len(text))
    plain = read_plain(span)
    if plain is not None:
        assert (plain, []) == read_tree(span, strict=True)


@pytest.mark.parametrize(
    "value", ['["x"a: b"y"]', "[x [ y]", "[x {y]", "[x } y]", "{a: b {c: d}", "{a: b [ c: d}"]
)
def test_entries_with_a_bracket_or_a_key_for_a_comma_are_not_read_here(value: str) -> None:
    text = f"key: {value}\n"
    assert read_plain(Source("a.yaml", text).span(0, len(text))) is None


LINES = st.recursive(
    st.sampled_from(
        ["值", '"引: 文"', "'x'", '[a, "b, c", d.e#f]', "{mode: 甲, list: [乙, 丙]}", "", "a:b", "[]", "{}"]
    ).map(lambda value: [value]),
    lambda inner: st.one_of(
        st.lists(st.tuples(st.sampled_from("abcdefgh"), inner), min_size=1, max_size=4).map(
            lambda entries: _mapping(entries)
        ),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: _sequence(items)),
    ),
    max_leaves=12,
)


def _mapping(entries: list[tuple[str, list[str]]]) -> list[str]:
    lines = [""]
    for key, value in entries:
        head, *below = value
        lines += [f"{key}: {head}".rstrip() if head else f"{key}:", *(f"  {line}" for line in below)]
    return lines


def _sequence(items: list[list[str]]) -> list[str]:
    lines = [""]
    for head, *below in items:
        if head or not below:
            lines += [f"- {head}" if head else '- ""', *(f"  {line}" for line in below)]
        else:
            first, *rest = below
            lines += [f"- {first}", *(f"  {line}" for line in rest)]
    return lines


@settings(max_examples=300, deadline=None)
@given(LINES.filter(lambda lines: len(lines) > 1 and not lines[1].startswith("-")))
def test_nested_plain_texts_agree(lines: list[str]) -> None:
    text = "\n".join(lines[1:]) + "\n"
    span = Source("a.yaml", text).span(0, len(text))
    plain = read_plain(span)
    strict, found = read_tree(span, strict=True)
    if plain is not None:
        assert plain == strict and not found


@pytest.mark.parametrize(
    "text",
    [
        "id: w\nname: 起草人\nversion: 1\n",
        "tags: [a.b, \"c.{id}.d?\", 'e']\nempty: []\nmap: {mode: x, reviews: [y, z]}\n",
        'workers:\n- a\n- b\nnext:\n  deep:\n    - id: s\n      tags: [a]\n      label: "## 材料"\n    - id: t\n',
        "note:\nother: a:b\n\nlast: 《书名》（一）\n",
    ],
)
def test_what_authors_write_every_day_is_read_here(text: str) -> None:
    span = Source("a.yaml", text).span(0, len(text))
    plain = read_plain(span)
    assert plain is not None
    assert (plain, []) == read_tree(span, strict=True)


def test_what_is_nested_too_deep_is_left_to_the_strict_reading() -> None:
    text = "a: " + "[" * 5000 + "]" * 5000
    assert read_plain(Source("a.yaml", text).span(0, len(text))) is None

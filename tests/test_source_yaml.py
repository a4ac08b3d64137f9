"""Strict YAML and JSON: all scalars are text with places, what would surprise is refused, errors point at the slip."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from counting import calls
from skillc.diagnostic import Diagnostic
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.source.slips import quoted
from skillc.source.yamlfile import read_yaml
from skillc.source.yamltree import read_tree
from skillc.text import Source, Span

LOADERS = [loader for loader in (getattr(yaml, "CSafeLoader", None), yaml.SafeLoader) if loader]


def read(text: str, loader: object = None) -> tuple[Node | None, list[Diagnostic]]:
    source = Source("a.yaml", text)
    return read_tree(source.span(0, len(text)), loader)


def plain(node: Node | None) -> object:
    """The node as lists, dictionaries and strings."""
    if isinstance(node, Mapping):
        return {key.value: plain(value) for key, value in node}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.value if node else None


def codes(found: list[Diagnostic]) -> list[str]:
    return [f"{d.code.slug} {d.span.position[0]}:{d.span.position[1]}" for d in found]


def scalars(node: Node | None) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Sequence):
        return [scalar for item in node.items for scalar in scalars(item)]
    return [scalar for _, value in node for scalar in scalars(value)] if node else []


def test_a14_a15_a17_scalars_stay_the_text_that_was_written() -> None:
    text = "a: 2024-01-01\nb: 5\nc: no\nd: 007\ne: 1.10\nf: 10:30\ng: ~\nh: 0x1F\ni: .inf\nj: yes\nk: '1'\n"
    node, found = read(text)
    values = ["2024-01-01", "5", "no", "007", "1.10", "10:30", "~", "0x1F", ".inf", "yes", "1"]
    assert found == []
    assert plain(node) == dict(zip("abcdefghijk", values, strict=True))


def test_a15_role_ids_are_not_booleans() -> None:
    assert plain(read("byRole:\n  no: p1\n  on: p2\n")[0]) == {"byRole": {"no": "p1", "on": "p2"}}


def test_an_empty_plain_scalar_is_null_and_a_quoted_one_is_not() -> None:
    node = read("a:\nb: null\nc: ''\n")[0]
    assert [scalar.is_null for scalar in scalars(node)] == [True, True, False]


def test_every_key_and_value_knows_its_place() -> None:
    text = "中😀: \"x.𠮷\" # c\nb: 'y'\nc:\n  - z\n  - {d: e, f: [g]}\n"
    node, found = read(text)
    assert found == []
    for scalar in scalars(node):
        assert scalar.span.text == scalar.value
    assert isinstance(node, Mapping)
    assert [key.span.text for key, _ in node] == ["中😀", "b", "c"]
    items = node.get("c")
    assert isinstance(items, Sequence) and items.items[1].span.text == "{d: e, f: [g]}"
    assert node.span.text == text.rstrip() and items.span.text == "- z\n  - {d: e, f: [g]}"


def test_a3_a_second_colon_is_exactly_one_finding_at_it() -> None:
    node, found = read("id: w\ndescription: Use when: x\n")
    assert node is None
    assert codes(found) == ["yaml-syntax 2:22"]
    assert found[0].fix is not None and found[0].fix.edits[0].text == '"Use when: x"'


@pytest.mark.parametrize("value", ["a: b", "a: b: c", "写: 作", "x:", 'say "a: b"', "it's: x \\n"])
def test_a3_the_fix_quotes_the_value_as_it_was(value: str) -> None:
    text = f"description: {value}\nid: w\n"
    found = read(text)[1]
    assert len(found) == 1 and found[0].fix
    edit = found[0].fix.edits[0]
    mended = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert plain(read(mended)[0]) == {"description": value, "id": "w"}


@given(st.text(alphabet="ab'\"\\: #中", min_size=1, max_size=10))
def test_a_quoted_value_is_read_back(value: str) -> None:
    assert plain(read(f"a: {quoted(value)}\n")[0]) == {"a": value}


def test_a12_duplicate_keys_name_both_lines() -> None:
    node, found = read("outputTags: [a]\nx: 1\noutputTags: [b]\n")
    assert codes(found) == ["duplicate-key 3:1"]
    assert "line 1" in found[0].message and found[0].related[0].span.position == (1, 1)
    assert plain(node) == {"outputTags": ["a"], "x": "1"}


def test_a13_nested_duplicates_are_found_too() -> None:
    assert codes(read("workers:\n  a: {}\n  a: {defaultProfileId: x}\n")[1]) == ["duplicate-key 3:3"]
    assert codes(read("- {a: 1, b: 2, a: 3, a: 4}\n")[1]) == ["duplicate-key 1:16", "duplicate-key 1:22"]
    assert codes(read("a: 1\n'a': 2\n")[1]) == ["duplicate-key 2:2"]


def test_the_same_key_in_two_mappings_is_no_duplicate() -> None:
    assert read("a: {x: 1}\nb: {x: 1}\nc:\n  - x: 1\n  - x: 2\n")[1] == []


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ('inputTags:\n\t- "a"\n', "2:1", "a tab is used for indentation in line 2"),
        ("a:\n  b: 1\n\tc: 2\n", "3:1", "in line 3"),
        ("- *.草稿\n", "1:3", "alias"),
        ("a: [x, *规则]\n", "1:8", "alias"),
        ("a: *x\n", "1:4", "alias"),
        ("a: &规 x\n", "1:4", "anchor"),
        ("a: &x y\n", "1:4", "anchor"),
        ("a: !!int 1\n", "1:4", "type tag"),
        ("a: !规则 1\n", "1:4", "type tag"),
        ("a: `x`\n", "1:4", "begin with"),
        ("a: @x\n", "1:4", "`@`"),
        ("name：x\nid: w\n", "1:5", "full-width colon"),
        ("id: w\nname：x\n", "2:5", "full-width colon"),
        ("- name：x\n  id: w\n", "1:7", "full-width colon"),
        ("id: w\nversion:1\n", "2:8", "no blank stands behind the colon"),
        ("inputTags:#必需\n  - a\nb: 1\n", "1:10", "no blank stands before the comment"),
        ("a: 'x\nb: 1\n", "1:4", "not closed"),
        ('a: "\\q"\n', "1:5", "no escape"),
        ("a: 'x' y\nb: 1\n", "1:8", "closing"),
        ('a: "x"#c\nb: 1\n', "1:7", "before the comment"),
        ("a: [x]#c\n", "1:7", "before the comment"),
        ("a: |#c\n  x\n", "1:5", ""),
        ("a: [b, c\nd: 1\n", "1:4", "not closed"),
        ("a: - b\n", "1:4", "list"),
        ("a: 1\n散文一行\nb: 2\n", "2:1", "no `: `"),
        ("a: b\n c: d\n", "2:3", "goes on"),
        ("a: 1\n---\nb: 2\n", "2:1", "second document"),
        ("? [a]\n: b\n", "1:3", "a list or a mapping"),
        ("a: \x07\n", "1:4", "`U+0007`"),
    ],
)
def test_a_slip_is_one_finding_at_its_place(text: str, place: str, says: str) -> None:
    for loader in LOADERS:
        found = read(text, loader)[1]
        assert codes(found) == [f"yaml-syntax {place}"]
        assert says in found[0].message
        assert found[0].help


def test_a25_a_tab_is_an_error_at_its_line_only() -> None:
    found = read('name: x\ninputTags:\n\t- "a"\noutputTags: [b]\n')[1]
    assert codes(found) == ["yaml-syntax 3:1"]
    assert "a tab is used for indentation in line 3" in found[0].message


def test_a27_a_value_that_begins_with_an_asterisk_wants_quotes() -> None:
    found = read("inputTags:\n  - *.草稿\n")[1]
    assert codes(found) == ["yaml-syntax 2:5"]
    assert 'quote the value: `"*.草稿"`' in found[0].help
    assert read('inputTags:\n  - "*.草稿"\n')[1] == []


def test_an_alias_shows_its_anchor() -> None:
    found = read("a: &x 1\nb: *x\n")[1]
    assert codes(found) == ["yaml-syntax 1:4", "yaml-syntax 2:4"]
    assert found[1].related[0].span.text == "&x"


def test_an_alias_bomb_is_read_at_once() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    assert read("\n".join(lines))[0] is None


def test_all_broken_entries_are_named_in_one_run() -> None:
    text = "name: `x`\ndescription: a: b\nid: w\nid: v\ninputTags: [a\noutputTags: [b]\nversion:1\n"
    assert codes(read(text)[1]) == [
        "yaml-syntax 1:7",
        "yaml-syntax 2:15",
        "duplicate-key 4:1",
        "yaml-syntax 5:12",
        "yaml-syntax 7:8",
    ]


def test_depth_has_a_limit_and_is_no_danger() -> None:
    assert read("[" * 16 + "]" * 16)[1] == []
    assert codes(read("[" * 17 + "]" * 17)[1]) == ["too-large 1:17"]
    assert len(read("[" * 50_000)[1]) == len(read("a: [" + "- [" * 50_000)[1]) == 1
    assert codes(read("{a: " * 17)[1]) == ["too-large 1:65"]


def test_a26_a_fold_between_cjk_characters_is_noted_and_the_value_is_yamls() -> None:
    node, found = read("description: >-\n  从需求出发，\n  写出正文\n")
    assert plain(node) == {"description": "从需求出发， 写出正文"}
    assert codes(found) == ["folded-cjk 2:8"]


def test_a_long_folded_block_is_looked_at_in_one_pass() -> None:
    def work(count: int) -> int:
        text = "a: >\n  a\n" + "   中\n" * count
        assert read(text)[1] == []
        return calls(lambda: read(text))

    assert work(400) < 3 * work(200)


@pytest.mark.parametrize(
    "text", ["a: 中文\n  文字\n", "a: '中文\n  文字'\n", "- 中\n  文\n", "a: >\n  x\n  中\n  文\n"]
)
def test_a26_every_way_of_folding_is_noted_once(text: str) -> None:
    assert [d.code.slug for d in read(text)[1]] == ["folded-cjk"]


@pytest.mark.parametrize(
    "text",
    [
        "a: |\n  中文\n  文字\n",
        "a: >-\n  中文文字\n",
        "a: >-\n  中文 abc\n  文字\n",
        "a: >-\n  中文\n\n  文字\n",
        "a: >-\n  中文\n    文字\n",
        "a: >-\n  안녕\n  하세요\n",
        "a: 中文\n# 注释\nb: 文字\n",
        "a: [中,\n  文]\n",
    ],
)
def test_a26_what_does_not_fold_two_cjk_characters_is_left_alone(text: str) -> None:
    assert read(text)[1] == []


def test_a_longer_block_scalar_spans_its_lines() -> None:
    node = read("a: |\n  一\n  二\n\nb: 1\n")[0]
    assert [scalar.span.text for scalar in scalars(node)] == ["|\n  一\n  二", "1"]


def test_d79_invisible_characters_in_keys_are_errors() -> None:
    assert codes(read("inputTags\u200b: []\n")[1]) == ["invisible-character 1:10"]


@pytest.mark.parametrize("text", ["", "\n", "# 注释\n", "---\n"])
def test_nothing_is_nothing(text: str) -> None:
    node, found = read(text)
    assert found == []
    assert node is None or (isinstance(node, Scalar) and node.is_null)


PIECES = [
    "a: ",
    "b: ",
    "中: ",
    "- ",
    "  ",
    "\n",
    "\n",
    "x",
    "文",
    "'",
    '"',
    "[",
    "]",
    "{",
    "}",
    ", ",
    "#",
    " # ",
    "|",
    ">-",
]
PIECES += ["&k ", "*k", "!t ", "\U0001f600", "：", ":", "\\", "`", "?"]


def covered(span: Span) -> tuple[int, int] | None:
    """Where a value stands. One that covers nothing stands before or behind the blanks beside it."""
    return (span.start, span.end) if span.text else None


@settings(max_examples=300)
@example("[a: ]")
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_both_loaders_give_the_same_tree_the_same_places_and_the_same_findings(text: str) -> None:
    read_by = [read(text, loader) for loader in LOADERS]
    refused = [any(d.code.slug == "yaml-syntax" for d in found) for _, found in read_by]
    assert len(set(refused)) == 1
    for node, found in read_by:
        for place in [*(d.span for d in found), *(s.span for s in scalars(node))]:
            assert 0 <= place.start <= place.end <= len(text)
    if not refused[0]:
        shown = [
            (plain(node), [(covered(s.span), s.plain) for s in scalars(node)], codes(found))
            for node, found in read_by
        ]
        assert shown.count(shown[0]) == len(shown)


@given(
    st.recursive(
        st.text(max_size=6),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1, max_size=4), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_json_is_read_back_with_places(value: object) -> None:
    text = json.dumps(value, ensure_ascii=True, indent="\t")
    file, found = read_yaml(Source("order.json", text))
    assert plain(file.root) == value
    assert [d for d in found if d.code.slug != "invisible-character"] == []
    for scalar in scalars(file.root):
        assert json.loads(f'"{scalar.span.text}"') == scalar.value


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1,}', "1:8"),
        ('{"a" 1}', "1:6"),
        ("{'a': 1}", "1:2"),
        ('["a" "b"]', "1:6"),
        ('["a', "1:2"),
        ('{"a": x}', "1:7"),
        ("[1] 2", "1:5"),
        ("// c\n[]", "1:1"),
        ('["\\ud800"]', "1:2"),
        ("[", "1:2"),
    ],
)
def test_broken_json_is_refused_at_its_place(text: str, place: str) -> None:
    file, found = read_yaml(Source("order.json", text))
    assert file.root is None and file.broken
    assert codes(found) == [f"yaml-syntax {place}"]


def test_json_has_the_limits_of_yaml_and_its_duplicates() -> None:
    assert codes(read_yaml(Source("o.json", "[" * 17 + "]" * 17))[1]) == ["too-large 1:17"]
    file, found = read_yaml(Source("o.json", '{"a": 1, "a": true, "b": null}'))
    assert codes(found) == ["duplicate-key 1:11"] and file.broken
    assert plain(file.root) == {"a": "1", "b": "null"}


def test_a_yaml_file_is_broken_by_errors_and_not_by_notes() -> None:
    assert read_yaml(Source("a.yaml", "a: 1\na: 2\n"))[0].broken
    assert not read_yaml(Source("a.yaml", "a: 中\n  文\n"))[0].broken
    assert not read_yaml(Source("a.yaml", ""))[0].broken


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("a:\n  -甲.x\n", "2:3 -", "no blank stands behind `-`"),
        ("a:\n  - 甲.x\n  -甲.y\n", "3:3 -", "no blank stands behind `-`"),
        ("a:\n  - a.b\n   - c.d\n", "3:4 -", "`-` begins no entry here"),
        ("a:\n  - a.b\n - c.d\n", "3:2 -", "the entry is not indented like the entries above it"),
        ("a:\n\u3000- b\n", "2:1 \u3000", "`U+3000` (ideographic space) does not indent the line"),
        (
            "a:\n\u3000\u3000b: c\n",
            "2:1 \u3000\u3000",
            "`U+3000` (ideographic space) does not indent the line",
        ),
        ("a: x\u0085y\n", "1:5 \u0085", "`U+0085` ends the line in YAML"),
        ("a: x\u2028y\n", "1:5 \u2028", "`U+2028` (line separator) ends the line in YAML"),
        ("a: b\n...\nc: d\n", "2:1 ...", "`...` ends the document in YAML"),
        ("a: [b, c", "1:4 [", "the bracket `[` is not closed"),
        ("a: [b, c\nd: e\n", "1:4 [", "the bracket `[` is not closed"),
        ("a: {b: c\n\n", "1:4 {", "the bracket `{` is not closed"),
        ("a: [b, c】\nd: e\n", "1:9 】", "`】` stands where `]` belongs"),
        ('a: ["b"，"c", "d"]\n', "1:8 ，", "`，` stands where `,` belongs"),
        ('a: ["b", "c"、"d"]\n', "1:13 、", "`、` stands where `,` belongs"),
    ],
)
def test_slips_of_lines_and_brackets_are_named(text: str, place: str, said: str, loader: object) -> None:
    (found,) = read(text, loader)[1]
    line, column = found.span.position
    assert f"{line}:{column} {found.span.text}" == place
    assert found.message.startswith(said) and found.help


@pytest.mark.parametrize(
    "text",
    [
        "a: |\n  \u3000段首\n  - 甲\n",
        "a: 说明\n  - 甲\n",
        "a:\n  -5\n",
        'a:\n  - "甲\n    -乙"\n',
        "a:\n  - b: 甲\n    c: - 乙x-y\n".replace("- 乙", "乙"),
    ],
)
def test_what_only_looks_like_such_a_slip_is_none(text: str) -> None:
    assert [d for d in read(text)[1] if d.code.slug != "folded-cjk"] == []


def test_a_tag_that_goes_on_in_the_next_line_is_the_tags_own_finding() -> None:
    assert read("a:\n  - 需求.核心要点\n    说明\n")[1] == []

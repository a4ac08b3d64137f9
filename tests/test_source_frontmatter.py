"""Where frontmatter begins and ends, and what is said when it does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.diagnostic import Diagnostic
from skillc.source.document import Document
from skillc.source.frontmatter import SIZE_LIMIT
from skillc.source.markdown import read_document
from skillc.source.node import Scalar
from skillc.text import Source

FIELDS = (
    "id: w\nskill: s\nname: n\ndescription: d\nversion: 1\n"
    'inputTags: ["需求.核心要点"]\noutputTags: ["规则.草稿"]\n'
)
FM = f"---\n{FIELDS}---\n"


def read(text: str) -> tuple[Document, list[Diagnostic]]:
    return read_document(Source("a.md", text))


def codes(text: str) -> list[str]:
    return [f"{d.code.slug} {d.span.position[0]}:{d.span.position[1]}" for d in read(text)[1]]


def field(text: str, key: str) -> str | None:
    front = read(text)[0].front
    node = front.get(key) if front else None
    return node.value if isinstance(node, Scalar) else None


def test_a5_an_empty_file_is_an_error() -> None:
    document, found = read("")
    assert [d.code.slug for d in found] == ["frontmatter-missing"]
    assert "no frontmatter" in found[0].message
    assert document.broken and document.front is None


def test_a7_dashes_inside_a_value_are_no_fence() -> None:
    assert field(FM.replace("name: n", "name: a --- b"), "name") == "a --- b"
    assert field(FM.replace("name: n", "name: |-\n  a\n  ---\n  b"), "name") == "a\n---\nb"
    assert codes(FM.replace("name: n", "name: a --- b")) == []


def test_a10_rules_in_the_body_are_no_metadata() -> None:
    body = "# t\n\n---\n\nid: z\n\n---\nend"
    document, found = read(FM + body)
    assert found == [] and document.body.text == body
    assert field(FM + body, "id") == "w"


def test_a11_frontmatter_begins_on_line_1() -> None:
    document, found = read("\n" + FM)
    assert [d.message for d in found] == ["frontmatter must start on line 1"]
    assert found[0].code.slug == "frontmatter-missing" and found[0].span.position == (2, 1)
    assert document.broken


def test_a11_blanks_behind_a_fence_are_allowed() -> None:
    assert codes(FM.replace("---\n", "---  \t\n")) == []
    assert field(FM.replace("---\n", "---  \n"), "id") == "w"


def test_a29_the_body_is_never_yaml() -> None:
    assert codes(FM + "key: [unclosed\n\t- a: b: c\n*x\n") == []


@given(st.text(alphabet="a中\n-#`| :", max_size=40))
def test_the_body_is_kept_byte_for_byte(body: str) -> None:
    document, found = read(FM + body)
    assert document.body.text == body
    assert document.front_span.text == FIELDS and found == []


@pytest.mark.parametrize(
    "text",
    [
        "# 标题\n",
        "id: w\n---\n",
        "----\nid: w\n---\n",
        " ---\nid: w\n---\n",
        "```yaml\n---\nid: w\n---\n```\n",
        "+++\n",
    ],
)
def test_other_beginnings_are_no_frontmatter(text: str) -> None:
    assert codes(text) == ["frontmatter-missing 1:1"]


@pytest.mark.parametrize("text", ["---\n---\n# t\n", "---\n\n---\n", "---\n# 注释\n---\n", "---\n{}\n---\n"])
def test_empty_frontmatter_is_an_error(text: str) -> None:
    assert codes(text) == ["frontmatter-missing 1:1"]


@pytest.mark.parametrize(
    "text",
    ["---\n", "---", f"---\n{FIELDS}", f"---\n{FIELDS}----\n", f"---\n{FIELDS} ---\n", f"---\n{FIELDS}...\n"],
)
def test_an_unclosed_frontmatter_is_one_error(text: str) -> None:
    assert codes(text) == ["frontmatter-unclosed 1:1"]


def test_what_looks_like_the_closing_fence_is_shown() -> None:
    found = read(f"---\n{FIELDS}----\nbody\n")[1]
    assert [label.span.text for label in found[0].related] == ["----"]


def test_a_rule_far_below_is_not_taken_for_the_missing_fence() -> None:
    found = read(f"---\n{FIELDS}\n# 写规则\n\n按需求来写。\n\n---\n\n末尾\n")[1]
    assert [d.code.slug for d in found] == ["frontmatter-unclosed"]
    assert found[0].related[0].span.text == "# 写规则"


def test_a_comment_above_a_broken_field_is_no_heading() -> None:
    assert codes("---\nid: w\n# 说明\nname: a: b\n---\n") == ["yaml-syntax 4:8"]


@pytest.mark.parametrize(
    ("front", "place"),
    [
        ("- a\n- b\n", "2:1"),
        ("name：x\nid：y\n", "2:5"),
        ("散文一行\n", "2:1"),
        ('"x"\n', "2:1"),
        ("id:w\n", "2:3"),
    ],
)
def test_frontmatter_that_is_no_mapping_is_an_error(front: str, place: str) -> None:
    assert codes(f"---\n{front}---\n") == [f"yaml-syntax {place}"]


def test_frontmatter_has_a_largest_size() -> None:
    front = "x-a: " + "中" * (SIZE_LIMIT // 3) + "\n"
    found = read(f"---\n{front}---\n")[1]
    assert [d.code.slug for d in found] == ["too-large"]
    assert "65,536" in found[0].message
    assert codes(f"---\nid: w\n---\n{front}") == []


def test_a23_a_file_that_is_nothing_but_a_path_is_a_checked_out_link() -> None:
    for text in ("../x/SKILL.md", "../x/SKILL.md\n", "./b\n"):
        found = read(text)[1]
        assert [d.code.slug for d in found] == ["frontmatter-missing"]
        assert "checked-out symlink?" in found[0].help


def test_an_error_leaves_the_readable_fields() -> None:
    document, found = read(FM.replace("version: 1", "version: 1\nid: v"))
    assert [d.code.slug for d in found] == ["duplicate-key"]
    assert document.broken and document.front is not None


def test_notes_do_not_break_a_document() -> None:
    document, found = read(FM.replace("description: d", "description: >-\n  中\n  文"))
    assert [d.code.slug for d in found] == ["folded-cjk"]
    assert not document.broken


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("# 上下文\n", "# 上下文\n"),
        ("---\n\n正文\n\n---\n末\n", "---\n\n正文\n\n---\n末\n"),
        ("---\n没有结尾\n", "---\n没有结尾\n"),
        ("---\nname: 甲\nx-by: 乙\n---\n正文\n", "正文\n"),
        ("---\n注意: 全程第二人称\n---\n\n正文\n", "---\n注意: 全程第二人称\n---\n\n正文\n"),
        ("---\nname: 甲\n文风: 冷\n---\n正文\n", "---\nname: 甲\n文风: 冷\n---\n正文\n"),
        ("", ""),
    ],
)
def test_a_file_that_needs_no_head_is_all_body_without_a_good_one(text: str, body: str) -> None:
    document, found = read_document(Source("shared-context.md", text), head=False)
    assert document.body.text == body
    assert found == [] and not document.broken

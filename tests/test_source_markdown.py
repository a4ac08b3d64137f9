"""Sections, tables, fences and mentions of a body, each at its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting import Sliced, calls
from skillc.source.codespans import code_ranges, code_spans
from skillc.source.document import Document
from skillc.source.markdown import read_document
from skillc.text import Source, Text

FM = "---\nid: w\n---\n"


def read(body: str) -> Document:
    document, found = read_document(Source("a.md", FM + body))
    assert found == []
    return document


def mentions(body: str) -> list[str]:
    return [mention.text.value for mention in read(body).mentions]


def rows(document: Document) -> list[list[list[str]]]:
    return [
        [[cell.value for cell in row] for row in (table.header, *table.rows)]
        for section in document.sections
        for table in section.tables
    ]


def exact(text: Text) -> None:
    assert text.span.text == text.value


def test_sections_are_headings_with_what_stands_below() -> None:
    document = read("前言\n\n# 一\n\n## 二 ##\n正文\n### 三\n\n## 四\n# **五**\n末")
    shown = [(s.title.value, s.level, s.outline, s.body.text) for s in document.sections]
    assert shown == [
        ("", 0, (), "前言\n\n"),
        ("一", 1, (), "\n"),
        ("二", 2, ("一",), "正文\n"),
        ("三", 3, ("一", "二"), "\n"),
        ("四", 2, ("一",), ""),
        ("五", 1, (), "末"),
    ]
    for section in document.sections:
        exact(section.title)


@pytest.mark.parametrize(
    ("body", "has_tables"),
    [("", False), ("# 一\n\n| a |\n|---|\n", True), ("> | a |\n> |---|\n", True), ("a | b\n", False)],
)
def test_a_body_tells_whether_it_has_tables(body: str, has_tables: bool) -> None:
    assert read(body).has_tables is has_tables


def test_headings_inside_fences_quotes_and_lists_open_no_section() -> None:
    body = "# 一\n\n```md\n# 不是\n```\n\n> # 不是\n\n- # 不是\n"
    assert [section.title.value for section in read(body).sections] == ["一"]


def test_underlined_headings_are_headings() -> None:
    document = read("标题\n====\n正文\n")
    assert [(s.title.value, s.body.text) for s in document.sections] == [("标题", "正文\n")]


def test_a_body_without_headings_is_one_section() -> None:
    assert [(s.level, s.body.text) for s in read("正文\n").sections] == [(0, "正文\n")]
    assert [(s.level, s.body.text) for s in read("").sections] == [(0, "")]


def test_a_section_owns_its_tables_and_fences() -> None:
    document = read("# 一\n- 甲\n\n| a |\n|---|\n| b |\n\n# 二\n```text\nx\n```\n1. 乙\n2. 丙\n")
    one, two = document.sections
    assert (len(one.tables), len(one.fences)) == (1, 0)
    assert (len(two.tables), len(two.fences)) == (0, 1)


def test_table_cells_have_exact_places() -> None:
    document = read("| worker | 输入 tag |\n|:--|--:|\n| `write` | `a.b`、`c.d` |\n|  宽  的  |x|\n")
    assert rows(document) == [[["worker", "输入 tag"], ["write", "a.b、c.d"], ["宽  的", "x"]]]
    table = document.sections[0].tables[0]
    assert table.rows[0][0].span.position == (6, 4) and table.rows[0][0].span.text == "write"
    assert table.rows[0][1].span.text == "`a.b`、`c.d`"
    assert table.rows[1][1].span.position == (7, 11)
    assert [(m.text.value, m.in_table, m.text.span.position) for m in document.mentions] == [
        ("write", True, (6, 4)),
        ("a.b", True, (6, 14)),
        ("c.d", True, (6, 20)),
    ]


def test_escaped_pipes_do_not_end_a_cell() -> None:
    document = read("| a | b |\n|---|---|\n| x \\| y | `p\\|q` |\n")
    assert rows(document) == [[["a", "b"], ["x | y", "p|q"]]]
    assert document.sections[0].tables[0].rows[0][1].span.text == "p\\|q"


def test_rows_have_the_width_of_the_header() -> None:
    assert rows(read("| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n|  |  |\n")) == [
        [["a", "b"], ["1", ""], ["1", "2"], ["", ""]]
    ]


def test_tables_without_border_pipes_and_in_lists_and_quotes() -> None:
    assert rows(read("a | b\n--|--\n1 | `2`\n")) == [[["a", "b"], ["1", "2"]]]
    assert rows(read("- | a | b |\n  |---|---|\n  | 1 | 2 |\n")) == [[["a", "b"], ["1", "2"]]]
    assert rows(read("> | a | b |\n> |---|---|\n> | 1 | 2 |\n")) == [[["a", "b"], ["1", "2"]]]


def test_a_wide_table_is_read_whole() -> None:
    header = "|" + "|".join(f" h{n} " for n in range(60)) + "|"
    body = f"{header}\n|{'---|' * 60}\n|" + "|".join(f" 值{n} " for n in range(60)) + "|\n"
    assert rows(read(body))[0][1] == [f"值{n}" for n in range(60)]


@given(
    st.lists(
        st.lists(st.text(alphabet="ab`|\\中 ", max_size=5), min_size=2, max_size=2), min_size=1, max_size=3
    )
)
def test_cells_lie_inside_their_line_and_code_spans_inside_their_cell(cells: list[list[str]]) -> None:
    body = "| a | b |\n|---|---|\n" + "".join(f"| {left} | {right} |\n" for left, right in cells)
    document = read(body)
    for section in document.sections:
        for table in section.tables:
            for row in table.rows:
                assert len(row) == 2
                for cell in row:
                    assert "\n" not in cell.span.text and "`" not in cell.value
    for mention in document.mentions:
        assert mention.text.span.text.replace("\\|", "|") == mention.text.value


@pytest.mark.parametrize(
    ("body", "info", "content"),
    [
        ("```text\n一\n二\n```\n", "text", "一\n二\n"),
        ("~~~\nx\n~~~\n", "", "x\n"),
        ("````md 说明\n```\nx\n```\n````\n", "md", "```\nx\n```\n"),
        ("```json\n{}\n", "json", "{}\n"),
        ("```\n```\n", "", ""),
        ("```text\n\n```\n", "text", "\n"),
    ],
)
def test_fences_have_their_content_at_its_place(body: str, info: str, content: str) -> None:
    fence = read("# t\n" + body).sections[0].fences[0]
    assert (fence.info, fence.content.value) == (info, content)
    exact(fence.content)


def test_a_fence_in_a_list_belongs_to_its_section() -> None:
    fences = read("# t\n\n1. 一\n\n   ```text\n   问\n   ```\n").sections[0].fences
    assert [(f.info, f.content.value) for f in fences] == [("text", "问\n")]


def test_mentions_stand_in_prose_headings_items_and_tables_and_not_in_fences() -> None:
    body = "# `a`\n\n读 `b.c`，写 `d.e`。\n\n- `f`\n\n> `g`\n\n```\n`no`\n```\n\n    `no`\n\n| x |\n|---|\n| `h` |\n"
    assert mentions(body) == ["a", "b.c", "d.e", "f", "g", "h"]
    assert [m.in_table for m in read(body).mentions] == [False] * 5 + [True]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("`` a`b ``\n", ["a`b"]),
        ("` a `\n", ["a"]),
        ("`  `\n", ["  "]),
        ("\\`no` `yes`\n", [" "]),
        ("`open\n", []),
        ("`a\nb`\n", ["a b"]),
        ("> `a\n> b` `c`\n", ["a b", "c"]),
        ("`a` 和`b`\n", ["a", "b"]),
        ("``` `\n", []),
    ],
)
def test_code_spans_follow_the_markdown_rules(body: str, found: list[str]) -> None:
    assert mentions(body) == found


@given(st.text(alphabet="a`\\ \n", max_size=14))
def test_code_spans_are_those_of_markdown(content: str) -> None:
    from markdown_it import MarkdownIt

    text = " ".join(content.split()) or "x"
    inline = MarkdownIt("commonmark").parseInline(text)[0].children or []
    expected = [token.content for token in inline if token.type == "code_inline"]
    assert [text[start:end] for start, end in code_ranges(text)] == expected


@given(st.text(alphabet="#-|`> \n1.中a\t*=~", max_size=60))
def test_any_body_is_read_and_every_place_lies_in_it(body: str) -> None:
    document = read(body)
    for section in document.sections:
        places = [section.title.span, section.body]
        places += [
            cell.span for table in section.tables for row in (table.header, *table.rows) for cell in row
        ]
        places += [fence.content.span for fence in section.fences]
        for place in places:
            assert document.body.start <= place.start <= place.end <= document.body.end
    joined = "".join(section.body.text for section in document.sections)
    assert len(joined) <= len(body)


@pytest.mark.parametrize("piece", ["`a` ", "\\`` ", "\\\\` ``b "])
def test_code_spans_of_a_long_line_cost_no_more_than_the_line(piece: str) -> None:
    def work(count: int) -> int:
        content = Sliced(piece * count)
        steps = calls(lambda: list(code_ranges(content)))
        return steps + content.copied

    assert work(2000) < 3 * work(1000)


def test_code_spans_of_a_long_paragraph_keep_their_places() -> None:
    count = 2000
    source = Source("a.md", "a `b`\n" * count)
    lines = [Text("a `b`", source.span(6 * at, 6 * at + 5)) for at in range(count)]
    assert [span.span.start for span in code_spans(lines)] == [6 * at + 3 for at in range(count)]

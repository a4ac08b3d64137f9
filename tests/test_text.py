"""Positions: offsets to lines and columns and back, in code points and in UTF-16 units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.text import Source, Span, Text

texts = st.text(alphabet="ab中𠮷😀\n", max_size=40)


@given(texts, st.data())
def test_a_position_names_its_offset(text: str, data: st.DataObject) -> None:
    source = Source("a.md", text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = source.position(offset)
    assert text[:offset].count("\n") == line - 1
    assert source.line_starts()[line - 1] + column - 1 == offset
    assert source.line(line)[: column - 1] == text[offset - column + 1 : offset]


@given(texts)
def test_the_lines_are_the_text(text: str) -> None:
    source = Source("a.md", text)
    lines = [source.line(number + 1) for number in range(len(source.line_starts()))]
    assert "\n".join(lines) == text


@given(texts, st.data())
def test_utf16_columns_count_what_editors_count(text: str, data: st.DataObject) -> None:
    source = Source("a.md", text)
    offset = data.draw(st.integers(0, len(text)))
    before = text[:offset].rpartition("\n")[2]
    assert source.utf16_column(offset) == sum(1 + (ord(char) > 0xFFFF) for char in before)


def test_a_span_knows_its_text_its_ends_and_its_parts() -> None:
    source = Source("a.md", "一二\n三四五")
    span = source.span(3, 6)
    assert (span.path, span.text, span.position, span.end_position) == ("a.md", "三四五", (2, 1), (2, 4))
    assert span.part(1, 2) == Span(source, 4, 5)
    assert source.span(2) == Span(source, 2, 2)
    assert Text("四", span.part(1, 2)).span.text == "四"


def test_a_source_equals_itself_only() -> None:
    one, other = Source("a.md", "x"), Source("a.md", "x")
    assert one == one and one != other
    assert Span(one, 0, 1) == Span(one, 0, 1) != Span(other, 0, 1)


@pytest.mark.parametrize("text", ["", "\n", "x", "x\n"])
def test_the_end_of_a_text_has_a_position(text: str) -> None:
    source = Source("a.md", text)
    assert source.position(len(text)) == (text.count("\n") + 1, len(text.rpartition("\n")[2]) + 1)

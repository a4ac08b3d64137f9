"""Bytes to canonical text: what is refused, what is accepted with a note, what means the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.diagnostic import Diagnostic
from skillc.source.characters import is_plain, value_characters
from skillc.source.decode import FILE_LIMIT, decode
from skillc.source.markdown import read_document
from skillc.source.yamlfile import read_yaml
from skillc.text import Source

FM = (
    "---\nid: w\nskill: s\nname: n\ndescription: d\nversion: 1\n"
    'inputTags: ["需求.核心要点"]\noutputTags: ["规则.草稿"]\n---\n'
)


def codes(found: list[Diagnostic]) -> list[str]:
    return [f"{d.code.slug} {d.span.position[0]}:{d.span.position[1]}" for d in found]


def text(data: bytes) -> str:
    source = decode("a.md", data)[0]
    assert source is not None
    return source.text


def test_a1_one_byte_order_mark_is_accepted_and_noted() -> None:
    source, found = decode("a.md", b"\xef\xbb\xbf" + FM.encode())
    assert source is not None and source.text == FM
    assert codes(found) == ["byte-order-mark 1:1"]


def test_a1_a_second_byte_order_mark_is_an_error_and_no_cascade_follows() -> None:
    source, found = decode("a.md", b"\xef\xbb\xbf\xef\xbb\xbf" + FM.encode())
    assert source is not None
    document, more = read_document(source)
    assert codes([*found, *more]) == ["byte-order-mark 1:1", "invisible-character 1:1"]
    assert document.front is not None and document.front.get("id") is not None


def test_a1_a_mark_before_crlf() -> None:
    assert text(b"\xef\xbb\xbf" + FM.replace("\n", "\r\n").encode()) == FM


def test_a2_crlf_means_lf() -> None:
    assert text(FM.replace("\n", "\r\n").encode()) == text(FM.encode()) == FM
    assert decode("a.md", FM.replace("\n", "\r\n").encode())[1] == []


def test_a2_lone_carriage_returns_give_one_error_and_no_cascade() -> None:
    source, found = decode("a.md", FM.replace("\n", "\r").encode())
    assert source is not None
    document, more = read_document(source)
    assert codes([*found, *more]) == ["lone-cr 1:4"]
    assert "line 1" in found[0].message
    assert document.front is not None


def test_a2_a_lone_carriage_return_names_its_line() -> None:
    assert codes(decode("a.md", b"a\r\nb\r\nc\rd\n")[1]) == ["lone-cr 3:2"]


@pytest.mark.parametrize(
    ("data", "byte", "position", "looks"),
    [
        (b"---\nname: " + "规则".encode("gbk"), 10, "2:7", "GBK"),
        ("---\nname: n".encode("utf-16-le"), 1, "1:2", "UTF-16"),
        (FM.encode("utf-16-be"), 132, "7:27", "UTF-16"),
        (FM.encode("utf-16"), 0, "1:1", "UTF-16"),
        (b"ab\n\xffcd", 3, "2:1", ""),
        (b"ab\xe4\xb8", 2, "1:3", ""),
        (b"\xed\xa0\x80", 0, "1:1", ""),
        (b"\xc0\xaf", 0, "1:1", ""),
    ],
)
def test_a18_bytes_that_are_not_utf8_are_named_and_never_guessed(
    data: bytes, byte: int, position: str, looks: str
) -> None:
    source, found = decode("a.md", data)
    assert source is None
    assert codes(found) == [f"not-utf8 {position}"]
    assert f"at byte {byte}:" in found[0].message
    assert looks in found[0].help and (looks != "") == ("looks like" in found[0].help)


def test_a_nul_character_is_utf8_and_no_text() -> None:
    source, found = decode("a.md", b"a\x00b")
    assert source is None and codes(found) == ["not-utf8 1:2"]
    assert found[0].message == "the file holds a NUL character at byte 1: it is no text"
    assert "UTF-8" not in found[0].help


@given(st.binary(max_size=60))
def test_any_bytes_are_a_text_or_a_finding(data: bytes) -> None:
    source, found = decode("a.md", data)
    assert source is not None or len(found) == 1
    if source is not None:
        assert "\r" not in source.text and not source.text.startswith("\ufeff" * 2)
        for problem in found:
            assert 0 <= problem.span.start <= len(source.text)


@given(st.text(alphabet="a中😀\n", max_size=40))
def test_canonical_text_is_left_as_it_is(value: str) -> None:
    assert decode("a.md", value.encode())[1] == []
    assert text(value.encode()) == value


def test_a_file_has_a_largest_size() -> None:
    assert decode("a.md", b"a" * FILE_LIMIT)[1] == []
    source, found = decode("a.md", b"a" * (FILE_LIMIT + 1))
    assert source is None and codes(found) == ["too-large 1:1"]
    assert "1,048,576" in found[0].message


HIDING = [0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080)]


def test_no_text_with_a_character_that_hides_or_turns_others_is_taken_for_plain() -> None:
    texts = [f"字“{chr(code)}…" for code in HIDING]
    assert not any(is_plain(text, text.encode()) for text in texts)


@pytest.mark.parametrize(
    "text", ["", "a\tb\n", "“字——”……", "\u3000全角", "é\u200b\u2065\u206a\u2029", "😀𠮷"]
)
def test_ordinary_texts_are_plain(text: str) -> None:
    assert is_plain(text, text.encode())


def test_d81_bidirectional_controls_in_a_body_are_warned_with_their_place() -> None:
    document, found = read_document(Source("a.md", FM + "一\n写\u202e作\u202c\n再\u2066写\n"))
    assert codes(found) == ["bidi-in-body 11:2", "bidi-in-body 12:2"]
    assert "`U+202E`" in found[0].message and document.front is not None


def test_d81_a_description_is_prose() -> None:
    found = read_document(Source("a.md", FM.replace("description: d", "description: 写\u202e作")))[1]
    assert codes(found) == ["bidi-in-body 5:15"]


def test_d82_tag_characters_are_errors_in_any_text() -> None:
    found = decode("a.md", (FM + "写完\U000e0041\U000e0042即可\n\U000e0020").encode())[1]
    assert codes(found) == ["invisible-character 10:3", "invisible-character 11:1"]


def test_d83_a_mark_inside_a_text_is_an_error() -> None:
    assert codes(decode("a.md", "规则\ufeff.草稿".encode())[1]) == ["invisible-character 1:3"]


@pytest.mark.parametrize(
    "body",
    [
        "👨‍👩‍👧 ❤️ 葛\U000e0100",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می‌خواهم",
        "שלום \u200f.",
        "soft\u00adhyphen",
        "`\\u202e`",
    ],
)
def test_prose_may_hold_what_its_script_needs(body: str) -> None:
    source, found = decode("a.md", (FM + body).encode())
    assert source is not None
    assert [*found, *read_document(source)[1]] == []


def test_a_flag_does_not_excuse_other_tag_characters() -> None:
    flag = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    assert codes(decode("a.md", (flag + "\U000e0041").encode())[1]) == ["invisible-character 1:8"]
    assert codes(decode("a.md", "🏴\U000e0041\U000e007f".encode())[1]) == ["invisible-character 1:2"]


def test_d79_keys_and_ids_may_hold_nothing_invisible() -> None:
    file, found = read_yaml(Source("a.yaml", "规\u200b则: x\nworker: wri\u00adte\nname: 写\u200b作 者\n"))
    assert codes(found) == ["invisible-character 1:2", "invisible-character 2:12"]
    assert list(value_characters(file.root)) == found[1:]

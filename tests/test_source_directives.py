"""Directives in comments: where they are read, what they cover, and that no model ever reads them."""

from __future__ import annotations

import pytest

from skillc.source.directives import document_directives, file_directives, spoken
from skillc.source.markdown import read_document
from skillc.source.yamlfile import read_yaml
from skillc.text import Source

HEAD = "---\nid: w\n---\n"


def scopes(text: str) -> list[tuple[list[str], int, int | None]]:
    document, _ = read_document(Source("a.md", text))
    return [([c.id for c, _ in d.codes], d.first, d.last) for d in document_directives(document)]


def faults(text: str) -> list[str]:
    found = read_document(Source("a.md", text))[1]
    return [d.message for d in found if d.code.slug == "bad-suppression"]


def spoken_body(text: str) -> str:
    document, _ = read_document(Source("a.md", HEAD + text))
    return spoken(document, document.body.start, document.body.end)


def test_a_comment_on_its_own_line_covers_the_block_below() -> None:
    text = HEAD + "<!-- skillc: ignore[unread-output] 存档 -->\n\n| a |\n|---|\n| b |\n\nc\n"
    assert scopes(text) == [(["G021"], 6, 8)]


def test_a_comment_behind_text_covers_its_line() -> None:
    assert scopes(HEAD + "a\n\nb <!-- skillc: ignore[G021, T041] r --> c\n") == [(["G021", "T041"], 6, 6)]


def test_two_comments_above_one_block_both_cover_it() -> None:
    text = HEAD + "<!-- skillc: ignore[G021] r -->\n<!-- skillc: ignore[T041] r -->\ntext\n"
    assert scopes(text) == [(["G021"], 6, 6), (["T041"], 6, 6)]


def test_a_file_directive_covers_all_of_it() -> None:
    assert scopes(HEAD + "x\n\n<!-- skillc: ignore-file[G021] r -->\n") == [(["G021"], 1, None)]


def test_frontmatter_takes_yaml_comments() -> None:
    text = "---\nid: w # skillc: ignore[P010] r\n# skillc: ignore[G021] r\n\n# why\nname: n\n---\n"
    assert scopes(text) == [(["P010"], 2, 2), (["G021"], 6, 6)]


def test_text_in_quotes_blocks_and_code_is_no_directive() -> None:
    for value in ('"# skillc: ignore[G021] r"', "|\n  # skillc: ignore[G021] r", "x# skillc: ignore[G021] r"):
        assert scopes(f"---\nid: w\nname: {value}\n---\n") == []
    comment = "<!-- skillc: ignore[G021] r -->"
    for body in (
        f"```\n{comment}\n```\n",
        f"a `{comment}` b\n",
        f"x\n\n    {comment}\n",
        f"| a |\n|---|\n| `{comment}` |\n",
    ):
        assert scopes(HEAD + body) == []
        assert spoken_body(body) == body


def test_json_has_no_directives() -> None:
    file, _ = read_yaml(Source("context-order.json", '{"a": "# skillc: ignore[G021] r"}'))
    assert file_directives(file) == ()
    file, _ = read_yaml(Source("tags.yaml", "a: b # skillc: ignore[G021] r\n"))
    assert len(file_directives(file)) == 1


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("ignore[G021]", ["the suppression gives no reason"]),
        ("ignore[unred-output] r", ["no finding is called `unred-output`"]),
        ("ignore[] r", ["the suppression names no code"]),
        ("ignore G021 r", ["`skillc: ignore G021 r` is no directive"]),
        ("disable[G021] r", ["`skillc: disable` is no directive"]),
        ("ignore[G021] r", []),
        ("ignore[g021，unproduced-input]：理由", []),
    ],
)
def test_what_is_wrong_with_a_directive_is_said(written: str, said: list[str]) -> None:
    assert faults(f"---\nid: w # skillc: {written}\n---\n") == said
    assert faults(f"{HEAD}<!-- skillc: {written} -->\nx\n") == said


def test_no_model_reads_a_directive_and_every_other_byte_stays() -> None:
    comment = "<!-- skillc: ignore[G021] r -->"
    assert spoken_body(f"a\n\n{comment}\nb\n") == "a\n\nb\n"
    assert spoken_body(f"a  {comment} b  \n") == "a b  \n"
    assert spoken_body(f"{comment}\n{comment}\n") == ""
    assert spoken_body(f"a\n{comment}") == "a\n"
    assert spoken_body("<!-- skillc: ignore[G021]\n  r -->\nb\n") == "b\n"
    assert spoken_body("a <!-- skillc --> <!-- x -->\n") == "a <!-- skillc --> <!-- x -->\n"


def test_a_reason_mentions_no_tag() -> None:
    document, _ = read_document(
        Source("a.md", HEAD + "a `甲.乙` <!-- skillc: ignore[G021] wie `丙.丁` -->\n")
    )
    assert [m.text.value for m in document.mentions] == ["甲.乙"]

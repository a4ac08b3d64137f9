"""Directives in comments: where they are read, what they cover, and that no model ever reads them."""

from __future__ import annotations

import pytest

from counting import calls
from skillc.source.directives import bad_directives, document_directives, file_directives, spoken
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
    text = "---\nid: w # skillc: ignore[G022] r\n# skillc: ignore[G021] r\n\n# why\nname: n\n---\n"
    assert scopes(text) == [(["G022"], 2, 2), (["G021"], 6, 6)]


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


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("skillc：ignore[T023] r", "skillc: ignore[T023]"),
        ("skillc: ignore【T023，G021】 r", "skillc: ignore[T023, G021]"),
        ("skillc：ignore-file【duplicate-tag】 r", "skillc: ignore-file[duplicate-tag]"),
        ("Skillc: Ignore[t023] r", "skillc: ignore[T023]"),
        ("SKILLC: IGNORE_FILE[T023] r", "skillc: ignore-file[T023]"),
        ("skillc ignore[T023] r", "skillc: ignore[T023]"),
        ("skillc：忽略【T023】", "skillc: ignore[T023]"),
        ("Skillc: ignore T023 r", "skillc: ignore[T023]"),
        ("skillc: Ignore[]", "skillc: ignore[CODE]"),
        ("skillc：ignore（T023） r", "skillc: ignore[T023]"),
    ],
)
def test_a_directive_that_is_mistyped_is_said_with_the_right_form(written: str, form: str) -> None:
    for text in (f"---\nid: w # {written}\n---\n", f"{HEAD}<!-- {written} -->\nx\n"):
        found = [d for d in read_document(Source("a.md", text))[1] if d.code.slug == "bad-suppression"]
        assert [d.help for d in found] == [f"write `{form} reason`"]
        assert scopes(text) in ([], [([], 2, 2)], [([], 4, 4)])


@pytest.mark.parametrize(
    "prose",
    [
        "skillc 会检查这一行",
        "skillc：见文档（T023）",
        "Skillc ignores unknown keys here",
        "skillc ignore（忽略注释）的写法见指南",
        "SKILLC：规则【一】",
        "skillc 忽略它",
        "skillcheck: ignore[T023] r",
    ],
)
def test_prose_that_begins_with_our_name_is_none(prose: str) -> None:
    assert faults(f"---\nid: w # {prose}\n---\n# {prose}\n\n<!-- {prose} -->\n") == []


def test_a_yaml_comment_in_a_body_is_a_heading_and_said() -> None:
    text = HEAD + "# skillc: ignore[T023] r\n\n```yaml\n# skillc: ignore[T023] r\n```\n"
    (found,) = (d for d in read_document(Source("a.md", text))[1] if d.code.slug == "bad-suppression")
    assert found.span.position == (4, 1)
    assert found.help == "write `<!-- skillc: ignore[T023] reason -->`"


@pytest.mark.parametrize("code", ["P005", "yaml-syntax", "bad-tag", "bad-suppression", "id-mismatch"])
def test_no_comment_suppresses_what_keeps_a_file_from_being_read(code: str) -> None:
    (said,) = faults(f"---\nid: w # skillc: ignore[{code}] r\n---\n")
    assert said.startswith("no comment suppresses `") and "no package is built" in said
    assert scopes(f"---\nid: w # skillc: ignore[{code}, T023] r\n---\n") == [(["T023"], 2, 2)]


def test_a_comment_may_begin_in_the_next_line() -> None:
    assert scopes(HEAD + "<!--\nskillc: ignore[G021] r\n-->\ntext\n") == [(["G021"], 7, 7)]


@pytest.mark.parametrize(
    ("head", "piece", "tail"),
    [
        (HEAD, "<!-- skillc: ignore[G021] r\n", ""),
        (HEAD, "<!-- skillc: ignore[G021] r -->\n", "text\n"),
        (HEAD, "a `b` <!-- skillc: ignore[G021] r -->\n", ""),
        ("---\n", "# skillc: ignore[G021] r\n", "id: w\n---\n"),
        ("---\nid: [", "a, # skillc: ignore[G021] r\n  ", "b]\n---\n"),
    ],
    ids=["unclosed", "stacked", "beside code", "stacked in yaml", "beside items"],
)
def test_twice_as_many_comments_are_twice_as_much_work(head: str, piece: str, tail: str) -> None:
    def steps(count: int) -> int:
        document, _ = read_document(Source("a.md", head + piece * count + tail))
        return calls(lambda: [document_directives(document), list(bad_directives(document))])

    assert steps(400) < 2.2 * steps(200)


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

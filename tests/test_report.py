"""Reports: the same findings for people, for tools and as JSON."""

from __future__ import annotations

import json

from rich.cells import cell_len

from skillc.diagnostic import Diagnostic, Edit, Fix, Label, finding
from skillc.report import render
from skillc.report.counts import count
from skillc.report.visible import visible
from skillc.text import Source
from skillc.wording import say

SOURCE = Source(
    "skills/novel/甲/workers/写手/SKILL.md", '---\nid: w\ninputTags: ["世界", "规则.草搞"]\n---\n'
)
AT = SOURCE.text.index("规则")
WRITER = Source("skills/novel/甲/workers/b/SKILL.md", "outputTags: [规则.草稿]\n")


def example() -> Diagnostic:
    span = SOURCE.span(AT, AT + 5)
    return finding(
        "unproduced-input",
        span,
        "nobody writes `规则.草搞`",
        "write `规则.草稿`",
        [Label(WRITER.span(13, 18), "`规则.草稿` is written here")],
        Fix("correct the tag", (Edit(span, "规则.草稿"),)),
    )


def report(form: str, diagnostics: list[Diagnostic] | None = None, color: bool = False) -> str:
    found = [example()] if diagnostics is None else diagnostics
    return render(form, found, count(found, 1, 2), color)


def test_the_text_report_underlines_the_span_under_chinese() -> None:
    lines = report("text").splitlines()
    assert lines == [
        "error[G001] unproduced-input: nobody writes `规则.草搞`",
        " --> skills/novel/甲/workers/写手/SKILL.md:3:20",
        "  |",
        '3 | inputTags: ["世界", "规则.草搞"]',
        "  |                      ^^^^^^^^^",
        " ::: skills/novel/甲/workers/b/SKILL.md:1:14",
        "  |",
        "1 | outputTags: [规则.草稿]",
        "  |              --------- `规则.草稿` is written here",
        "  = help: write `规则.草稿`",
        "",
        "1 error in 1 package (2 workers)",
        "1 fixable with --fix",
    ]
    shown, carets = lines[3], lines[4]
    before = shown[: shown.index("规则")]
    assert carets.index("^") == cell_len(before)
    assert carets.count("^") == cell_len("规则.草搞")


def test_the_concise_report_is_one_line_per_finding() -> None:
    assert report("concise") == (
        "skills/novel/甲/workers/写手/SKILL.md:3:20: G001 error unproduced-input: nobody writes `规则.草搞`\n"
    )


def test_json_has_the_published_shape() -> None:
    data = json.loads(report("json"))
    assert data["format_version"] == "1.0"
    assert data["summary"] == {"errors": 1, "warnings": 0, "infos": 0, "packages": 1, "workers": 2}
    (entry,) = data["diagnostics"]
    assert entry == {
        "code": "G001",
        "slug": "unproduced-input",
        "severity": "error",
        "path": SOURCE.path,
        "line": 3,
        "column": 20,
        "end_line": 3,
        "end_column": 25,
        "message": "nobody writes `规则.草搞`",
        "help": "write `规则.草稿`",
        "related": [{"path": WRITER.path, "line": 1, "column": 14, "message": "`规则.草稿` is written here"}],
        "fix": {
            "message": "correct the tag",
            "safe": True,
            "edits": [
                {
                    "path": SOURCE.path,
                    "line": 3,
                    "column": 20,
                    "end_line": 3,
                    "end_column": 25,
                    "text": "规则.草稿",
                }
            ],
        },
    }


def test_no_findings_is_said() -> None:
    assert report("text", []) == "no findings in 1 package (2 workers)\n"
    assert report("concise", []) == ""


def test_colour_only_adds_escapes() -> None:
    import re

    colored = report("text", color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == report("text")


def test_package_text_cannot_drive_the_terminal() -> None:
    """Escapes, bidirectional controls and invisible characters are shown, not obeyed."""
    source = Source("a.md", "x\x1b[2J\u202e\u200by")
    shown = report("text", [finding("bad-tag", source.span(0, 8), "bad `\x1b]0;t\x07`")])
    assert "\x1b" not in shown and "\u202e" not in shown and "\u200b" not in shown
    assert "x<U+001B>[2J<U+202E><U+200B>y" in shown


def test_emoji_sequences_stay_whole() -> None:
    assert visible("👩‍👧 ❤️") == "👩‍👧 ❤️"


def test_a_long_line_is_cut_around_the_finding() -> None:
    source = Source("a.md", "前" * 3000 + "坏" + "后" * 3000)
    lines = report("text", [finding("bad-tag", source.span(3000, 3001), "m")]).splitlines()
    assert max(cell_len(line) for line in lines) < 130
    assert "坏" in lines[3]
    assert cell_len(lines[3][: lines[3].index("坏")]) == lines[4].index("^")


def test_a_finding_at_the_end_of_a_file_without_text() -> None:
    lines = report("text", [finding("frontmatter-missing", Source("a.md", "").span(), "no frontmatter")])
    assert lines.splitlines()[1].endswith("a.md:1:1")


def test_a_sentence_is_shown_as_it_was_translated() -> None:
    """With its blanks between Chinese and names, which only the translation puts there."""
    subject, wanted = "`inputMerge`", say("{one} or {other}", one="`latest`", other="`concat`")
    said = say("{subject} must be {wanted}, not {shown}", subject=subject, wanted=wanted, shown="`newest`")
    found = [finding("field-type", SOURCE.span(AT, AT + 5), said)]
    text = render("text", found, count(found, 1, 2), language="zh")
    assert "field-type：`inputMerge` 必须是 `latest` 或 `concat`，不能是 `newest`\n" in text

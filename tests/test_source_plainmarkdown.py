"""The fast reading of plain Markdown gives the blocks that the parser gives, wherever it gives any."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.source.body import Body
from skillc.source.commonmark import read_blocks
from skillc.source.document import Mention, Section
from skillc.source.frontmatter import read_head
from skillc.source.plainmarkdown import read_plain_blocks
from skillc.text import Source

ROOT = Path(__file__).parent.parent
Blocks = tuple[tuple[Section, ...], tuple[Mention, ...]]


def plain(source: Source, start: int = 0) -> Blocks | None:
    body = Body(source, source.span(start, len(source.text)))
    return (body.sections(), body.mentions()) if read_plain_blocks(body) else None


def parsed(source: Source, start: int = 0) -> Blocks:
    body = Body(source, source.span(start, len(source.text)))
    read_blocks(body)
    sections = body.sections()
    assert "|" in body.span.text or not any(section.tables for section in sections), "has_tables relies on it"
    return sections, body.mentions()


def agree(text: str) -> bool:
    """Whether the text is plain; where it is, both readings say one thing."""
    source = Source("a.md", text)
    found = plain(source)
    assert found is None or found == parsed(source), text
    return found is not None


PIECES = st.sampled_from(
    [
        *("a", "字", "`b`", "`", "``", " ", "  ", "   ", "    ", "\n", "\n\n", "\n  ", "\t", "\\", "[x]: y"),
        *("\n- ", "\n* ", "\n+ ", "\n1. ", "\n2. ", "\n10) ", "\n  - ", "\n   - ", "\n    - ", "-", "+     "),
        *(
            "\n# ",
            "\n## ",
            "#",
            " ##\n",
            "\n```\n",
            "```",
            "\n````",
            "\n~~~\n",
            "\n---",
            "\n===",
            "***",
            "- - -",
        ),
        *(
            "\n| a | b |\n|---|---|\n| `c` |\n",
            "|",
            "\n|---|",
            "\n|",
            ":-: | -",
            "\n> ",
            "<",
            "[",
            "**",
            "_",
            "1.",
        ),
        *("\u3000", "\n\u3000", "\xa0\n", "\x0b", "\u2028", "\ufeff", "\n-\n", "\n1.\n", "\n- a\n\n  b\n"),
    ]
)
LINES = st.sampled_from(
    [
        *(
            "",
            "",
            "",
            "  ",
            "字",
            "`甲` 与 `乙`",
            "**粗**：`a",
            "b` 后",
            "  缩一点",
            "    缩很多",
            "#标签",
            "####### 七",
        ),
        *(
            "# 一",
            "## **二** `c`",
            "### 三 #",
            "#",
            " # 四",
            "- 甲：`d`",
            "- 乙",
            "* 丙",
            "- [ ] 丁",
            "-无",
            "- ",
        ),
        *(
            "1. 一",
            "2. 二",
            "1) 三",
            "2024. 年",
            "2024 年",
            "  - 内",
            "   - 内",
            "    - 内",
            "     - 深",
            "  续",
            "   续",
        ),
        *(
            "```",
            "```json",
            "````",
            "~~~",
            "   ```",
            "- ```",
            "| a | `b` |",
            "|---|:-:|",
            "| 1 |",
            "|x",
            "| --- |",
        ),
        *("---", "===", "***", "- - -", "> 引", "<!-- 注 -->", "[a]: b", "[词]", "a | b", "--|--", "\\| x |"),
    ]
)


@settings(max_examples=2000, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_what_is_read_here_is_what_the_parser_gives(text: str) -> None:
    agree(text)


@settings(max_examples=2000, deadline=None)
@given(st.lists(LINES, max_size=10).map("\n".join))
def test_lines_of_all_kinds_are_what_the_parser_makes_of_them(text: str) -> None:
    agree(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# 一\n\n正文 `a`\n续行\n\n## 二\n- 甲\n  续\n  - 乙 `b\n    c`\n- 丙\n\n  段\n\n末\n",
        "前言\n\n```text\n# 不是\n- 不是\n```\n1. 一\n2. 二\n   - 三\n10. 四\n",
        "表：\n| a | b |\n|---|---|\n| `c` | d |\n\n| 一 |\n|:-:|\n# 二\n",
        "段\n- 打断\n\n段\n1. 打断\n\n7. 从七\n\n---\n\n~~~ md x\n`不`\n~~~\n",
        "- 一\n\n- 二\n后\n\n  `三`\n\n四",
        "- \u3000\n",
    ],
)
def test_what_documents_use_is_read_here(text: str) -> None:
    assert agree(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "标题\n===\n",
            "标题\n---\n",
            "> 引\n",
            "<!-- 注 -->\n",
            "    码\n",
            "\t码\n",
            "a | b\n--|--\n1 | 2\n",
        ),
        *(
            "[a]: b\n",
            "- ```\n  x\n  ```\n",
            "```\n没有完\n",
            "- a\n\n      码\n",
            "# a #\n",
            "#\n",
            "-\n",
            "1.\n",
        ),
        *(
            "段\n2. 不是表\n",
            "- a\n - b\n",
            "- - a\n",
            "-     码\n",
            "| a | b |\n|---|\n",
            "| \\| |\n|---|\n",
        ),
        *(
            "* * *\n",
            "| a |\n|---|\n并入\n",
            "a | b\n|---|:-:|\n|---|:-:|\n",
            "- a\n  | b |\n  |---|\n",
            "\u3000\n`a`",
            "# 一 | 二\n---\n",
            "``` |\n|---|\n```\n",
        ),
    ],
)
def test_what_is_not_plain_is_left_to_the_parser(text: str) -> None:
    assert not agree(text)


def _documents() -> Iterator[Path]:
    folders = ("skills", "docs", "tests", "compiler")
    return (path for folder in folders for path in sorted((ROOT / folder).rglob("*.md")))


def test_all_documents_here_are_read_alike_and_nearly_all_packages_the_short_way() -> None:
    short = []
    for path in _documents():
        source = Source("a.md", path.read_text("utf-8"))
        head, _ = read_head(source)
        start = 0 if head.front is None else head.body.start
        found = plain(source, start)
        assert found is None or found == parsed(source, start), path
        if path.is_relative_to(ROOT / "skills") and path.name in ("SKILL.md", "orchestrator.md"):
            short.append(found is not None)
    assert sum(short) > 0.8 * len(short)

"""Documents for readers: titles, and headings of a text below those of the document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli import examples, skillc, write
from skillc.cli.readable import below, title_of


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("# 一\n## 二\n", "### 一\n#### 二\n"),
        ("## 讲故事的人\n字", "### 讲故事的人\n字"),
        ("#### 深\n# 浅", "###### 深\n### 浅"),
        ("##### a\n## b", "###### a\n### b"),
        ("### 已经在下面", "### 已经在下面"),
        ("#标签 不是标题\n字", "#标签 不是标题\n字"),
        ("```\n# 代码\n```\n# 一", "```\n# 代码\n```\n### 一"),
        ("~~~\n```\n# 代码\n~~~~\n# 一", "~~~\n```\n# 代码\n~~~~\n### 一"),
        ("没有标题", "没有标题"),
        ("", ""),
    ],
)
def test_headings_move_down_together(text: str, moved: str) -> None:
    assert below(text, 2) == moved


@pytest.mark.parametrize(
    ("description", "title"),
    [
        ("交互式长篇：先定设定，再写。", "交互式长篇"),
        ("A novel, in short", "A novel"),
        ("没有标点", "没有标点"),
        ("", ""),
    ],
)
def test_a_title_is_the_first_clause(description: str, title: str) -> None:
    assert title_of(description) == title


def test_an_exported_session_is_one_outline(tmp_path: Path) -> None:
    """Workers by their names, answers to several questions apart, headings of a text below that of its section."""
    examples(tmp_path, "novel/basic")
    script = """\
user:
  - answer: {需求.核心要点: "# 店\\n最后三十天"}
  - accept: true
replies:
  - worker: outline
    reply:
      outputs: {大纲.草稿: "# 底片\\n\\n## 第一章\\n字"}
"""
    write(tmp_path, {"s.yaml": script})
    done = skillc("run", "basic", "--script", "s.yaml", "--export", "end.md", cwd=tmp_path)
    assert done.code == 0, done.out + done.err
    session = json.loads(skillc("session", "list", "--json", cwd=tmp_path).out)[0]["id"]
    text = skillc("session", "export", session, "--lang", "zh", cwd=tmp_path).out
    assert text.startswith(f"# 最小的小说包\n\n*会话 {session}（novel/basic），开始于 ")
    assert "### 你\n\n需求.核心要点：# 店" in text
    assert "## 大纲.确认稿\n\n### 底片\n\n#### 第一章\n字" in text
    assert (tmp_path / "end.md").read_text(encoding="utf-8") == (
        "# 最小的小说包\n\n## 大纲.确认稿\n\n### 底片\n\n#### 第一章\n字\n"
    )

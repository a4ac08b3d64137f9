"""`skillc show-artifact` in a real process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from artifact_samples import sample, written
from cli import Done, skillc, write

RULES = written(sample("generation-rules"))
BOARD = """
items:
  - tag: 设计.生成规则.草稿
    content: 旧的
    source: rules
  - tag: 设计.生成规则.草稿
    source: rules
    content:
      schema: context-fragment.v1
      技能: 生成规则
      brief: 新的
      mount: [gm, auditor]
      正文: {必要性判断: 要, rules: []}
  - {tag: 设计.故事推进, content: 一段散文, source: story}
  - {tag: 设计.监控栏, content: 退回了, source: monitor, status: rejected}
"""


def show(folder: Path, *arguments: str, **more: str) -> Done:
    return skillc("show-artifact", *arguments, cwd=folder, **more)


@pytest.mark.parametrize("name", ["规则.json", "规则.md", "规则"])
def test_a_file_by_any_name(tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: RULES})
    done = show(tmp_path, name)
    assert done.code == 0 and "weather · 天气" in done.out and done.err == ""


def test_standard_input(tmp_path: Path) -> None:
    assert "weather · 天气" in show(tmp_path, "-", stdin=f"好的：\n{RULES}").out


def test_an_item_of_a_board(tmp_path: Path) -> None:
    write(tmp_path, {"b.yaml": BOARD})
    done = show(tmp_path, "b.yaml", "--tag", "设计.生成规则.草稿")
    assert "新的" in done.out and "旧的" not in done.out and "设计.生成规则.草稿" in done.out
    assert "一段散文" in show(tmp_path, "b.yaml", "--tag", "设计.故事推进").out


def test_a_board_of_json_too(tmp_path: Path) -> None:
    board = {"items": [{"tag": "设计.实现机制", "content": sample("mechanism")}]}
    write(tmp_path, {"b.json": json.dumps(board, ensure_ascii=False)})
    assert "实现机制一句话" in show(tmp_path, "b.json").out
    assert "实现机制一句话" in show(tmp_path, "-", stdin=json.dumps(board)).out


def test_the_only_artifact_of_a_board_and_what_a_draft_became(tmp_path: Path) -> None:
    items = [
        {"tag": "用户.需求", "content": "一座港城"},
        {"tag": "设计.实现机制.草稿", "content": sample("mechanism"), "status": "superseded"},
        {"tag": "设计.实现机制.确认稿", "content": sample("mechanism", brief="定了")},
    ]
    write(tmp_path, {"b.json": json.dumps({"items": items}, ensure_ascii=False)})
    assert "定了" in show(tmp_path, "b.json").out
    draft = show(tmp_path, "b.json", "--tag", "设计.实现机制.草稿").out
    assert "定了" in draft and "设计.实现机制.确认稿" in draft


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("b.yaml",), "say which item with --tag: `设计.生成规则.草稿`, `设计.故事推进`"),
        (("b.yaml", "--tag", "设计.监控栏"), "has no live item `设计.监控栏`"),
        (("nowhere.json",), "cannot read `nowhere.json`"),
        (("folder",), "`folder` is no file"),
        (("gbk.txt",), "`gbk.txt` is not UTF-8: byte 0 cannot be read"),
        (("b.yaml", "--tag", "设计.故事推进", "--output", "b.yaml/x.html"), "cannot write"),
        (("broken.yaml",), "broken.yaml:2:1: P005"),
    ],
)
def test_refusals(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    write(tmp_path, {"b.yaml": BOARD, "folder/x": "", "broken.yaml": "a: [\n"})
    (tmp_path / "gbk.txt").write_bytes("规则".encode("gbk"))
    done = show(tmp_path, *arguments)
    assert done.code == 2 and says in done.err and done.out == ""


def test_a_page_in_a_file_and_on_standard_output(tmp_path: Path) -> None:
    write(tmp_path, {"r.json": RULES})
    done = show(tmp_path, "r.json", "--format", "html", "--output", "r.html", "--lang", "zh")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert done.code == 0 and done.out == "" and page.startswith("<!doctype html>")
    assert page == show(tmp_path, "r.json", "--format", "html", "--lang", "zh").out
    assert '<html lang="zh-CN">' in page and ">评估<" in page


def test_text_in_a_file_has_no_colour(tmp_path: Path) -> None:
    write(tmp_path, {"r.json": RULES})
    show(tmp_path, "r.json", "--output", "r.txt", "--color", "always")
    assert "\x1b" not in (tmp_path / "r.txt").read_text(encoding="utf-8")
    assert "\x1b[" in show(tmp_path, "r.json", "--color", "always").out


def test_the_language_follows_as_everywhere(tmp_path: Path) -> None:
    write(tmp_path, {"r.json": RULES})
    assert "open questions" in show(tmp_path, "r.json").out
    assert "开放问题" in show(tmp_path, "r.json", LC_ALL="zh_CN.UTF-8").out
    assert "cannot read" not in show(tmp_path, "x.json", "--lang", "zh").err


@pytest.mark.parametrize("text", ["", "一段散文", '{"brief": "短', "[]", "null", "\ufeff{}", "a\rb\x00c"])
def test_whatever_is_in_a_file_is_shown(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"x.txt": text})
    done = show(tmp_path, "x.txt", "--tag", "设计.实现机制")
    assert done.code == 0 and done.err == ""
    assert all(word in done.out for word in text.split() if word.isalnum())


def test_the_tag_says_what_a_text_is(tmp_path: Path) -> None:
    write(tmp_path, {"x.json": '{"brief": "短", "mount": [], "正文": {"支撑点": []}}'})
    assert "`覆盖检验` of 实现机制 is missing" in show(tmp_path, "x.json", "--tag", "设计.实现机制.草稿").out
    assert "missing" not in show(tmp_path, "x.json").out.replace("`技能` is missing", "")


def test_half_a_character_keeps_json_from_being_read_and_is_shown_as_it_is_written(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": '{"brief": "\\ud800坏", "a": "x"}'})
    for more in ((), ("--lang", "zh"), ("--format", "html", "--output", "a.html")):
        done = show(tmp_path, "a.md", *more)
        assert done.code == 0 and done.err == ""
    told = " ".join(show(tmp_path, "a.md").out.split())
    assert "its JSON cannot be read at line 1, column 1: a text in it holds half a surrogate" in told
    assert '{"brief":"\\ud800坏"' in show(tmp_path, "a.md").out.replace('": "', '":"')

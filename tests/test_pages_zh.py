"""Chinese pages: one for each code, in step with the English one, with the examples and sections of that."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from cli import skillc
from skillc.checks.page import FOLDER, Page, load_page, parse_page
from skillc.checks.translation import (
    Translation,
    digest_of,
    load_translation,
    parse_translation,
    told_page,
    translation_path,
)
from skillc.diagnostic import CODES
from skillc.report.language import words_of

PAGES = {code.id: parse_page(text) for code in CODES.values() if (text := load_page(code))}
WORDS = words_of("zh")
CODE_SPAN = re.compile(r"`+[^`]*`+")


def translation(page: Page) -> Translation:
    found = load_translation(page.code)
    assert found, f"write {os.path.relpath(translation_path(page.code))}"
    return found


@pytest.mark.parametrize("id", PAGES)
def test_a_chinese_page_says_what_the_english_one_says_now(id: str) -> None:
    page = PAGES[id]
    found = translation(page)
    assert found.of == digest_of(page), (
        f"the page of {id} changed: bring checks/pages/zh/{id}.md in step, then run `python docs/seen.py {id}`"
    )
    assert len(found.bad) == len([each for each in page.bad if each.title])
    assert len(found.good) == len([each for each in page.good if each.title])
    for english, chinese in ((page.why, found.why), (page.fix, found.fix)):
        assert len(english.split("\n\n")) == len(chinese.split("\n\n"))


@pytest.mark.parametrize("id", PAGES)
def test_a_chinese_page_is_chinese(id: str) -> None:
    """What stands outside of code has no English sentence, and much of it is Chinese."""
    found = translation(PAGES[id])
    for text in (found.why, found.fix, *found.bad, *found.good):
        plain = CODE_SPAN.sub("", text)
        assert not re.search(r"\b(the|is|are|of|and|it|that|which|or|in|by)\b", plain), plain
    prose = CODE_SPAN.sub("", found.why + found.fix)
    assert len(re.findall("[\u4e00-\u9fff]", prose)) > len(prose) / 3
    assert not re.search("[\u4e00-\u9fff][,;:!?]", prose), "half-width marks between Chinese characters"


@pytest.mark.parametrize("id", PAGES)
def test_what_stands_in_code_is_the_same_in_both(id: str) -> None:
    """Names of the format that a Chinese page writes as code stand in the English one, or are Chinese words of a text."""
    page, found = PAGES[id], translation(PAGES[id])
    english = set(re.findall(r"[A-Za-z_][\w-]*", page.why + page.fix))
    for span in CODE_SPAN.findall(found.why + found.fix):
        assert set(re.findall(r"[A-Za-z_][\w-]*", span)) <= english, span


def test_no_chinese_page_is_left_over() -> None:
    assert set(os.listdir(os.path.join(FOLDER, "zh"))) == {f"{id}.md" for id in PAGES}


@pytest.mark.parametrize("id", PAGES)
def test_a_told_page_has_the_same_files_and_headings(id: str) -> None:
    page = PAGES[id]
    told = told_page(page, WORDS)
    again = parse_page(_in_english(told))
    assert again.bad == told.bad and again.good == told.good
    assert [each.files for each in told.bad] == [each.files for each in page.bad]
    assert [each.output for each in told.bad] == [each.output for each in page.bad]


def _in_english(page: Page) -> str:
    text = page.text
    for english in ("Why", "How to fix", "Bad", "Good"):
        text = text.replace(f"\n## {WORDS[english]}\n", f"\n## {english}\n", 1)
    return text


def test_without_chinese_a_page_is_as_it_is() -> None:
    page = PAGES["G001"]
    assert told_page(page, {}) is page


def test_a_malformed_translation_is_a_bug() -> None:
    with pytest.raises(ValueError, match="has four sections"):
        parse_translation("# G001 unproduced-input\n\n## 为什么\n")


def test_explain_prints_it(tmp_path: Path) -> None:
    page = skillc("explain", "G001", "--lang", "zh", cwd=tmp_path).out
    assert "标签是 worker 之间的接口。" in page and "### 名字写错了" in page
    output = page.split("```output\n")[1].split("```")[0]
    assert "没有 worker 写它" in output and "G001 error unproduced-input" in output
    assert max(len(line.encode("gb18030")) for line in page.split("````")[0].splitlines()) <= 104
    data = json.loads(skillc("explain", "G001", "--json", "--lang", "zh", cwd=tmp_path).out)
    assert data["why"].startswith("标签是 worker 之间的接口") and data["bad"][0]["title"] == "名字写错了"
    english = json.loads(skillc("explain", "G001", "--json", cwd=tmp_path).out)
    assert [each["files"] for each in data["bad"]] == [each["files"] for each in english["bad"]]
    sections = re.findall("^## .*", skillc("explain", "G", "--all", "--lang", "zh", cwd=tmp_path).out, re.M)
    assert {"## 为什么", "## 怎样改", "## 错的例子", "## 对的例子"} <= set(sections)
    assert not {"## Why", "## How to fix", "## Bad", "## Good"} & set(sections)

"""Messages in Chinese: complete, true to their English templates, and chosen as users choose a language."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from string import Formatter

import pytest
from syrupy.assertion import SnapshotAssertion

from cli import Done, examples, replace, skillc, write
from sentences import numbered
from skillc import driver
from skillc.checks.page import Example, load_page, parse_page, summaries, workspace_of
from skillc.cli.helping import ARGPARSE
from skillc.diagnostic import CODES, Code, Diagnostic, fingerprints
from skillc.report.language import of_locale, retold, spaced, translated, words_of
from skillc.source.reader import DictReader
from skillc.wording import english, said_in, say

PROGRAM = Path(driver.__file__).parent
WORDS = words_of("zh")
SENTENCES = {
    "finding": 2,
    "Label": 1,
    "Fix": 0,
    "report": 2,
    "refuse": 1,
    "Stop": 0,
    "RunFailed": 0,
    "Epilog": 0,
}
"""Calls that take sentences, and which argument is the first."""


@lru_cache(maxsize=1)
def calls() -> tuple[tuple[str, str, ast.Call], ...]:
    """Every call of a plain or dotted name in the program: where it stands, the name, the call."""
    found = []
    for path in sorted(PROGRAM.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
                found.append((f"{path.relative_to(PROGRAM)}:{node.lineno}", name, node))
    return tuple(found)


def templates() -> Iterator[tuple[str, str]]:
    """Each template that something says, with a place of it."""
    for place, name, call in calls():
        if name == "say":
            first = call.args[0]
            assert isinstance(first, ast.Constant) and isinstance(first.value, str), f"{place}: not a literal"
            yield first.value, place


def placeholders(template: str) -> set[tuple[str, str | None, str | None]]:
    return {(name, spec, how) for _, name, spec, how in Formatter().parse(template) if name is not None}


def test_every_sentence_has_its_chinese() -> None:
    missing = [f"{place}: {template}" for template, place in templates() if template not in WORDS]
    missing += [f"page of {slug}: {text}" for slug, text in sentences().items() if text not in WORDS]
    missing += [f"argparse: {text}" for text in ARGPARSE if text not in WORDS]
    missing += [f"{place}: {text}" for text, place in numbered().items() if text not in WORDS]
    assert not missing, "not in report/messages.zh.json:\n" + "\n".join(missing)


def test_no_chinese_is_left_over() -> None:
    used = {template for template, _ in templates()} | set(sentences().values()) | {*ARGPARSE, *numbered()}
    assert not set(WORDS) - used


def sentences() -> dict[str, str]:
    return {slug: " ".join(summary.split()) for slug, summary in summaries().items()}


@pytest.mark.parametrize("template", sorted(WORDS))
def test_a_translation_takes_the_same_values(template: str) -> None:
    assert placeholders(WORDS[template]) == placeholders(template)


def test_the_catalogue_is_in_order() -> None:
    """Sorted by the English, so that two who add a sentence each seldom meet."""
    assert list(WORDS) == sorted(WORDS)


def test_findings_are_said_not_put_together() -> None:
    """No text of a finding, a label or a fix is a plain literal or an f-string: it could not be translated."""
    bare = []
    for place, name, call in calls():
        texts = [*call.args[SENTENCES.get(name, 99) :], *(word.value for word in call.keywords)]
        if name in SENTENCES:
            bare += [place for text in texts for part in branches(text) if is_text(part)]
    assert not bare


def branches(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from branches(node.body)
        yield from branches(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from branches(value)
    else:
        yield node


def is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return is_text(node.left) or is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(node.value)
    )


PAGES = [parse_page(text) for code in CODES.values() if (text := load_page(code))]
CASES = [(page.code, example) for page in PAGES for example in page.bad]


def found(example: Example) -> tuple[Diagnostic, ...]:
    return driver.check(DictReader(workspace_of(example))).diagnostics


def texts(diagnostic: Diagnostic) -> list[str]:
    fix = [diagnostic.fix.message] if diagnostic.fix else []
    return [diagnostic.message, diagnostic.help, *(label.message for label in diagnostic.related), *fix]


@pytest.mark.parametrize(("code", "example"), CASES, ids=[f"{c.id}-{n}" for n, (c, _) in enumerate(CASES)])
def test_a_finding_in_chinese_has_no_english_left(code: Code, example: Example) -> None:
    diagnostics = found(example)
    chinese = translated(diagnostics, WORDS)
    for before, after in zip(diagnostics, chinese, strict=True):
        for text in filter(None, texts(after)):
            plain = re.sub(r"`` .*? ``|`[^`]*`|\([^)]*\)", "", text).split()
            assert not {"the", "is", "of", "and", "it", "that", "which", "or", "in"} & set(plain), text
        assert [english(text) for text in texts(after)] == texts(before)
    assert fingerprints(chinese) == fingerprints(diagnostics)


def test_what_is_nested_is_told_too() -> None:
    said = say(
        "`{worker}` has no inputTags{said}", worker="w", said=say("; did you mean `{near}`?", near="甲")
    )
    assert said_in(WORDS, said) == "`w` 没有 inputTags；是不是想写 `甲`？"
    assert english(said_in(WORDS, said)) == said == "`w` has no inputTags; did you mean `甲`?"


def test_words_of_authors_stay_as_they_are() -> None:
    assert spaced("不能作为worker的`名a`字") == "不能作为 worker 的 `名a` 字"
    assert said_in(WORDS, "what nobody said with `say`") == "what nobody said with `say`"
    assert said_in(WORDS, say("remove `{tag}`", tag="{id} {0} %s")) == "删掉 `{id} {0} %s`"


def test_names_in_backticks_are_not_told_as_words() -> None:
    """`questions` and `retries` are headings of ours, too; as keys that somebody wrote they are names."""
    said = "`questions` of `ask_user` does not fit: a list is wanted"
    assert retold(WORDS, said) == "`ask_user` 的 `questions` 不合适：这里要一个列表"
    said = "profile 1: a profile has no key `retries`; the nearest is `maxRetries`"
    assert retold(WORDS, said) == "第 1 个模型档案：模型档案没有键 `retries`；最接近的是 `maxRetries`"
    said = "the model server of profile `p` failed (500)"
    assert retold(WORDS, said) == "模型档案 `p` 的服务出了错（500）"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
        ({"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
    ],
)
def test_the_locale_decides_when_nothing_else_does(environment: dict[str, str], language: str) -> None:
    assert of_locale(environment) == language


BASIC = "novel/basic"
OUTLINE = f"skills/{BASIC}/workers/outline/SKILL.md"


def broken(folder: Path) -> Path:
    """A copy of novel/basic whose outline waits for a tag that is one character off, and reads another twice."""
    examples(folder, BASIC)
    replace(folder / OUTLINE, "需求.核心要点", "需求.核心要占")
    replace(folder / OUTLINE, '"需求.核心要占"\n', '"需求.核心要占"\n  - "需求.核心要占"\n', 1)
    return folder


def check(folder: Path, *arguments: str, **environment: str) -> Done:
    return skillc("check", *arguments, cwd=folder, **environment)


def test_the_whole_report_in_chinese(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done = check(broken(tmp_path), "--lang", "zh")
    assert done.code == 1
    assert done.out == snapshot


def test_the_option_the_variable_the_settings_and_the_locale_in_this_order(tmp_path: Path) -> None:
    broken(tmp_path)
    assert "没有 worker 写它" in check(tmp_path, LC_ALL="zh_CN.UTF-8").out
    assert "no worker writes" in check(tmp_path, SKILLC_LANG="en", LC_ALL="zh_CN.UTF-8").out
    assert "no worker writes" in check(tmp_path).out
    write(tmp_path, {"skillc.toml": 'lang = "zh"\n'})
    assert "没有 worker 写它" in check(tmp_path).out
    assert "no worker writes" in check(tmp_path, SKILLC_LANG="en").out
    assert "没有 worker 写它" in check(tmp_path, "--lang", "zh", SKILLC_LANG="en").out


def test_json_is_chinese_only_when_somebody_says_so(tmp_path: Path) -> None:
    broken(tmp_path)
    report = json.loads(check(tmp_path, "--format", "json", LC_ALL="zh_CN.UTF-8").out)
    asked = json.loads(check(tmp_path, "--format", "json", "--lang", "zh").out)
    assert "no worker writes" in report["diagnostics"][0]["message"]
    assert "没有 worker 写它" in asked["diagnostics"][0]["message"]
    assert [d["code"] for d in asked["diagnostics"]] == [d["code"] for d in report["diagnostics"]]
    assert asked["diagnostics"][0]["severity"] == "error"


@pytest.mark.parametrize("form", ["concise", "sarif", "github", "junit"])
def test_every_format_speaks_chinese(tmp_path: Path, form: str) -> None:
    out = check(broken(tmp_path), "--format", form, "--lang", "zh").out
    assert "没有 worker 写它" in out and "G001" in out and "unproduced-input" in out
    if form != "sarif":  # it carries the pages, whose long parts are English
        assert "no worker writes" not in out


def test_fingerprints_are_those_of_english(tmp_path: Path) -> None:
    def marks(language: str) -> list[object]:
        log = json.loads(check(tmp_path, "--format", "sarif", "--lang", language).out)
        return [result["partialFingerprints"] for result in log["runs"][0]["results"]]

    broken(tmp_path)
    assert marks("zh") == marks("en") and marks("en")


def test_refusals_and_notes(tmp_path: Path) -> None:
    broken(tmp_path)
    assert check(tmp_path, "nowhere", "--lang", "zh").err.startswith("skillc: 没有叫 `nowhere` 的路径或包")
    assert "1 个有错误" in skillc("build", "--lang", "zh", cwd=tmp_path).err
    refused = skillc("show", "basic:outline", "--lang", "zh", cwd=tmp_path)
    assert "有错误，所以没有计划" in refused.err and "错误[G001]" in refused.err
    assert check(tmp_path, "--lang", "fr").code == 2
    assert check(tmp_path, SKILLC_LANG="fr").code == 2
    write(tmp_path, {"skillc.toml": 'lang = "fr"\n'})
    assert '`lang` must be "en" or "zh"' in check(tmp_path).err


def test_a_page_in_chinese_has_its_sentence_and_its_headings(tmp_path: Path) -> None:
    page = skillc("explain", "G001", "--lang", "zh", cwd=tmp_path).out
    lines = page.splitlines()
    assert lines[0] == "# G001 unproduced-input"
    assert lines[2] == "worker 读一个标签，却没有 worker 写它，也没有来源给它。"
    for heading in ("## 为什么", "## 怎样改", "## 错的例子", "## 对的例子"):
        assert heading in lines
    assert not {"## Why", "## How to fix", "## Bad", "## Good"} & set(lines)
    listed = skillc("explain", "--lang", "zh", cwd=tmp_path).out
    assert len(listed.splitlines()) == len(PAGES)
    assert all(re.search("[\u4e00-\u9fff]", line) for line in listed.splitlines())


def test_a_session_is_told_in_chinese(tmp_path: Path) -> None:
    script = f"skills/{BASIC}/scripts/demo.yaml"
    done = skillc("run", "basic", "--script", script, "--lang", "zh", cwd=examples(tmp_path, BASIC))
    lines = done.out.splitlines()
    assert done.code == 0
    assert re.fullmatch("会话 [0-9a-f]+（novel/basic）开始", lines[0])
    assert "  升级 大纲.草稿 -> 大纲.确认稿" in lines and "完成" in lines

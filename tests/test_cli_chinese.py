"""What people read of the commands in Chinese: help, usage errors, answers, and what stops a command early."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli import PACKAGES, Done, examples, replace, skillc, write
from skillc.__main__ import main
from skillc.cli.epilog import wrapped
from skillc.cli.helping import ARGPARSE, Parser
from skillc.cli.main import COMMANDS, parser_of
from skillc.report.language import retold, words_of
from skillc.wording import said_in

BASIC = "novel/basic"
RULES = "novel/weird-rules-short"
GAME = "dialogue/roleplay-game-theory"
ZH = {"LC_ALL": "zh_CN.UTF-8"}
WORDS = words_of("zh")
ENGLISH = re.compile(
    r"(?<![\w`.-])(the|is|are|of|and|it|that|which|or|in|by|from|no|what|nobody|reads|writes|made|given|"
    r"missing|note|needs|has|waits|with|for|to|this|be|can)(?![\w`.=-])"
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return examples(tmp_path_factory.mktemp("chinese"))


def english_in(text: str) -> list[str]:
    """The lines of `text` that say something in English; commands, paths, names and what authors wrote say nothing."""
    said = []
    for line in text.splitlines():
        plain = re.sub(r"`[^`]*`|^  +(skillc|- |\w+: ).*|[\w./<>-]*/[\w./<>-]*|--?[\w-]+|[A-Z]{2,}", "", line)
        if ENGLISH.search(plain):
            said.append(line)
    return said


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_chinese(name: str) -> None:
    parser = parser_of(name, "zh")
    helps = [parser.format_help()]
    for action in parser._actions:
        choices = action.choices.values() if isinstance(action.choices, dict) else ()
        helps += [each.format_help() for each in choices if isinstance(each, Parser)]
    for text in helps:
        assert not english_in(text)
        assert text.startswith("用法：")
        assert max(map(_cells, text.splitlines())) <= 120


def _cells(line: str) -> int:
    return len(line) + sum("\u2e80" <= char <= "\uffef" for char in line)


def test_help_of_all_is_chinese_where_it_is_asked_for(tmp_path: Path) -> None:
    for done in (
        skillc("--help", cwd=tmp_path, **ZH),
        skillc("--help", cwd=tmp_path, SKILLC_LANG="zh"),
        skillc(cwd=tmp_path, **ZH),
    ):
        assert "第一天：" in done.out and not english_in(done.out)
    write(tmp_path, {"skillc.toml": 'lang = "zh"\n'})
    assert "例子：" in skillc("check", "--help", cwd=tmp_path).out
    assert "examples:" in skillc("check", "--help", "--lang", "en", cwd=tmp_path, **ZH).out


def test_every_help_is_said() -> None:
    """In English and in Chinese the help of a command has the same options and the same commands to copy."""

    def commands(text: str) -> list[str]:
        return [
            " ".join(line.split("  ")[1].split()) for line in text.splitlines() if line.startswith("  skillc")
        ]

    for name in COMMANDS:
        english, chinese = (parser_of(name, lang).format_help() for lang in ("en", "zh"))
        assert commands(english) == commands(chinese)
        options = re.compile(r"^  (?:-\w, )?(--[\w-]+)", re.MULTILINE)
        assert options.findall(english) == options.findall(chinese)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "--format", "x"], "参数 --format：不能是 'x'（可选 "),
        (["check", "--nothing"], "不认识的参数：--nothing"),
        (["leak", "核心"], "还缺这些参数：--to"),
        (["check", "--output-file"], "参数 --output-file：后面要跟一个值"),
        (["run", "basic", "--rounds", "x"], "参数 --rounds：'x' 不是合法的 int 值"),
        (["run", "basic", "--script", "a", "--profile", "b"], "参数 --profile：不能和 --script 一起用"),
        (["check", "--s"], "选项 --s 不明确，可能是 --strict"),
        (["check", "--strict=1"], "参数 --strict：不能带值 '1'"),
        (["order", "compile"], "还缺这些参数：TARGET"),
        (["nonsense"], "参数 COMMAND：不能是 'nonsense'（可选 'check'"),
    ],
)
def test_usage_errors_are_chinese(words: list[str], said: str, tmp_path: Path) -> None:
    done = skillc(*words, cwd=tmp_path, **ZH)
    assert done.code == 2
    assert said in done.err.replace(", --statistics", "") and "错误：" in done.err
    assert not english_in(done.err)


def test_every_usage_error_of_the_library_is_known() -> None:
    """Each of them is told in Chinese, and as itself: none is taken for another one."""
    for template in ARGPARSE:
        values = [f"--甲{number}" for number in range(template.count("{"))]
        assert retold(WORDS, template.format(*values)) == WORDS[template].format(*values)


def test_wrapping_keeps_all_text_and_marks_with_their_words() -> None:
    text = "先检查并编译这个包；有错误就不运行。发生的一切（连同回复）都存进 `sessions.sqlite3`，接着走。"
    for width in range(10, 80):
        lines = wrapped(text, width)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert not any(line[0] in "，。；：）" for line in lines)


def refused(done: Done) -> str:
    assert (done.out, done.code) == ("", 2)
    return done.err


@pytest.mark.parametrize(
    ("settings", "words", "said"),
    [
        ('lang = "zh"\n', ["check", "nowhere"], "没有叫 `nowhere` 的路径或包"),
        ('lang = "zh"\n', ["knows", "basic"], "没有指明 worker"),
        ('lang = "zh"\nformat = "x"\n', ["check"], "格式"),
        ('lang = "zh"\nskilsl = "x"\n', ["check"], "键"),
        ('lang = "zh"\nstrict = \n', ["check"], "TOML"),
        ('lang = "zh"\n', ["check", "--select", "G999"], "G999"),
        ('lang = "zh"\n', ["check", "--format", "x"], "不能是 'x'"),
        ('lang = "zh"\n', ["explain", "nonsense"], "nonsense"),
        ('lang = "zh"\n', ["show", "basic:outline", "--board", "none.yaml"], "读不了黑板 `none.yaml`"),
    ],
)
def test_the_settings_say_in_which_language_a_command_stops_early(
    settings: str, words: list[str], said: str, tmp_path: Path
) -> None:
    examples(tmp_path, BASIC)
    write(tmp_path, {"skillc.toml": settings})
    message = refused(skillc(*words, cwd=tmp_path))
    assert said in message and re.search("[\u4e00-\u9fff]", message) and not english_in(message)
    assert not re.search("[\u4e00-\u9fff]{2}", refused(skillc(*words, "--lang", "en", cwd=tmp_path)))


def test_the_settings_of_the_named_place_count(tmp_path: Path) -> None:
    examples(tmp_path / "one", BASIC)
    write(tmp_path / "one", {"skillc.toml": 'lang = "zh"\nno-such = 1\n'})
    assert "键" in refused(skillc("check", "one", cwd=tmp_path))


ANSWERS = [
    (["show", "basic:outline"], "读：这块黑板上什么也没有"),
    (["show", "roleplay-game-theory:role-decide", "--role", "Z"], "──── 各段 ────"),
    (["knows", "weird-rules-short:review-infer"], "可能知道"),
    (["knows", "roleplay-game-theory:role-decide@A"], "（角色 A）"),
    (["leak", "核心.危险.隐藏", "--to", "weird-rules-short:review-infer"], "没有敞开的路"),
    (["leak", "正文.草稿", "--to", "basic:outline"], "没有谁写或者给"),
    (["cache-report"], "最先改动的段"),
    (["cache-report"], "（启动询问） 需求.核心要点"),
    (["cache-report"], "（游玩期）：固定前缀"),
    (["graph", "basic"], "（启动询问）"),
    (["check", "--explain-ready", "roleplay-game-theory"], "可以准备好"),
    (["init", "my-story"], "接下来："),
    (["build"], f"编译了 {len(PACKAGES) + 1} 个包"),
    (["order", "show", "world-simulator"], "静态部分到此为止"),
    (["snapshot", "basic"], "快照"),
]


@pytest.mark.parametrize(("words", "said"), ANSWERS, ids=[" ".join(words[:2]) for words, _ in ANSWERS])
def test_answers_are_chinese(words: list[str], said: str, workspace: Path) -> None:
    done = skillc(*words, "--lang", "zh", cwd=workspace)
    told = done.out + done.err
    if words[0] == "show":  # the context itself is the author's
        told = "\n".join(
            line for line in told.splitlines() if line.startswith(("读：", "缺：", "────", "注意："))
        )
    assert said in told
    assert not english_in(told)


def test_json_is_the_same_in_every_language(workspace: Path) -> None:
    for words in (
        ["knows", "weird-rules-short:review-infer"],
        ["leak", "核心.危险.隐藏", "--to", "weird-rules-short:review-infer"],
        ["cache-report"],
        ["show", "basic:outline"],
        ["graph"],
    ):
        english = skillc(*words, "--format", "json", cwd=workspace)
        chinese = skillc(*words, "--format", "json", "--lang", "zh", cwd=workspace)
        assert english.out == chinese.out and json.loads(chinese.out)


def test_a_session_stops_and_goes_on_in_chinese(tmp_path: Path) -> None:
    examples(tmp_path, BASIC)
    script = tmp_path / "script.yaml"
    script.write_text("user:\n  - answer: 一个故事\n", encoding="utf-8")
    for words in (
        ["run", "basic", "--resume", "none"],
        ["run", "basic", "--script", "script.yaml"],
        ["run", "basic", "--rounds", "0"],
        ["run", "basic", "--script", "none.yaml"],
        ["run", "nowhere"],
    ):
        done = skillc(*words, cwd=tmp_path, **ZH)
        assert done.code in (1, 2), words
        assert re.search("[\u4e00-\u9fff]", done.out + done.err)
        assert not english_in(done.out + done.err), words


def test_what_authors_and_models_wrote_is_never_translated() -> None:
    """Only whole sentences that the program itself makes have an entry: text of others is shown as it is."""
    for text in ("expected one thing", "the story ends", "none of it"):
        assert retold(WORDS, text) == text == said_in(WORDS, text)


def test_a_broken_package_stops_in_chinese(tmp_path: Path) -> None:
    examples(tmp_path, BASIC)
    replace(tmp_path / f"skills/{BASIC}/workers/outline/SKILL.md", "需求.核心要点", "需求.核心要占")
    for command in (["show", "basic:outline"], ["run", "basic"], ["cache-report", "basic"]):
        done = skillc(*command, cwd=tmp_path, **ZH)
        assert done.code == 1 and "有错误" in done.err


def test_the_last_border_speaks_chinese(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    for error, code, said in (
        (KeyboardInterrupt(), 130, "已停下"),
        (RuntimeError("x"), 3, "内部错误：RuntimeError：x"),
    ):

        def run(*_: object, error: BaseException = error) -> int:
            raise error

        monkeypatch.setattr("skillc.cli.main.run", run)
        assert main() == code
        assert said in capsys.readouterr().err


def test_the_language_may_stand_before_the_command(tmp_path: Path) -> None:
    examples(tmp_path, BASIC)
    behind = skillc("check", "--lang", "zh", cwd=tmp_path)
    for option in (["--lang", "zh"], ["--lang=zh"]):
        before = skillc(*option, "check", cwd=tmp_path)
        assert (before.code, before.out, before.err) == (behind.code, behind.out, behind.err)
        assert "用法" in skillc(*option, "--help", cwd=tmp_path).out
    assert "'xx'" in skillc("--lang", "xx", "check", cwd=tmp_path).err

"""A person at the terminal: what is typed or pasted, and what it is taken for."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from running import ListedModel, TickingClock, live, running_plan, startup, writes
from skillc.cli.account import Account
from skillc.cli.conversation import Conversation
from skillc.cli.keyboard import decision_of, forget_typed
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store

PLAN = running_plan(
    {"outline": {"inputs": ["需求.核心要点", "项目.风格", "用户.修改说明?"], "outputs": ["大纲.草稿"]}},
    startup=startup("需求.核心要点", "项目.风格"),
)
ANSWERS = ("店", ".", "冷", ".")
NOTES = "结尾太短了，把值班员离开之前的那一段写得再长一些"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


class Person:
    """Types the lines of a list, then ends the input."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.asked: list[str] = []

    def __call__(self, question: str) -> str:
        self.asked.append(question)
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        if line == "^D":
            raise EOFError
        return line


def talk(store: Store, *lines: str, drafts: int = 2) -> tuple[Session, Person, str]:
    """The conversation with a person who types `lines`; what is left over shows in the person."""
    out = io.StringIO()
    account = Account(PLAN, out)
    model = ListedModel(*(writes({"大纲.草稿": f"第{n}稿"}) for n in range(1, drafts + 1)))
    session = Session.open(store, PLAN, model, on_event=account.show)
    person = Person(*lines)
    try:
        Conversation(session, account, None, person, True).converse()
    except EOFError:
        person.asked.append("^D")
    return session, person, out.getvalue()


def test_a_pasted_text_with_blank_lines_is_one_answer(store: Store) -> None:
    session, person, _ = talk(store, "", "第一段", "", "第二段", "", ".", "冷", "^D", "y")
    assert live(session) == {"需求.核心要点": "第一段\n\n第二段", "项目.风格": "冷", "大纲.确认稿": "第1稿"}
    assert "end with a line that is only . or with Ctrl-D" in person.asked[0]
    assert person.lines == []


def test_a_blank_text_is_asked_for_again(store: Store) -> None:
    session, _, out = talk(store, "", ".", *ANSWERS, "y")
    assert "nothing was said: the text is blank" in out
    assert live(session)["需求.核心要点"] == "店"


@pytest.mark.parametrize(
    "word",
    [
        "y",
        "yes",
        "yes.",
        "YES",
        "好",
        "是",
        "ok",
        "OK",
        "确认",
        "接受",
        "好的",
        "可以",
        "通过",
        "accept",
        "ｙ",
        "好。",
    ],
)
def test_every_way_to_say_yes_accepts(store: Store, word: str) -> None:
    session, _, _ = talk(store, *ANSWERS, word)
    assert live(session)["大纲.确认稿"] == "第1稿"


def test_what_may_be_a_decision_in_other_words_is_asked_back(store: Store) -> None:
    session, person, _ = talk(store, *ANSWERS, "looks fine", "n", "y")
    assert person.asked[-2] == "send this back as notes? [y/n] "
    assert live(session)["大纲.确认稿"] == "第1稿"
    session, _, _ = talk(store, *ANSWERS, "再短些", "y", "y")
    assert (live(session)["用户.修改说明"], live(session)["大纲.确认稿"]) == ("再短些", "第2稿")


def test_notes_may_be_pasted_with_blank_lines_too(store: Store) -> None:
    session, _, _ = talk(store, *ANSWERS, NOTES, "", "还有开头", ".", "y")
    assert live(session)["用户.修改说明"] == NOTES + "\n\n还有开头"
    session, _, _ = talk(store, *ANSWERS, "n", "太短", "", "再长", ".", "y")
    assert live(session)["用户.修改说明"] == "太短\n\n再长"


@pytest.mark.parametrize("lines", [("",), ("n", "."), ("n", "", ".")])
def test_a_no_without_notes_decides_nothing(store: Store, lines: tuple[str, ...]) -> None:
    session, _, out = talk(store, *ANSWERS, *lines)
    assert session.status.reason == "review_artifact" and "say y to accept, or what to change" in out


@pytest.mark.parametrize("lines", [("",), ("looks fine", "n"), ("n", ".")])
def test_what_is_to_be_accepted_is_shown_once(store: Store, lines: tuple[str, ...]) -> None:
    """It may be a chapter: who presses Enter is asked again, and reads on where he was."""
    session, person, out = talk(store, *ANSWERS, *lines, "y")
    assert live(session)["大纲.确认稿"] == "第1稿"
    assert out.count("--- 大纲.草稿") == 1
    assert sum(question.startswith("accept? ") for question in person.asked) == 2


def test_what_is_new_is_shown(store: Store) -> None:
    _, _, out = talk(store, *ANSWERS, "", NOTES, ".", "y")
    assert out.count("--- 大纲.草稿") == 2 and "  第2稿" in out


def test_notes_that_hold_a_yes_are_notes() -> None:
    assert decision_of("可以再短些") is None and decision_of("不是很好") is None


def test_what_was_typed_before_a_decision_was_shown_does_not_answer_it() -> None:
    pytest.importorskip("termios")
    master, terminal = os.openpty()
    try:
        os.write(master, b"second paragraph\n")
        forget_typed(terminal)
        os.write(master, b"y\n")
        assert os.read(terminal, 100) == b"y\n"
    finally:
        os.close(master)
        os.close(terminal)


STEERING = "\x1b[2J\x1b]0;x\x07\rdone\u202e\x9b"


def test_what_a_model_writes_steers_no_terminal_and_begins_no_line(store: Store) -> None:
    out = io.StringIO()
    plan = running_plan({"w": {"outputs": ["文.草稿"]}})
    account = Account(plan, out)
    asking = writes({}, askUser=[f"几条？{STEERING}\nerror: x"], summary=f"{STEERING}\nerror: x")
    text = f"{STEERING}\nerror: x\r\n尾\x0b\u2028error: x"
    model = ListedModel(asking, writes({"文.草稿": text}))
    session = Session.open(store, plan, model, on_event=account.show)
    with pytest.raises(EOFError):
        Conversation(session, account, None, Person("五条", "."), True).converse()
    said = out.getvalue()
    assert not set(said) & set("\x1b\x07\r\u202e\x9b\x0b\u2028")
    assert not any(line.startswith(("error:", "done")) for line in said.split("\n"))
    assert "<U+001B>[2J" in said and "  尾<U+000B><U+2028>error: x" in said.split("\n")
    assert session.board.newest("文.草稿").content == text  # type: ignore[union-attr]

"""What a person types in place of an answer: variables are listed and set, and no text is taken for a command."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from cli import examples, skillc
from playing import turn_plan
from running import ListedModel, TickingClock, running_plan, writes
from skillc.cli.account import Account, gist
from skillc.cli.commands import assignment
from skillc.cli.conversation import Conversation
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store
from skillc.runtime import RunnablePlan
from test_cli_conversation import Person

PLAN = turn_plan({"world-simulator": {"inputs": ["用户.最新输入?", "变量.当前?"], "outputs": ["输出.正文"]}})
CELLS = [
    {"key": "血量", "value": 3, "rev": 2, "source": "auditor"},
    {"key": "疑心", "value": "重", "rev": 1, "source": "board", "visibility": "hidden"},
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def talk(
    store: Store, *lines: str, plan: RunnablePlan = PLAN, cells: object = CELLS
) -> tuple[Session, list[str]]:
    """One turn with a person who types `lines`, and the account of it."""
    out = io.StringIO()
    account = Account(plan, out)
    model = ListedModel(writes({"输出.正文": "风。"}))
    session = Session.open(store, plan, model, board={"items": [], "variables": cells}, on_event=account.show)
    with suppress(EOFError):
        Conversation(session, account, None, Person(*lines), True).converse()
    return session, out.getvalue().splitlines()


def said(session: Session) -> str:
    item = session.board.newest("用户.最新输入")
    return item.content if item else ""


def test_variables_are_listed_with_who_set_them_and_who_sees_them(store: Store) -> None:
    session, lines = talk(store, "/vars", "我推门", ".")
    assert "  血量 = 3 (revision 2, by auditor)" in lines
    assert "  疑心 = 重 (revision 1, by board, hidden)" in lines
    assert said(session) == "我推门" and session.status.phase == "done"
    assert lines.count("  (/vars lists the variables, /set KEY VALUE sets one, /help says more)") == 1


def test_a_variable_is_set_and_the_turn_still_waits_for_its_text(store: Store) -> None:
    session, lines = talk(store, "/set 血量 10", '／set "天 气" 有 雨', "我推门", ".")
    assert "  variable 血量 = 10 (was 3)" in lines and "  variable 天 气 = 有 雨" in lines
    cells = {cell.key: (cell.value, cell.source) for cell in session.board.variables.values()}
    assert cells["血量"] == (10, "user") and cells["天 气"] == ("有 雨", "user")
    assert said(session) == "我推门"


@pytest.mark.parametrize("line", ["/sets 3", "/", "/etc/hosts 不见了", "set 血量 3", "// 注"])
def test_any_other_text_is_a_text(store: Store, line: str) -> None:
    session, _ = talk(store, line, ".")
    assert said(session) == line


def test_a_second_slash_makes_a_text_of_a_command(store: Store) -> None:
    session, lines = talk(store, "//set 血量 10", ".")
    assert said(session) == "/set 血量 10" and not any(line.startswith("  variable ") for line in lines)


def test_only_the_first_line_is_looked_at(store: Store) -> None:
    session, _ = talk(store, "", "他说：", "/set 血量 10", "/vars", ".")
    assert said(session) == "他说：\n/set 血量 10\n/vars"


def test_what_cannot_be_done_is_told(store: Store) -> None:
    _, lines = talk(store, "/set 血量", '/set "" 3', "/vars 血量", "/help", "好", ".")
    assert lines.count("  write a variable and its value: /set KEY VALUE") == 2
    assert "  `/vars` takes nothing behind it" in lines
    assert any("//set" in line for line in lines)


def test_a_decision_is_asked_for_again_after_a_command(store: Store) -> None:
    plan = running_plan({"outline": {"outputs": ["大纲.草稿"]}})
    out = io.StringIO()
    account = Account(plan, out)
    session = Session.open(store, plan, ListedModel(writes({"大纲.草稿": "稿"})), on_event=account.show)
    Conversation(session, account, None, Person("/vars", "y"), True).converse()
    assert "  there are no variables yet" in out.getvalue().splitlines()
    assert session.status.phase == "done"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("血量 -3", ("血量", -3)),
        ("晴 true", ("晴", True)),
        ("血量   三 点", ("血量", "三 点")),
        ('门牌 "12"', ("门牌", "12")),
        ('话 "好" 他说', ("话", '"好" 他说')),
        ('"两 个" 2', ("两 个", 2)),
        ('"未完 2', ('"未完', 2)),
        ("", None),
    ],
)
def test_how_a_value_is_read(text: str, meant: object) -> None:
    assert assignment(text) == meant


def test_a_fragment_is_told_by_its_brief() -> None:
    fragment = '{"schema": "context-fragment.v1", "brief": "三条支撑点", "mount": ["gm"], "正文": {}}'
    assert gist(fragment) == gist(f"```json\n{fragment}\n```") == "三条支撑点"
    assert gist('{"schema": "context-order.v1", "brief": "先名册", "slots": []}') == "先名册"
    assert gist('[{"key": "血量", "value": 3}]') == '[{"key": "血量", "value": 3}]'
    assert gist("第一行\n第二行") == "第一行 …"


def test_a_variable_that_was_not_there_is_said_to_be_new(store: Store) -> None:
    _, lines = talk(store, "/set 水 位 3", "/set 血量 4", "好", ".")
    new = [line for line in lines if "new variable" in line]
    assert new == ["  水 is a new variable (a KEY with blanks in it goes in quotes)"]


@pytest.mark.parametrize(
    ("named", "below"),
    [
        ("skills/novel/basic", ""),
        ("./skills/novel/basic/", ""),
        ("novel/basic/", ""),
        (".", "skills/novel/basic"),
        ("workers", "skills/novel/basic"),
    ],
)
def test_a_package_is_named_by_where_it_lies_too(tmp_path: Path, named: str, below: str) -> None:
    place = examples(tmp_path, "novel/basic", "novel/quick-write")
    assert skillc("build", cwd=place).code == 0
    assert skillc("why", named, cwd=place / below).out.startswith("`novel/basic` is up to date\n")
    assert skillc("show", f"{named}:outline", cwd=place / below).code == 0
    assert "no path and no package is named `skills`" in skillc("why", "skills", cwd=place).err

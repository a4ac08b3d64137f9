"""A script goes on where its session stopped, whether it is given whole or holds the rest."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from running import TickingClock, live, running_plan, startup
from skillc.cli.playing import run_command
from skillc.execute.session import Session
from skillc.execute.store import open_store

PLAN = running_plan(
    {
        "a": {"inputs": ["需求.核心要点", "用户.修改说明?"], "outputs": ["甲.草稿"]},
        "b": {"inputs": ["甲.确认稿"], "outputs": ["乙.草稿"]},
    },
    startup=startup("需求.核心要点"),
)
REPLIES: list[dict[str, Any]] = [
    {"worker": "a", "reply": {"outputs": {"甲.草稿": "一"}}},
    {"worker": "a", "reply": {"outputs": {"甲.草稿": "二"}}},
    {"worker": "b", "reply": {"outputs": {"乙.草稿": "三"}}},
]
USER: list[dict[str, Any]] = [{"answer": "店"}, {"reject": "短些"}, {"accept": True}, {"accept": True}]


class Player:
    """Runs scripts on one store, one session."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.session: str | None = None
        self.out = ""

    def play(self, replies: list[Any], user: list[Any]) -> int:
        out = io.StringIO()
        script = {"replies": replies, "user": user}
        code = run_command(PLAN, store_path=self.path, script=script, resume=self.session, out=out)
        self.out = out.getvalue()
        self.session = self.session or self.out.split()[1]
        return code

    def cut(self, replies: int, user: int) -> None:
        """Play until the entries run out, as a process that ends there."""
        assert self.play(REPLIES[:replies], USER[:user]) == 1

    @property
    def texts(self) -> dict[str, str]:
        return live(Session.resume(open_store(self.path, TickingClock()), str(self.session), PLAN))


@pytest.fixture
def player(tmp_path: Path) -> Player:
    return Player(str(tmp_path / "s.db"))


CUTS = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3)]


@pytest.mark.parametrize(("replies", "user"), CUTS)
def test_the_whole_script_goes_on_where_it_was(player: Player, replies: int, user: int) -> None:
    player.cut(replies, user)
    assert player.play(REPLIES, USER) == 0, player.out
    assert (player.texts["甲.确认稿"], player.texts["乙.确认稿"]) == ("二", "三")


@pytest.mark.parametrize(("replies", "user"), CUTS)
def test_the_rest_of_the_script_does_as_well(player: Player, replies: int, user: int) -> None:
    player.cut(replies, user)
    assert player.play(REPLIES[replies:], USER[user:]) == 0, player.out
    assert (player.texts["甲.确认稿"], player.texts["乙.确认稿"]) == ("二", "三")


def test_a_failed_reply_is_behind_the_session_and_may_be_mended_in_the_script(player: Player) -> None:
    broken = {"worker": "a", "error": "down"}
    assert player.play([broken, *REPLIES], USER) == 1
    assert player.play([broken, *REPLIES], USER) == 0, player.out
    player.session = None
    bad = [{"worker": "b", "text": "?"}] * 3
    assert player.play([*REPLIES[:2], *bad], USER) == 1
    assert player.play(REPLIES, USER) == 0, player.out


def test_a_refused_entry_is_not_consumed(player: Player) -> None:
    assert player.play(REPLIES, [{"accept": True}, *USER]) == 1
    assert player.play(REPLIES, USER) == 0, player.out

"""What a person may type instead of an answer: a look at the variables, or a change of one."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skillc.cli.account import Account, value_line
from skillc.execute.session import Session
from skillc.runtime.variables import PUBLIC, Cell, cells_of
from skillc.wording import say

SET, VARS, HELP = "/set", "/vars", "/help"
_WORDS = (SET, VARS, HELP)
_HELP = (
    say("  /vars             lists the variables"),
    say("  /set KEY VALUE    sets one: a number, true, false, or a text; a KEY with blanks in quotes"),
    say("  /help             shows this"),
    say("  Only these words at the beginning of what you type are commands. `//set` is your text `/set`."),
)


def typed(text: str) -> object:
    """The value that a text means for a variable: a number, true or false where it is written as one.

    >>> typed("10"), typed("true"), typed("晴")
    (10, True, '晴')
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, int | float) and value == value else text


def meant(values: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> dict[str, Any] | list[dict[str, Any]]:
    """Values by key, or rows, of a script: their texts as `typed` in, all else as it is.

    >>> meant({"血量": "3", "金": None}), meant([{"key": "3", "value": "3", "rev": "1"}])
    ({'血量': 3, '金': None}, [{'key': '3', 'value': 3, 'rev': '1'}])
    """
    if isinstance(values, Mapping):
        return {key: _meant(value) for key, value in values.items()}
    return [{**row, **({"value": _meant(row["value"])} if "value" in row else {})} for row in values]


def _meant(value: object) -> object:
    return typed(value) if isinstance(value, str) else value


def assignment(text: str) -> tuple[str, object] | None:
    """The variable and the value that `/set` is given; None when one of them is missing.

    >>> assignment('血量 10'), assignment('"天 气" 有 雨'), assignment('门牌 "12"'), assignment("血量")
    (('血量', 10), ('天 气', '有 雨'), ('门牌', '12'), None)
    """
    key, value = _quoted(text.strip()) or _first_word(text)
    whole = _quoted(value)
    meant = whole[0] if whole and not whole[1] else typed(value)
    return (key, meant) if key and value else None


def _quoted(text: str) -> tuple[str, str] | None:
    """A text in quotes, and what stands behind it."""
    if not text.startswith('"'):
        return None
    try:
        found, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return str(found), text[end:].strip()


def _first_word(text: str) -> tuple[str, str]:
    key, *rest = text.split(maxsplit=1) or [""]
    return key, rest[0].strip() if rest else ""


class Commands:
    """The commands of a person who plays `session`."""

    def __init__(self, session: Session, account: Account) -> None:
        self._session = session
        self._account = account
        self._hinted = False

    def hint(self) -> None:
        """Say once that there are commands, where there are variables to use them on."""
        if not self._hinted and self._session.board.variables:
            self._hinted = True
            self._account.line(say("  (/vars lists the variables, /set KEY VALUE sets one, /help says more)"))

    def take(self, line: str) -> str | None:
        """`line` as it is meant: None when it was a command and is done, else the person's own text."""
        word, rest = _first_word(line)
        name = unicodedata.normalize("NFKC", word)
        if name in _WORDS:
            self._do(name, rest)
            return None
        return line.replace(word[0], "", 1) if name[:1] == "/" and name[1:] in _WORDS else line

    def _do(self, name: str, rest: str) -> None:
        if name == SET:
            self._set(rest)
        elif rest:
            self._account.line(say("  `{name}` takes nothing behind it", name=name))
        else:
            for text in _HELP if name == HELP else self._listing():
                self._account.line(text)

    def _set(self, rest: str) -> None:
        found = assignment(rest)
        if found is None:
            self._account.line(say("  write a variable and its value: /set KEY VALUE"))
            return
        new = all(cell.key != found[0] for cell in cells_of(self._session.board.variables))
        delivery = self._session.edit(dict([found]))
        if delivery.refused:
            self._account.line(say("  {message}", message=self._account.retold(delivery.message)))
        elif new:
            self._account.line(
                say("  {key} is a new variable (a KEY with blanks in it goes in quotes)", key=found[0])
            )

    def _listing(self) -> Iterator[str]:
        cells = cells_of(self._session.board.variables)
        if not cells:
            yield say("  there are no variables yet")
        for cell in cells:
            yield say(
                "  {key} = {value} (revision {rev}, by {source}{seen})",
                key=cell.key,
                value=value_line(cell.value),
                rev=cell.rev,
                source=cell.source,
                seen=_seen(cell),
            )


def _seen(cell: Cell) -> str:
    return "" if cell.visibility == PUBLIC else f", {cell.visibility}"

"""The rows of leases: who runs a session, until when by the clock of the database, and the number that fences him.

A row is never deleted: its token only grows, so that whoever lost a session can never write to it again.
"""

from __future__ import annotations

import os
import re
import socket
from typing import NamedTuple
from uuid import uuid4

from sqlalchemy import Connection, RowMapping, insert, select, update
from sqlalchemy.exc import IntegrityError

from skillc.execute import schema
from skillc.execute.dialect import time_there
from skillc.execute.faults import LeaseGone


class Holder(NamedTuple):
    """A process: its host, its number, a random key; `process` names it beyond doubt for others on its machine."""

    host: str
    pid: int
    key: str
    process: str = ""

    @property
    def text(self) -> str:
        return "/".join((self.host.replace("/", "_"), str(self.pid), self.key, self.process))

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}" if self.pid else "whoever suspended it"


_SUSPENDED = Holder("", 0, "suspended")
_FOREVER = 2**62
"""Milliseconds: a suspension has no end of its own."""


class Held(NamedTuple):
    """Who holds a session, since when (UTC, as text), and for how many seconds more unless he renews."""

    holder: Holder
    since: str
    seconds: float


def this_process() -> Holder:
    """A new holder that stands for this process."""
    pid = os.getpid()
    return Holder(socket.gethostname() or "localhost", pid, uuid4().hex[:12], _identity(pid) or "")


def take(connection: Connection, session_id: str, holder: Holder, seconds: float) -> int | None:
    """The token under which `holder` has the session from now on; None while another has it."""
    row = _row(connection, session_id, lock=True)
    if row is None:
        _first_row(connection, session_id)
        row = _row(connection, session_id, lock=True)
    now = time_there(connection)
    if row is None or (row["expires"] > now and not _is_dead(_holder(row["holder"]))):
        return None
    token = int(row["token"]) + 1
    _change(connection, session_id, holder=holder.text, token=token, since=now, expires=_after(now, seconds))
    return token


def seize(connection: Connection, session_id: str) -> None:
    """Nobody runs the session until `end_suspension`: who does now can write nothing more."""
    if _row(connection, session_id, lock=True) is None:
        _first_row(connection, session_id)
    row = _row(connection, session_id, lock=True)
    now = time_there(connection)
    token = (int(row["token"]) if row else 0) + 1
    _change(connection, session_id, holder=_SUSPENDED.text, token=token, since=now, expires=_FOREVER)


def is_suspended(connection: Connection, session_id: str) -> bool:
    """Whether the session was seized, and not freed since."""
    row = _row(connection, session_id, lock=False)
    return row is not None and row["holder"] == _SUSPENDED.text


def end_suspension(connection: Connection, session_id: str) -> bool:
    """Whether the session was suspended; it is free for everybody now. A process that runs it keeps it."""
    row = _row(connection, session_id, lock=True)
    if row is None or row["holder"] != _SUSPENDED.text:
        return False
    _change(connection, session_id, holder="", expires=0)
    return True


def extend(connection: Connection, session_id: str, token: int, seconds: float) -> None:
    """The lease runs `seconds` from now; one that ran out, too, when nobody took the session over meanwhile."""
    fenced(connection, session_id, token)
    _change(connection, session_id, expires=_after(time_there(connection), seconds))


def end(connection: Connection, session_id: str, token: int) -> None:
    """Nobody holds the session any longer, unless somebody else took it over."""
    row = _row(connection, session_id, lock=True)
    if row is not None and row["token"] == token:
        _change(connection, session_id, holder="", expires=0)


def fenced(connection: Connection, session_id: str, token: int) -> None:
    """Refuses with LeaseGone unless `token` is the last one that was given for the session, and was not given back."""
    row = _row(connection, session_id, lock=True)
    if row is None or row["token"] != token or not row["holder"]:
        other = row is not None and row["token"] != token and row["holder"]
        raise LeaseGone(str(_holder(other)) if other else "")


def held(connection: Connection, session_id: str) -> Held | None:
    """Who holds the session now."""
    row = _row(connection, session_id, lock=False)
    now = time_there(connection)
    if row is None or row["expires"] <= now or _is_dead(_holder(row["holder"])):
        return None
    return Held(_holder(row["holder"]), _moment(row["since"]), (row["expires"] - now) / 1000)


def _row(connection: Connection, session_id: str, lock: bool) -> RowMapping | None:
    query = select(schema.LEASES).where(schema.LEASES.c.session_id == session_id)
    return connection.execute(query.with_for_update() if lock else query).mappings().one_or_none()


def _first_row(connection: Connection, session_id: str) -> None:
    """A row that nobody holds; somebody else may make it at the same time."""
    values = {"session_id": session_id, "holder": "", "token": 0, "since": 0, "expires": 0}
    try:
        with connection.begin_nested():
            connection.execute(insert(schema.LEASES).values(**values))
    except IntegrityError:
        return


def _change(connection: Connection, session_id: str, **values: object) -> None:
    connection.execute(update(schema.LEASES).where(schema.LEASES.c.session_id == session_id).values(**values))


def _after(now: int, seconds: float) -> int:
    return now + max(1, round(seconds * 1000))


def _moment(milliseconds: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")


def _holder(text: str) -> Holder:
    host, pid, key, process = [*text.split("/"), "", "", "", ""][:4]
    return Holder(host, int(pid) if pid.isdigit() else 0, key, process)


def _is_dead(holder: Holder) -> bool:
    """Whether the process surely ended: it ran on this machine, under these process numbers, and is gone."""
    if holder.host != socket.gethostname() or not holder.process:
        return False
    mine = _identity(os.getpid())
    if mine is None or mine.rsplit(":", 1)[0] != holder.process.rsplit(":", 1)[0]:
        return False
    return _identity(holder.pid) != holder.process


def _identity(pid: int) -> str | None:
    """Boot, space of process numbers and start of a process, where Linux tells them; None for one that is gone, a
    zombie too."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read().strip()
        space = os.stat("/proc/self/ns/pid").st_ino
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = re.sub(r"^.*\) ", "", file.read(), flags=re.DOTALL).split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else f"{boot}:{space}:{fields[19]}"

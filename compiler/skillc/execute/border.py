"""Where a session meets the world: the clock and fresh names, injected so that all else is pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol
from uuid import uuid4


class Clock(Protocol):
    """Tells the time as text. It is stored and shown; nothing in a session is ever routed on it (SPEC 9.3). Between
    sessions of a Book, which have no common order, it says which confirmation was the last."""

    def now(self) -> str: ...


class SystemClock:
    """The machine's clock, UTC, to the millisecond."""

    def now(self) -> str:
        return datetime.now(UTC).isoformat(timespec="milliseconds")


def fresh_session_id() -> str:
    """A new name for a session, short enough to type."""
    return uuid4().hex[:12]

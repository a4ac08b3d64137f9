"""When to try a failed call again: later each time, never all at once, and not beyond the time that there is."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST = 0.5
LONGEST = 30.0
"""Seconds: the first delay, and the longest that is chosen here. A server may ask for more."""


class Budget:
    """The time for one answer in all, tries and pauses included."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left, never fewer than none."""
        return max(0.0, self._end - self._clock())


def delay_before(
    retry: int, wanted: float | None = None, chance: Callable[[], float] = random.random
) -> float:
    """Seconds to wait before the `retry`-th retry (from 1): what the server wants, else twice as long each time, and of
    that between half and all by chance, so that many clients do not come back at once.

    >>> delay_before(1, 7.0), delay_before(3, chance=lambda: 1.0), delay_before(3, chance=lambda: 0.0)
    (7.0, 2.0, 1.0)
    """
    if wanted is not None:
        return max(0.0, wanted)
    longest = min(LONGEST, FIRST * float(2 ** min(retry - 1, 16)))
    return longest * (0.5 + 0.5 * chance())


def wanted_delay(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that a server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date.

    >>> wanted_delay({"retry-after-ms": "250"}), wanted_delay({"retry-after": "2"}), wanted_delay({})
    (0.25, 2.0, None)
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    stated = headers.get("retry-after")
    seconds = _number(stated)
    if seconds is not None or stated is None:
        return seconds
    try:
        moment = parsedate_to_datetime(stated)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None


def pause(seconds: float) -> None:
    """Wait; Ctrl-C ends it."""
    threading.Event().wait(seconds)

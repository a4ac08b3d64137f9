"""A call that ends: what is not there in time is given up, however alive the other side looks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")

BEAT = 0.1
"""Seconds between two looks at how far a call is."""


class Overdue(Exception):
    """The call did not end in time."""


def _nothing() -> None:
    pass


def call_within(
    seconds: float,
    call: Callable[[], T],
    beat: Callable[[], None] = _nothing,
    abandon: Callable[[], None] = _nothing,
) -> T:
    """What `call` gives, or raises; Overdue after `seconds`, and then nobody waits for it any more.

    The time-out of a socket is none of a call: a server that sends a byte now and then never meets it. `beat` is
    called now and then while it lasts, by who waits; `abandon` when nobody waits any more, also after Ctrl-C.
    """
    results: list[T] = []
    problems: list[BaseException] = []

    def work() -> None:
        try:
            results.append(call())
        except BaseException as problem:  # noqa: BLE001 - it is raised where somebody waits
            problems.append(problem)

    thread = threading.Thread(target=work, name="skillc-model-call", daemon=True)
    thread.start()
    try:
        _wait(thread, seconds, beat)
    except BaseException:
        _leave(abandon)
        raise
    if problems:
        raise problems[0]
    if not results:
        _leave(abandon)
        raise Overdue
    return results[0]


def _wait(thread: threading.Thread, seconds: float, beat: Callable[[], None]) -> None:
    end = time.monotonic() + min(seconds, threading.TIMEOUT_MAX)
    while thread.is_alive() and (left := end - time.monotonic()) > 0:
        thread.join(min(BEAT, left))
        beat()


def _leave(abandon: Callable[[], None]) -> None:
    """What goes wrong when something is given up concerns nobody."""
    with suppress(Exception):
        abandon()

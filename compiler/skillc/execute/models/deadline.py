"""A call that ends: what is not there in time is given up, however alive the other side looks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Overdue(Exception):
    """The call did not end in time."""


def call_within(seconds: float, call: Callable[[], T]) -> T:
    """What `call` gives, or raises; Overdue after `seconds`, and then nobody waits for it any more.

    The time-out of a socket is none of a call: a server that sends a byte now and then never meets it.
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
    thread.join(min(seconds, threading.TIMEOUT_MAX))
    if problems:
        raise problems[0]
    if not results:
        raise Overdue
    return results[0]

"""Waiting for the next change: bursts count once, what is half written is looked at again, nothing is missed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Protocol

from skillc.engine.picture import Picture, is_halfway

QUIET = 0.15
"""Seconds without an event after which a burst is over."""
PATIENCE = 2.0
"""Seconds after which a burst that does not end is looked at all the same."""
AGAIN = 0.4
"""Seconds that are given to who has emptied a file, or taken it away, to write it anew."""


class Events(Protocol):
    """Something tells that files changed."""

    def wait(self, seconds: float | None) -> bool:
        """True as soon as something has happened since the last call, False when nothing did for so long."""


Opening = Callable[[Picture], AbstractContextManager[Events]]
"""Events in the folders of a picture, from the moment that they are opened."""


def next_change(
    before: Picture, look: Callable[[], Picture], opening: Opening, clock: Callable[[], float]
) -> Picture:
    """The picture that `look` gives when it differs from `before` and has come to rest.

    Events only say when to look. What happened before there were any shows in the picture as well, so that a change is
    neither missed nor taken for one that it is not.
    """
    now = before
    while now == before:
        # A folder that vanishes while it is being opened is a change, which the next look shows.
        with suppress(FileNotFoundError), opening(look()) as events:
            now = _after(before, look, events, clock)
    return now


def _after(
    before: Picture, look: Callable[[], Picture], events: Events, clock: Callable[[], float]
) -> Picture:
    if look() == before:
        events.wait(None)
    settle(events, clock, QUIET)
    now = look()
    if is_halfway(before, now):
        settle(events, clock, AGAIN)
        now = look()
    return now


def settle(events: Events, clock: Callable[[], float], quiet: float) -> None:
    """Wait until nothing has happened for `quiet` seconds, but not for ever."""
    end = clock() + PATIENCE
    while events.wait(quiet) and clock() < end:
        pass

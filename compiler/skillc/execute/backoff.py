"""How long to wait before something is tried again that others are in the way of."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

TRIES = 6
FIRST_SECONDS = 0.02
LONGEST_SECONDS = 1.0


def pauses(
    tries: int = TRIES,
    first: float = FIRST_SECONDS,
    longest: float = LONGEST_SECONDS,
    chance: Callable[[], float] = random.random,
) -> Iterator[float]:
    """Seconds to wait before each further try; nothing more when it should be given up.

    Each is a chance share of a bound that doubles, so that those who met once do not meet again.

    >>> list(pauses(tries=4, first=1, longest=3, chance=lambda: 1.0))
    [1.0, 2.0, 3.0]
    """
    for number in range(tries - 1):
        yield min(first * 2**number, longest) * chance()

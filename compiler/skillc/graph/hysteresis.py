"""What a sliding tail re-reads that a window would find in the provider's cache: counted, not measured.

Both policies are pure functions of how much there is (SPEC 9.4, 11.4), so the turns of a session can be
played through in numbers: a log that grows evenly, and a cache that holds whatever is unchanged from the
beginning.
"""

from __future__ import annotations

from skillc.runtime.policy import window_drop
from skillc.value import value
from skillc.wording import say

TURNS = 100
"""How many turns are played through."""
WINDOWS = {"tail_lines": "window_lines", "tail_tokens": "window_tokens", "last_turns": "window_turns"}
"""Each sliding policy and the window that takes its place."""
UNITS = {"tail_lines": say("lines"), "tail_tokens": say("tokens"), "last_turns": say("turns")}


@value
class Saving:
    """`tail` and `window` are the units (lines, tokens, items) that each reads anew in `turns` turns, when
    `growth` are added a turn; a window moves `moves` times, a full tail at every turn."""

    turns: int
    growth: int
    tail: int
    window: int
    moves: int

    @property
    def percent(self) -> int:
        """How much of what the tail reads anew the window does not, rounded down."""
        return 100 * (self.tail - self.window) // self.tail


def saving(kind: str, n: int, turns: int = TURNS) -> Saving:
    """What the window of `n` saves against the tail of `n`, in a log to which each turn adds one item, or a
    twentieth of `n` where lines or tokens are counted.

    >>> saving("last_turns", 20)
    Saving(turns=100, growth=1, tail=1620, window=160, moves=3)
    """
    growth = 1 if kind == "last_turns" else max(1, n // 20)
    counts = [growth * turn for turn in range(1, turns + 1)]
    drops = [window_drop(count, n) for count in counts]
    moved = [drop != before for before, drop in zip([0, *drops], drops, strict=False)]
    window = sum(
        count - drop if move else growth for count, drop, move in zip(counts, drops, moved, strict=True)
    )
    return Saving(turns, growth, sum(growth if count <= n else n for count in counts), window, sum(moved))


def window_name(kind: str, n: int) -> str:
    """The window policy as an author writes it.

    >>> window_name("tail_lines", 80)
    'window_lines_80'
    """
    return f"{WINDOWS[kind]}_{n}"


def policy_name(kind: str, n: int | None) -> str:
    """Any policy as an author writes it.

    >>> policy_name("last_turns", 3)
    'last_3_turns'
    """
    if kind == "last_turns":
        return f"last_{n}_turns"
    return kind if n is None else f"{kind}_{n}"

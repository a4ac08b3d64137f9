"""Which known name another one most likely means. What compares them is loaded when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from heapq import nsmallest

COMPARED = 20
"""With how many names one is compared at most: those that share most characters with it."""
SEARCHED = 100
"""For how many names more than single slips are looked for; where there are more, the trouble is another."""


def closest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name most like `name`, if one is like it at all.

    >>> closest("outlin", ["setting", "outline"])
    'outline'
    """
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, known, 1, cutoff)), None)


class Known:
    """Names that others may be meant for. A slip of one character is looked up, whatever there is to compare;
    other likenesses are searched for the first `SEARCHED` names only, so that the cost stays linear.

    >>> Known(["write-rules", "outline"]).nearest("write-rule")
    'write-rules'
    """

    def __init__(self, names: Iterable[str], cutoff: float = 0.6) -> None:
        self._names = list(dict.fromkeys(names))
        self._cutoff = cutoff
        self._answers: dict[str, str | None] = {}
        self._searches = 0

    @cached_property
    def _characters(self) -> list[frozenset[str]]:
        return [frozenset(name) for name in self._names]

    @cached_property
    def _slips(self) -> dict[str, list[str]]:
        """The names by what a slip makes of them."""
        found: dict[str, list[str]] = {}
        for name in self._names:
            for slip in _slips(name):
                found.setdefault(slip, []).append(name)
        return found

    def nearest(self, name: str) -> str | None:
        """The known name most like `name`, if one is like it at all."""
        if name not in self._answers:
            self._answers[name] = self.slipped(name) or self._searched(name)
        return self._answers[name]

    def slipped(self, name: str) -> str | None:
        """The known name that one slip makes `name`; the answer depends on nothing that was asked before."""
        from difflib import SequenceMatcher

        found = dict.fromkeys(known for slip in _slips(name) for known in self._slips.get(slip, ())[:8])
        scored = [(SequenceMatcher(None, known, name).ratio(), known) for known in found]
        best = max(scored, default=(0.0, ""))
        return best[1] if best[0] >= self._cutoff else None

    def _searched(self, name: str) -> str | None:
        self._searches += 1
        if self._searches > SEARCHED:
            return None
        own = frozenset(name)
        shared = [(-len(own & characters), at) for at, characters in enumerate(self._characters)]
        likely = [self._names[at] for _, at in nsmallest(COMPARED, shared)]
        return closest(name, likely, self._cutoff)


def _slips(name: str) -> Iterator[str]:
    """The name itself, and the name without any one of its characters."""
    yield name
    yield from {name[:at] + name[at + 1 :]: None for at in range(len(name))}

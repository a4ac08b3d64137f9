"""What the calls of a session came to, worker by worker and in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from skillc.execute.calling import OK
from skillc.execute.records import CallRow

_TOKENS = (
    "prompt_tokens",
    "completion_tokens",
    "cached_tokens",
    "cache_written_tokens",
    "predicted_tokens",
)


@dataclass(frozen=True, slots=True)
class Usage:
    """Sums over calls. `retries` are calls behind the first of a turn, `failed` those that gave no reply that counts;
    `ways` and `outcomes` say how many calls went which way and ended how."""

    calls: int
    retries: int
    failed: int
    tokens: dict[str, int]
    ways: dict[str, int]
    outcomes: dict[str, int]

    def data(self) -> dict[str, object]:
        return {
            "calls": self.calls,
            "retries": self.retries,
            "failed": self.failed,
            **self.tokens,
            "ways": self.ways,
            "outcomes": self.outcomes,
        }


def usage_of(rows: Iterable[CallRow]) -> Usage:
    """The sums over `rows`."""
    found = list(rows)
    return Usage(
        calls=len(found),
        retries=sum(row.attempt > 1 for row in found),
        failed=sum(row.outcome != OK for row in found),
        tokens={name: sum(getattr(row, name) for row in found) for name in _TOKENS},
        ways=_counted(row.way for row in found),
        outcomes=_counted(row.outcome for row in found),
    )


def usage_by_worker(rows: Iterable[CallRow]) -> dict[str, Usage]:
    """The sums of each worker, in the order of their first calls."""
    by_worker: dict[str, list[CallRow]] = {}
    for row in rows:
        by_worker.setdefault(row.worker, []).append(row)
    return {worker: usage_of(found) for worker, found in by_worker.items()}


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))

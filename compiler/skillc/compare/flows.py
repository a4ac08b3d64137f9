"""Which secrets reach somebody now that did not, and which declassifications are in force now (SPEC 8.4)."""

from __future__ import annotations

from collections.abc import Sequence

from skillc.artifact.codec import canonical
from skillc.artifact.plan import Plan
from skillc.compare.difference import FlowDifference, Row
from skillc.compare.worker import Names

_PEOPLE = ("worker", "to")
"""Keys of a row that name workers."""


def flow_difference(base: Plan, head: Plan, names: Names) -> FlowDifference:
    """Rows of `flows` that came and went; a worker that was renamed is no news."""
    disclosed = _news(base.flows.disclosures, head.flows.disclosures, names)
    declassified = _news(base.flows.declassified, head.flows.declassified, names)
    return FlowDifference(*disclosed, *declassified)


def _news(was: Sequence[Row], now: Sequence[Row], names: Names) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    before = {canonical(_told(row, names)): row for row in was}
    after = {canonical(row): row for row in now}
    return (
        tuple(row for key, row in after.items() if key not in before),
        tuple(row for key, row in before.items() if key not in after),
    )


def _told(row: Row, names: Names) -> Row:
    return {key: names(value) if key in _PEOPLE and value else value for key, value in row.items()}

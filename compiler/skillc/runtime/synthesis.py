"""What a worker declares, as rows of an order (SPEC 11.5)."""

from __future__ import annotations

from skillc.runtime.layout import declared, input_rows
from skillc.runtime.order import PERSONA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from skillc.artifact.plan import Plan, SegmentPlan, WorkerPlan


def declared_rows(plan: Plan, worker: WorkerPlan, key: str) -> list[dict[str, Any]]:
    """Rows that show what `worker` shows in slot `key` by its own segments, else its inputs."""
    if worker.segments is None and worker.variant is None:
        return input_rows(plan, worker, key)
    return [row for segment in declared(plan, worker, key) for row in _rows(segment)]


def _rows(segment: SegmentPlan) -> list[dict[str, Any]]:
    """One row a tag; the label goes to the first, under which the others stand."""
    rows: list[dict[str, Any]] = []
    for pattern in segment.tags:
        row: dict[str, Any] = {"ref": pattern.text}
        if segment.projection or pattern.text == PERSONA:
            row["projection"] = segment.projection or "fixed"
        rows.append(row)
    if rows and segment.label is not None:
        rows[0]["label"] = segment.label
    if rows and segment.policy:
        n = "" if segment.policy.n is None else f"_{segment.policy.n}"
        rows[0]["note"] = f"policy {segment.policy.kind}{n}"
    return rows

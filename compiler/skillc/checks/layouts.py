"""The segment lists of a worker, and its patterns as one run sees them."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.model.package import Segment, Worker
from skillc.tags import ROLE, Pattern, bind


def layouts(worker: Worker) -> Iterator[tuple[Segment, ...]]:
    """Its contextSegments, then those of each variant, by name; nothing where it declares none."""
    if worker.segments is not None:
        yield worker.segments
    for name in sorted(worker.variants):
        yield worker.variants[name]


def as_bound(worker: Worker, pattern: Pattern) -> Pattern:
    """`pattern` as a run of the worker reads it: under role_pov `角色.*` is the role's own (SPEC 8.3)."""
    return bind(pattern, ROLE, True) if worker.isolation == "role_pov" else pattern

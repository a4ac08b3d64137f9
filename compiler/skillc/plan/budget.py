"""How large a context can become: what is constant in it, and what its policies let the board add (SPEC 9.4, 13)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from skillc.artifact.plan import SegmentPlan, SegmentPolicy, WorkerPlan
from skillc.plan.layout import BREAK, GAP, fallback
from skillc.plan.segments import PERSONA
from skillc.tags import Pattern
from skillc.tokens import Counter
from skillc.value import value

OBJECT = "inputs"
"""The name of the one part of a worker without segments."""
KEEPS = {"tail_tokens": 1, "window_tokens": 2}
"""Policies that bound the tokens of a tag, and how often N they may keep."""


@value
class Part:
    """A segment: its constant text, and how many tokens the board adds to it at most; None when nothing
    bounds them. Bounds are in tokens of the estimator, as policies count; blank lines between items are free."""

    id: str
    tier: str
    constant: str
    bound: int | None

    @property
    def fills(self) -> bool:
        """Whether the board fills it at all."""
        return self.bound != 0


@value
class Layout:
    """The context of a worker in one variant: the system message, then the parts of the user message."""

    worker: str
    variant: str | None
    system: str
    parts: tuple[Part, ...]

    def tokens(self, counter: Counter) -> list[int]:
        """The constant tokens up to each part: of the system message, then with one part after another."""
        return list(accumulate(counter.count(text) for text in self._texts()))

    def sizes(self) -> list[int]:
        """The same in bytes of UTF-8."""
        return list(accumulate(len(text.encode()) for text in self._texts()))

    def constant(self, counter: Counter) -> int:
        """The tokens that stand in every context in which no segment is empty, whatever is on the board."""
        return self.tokens(counter)[-1]

    def worst(self, counter: Counter) -> int:
        """The tokens of the largest context, as far as anything bounds it."""
        return self.constant(counter) + sum(part.bound or 0 for part in self.parts)

    @property
    def unbounded(self) -> tuple[str, ...]:
        """The parts that can grow without limit."""
        return tuple(part.id for part in self.parts if part.bound is None)

    def _texts(self) -> list[str]:
        return [self.system, *(part.constant + BREAK for part in self.parts)]


def layouts(worker: WorkerPlan, sent: tuple[SegmentPlan, ...] | None = None) -> Iterator[Layout]:
    """The layout of the worker itself, then those of its variants by name; of a worker whose slot sends other
    segments in their place (`sent`) the layout of these alone."""
    if sent is not None:
        yield Layout(worker.id, None, worker.system, _parts(worker, sent))
        return
    yield Layout(worker.id, None, worker.system, _parts(worker, worker.segments))
    for name in sorted(worker.variants):
        yield Layout(worker.id, name, worker.system, _parts(worker, worker.variants[name]))


def _parts(worker: WorkerPlan, segments: tuple[SegmentPlan, ...] | None) -> tuple[Part, ...]:
    if segments is None:
        return (Part(OBJECT, "dynamic", fallback(worker, {}), None if worker.inputs else 0),)
    return tuple(Part(s.id, s.tier, constant(worker, s), _bound(s)) for s in segments)


def constant(worker: WorkerPlan, segment: SegmentPlan) -> str:
    """What stands in a segment whatever is on the board, as long as it is not empty."""
    persona = worker.persona if PERSONA in segment.tags else None
    return GAP.join(text for text in (segment.label, segment.inline, persona) if text)


def _bound(segment: SegmentPlan) -> int | None:
    """The sum over its tags; a wildcard stands for any number of them."""
    bounds = [_bound_of(pattern, segment.policy) for pattern in segment.tags if pattern != PERSONA]
    return None if None in bounds else sum(bound or 0 for bound in bounds)


def _bound_of(pattern: Pattern, policy: SegmentPolicy | None) -> int | None:
    many = any(part.endswith("*") for part in pattern.parts)
    if many or policy is None or policy.kind not in KEEPS:
        return None
    return KEEPS[policy.kind] * (policy.n or 0)

"""A context as it is cached: the fixed prefix, the leading static segments, then what follows the board (SPEC 9.2)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from skillc.artifact.plan import Plan, SegmentPlan, WorkerPlan
from skillc.compare.conditions import policy_text
from skillc.plan.budget import constant
from skillc.plan.layout import BREAK, fallback
from skillc.plan.segments import PERSONA
from skillc.value import value

Key = tuple[str | None, bool]
"""A variant, and whether it is the layout of a slot."""
Segments = tuple[SegmentPlan, ...] | None
OWN: Key = (None, False)


@value
class Piece:
    """A segment as far as it makes a message: its constant text, and what the board adds and how."""

    id: str
    tier: str
    text: str
    fills: tuple[str, ...]
    how: tuple[str | None, str | None] = (None, None)

    def __eq__(self, other: object) -> bool:
        """Whether they say the same; a segment's id never reaches a model."""
        return isinstance(other, Piece) and (self.text, self.fills, self.how) == (
            other.text,
            other.fills,
            other.how,
        )

    __hash__ = None  # type: ignore[assignment]


@value
class Layers:
    """One layout: `static` are the segments before the first dynamic one, `dynamic` is the rest."""

    fixed: str
    static: tuple[Piece, ...]
    dynamic: tuple[Piece, ...]


def layers_of(plan: Plan, worker: WorkerPlan) -> Mapping[Key, Layers]:
    """The layouts of a worker: its own, those of its variants, and that of its slot where it plays in one."""
    segments: dict[Key, Segments] = {OWN: worker.segments}
    segments.update({(name, False): worker.variants[name] for name in sorted(worker.variants)})
    if plan.play and worker.id in plan.play.segments:
        segments[None, True] = plan.play.segments[worker.id]
    return {key: _layers(worker, listed) for key, listed in segments.items()}


def _layers(worker: WorkerPlan, segments: Segments) -> Layers:
    if segments is None:
        fills = tuple(entry.pattern.text for entry in worker.inputs)
        return Layers(
            worker.system, (), (Piece("", "dynamic", fallback(worker, {}), fills, (worker.merge, None)),)
        )
    pieces = [_piece(worker, segment) for segment in segments]
    static = tuple(takewhile(lambda piece: piece.tier == "static", pieces))
    return Layers(worker.system, static, tuple(pieces[len(static) :]))


def _piece(worker: WorkerPlan, segment: SegmentPlan) -> Piece:
    fills = tuple(pattern.text for pattern in segment.tags if pattern != PERSONA)
    how = (policy_text(segment.policy) or worker.merge, segment.projection) if fills else (None, None)
    text = constant(worker, segment)
    return Piece(segment.id, segment.tier, text + BREAK if text else "", fills, how)


def static_from(base: Layers, head: Layers) -> int:
    """The number of the first static segment of `head` that is not as in `base`, where the fixed prefix is the same.

    >>> one, two = Piece("a", "static", "A", ()), Piece("b", "static", "B", ())
    >>> static_from(Layers("", (one,), ()), Layers("", (one, two), ()))
    1
    """
    same = 0
    for before, after in zip(base.static, head.static, strict=False):
        if before != after:
            break
        same += 1
    return same

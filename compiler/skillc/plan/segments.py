"""contextSegments and variants as the plan has them, with the manifest's contextProfile applied."""

from __future__ import annotations

from typing import get_args

from skillc.artifact.plan import SegmentPlan, SegmentPolicy
from skillc.grammar import parse_policy
from skillc.model.package import Manifest, Segment, Worker
from skillc.model.projections import Projection
from skillc.runtime.history import takes_history
from skillc.tags import Pattern, literal
from skillc.text import Source, Text
from skillc.value import value

PERSONA = literal("worker.persona")


@value
class Profile:
    """What the manifest chooses for a worker (SPEC 9.6): a variant, and how much of the dialogue its
    history segments show, as a policy or as a projection; either takes the place of what they say themselves."""

    variant: str | None = None
    policy: SegmentPolicy | None = None
    projection: str | None = None


def profile_of(manifest: Manifest | None, worker_id: str) -> Profile:
    """The worker's row of contextProfile; what it does not say, or says wrongly, is none."""
    row = manifest.context_profile.get(worker_id, {}) if manifest else {}
    history = row.get("historyPolicy")
    projection = history if history in get_args(Projection) else None
    return Profile(row.get("variant"), None if projection else _policy(history), projection)


def segments_of(worker: Worker, profile: Profile) -> tuple[SegmentPlan, ...] | None:
    """The worker's own segments, or None: then its message is one JSON object (SPEC 9.5)."""
    return None if worker.segments is None else _compiled(worker.segments, profile)


def variants_of(worker: Worker, profile: Profile) -> dict[str, tuple[SegmentPlan, ...]]:
    """The segments of each variant, by name."""
    return {name: _compiled(worker.variants[name], profile) for name in sorted(worker.variants)}


def inserts_persona(segments: tuple[SegmentPlan, ...] | None) -> bool:
    """Whether `worker.persona` stands in one of the segments."""
    return any(PERSONA in segment.tags for segment in segments or ())


def _compiled(segments: tuple[Segment, ...], profile: Profile) -> tuple[SegmentPlan, ...]:
    return tuple(_segment(segment, profile) for segment in segments)


def _segment(segment: Segment, profile: Profile) -> SegmentPlan:
    tags: tuple[Pattern, ...] = tuple(ref.pattern for ref in segment.tags)
    own = SegmentPolicy(kind=segment.policy.kind, n=segment.policy.n) if segment.policy else None
    chosen = profile if takes_history(tags) else Profile()
    return SegmentPlan(
        id=segment.id.value,
        tier=segment.tier,
        label=segment.label,
        tags=tags,
        policy=chosen.policy or (None if chosen.projection else own),
        projection=chosen.projection or segment.projection,
        inline=segment.inline,
    )


def _policy(text: str | None) -> SegmentPolicy | None:
    if not text:
        return None
    parsed, _ = parse_policy(Text(text, Source("", text).span(0, len(text))))
    return SegmentPolicy(kind=parsed[0], n=parsed[1]) if parsed else None

"""What differs between two lists of segments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from skillc.artifact.plan import SegmentPlan
from skillc.compare.conditions import policy_text
from skillc.compare.difference import Change, Kind
from skillc.compare.layers import Segments
from skillc.wording import say


def segment_changes(where: str, was: Segments, now: Segments, kind: Kind | None = None) -> Iterator[Change]:
    """The segments that came and went, each field of one that is there on both sides, and a new order of those.

    A change in the leading static segments is of the static prefix, any other dynamic, unless `kind` says what it is.
    """
    if was == now:
        return
    before, after = ({segment.id: segment for segment in side or ()} for side in (was, now))
    leading = _leading(was) | _leading(now)
    if (was is None) != (now is None):
        form = (say("one JSON object") if side is None else say("segments") for side in (was, now))
        yield Change(kind or _kind(leading), f"{where}contextSegments", was=next(form), now=next(form))
    for ids, static in ((leading, True), ({*before, *after} - leading, False)):
        added = tuple(id for id in after if id not in before and id in ids)
        removed = tuple(id for id in before if id not in after and id in ids)
        if added or removed:
            yield Change(kind or _kind(static), f"{where}contextSegments", added, removed)
    for id in (id for id in after if id in before):
        yield from _fields(kind or _kind(id in leading), f"{where}{id}", before[id], after[id])
    shared = [[id for id in side if id in before and id in after] for side in (before, after)]
    if shared[0] != shared[1]:
        moved = {a for a, b in zip(*shared, strict=True) if a != b}
        order = [", ".join(ids) for ids in shared]
        yield Change(
            kind or _kind(moved & leading),
            say("{where}order of contextSegments", where=where),
            was=order[0],
            now=order[1],
        )


def _kind(static: object) -> Kind:
    return "static_prefix" if static else "dynamic"


def _leading(segments: Segments) -> set[str]:
    return {segment.id for segment in takewhile(lambda segment: segment.tier == "static", segments or ())}


def _fields(kind: Kind, where: str, was: SegmentPlan, now: SegmentPlan) -> Iterator[Change]:
    values = {
        "tier": (was.tier, now.tier),
        "policy": (policy_text(was.policy), policy_text(now.policy)),
        "projection": (was.projection, now.projection),
    }
    for name, (before, after) in values.items():
        if before != after:
            yield Change(kind, f"{where}.{name}", was=before, now=after)
    tags = [[pattern.text for pattern in segment.tags] for segment in (was, now)]
    added = tuple(tag for tag in tags[1] if tag not in tags[0])
    removed = tuple(tag for tag in tags[0] if tag not in tags[1])
    if added or removed:
        yield Change(kind, f"{where}.tags", added, removed)
    elif tags[0] != tags[1]:
        yield Change(kind, f"{where}.tags", was=", ".join(tags[0]), now=", ".join(tags[1]))
    for name in ("label", "inline"):
        if getattr(was, name) != getattr(now, name):
            yield Change(kind, f"{where}.{name}")

"""Two segments of one list that are the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from skillc.checks.layouts import layouts
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import Segment, Worker
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """The same id twice in a list, or exactly the same tags shown in the same way twice. A variant that
    replaces a segment of the same id is another list. What segments show is not compared where some of them could
    not be read: a policy that is left out makes two of them look the same."""
    for worker in graph.package.workers:
        told: set[Segment] = set()
        for segments in layouts(worker):
            for first, second in (
                _doubles(segments, not worker.segments_broken) if _may_repeat(segments) else ()
            ):
                if second not in told:
                    told.add(second)
                    yield _double(worker, first, second)


def _may_repeat(segments: tuple[Segment, ...]) -> bool:
    """Whether two of them have one id, or begin with one tag: most lists are seen at a glance."""
    if len(segments) < 2:
        return False
    ids = {segment.id.value for segment in segments}
    first = {segment.tags[0].pattern.text if segment.tags else segment.id.value for segment in segments}
    return not len(ids) == len(first) == len(segments)


def _doubles(segments: tuple[Segment, ...], whole: bool) -> Iterator[tuple[Segment, Segment]]:
    seen: dict[Hashable, Segment] = {}
    for segment in segments:
        keys = [segment.id.value, *([_content(segment)] if segment.tags and whole else [])]
        before = next((seen[key] for key in keys if key in seen), None)
        for key in keys:
            seen.setdefault(key, segment)
        if before:
            yield before, segment


def _content(segment: Segment) -> Hashable:
    policy = (segment.policy.kind, segment.policy.n) if segment.policy else None
    return tuple(ref.text for ref in segment.tags), policy, segment.projection, segment.inline


def _double(worker: Worker, first: Segment, second: Segment) -> Diagnostic:
    name = second.id.value
    if first.id.value == name:
        message = say("`{worker}` has two segments `{name}`", worker=worker.id, name=name)
        way_out = say("give one of them another id: the index of a context names segments by id")
    else:
        message = say(
            "segment `{name}` of `{worker}` shows exactly what `{first}` shows",
            name=name,
            worker=worker.id,
            first=first.id.value,
        )
        way_out = say("remove one of the two, or give it a policy or a projection of its own")
    return finding(
        "duplicate-segment", second.id.span, message, way_out, [Label(first.id.span, say("the first one"))]
    )


RULE = Rule("duplicate-segment", "Two segments of a worker have the same id, or show the same.", check)

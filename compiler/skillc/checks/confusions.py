"""Which declared tags of a package look alike, each cause once: the first segment in which two of them differ."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.lookalikes import is_clear, simplified, skeleton, strangeness
from skillc.checks.uses import Use, segments_used, tags_used, uses
from skillc.graph import TagGraph, drafts_of
from skillc.once import once
from skillc.tags import ONE, REST, ROLE, WHOLE
from skillc.value import value

_WILD = frozenset((ONE, ROLE, REST, WHOLE))


@value
class Confusion:
    """Segment `position` is `odd` in the tags of `odd_uses` and `usual` in those of `usual_uses`."""

    position: int
    odd: str
    usual: str
    odd_uses: tuple[Use, ...]
    usual_uses: tuple[Use, ...]


@once
def confusions(graph: TagGraph) -> tuple[Confusion, ...]:
    """Pairs of segments below one parent that a reader takes for one another, in the order they are met.

    A parent is what stands before the segment; all roles are one parent, so that `角色.*.行动` meets
    `角色.甲.行动`. Linear: segments meet by their skeleton.
    """
    if all(map(is_clear, segments_used(graph) - _WILD)):
        return ()
    segments: dict[tuple[str, ...], dict[str, None]] = {}
    for pattern in tags_used(graph):
        for position, part in enumerate(pattern.parts):
            if part not in _WILD:
                segments.setdefault(_parent(pattern.parts[:position]), {})[part] = None
    found = ((parent, group) for parent, parts in segments.items() for group in _alike(list(parts)))
    return tuple(confusion for parent, group in found for confusion in _confused(graph, parent, group))


def _confused(graph: TagGraph, parent: tuple[str, ...], group: list[str]) -> Iterator[Confusion]:
    """The segments of `group` below `parent` that look like the most usual one of them."""
    places: dict[str, list[Use]] = {segment: [] for segment in group}
    position = len(parent)
    for use in uses(graph):
        parts = use.pattern.parts
        if len(parts) > position and parts[position] in places and _parent(parts[:position]) == parent:
            places[parts[position]].append(use)
    usual = min(group, key=strangeness)
    for odd in group:
        if odd != usual and any(not use.derived for use in (*places[odd], *places[usual])):
            yield Confusion(position, odd, usual, tuple(places[odd]), tuple(places[usual]))


@once
def confused_tags(graph: TagGraph) -> frozenset[str]:
    """The texts of all tags that look like another one of the package, the drafts that become one included."""
    uses = [use for pair in confusions(graph) for use in (*pair.odd_uses, *pair.usual_uses)]
    drafts = [draft for use in uses if (draft := drafts_of(use.pattern))]
    return frozenset(pattern.text for pattern in (*(use.pattern for use in uses), *drafts))


def _parent(parts: tuple[str, ...]) -> tuple[str, ...]:
    return ("角色", ONE, *parts[2:]) if len(parts) > 1 and parts[0] == "角色" else parts


def _alike(segments: list[str]) -> list[list[str]]:
    """The groups of two or more segments that look alike, each segment in one group at most."""
    if len(segments) < 2 or all(map(is_clear, segments)):
        return []
    first: dict[str, str] = {}
    groups: dict[str, list[str]] = {}
    for segment in segments:
        keys = {skeleton(segment), skeleton(simplified(segment))}
        leader = next((first[key] for key in sorted(keys) if key in first), segment)
        for key in keys:
            first.setdefault(key, leader)
        groups.setdefault(leader, []).append(segment)
    return [group for group in groups.values() if len(group) > 1]

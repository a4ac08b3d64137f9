"""contextSegments and contextVariants: what a worker's user message is made of (SPEC 9.4, 9.6)."""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from typing import Annotated, ClassVar, Literal, cast

from skillc.diagnostic import Diagnostic, finding
from skillc.grammar import parse_policy
from skillc.model.fields import nearest
from skillc.model.package import Policy, Segment
from skillc.model.projections import read_projection
from skillc.model.refs import read_patterns
from skillc.model.scalars import Name, Word, Words, one_of
from skillc.model.schema import Fields
from skillc.source.node import Mapping
from skillc.text import Text
from skillc.value import replace, value
from skillc.wording import say

Tier = Literal["static", "dynamic"]


class SegmentFields(Fields):
    """One entry of contextSegments."""

    noun: ClassVar[str] = say("a context segment")
    id: Name
    tier: Annotated[Text, one_of("static", "dynamic")]
    tags: Words | None = None
    label: Word | None = None
    policy: Word | None = None
    projection: Word | None = None
    inline: Word | None = None


class VariantFields(Fields):
    """One entry of contextVariants: other segments, other policies of segments, or both."""

    noun: ClassVar[str] = say("a context variant")
    context_segments: list[SegmentFields] | None = None
    policies: dict[str, Word] | None = None


@value
class SegmentsRead:
    """Segments as far as they can be read; `broken` when some part of them cannot."""

    segments: tuple[Segment, ...]
    broken: bool
    diagnostics: tuple[Diagnostic, ...]


def read_segments(entries: list[SegmentFields], partial: bool) -> SegmentsRead:
    """The segments in written order; `partial` tells that a finding has already been made about them.

    Codes: unknown-policy, unknown-projection, missing-field (neither tags nor inline), and those of tags.
    """
    found: list[Diagnostic] = []
    segments = tuple(_segment(entry, partial, found) for entry in entries)
    return SegmentsRead(segments, partial or bool(found), tuple(found))


def read_variants(
    entries: MappingType[str, VariantFields],
    written: Mapping,
    segments: tuple[Segment, ...],
    partial: bool,
) -> tuple[dict[str, tuple[Segment, ...]], list[Diagnostic]]:
    """Each variant as the full list of its segments: its own or the worker's, under its policies."""
    found: list[Diagnostic] = []
    variants = {}
    for name, entry in entries.items():
        own = segments
        if entry.context_segments is not None:
            read = read_segments(entry.context_segments, partial)
            own = read.segments
            found += read.diagnostics
        node = written.get(name)
        policies = node.get("policies") if isinstance(node, Mapping) else None
        keys = {key.value: key for key, _ in policies} if isinstance(policies, Mapping) else {}
        variants[name] = _with_policies(own, entry.policies or {}, keys, found)
    return variants, found


def _segment(entry: SegmentFields, partial: bool, found: list[Diagnostic]) -> Segment:
    tags, said = read_patterns(entry.tags or [])
    found += said
    inline = entry.inline.value if entry.inline and entry.inline.value else None
    if not entry.tags and inline is None and not partial:
        found.append(_empty_segment(entry.id))
    return Segment(
        id=entry.id,
        tier=cast(Tier, entry.tier.value),
        tags=tags,
        label=entry.label.value if entry.label and entry.label.value else None,
        policy=_policy(entry.policy, found) if entry.policy else None,
        projection=read_projection(entry.projection, found) if entry.projection else None,
        inline=inline,
    )


def _empty_segment(id: Text) -> Diagnostic:
    return finding(
        "missing-field",
        id.span,
        say("context segment `{id}` has neither `tags` nor `inline`", id=id.value),
        say("say which tags it shows, or write its constant text under `inline`"),
    )


def _policy(word: Text | None, found: list[Diagnostic]) -> Policy | None:
    if word is None:
        return None
    policy, said = parse_policy(word)
    found += said
    return Policy(policy[0], policy[1], word.span) if policy else None


def _with_policies(
    segments: tuple[Segment, ...],
    policies: MappingType[str, Text],
    keys: MappingType[str, Text],
    found: list[Diagnostic],
) -> tuple[Segment, ...]:
    ids = {segment.id.value for segment in segments}
    read = {id: _policy(word, found) for id, word in policies.items()}
    found += [_no_such_segment(keys[id], ids) for id in policies if id not in ids and id in keys]
    return tuple(
        replace(segment, policy=read[segment.id.value]) if read.get(segment.id.value) else segment
        for segment in segments
    )


def _no_such_segment(key: Text, ids: set[str]) -> Diagnostic:
    near = nearest(key.value, ids)
    return finding(
        "field-type",
        key.span,
        say("`policies` names segment `{key}`, which this worker does not have", key=key.value),
        say("did you mean `{near}`?", near=near) if near else say("name a segment of contextSegments"),
    )

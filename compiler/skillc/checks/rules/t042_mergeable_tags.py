"""Two tags that always go together."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.labels import labelled
from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import OutputKey, PatternIndex, TagGraph, patterns_of, promoted
from skillc.model.package import TagRef, Worker
from skillc.tags import Pattern, stage
from skillc.wording import say

Reading = tuple[str, str, bool, tuple[str, ...]]
"""A reader, how it names the tag, whether it may do without, and the segments that show it."""
READERS = 2
"""Fewer readers than these, besides the writers, prove no habit."""


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Speaks once for each set of tags of one object that the same workers write and the same workers read in
    the same segments, in the same stage. Silent for what people read, for what a condition asks about, for
    what the catalogue tells apart, and where a reader is unknown."""
    if graph.unknowns.readers or graph.unknowns.writers or graph.unknowns.sources:
        return
    written = _written_alike(graph)
    if not written:
        return
    apart, known, wild = _told_apart(graph), _Readings(graph), _wild(graph)
    groups: dict[object, list[OutputKey]] = {}
    for sign, keys in written:
        pattern = graph.output(keys[0]).pattern
        readings, readers = known.of(keys)
        others = len(readers.difference(key[0] for key in keys))
        if others >= READERS and not wild.overlapping(pattern) and not _is_apart(graph, pattern, keys, apart):
            groups.setdefault((sign, readings), []).append(keys[0])
    for members in groups.values():
        if len(members) > 1:
            yield _mergeable(graph, members)


def _written_alike(graph: TagGraph) -> list[tuple[object, list[OutputKey]]]:
    """The concrete tags, with who writes them, that the same workers write as another one of the same object and
    the same stage."""
    if all(len(worker.outputs) < 2 for worker in graph.package.workers):
        return []
    found: dict[object, list[list[OutputKey]]] = {}
    signs: list[tuple[object, list[OutputKey]]] = []
    for text, keys in _exact_outputs(graph).items():
        writers = tuple(sorted(key[0] for key in keys))
        signs.append(((text.split(".")[0], text.count("."), stage(text), writers), keys))
        found.setdefault(signs[-1][0], []).append(keys)
    return [(sign, keys) for sign, keys in signs if len(found[sign]) > 1]


def _exact_outputs(graph: TagGraph) -> dict[str, list[OutputKey]]:
    """The concrete tags that are written, with who writes them."""
    found: dict[str, list[OutputKey]] = {}
    for worker in graph.package.workers:
        for number, ref in enumerate(worker.outputs):
            if _is_exact(graph, worker, number):
                found.setdefault(ref.text, []).append((worker.id, number))
    return found


def _is_exact(graph: TagGraph, worker: Worker, number: int) -> bool:
    """Whether an output is one tag that no worker made of a template reads."""
    ref = worker.outputs[number]
    return ref.pattern.is_tag and "#" not in ref.text and (worker.id, number) not in graph.read_on_demand


def _wild(graph: TagGraph) -> PatternIndex[bool]:
    """What else may be any of these tags: other outputs, and sources."""
    others = (
        ref.pattern
        for worker in graph.package.workers
        for number, ref in enumerate(worker.outputs)
        if not _is_exact(graph, worker, number)
    )
    sources = (source.pattern for source in graph.package.catalogue.sources)
    return PatternIndex((pattern, True) for pattern in (*sources, *others))


class _Readings:
    """How outputs are read, and by whom: worked out once for all that the same inputs read."""

    def __init__(self, graph: TagGraph) -> None:
        self._graph = graph
        self._known: dict[object, tuple[frozenset[Reading], frozenset[str]]] = {}

    def of(self, keys: list[OutputKey]) -> tuple[frozenset[Reading], frozenset[str]]:
        inputs = tuple(self._graph.consumers[key] for key in keys)
        if inputs not in self._known:
            readings = frozenset(reading for key in keys for reading in _readings(self._graph, key))
            self._known[inputs] = readings, frozenset(reading[0] for reading in readings)
        return self._known[inputs]


def _readings(graph: TagGraph, key: OutputKey) -> Iterator[Reading]:
    for input in graph.consumers[key]:
        ref = graph.input(input)
        segments = graph.workers[input[0]].segments or ()
        shown = tuple(s.id.value for s in segments if any(tag.pattern == ref.pattern for tag in s.tags))
        named = stage(ref.text) or "" if ref.pattern.is_tag else ref.text
        yield input[0], named, ref.optional, shown


def _told_apart(graph: TagGraph) -> PatternIndex[bool]:
    """What the manifest, a condition or the catalogue names: somebody tells these tags from others."""
    catalogue, manifest = graph.package.catalogue, graph.package.manifest
    patterns = [*catalogue.deliverables, *(pattern for pattern, _ in catalogue.docs)]
    patterns += [ref.pattern for entry in catalogue.declassify for ref in entry.tags]
    if manifest:
        patterns += [
            ref.pattern for ref in (*manifest.prerequisites, *(ref for _, ref in manifest.forbidden))
        ]
        patterns += [pattern for ready in manifest.ready for pattern in patterns_of(ready.condition)]
    return PatternIndex((pattern, True) for pattern in patterns)


def _is_apart(graph: TagGraph, pattern: Pattern, keys: list[OutputKey], apart: PatternIndex[bool]) -> bool:
    confirmed = promoted(pattern)
    asked = apart.overlapping(pattern) or (confirmed and apart.overlapping(confirmed))
    secret = any(labelled(graph, label, pattern) for label in ("hidden", "user_only", "role_private"))
    accepted = (graph.acceptance.get(key[0]) for key in keys)
    people = any(entry and entry.explicit and entry.mode == "user_confirmed" for entry in accepted)
    return bool(asked or secret or people)


def _mergeable(graph: TagGraph, members: list[OutputKey]) -> Diagnostic:
    refs: list[TagRef] = [graph.output(key) for key in members]
    readers = dict.fromkeys(input[0] for input in graph.consumers[members[0]] if input[0] != members[0][0])
    return finding(
        "mergeable-tags",
        refs[1].span,
        say(
            "{tags} are always written together by `{writer}` and read together by {readers}",
            tags=listed(ref.text for ref in refs),
            writer=members[0][0],
            readers=listed(readers),
        ),
        say("one tag would do; keep them apart if a reader of only one of them is to come"),
        [Label(ref.span, say("`{tag}` is written here", tag=ref.text)) for ref in (refs[0], *refs[2:])],
    )


RULE = Rule("mergeable-tags", "Tags that the same workers always write and read together.", check)

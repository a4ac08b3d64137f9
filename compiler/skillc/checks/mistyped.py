"""Optional inputs that are meant to be a tag that somebody gives, but for a slip: an optional input without a producer
is no gap, so nothing else would tell."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.vocabulary import Near, vocabulary_of
from skillc.graph import InputKey, TagGraph, promoted, under_new_name


def mistyped(graph: TagGraph) -> dict[InputKey, Near]:
    """The optional inputs that nobody gives, of which one edit or a stage makes a tag that is given. Empty where a
    worker may write unknown tags or the catalogue cannot be read."""
    if graph.unknowns.writers or graph.unknowns.sources:
        return {}
    missing = [key for key, producers in graph.producers.items() if not producers and _is_plain(graph, key)]
    made = frozenset(_made(graph)) if missing else frozenset[str]()
    found: dict[InputKey, Near] = {}
    for key in missing:
        near = vocabulary_of(graph).near(graph.input(key).text, glued=False)
        tags = tuple(tag for tag in near.tags if tag in made) if near else ()
        if near and tags:
            found[key] = Near(tags, near.stage)
    return found


def _is_plain(graph: TagGraph, key: InputKey) -> bool:
    ref = graph.input(key)
    return ref.optional and ref.pattern.is_tag and ref.text not in graph.names


def _made(graph: TagGraph) -> Iterator[str]:
    for worker in graph.package.workers:
        for ref in worker.outputs:
            yield ref.text
            confirmed = promoted(under_new_name(ref.pattern, graph.names))
            if confirmed:
                yield confirmed.text
    manifest = graph.package.manifest
    if manifest:
        targets = manifest.startup.targets if manifest.startup else ()
        yield from (ref.text for ref in (*targets, *manifest.asks))

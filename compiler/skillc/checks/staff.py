"""Whom a manifest names, and which folders there are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from skillc.graph import TagGraph, template_ids
from skillc.once import once
from skillc.resemblance import Known
from skillc.text import Text


@once
def missing(graph: TagGraph) -> Mapping[str, list[Text]]:
    """The ids that the manifest registers or names as workers and that have neither a folder nor a template, with
    all places.

    An id that stands in acceptance entries only is not among them: that is unknown-acceptance.
    """
    manifest = graph.package.manifest
    if manifest is None:
        return {}
    templates = template_ids(graph.package)
    found: dict[str, list[Text]] = {}
    for text in (*(row.worker for row in manifest.registered), *manifest.named):
        if text.value not in graph.workers and text.value not in templates:
            found.setdefault(text.value, []).append(text)
    if not found:
        return {}
    accepted = {
        (text.span.start, text.value)
        for entry in manifest.acceptance
        for text in (entry.worker, *entry.reviews)
    }
    return {
        id: places
        for id, places in found.items()
        if any((place.span.start, place.value) not in accepted for place in places)
    }


@once
def known_ids(graph: TagGraph) -> frozenset[str]:
    """Whom the package may name: its workers, its templates, and those that missing-worker speaks of."""
    return frozenset((*graph.workers, *template_ids(graph.package), *missing(graph)))


@once
def unregistered(graph: TagGraph) -> list[str]:
    """The workers that have a folder and that a manifest which lists its workers does not list. A folder that
    was refused has its finding."""
    manifest = graph.package.manifest
    if manifest is None or manifest.broken or not (manifest.registered or manifest.has_list):
        return []
    listed = {row.worker.value for row in manifest.registered}
    return [id for id in graph.order if id not in listed and not graph.workers[id].files.blocked]


class Meant:
    """The worker that an id which has no folder is most likely to mean: one that nobody registers, if any."""

    def __init__(self, graph: TagGraph) -> None:
        self._graph = graph

    @cached_property
    def _unregistered(self) -> Known:
        return Known(unregistered(self._graph), 0.7)

    @cached_property
    def _all(self) -> Known:
        return Known(self._graph.order, 0.7)

    def worker(self, id: str) -> str | None:
        return self._unregistered.nearest(id) or self._all.nearest(id)

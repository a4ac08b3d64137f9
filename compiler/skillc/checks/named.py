"""Which of a package's tags a worker's body and the manifest's tables name."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.mentions import mentions
from skillc.checks.vocabulary import vocabulary_of
from skillc.graph import PatternIndex, TagGraph, promoted
from skillc.model.package import Worker
from skillc.source.document import Document
from skillc.tags import REST, Pattern, covers
from skillc.text import Text

BETWEEN = "、，,；;+＋|/（）() \t`"
"""What stands between two tags in a table cell."""


def tags_named(graph: TagGraph, worker: Worker) -> list[Text]:
    """Tags that somebody writes or gives and that are named for `worker`, each once, without its own outputs."""
    written = _written(graph)
    found: dict[str, Text] = {}
    for text in _named_for(graph, worker):
        pattern = _pattern(text.value)
        own = pattern is not None and any(covers(ref.pattern, pattern) for ref in worker.outputs)
        if pattern is not None and not own and written.overlapping(pattern):
            found.setdefault(text.value, text)
    return list(found.values())


def _written(graph: TagGraph) -> PatternIndex[bool]:
    outputs = [ref.pattern for worker in graph.package.workers for ref in worker.outputs]
    confirmed = [pattern for output in outputs if (pattern := promoted(output))]
    sources = [source.pattern for source in graph.package.catalogue.sources]
    manifest = graph.package.manifest
    if manifest:
        sources += [ref.pattern for ref in manifest.asks]
        sources += [ref.pattern for ref in (manifest.startup.targets if manifest.startup else ())]
    return PatternIndex((pattern, True) for pattern in (*outputs, *confirmed, *sources))


def _named_for(graph: TagGraph, worker: Worker) -> Iterator[Text]:
    if worker.document:
        for mention in mentions(worker.document, vocabulary_of(graph).heads):
            if mention.quoted:
                yield Text(mention.name, mention.span)
    if graph.package.manifest:
        yield from _in_rows(graph.package.manifest.document, worker.id)


def _in_rows(document: Document, worker_id: str) -> Iterator[Text]:
    """The words of all table rows that have a cell for the worker."""
    for section in document.sections:
        for table in section.tables:
            for row in table.rows:
                words = [list(_words(cell)) for cell in row]
                if any(cell and cell[0].value == worker_id for cell in words):
                    yield from (word for cell in words for word in cell)


def _words(cell: Text) -> Iterator[Text]:
    start = 0
    for at, character in enumerate(cell.value + " "):
        if character in BETWEEN:
            if at > start:
                yield Text(cell.value[start:at], cell.span)
            start = at + 1


def _pattern(text: str) -> Pattern | None:
    """What `text` is as a pattern, if it looks like a tag at all: dotted, nothing empty, no blanks."""
    parts = text.split(".")
    if len(parts) < 2 or not all(parts) or any(c in BETWEEN for c in text) or parts[0] == "*":
        return None
    return Pattern((*parts[:-1], REST) if parts[-1] == "*" else tuple(parts))

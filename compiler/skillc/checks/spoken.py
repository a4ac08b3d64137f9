"""By what words, other than its name, a text may speak of a tag."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.graph import TagGraph
from skillc.tags import REST, STAGES, Pattern, family


def last_words(graph: TagGraph, pattern: Pattern) -> Iterator[str]:
    """The last literal segment that is neither a stage nor a label (`隐藏`), and what its slot is called."""
    labels = (rule.segment for rule in graph.package.catalogue.labels if rule.segment)
    silent = {REST, *STAGES, *labels}
    parts = [part for part in pattern.parts if part not in silent and part[0] not in "*{"]
    if parts:
        yield from (word for word in {family(parts[-1]), *parts[-1].split("#")[1:]} if len(word) > 1)

"""What the bodies of a package's workers say of tags, for the rules that hold it against the contracts."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.graph import TagGraph, promoted, under_new_name
from skillc.model.package import Worker
from skillc.source.document import Document
from skillc.tags import Pattern, literal, overlaps


def speaking(graph: TagGraph) -> Iterator[tuple[Worker, Document]]:
    """The workers whose text can be held against their contract: it can be read, it is their own, and they say
    what they read (SPEC 5)."""
    for worker in graph.package.workers:
        known = not (worker.broken or worker.injected or worker.inputs_missing or worker.outputs_missing)
        if known and worker.document and worker.actor != "program":
            yield worker, worker.document


def is_among(graph: TagGraph, pattern: Pattern, declared: tuple[Pattern, ...]) -> bool:
    """Whether a name is one of the declared patterns, under an old name too; or a family of one (`角色.A` of
    `角色.A.行动`); or one with something behind it (`验收.记录.verdict`)."""
    parts = _renamed(graph, pattern).parts
    for known in declared:
        other = _renamed(graph, known)
        if overlaps(Pattern(parts), other):
            return True
        short = min(len(parts), len(other.parts))
        if short > 1 and overlaps(Pattern(parts[:short]), Pattern(other.parts[:short])):
            return True
    return False


def inputs_of(worker: Worker) -> tuple[Pattern, ...]:
    return tuple(ref.pattern for ref in worker.inputs)


def outputs_of(graph: TagGraph, worker: Worker) -> tuple[Pattern, ...]:
    """What a worker writes, and what accepting it makes."""
    written = [ref.pattern for ref in worker.outputs]
    confirmed = (promoted(under_new_name(pattern, graph.names)) for pattern in written)
    return (*written, *(pattern for pattern in confirmed if pattern))


def _renamed(graph: TagGraph, pattern: Pattern) -> Pattern:
    return literal(graph.names[pattern.text]) if pattern.text in graph.names else pattern

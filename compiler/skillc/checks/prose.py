"""What the bodies of a package's workers say of tags, for the rules that hold it against the contracts."""

from __future__ import annotations

from skillc.checks.mentions import Mention
from skillc.checks.prohibition import sentence_around
from skillc.graph import PatternIndex, TagGraph, promoted, under_new_name
from skillc.later import later
from skillc.model.package import Worker
from skillc.model.prose import normal
from skillc.once import once
from skillc.source.document import Document
from skillc.tags import Pattern, literal, overlaps

LONG_NAME = 24
"""Characters of the longest name of a worker that a clause is looked at for."""
_CLAUSE = later(r"[，,：:、]")
_TIME = later(r"^[^`]{0,12}?(?:之后|以后|然后|时|后|再|由|让|请)(?=.)")
_MARKS = " -*+>0123456789.)`"


@once
def speaking(graph: TagGraph) -> tuple[tuple[Worker, Document], ...]:
    """The workers whose text can be held against their contract: it can be read, it is their own, and they say
    what they read (SPEC 5)."""
    return tuple(
        (worker, worker.document)
        for worker in graph.package.workers
        if worker.document and worker.actor != "program" and _says_all(worker)
    )


def _says_all(worker: Worker) -> bool:
    return not (worker.broken or worker.injected or worker.inputs_missing or worker.outputs_missing)


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


@once
def given(graph: TagGraph) -> PatternIndex[bool]:
    """What the user gives: at the start, when asked, and by the catalogue."""
    manifest = graph.package.manifest
    asked = (*(manifest.startup.targets if manifest.startup else ()), *manifest.asks) if manifest else ()
    sources = (source.pattern for source in graph.package.catalogue.sources if source.origin == "user")
    return PatternIndex((pattern, True) for pattern in (*(ref.pattern for ref in asked), *sources))


@once
def staff_of(graph: TagGraph) -> Staff:
    """The workers of a package by what they are called."""
    return Staff(graph)


class Staff:
    """What the workers of a package are called, to tell of whom a text speaks."""

    def __init__(self, graph: TagGraph) -> None:
        self._ids: dict[str, str] = {}
        for worker in graph.package.workers:
            for name in (worker.id, worker.name):
                self._ids.setdefault(normal(name), worker.id)

    def speaks_of_another(self, worker: Worker, mention: Mention) -> bool:
        """Whether a mention stands in a table with a cell for another worker, in no row that is surely its own; or
        in a sentence one of whose clauses begins with another worker: `三审之后主编动笔，然后把定稿写入 …`."""
        place = mention.place
        if place.table:
            cells = (cell.value for row in place.table.rows for cell in row)
            return not place.own and any(self._is_another(worker, normal(cell)) for cell in cells)
        if place.said:
            return False
        start, end = sentence_around(place.text, place.at, place.at + len(mention.name))
        return any(self._begins_with_another(worker, part) for part in _CLAUSE.split(place.text[start:end]))

    def _is_another(self, worker: Worker, name: str) -> bool:
        return self._ids.get(name, worker.id) != worker.id

    def _begins_with_another(self, worker: Worker, clause: str) -> bool:
        said = _TIME.sub("", clause.lstrip(_MARKS)).lstrip(_MARKS).casefold()
        sizes = range(2, min(len(said), LONG_NAME) + 1)
        return any(self._is_another(worker, said[:size]) for size in sizes)

"""The same pattern twice in one list of a worker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import Segment, TagRef, Worker
from skillc.tags import Pattern
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Speaks at each repetition, with the first mention related."""
    for worker in graph.package.workers:
        for where, refs in _lists(worker):
            if len(refs) > 1 and len({ref.pattern.text for ref in refs}) < len(refs):
                name = where if isinstance(where, str) else say("segment `{segment}`", segment=where.id.value)
                yield from _repeated(worker.id, name, refs)


def _lists(worker: Worker) -> Iterator[tuple[str | Segment, tuple[TagRef, ...]]]:
    yield "inputTags", worker.inputs
    yield "outputTags", worker.outputs
    for segment in worker.segments or ():
        yield segment, segment.tags


def _repeated(worker_id: str, where: str, refs: Sequence[TagRef]) -> Iterator[Diagnostic]:
    from skillc.checks.repetition import without_repeated

    first: dict[Pattern, TagRef] = {}
    for ref in refs:
        before = first.setdefault(ref.pattern, ref)
        if before is not ref:
            yield finding(
                "duplicate-tag",
                ref.span,
                say(
                    "`{tag}` stands twice in {where} of `{worker_id}`",
                    tag=ref.text,
                    where=where,
                    worker_id=worker_id,
                ),
                say("remove one of the two"),
                [Label(before.span, say("the first one"))],
                without_repeated(ref, refs) if ref.optional == before.optional else None,
            )


RULE = Rule("duplicate-tag", "The same tag stands twice in one list.", check)

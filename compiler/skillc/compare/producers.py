"""Who reads a tag that one of its producers writes no longer."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.artifact.plan import Plan
from skillc.compare.difference import LostProducer
from skillc.compare.worker import Names
from skillc.graph.index import PatternIndex
from skillc.graph.promotion import PROMOTING, promoted, under_new_name
from skillc.graph.table import in_table
from skillc.tags import Pattern, literal


def lost_producers(base: Plan, head: Plan, names: Names) -> Iterator[LostProducer]:
    """Each input that is there on both sides and has lost a producer, in the order of `head`.

    A producer is a worker that writes an overlapping pattern, or whose draft becomes one on acceptance; or a source,
    named by its origin in parentheses.
    """
    before, after = _writers(base), _writers(head)
    read = {names(id): {entry.pattern for entry in base.workers[id].inputs} for id in base.order}
    for id in head.order:
        for entry in head.workers[id].inputs:
            if entry.pattern not in read.get(id, ()):
                continue
            now = set(after.overlapping(entry.pattern))
            lost = {names(who) for who in before.overlapping(entry.pattern)} - now
            if lost:
                yield LostProducer(id, entry.pattern.text, tuple(sorted(lost)), len(now))


def _writers(plan: Plan) -> PatternIndex[str]:
    return PatternIndex((*_sources(plan), *_outputs(plan)))


def _sources(plan: Plan) -> Iterator[tuple[Pattern, str]]:
    for origin, patterns in plan.sources.items():
        yield from ((pattern, f"({origin})") for pattern in patterns)
    yield from ((pattern, "(ask)") for pattern in plan.asks)
    for target in plan.startup.targets if plan.startup else ():
        yield literal(target), "(startup)"


def _outputs(plan: Plan) -> Iterator[tuple[Pattern, str]]:
    for id, worker in plan.workers.items():
        accepted = plan.acceptance.get(id)
        promotes = accepted is None or accepted.mode in PROMOTING
        for pattern in worker.outputs:
            confirmed = promoted(under_new_name(pattern, plan.moved)) if promotes else None
            for made in (pattern, confirmed, in_table(pattern)):
                if made:
                    yield made, id

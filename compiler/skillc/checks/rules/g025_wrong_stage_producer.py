"""A design worker that waits for what is written in play only."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import InputKey, TagGraph
from skillc.graph.readiness import runs_before_play
from skillc.model.package import Worker
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """An input without `?` of a worker that is surely of the design stage, all of whose producers run in play:
    design is over by then. Silent where a producer's stage, or a producer, is unknown."""
    if graph.unknowns.feed:
        return
    for worker in graph.package.workers:
        if _is_of_design(graph, worker):
            for number, ref in enumerate(worker.inputs):
                producers = graph.producers[worker.id, number]
                ids = [producer.worker for producer in producers if producer.kind in ("worker", "promotion")]
                sure = bool(ids) and len(ids) == len(producers) and not ref.optional
                if sure and not any(id and runs_before_play(graph, id) for id in ids):
                    yield _wrong_stage(graph, (worker.id, number))


def _is_of_design(graph: TagGraph, worker: Worker) -> bool:
    known = worker.stage is not None or worker.stage_written is None
    return known and not worker.broken and graph.stage_of(worker.id) == "design"


def _wrong_stage(graph: TagGraph, key: InputKey) -> Diagnostic:
    ref = graph.input(key)
    ids = list(dict.fromkeys(p.worker for p in graph.producers[key] if p.worker))
    return finding(
        "wrong-stage-producer",
        ref.span,
        say(
            "`{id}` runs in design and reads `{tag}`, which is written in play only, by {writers}",
            id=key[0],
            tag=ref.text,
            writers=listed(ids),
        ),
        say(
            "give {writers} `stage: design`, or `{id}` `stage: play`; mark the input with `?` if `{id}` can do "
            "without it",
            id=key[0],
            writers=listed(ids),
        ),
        [
            Label(p.ref.span, say("`{id}` writes it in play", id=p.worker))
            for p in graph.producers[key]
            if p.ref
        ],
    )


RULE = Rule("wrong-stage-producer", "A design worker reads what only play workers write.", check)

"""A worker that can never run, because whoever feeds it cannot."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import InputKey, TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Speaks of the workers right behind a deadlocked loop; those further down follow from them. What the
    loop itself is about has its own finding, and so has an input without a producer."""
    for id in graph.order:
        key = None if id in graph.reachable or id in graph.dead else _waits_for(graph, id)
        if key:
            yield _unreachable(graph, key)


def _waits_for(graph: TagGraph, id: str) -> InputKey | None:
    """The first needed input of `id` that only workers write which cannot run, one of a dead loop among them."""
    for number in range(len(graph.workers[id].inputs)):
        writers = {producer.worker for producer in graph.producers[id, number]}
        if (
            (id, number) in graph.needed
            and writers & graph.dead
            and writers.isdisjoint({None, *graph.reachable})
        ):
            return id, number
    return None


def _unreachable(graph: TagGraph, key: InputKey) -> Diagnostic:
    ref = graph.input(key)
    writers = listed(dict.fromkeys(p.worker for p in graph.producers[key] if p.worker))
    return finding(
        "unreachable-worker",
        ref.span,
        say(
            "`{worker}` can never run: it needs `{tag}`, which {writers} would write and can never run "
            "either",
            worker=key[0],
            tag=ref.text,
            writers=writers,
        ),
        say(
            "resolve the loop that holds up {writers}, or mark the input with `?` if `{worker}` can do "
            "without it",
            writers=writers,
            worker=key[0],
        ),
        [
            Label(p.ref.span, say("`{worker}` would write it", worker=p.worker))
            for p in graph.producers[key]
            if p.ref
        ],
    )


RULE = Rule("unreachable-worker", "A worker can never run, because those that feed it cannot.", check)

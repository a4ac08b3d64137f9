"""What only the user may see, on its way to a role."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.flows import found
from skillc.checks.labels import labelled
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, Severity, finding
from skillc.graph import TagGraph
from skillc.graph.meeting import any_role
from skillc.model.package import TagRef, Worker
from skillc.tags import covers
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Through a worker that read it; and as an error a role_pov worker that asks for nothing else, since the
    runtime keeps it away (SPEC 8.3). A wildcard over the role's own tags is none: its other tags come."""
    yield from found(graph, "user-only-leak")
    for worker in graph.package.workers:
        for number, ref in enumerate(worker.inputs):
            if worker.isolation == "role_pov" and graph.producers[worker.id, number] and _is_all(graph, ref):
                yield _direct(graph, worker, number)


def _is_all(graph: TagGraph, ref: TagRef) -> bool:
    part = labelled(graph, "user_only", ref.pattern)
    return part is not None and covers(any_role(part), any_role(ref.pattern))


def _direct(graph: TagGraph, worker: Worker, number: int) -> Diagnostic:
    ref = worker.inputs[number]
    writers = [p for p in graph.producers[worker.id, number] if p.ref is not None and p.worker]
    return finding(
        "user-only-leak",
        ref.span,
        say(
            "`{worker}` runs as a role and reads `{tag}`, which only the user may see",
            worker=worker.id,
            tag=ref.text,
        ),
        say("take it out of inputTags: the runtime never gives it to a role, its own included"),
        [
            Label(p.ref.span, say("`{worker}` writes `{tag}` here", worker=p.worker, tag=p.ref.text))
            for p in writers[:4]
            if p.ref
        ],
        severity=Severity.ERROR,
    )


RULE = Rule("user-only-leak", "What only the user may see reaches a role.", check)

"""A blind reviewer that would see what is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skillc.checks.labels import hidden_from
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import Producer, TagGraph, meet
from skillc.model.package import TagRef, Worker
from skillc.tags import WHOLE, Pattern
from skillc.text import Span


@dataclass(frozen=True, slots=True)
class _Secret:
    tag: Pattern
    producer: Producer


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding an input of a blind_review worker that matches a hidden tag which some worker or source may
    write (SPEC 8.2). A wildcard that could hold something hidden, but that nothing says does, is none: what
    turns up at run time is filtered. `**` has its own finding."""
    for worker in graph.package.workers:
        if worker.isolation == "blind_review":
            for number, ref in enumerate(worker.inputs):
                secrets = list(_secrets(graph, worker, ref, graph.producers[worker.id, number]))
                if secrets:
                    yield _seen(worker, ref, secrets)


def _secrets(
    graph: TagGraph, worker: Worker, ref: TagRef, producers: tuple[Producer, ...]
) -> Iterator[_Secret]:
    if ref.pattern.parts[0] == WHOLE:
        return
    for producer in producers:
        written = meet(producer.pattern, ref.pattern)
        hidden = hidden_from(graph, worker, written) if written else None
        if hidden is not None:
            yield _Secret(hidden, producer)


def _seen(worker: Worker, ref: TagRef, secrets: list[_Secret]) -> Diagnostic:
    tag = secrets[0].tag.text
    said = (
        f"`{ref.text}`, which is hidden from it"
        if tag == ref.text
        else f"`{ref.text}`, which matches `{tag}`, hidden from it"
    )
    return finding(
        "blind-reads-hidden",
        ref.span,
        f"`{worker.id}` has blind_review and reads {said}",
        "name only the tags that the reviewer may see, or give it contextIsolation none if it reviews as the author",
        [Label(place, message) for secret in secrets[:4] for place, message in _ends(secret)],
    )


def _ends(secret: _Secret) -> Iterator[tuple[Span, str]]:
    producer = secret.producer
    if producer.ref is not None:
        who = f"`{producer.worker}` writes" if producer.worker else "the user is asked for"
        yield producer.ref.span, f"{who} `{secret.tag.text}` here"


RULE = Rule("blind-reads-hidden", "A blind reviewer reads a hidden tag.", check)

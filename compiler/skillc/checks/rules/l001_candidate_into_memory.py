"""Long-term memory that is written straight from what may still come to nothing."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import InputKey, Producer, TagGraph, meet
from skillc.graph.lifecycle import CANDIDATE, is_memory, may_remember, stage_named
from skillc.graph.promotion import PROMOTING
from skillc.model.package import TagRef
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a worker: the first input that takes candidates or drafts into memory that counts (SPEC 7.5).

    An input that names the stage does so by itself; a family does when a worker writes a candidate in it, or
    a draft that no acceptance confirms.
    """
    for worker in graph.package.workers:
        written = [ref for ref in worker.outputs if is_memory(ref.pattern)]
        memory = [(ref, stage_named(ref.pattern, graph.names)) for ref in written]
        found: list[tuple[TagRef, TagRef, str, Producer | None]] = []
        for number, ref in enumerate(worker.inputs) if memory else ():
            taken = _taken(graph, (worker.id, number))
            kept = taken and next((r for r, stage in memory if not may_remember(stage, taken[0])), None)
            if taken and kept:
                found.append((ref, kept, *taken))
        if found:
            yield _remembered(worker.id, *found[0], [ref for ref, *_ in found[1:]])


def _taken(graph: TagGraph, key: InputKey) -> tuple[str, Producer | None] | None:
    """The open stage that an input takes, and who writes it where the input itself does not say so."""
    ref = graph.input(key)
    named = stage_named(ref.pattern, graph.names)
    if not may_remember("", named):
        return named, None
    if named:
        return None
    for producer in graph.producers[key]:
        common = meet(ref.pattern, producer.pattern) if producer.kind == "worker" else None
        stage = stage_named(common, graph.names) if common else ""
        if not may_remember("", stage) and (stage == CANDIDATE or not _is_confirmed(graph, producer)):
            return stage, producer
    return None


def _is_confirmed(graph: TagGraph, producer: Producer) -> bool:
    """Whether acceptance follows: then who runs later reads the confirmed text in the draft's place."""
    return producer.worker is not None and graph.acceptance_of(producer.worker).mode in PROMOTING


def _remembered(
    id: str, read: TagRef, kept: TagRef, stage: str, producer: Producer | None, others: list[TagRef]
) -> Diagnostic:
    labels = [Label(kept.span, say("the memory is written here"))]
    labels += [Label(ref.span, say("`{tag}` is taken in too", tag=ref.text)) for ref in others]
    if producer and producer.ref:
        labels.append(
            Label(producer.ref.span, say("`{id}` writes a {stage} there", id=producer.worker, stage=stage))
        )
    return finding(
        "candidate-into-memory",
        read.span,
        say(
            "`{id}` writes the memory `{memory}` straight from `{tag}`, and a {stage} is no fact yet",
            id=id,
            memory=kept.text,
            tag=read.text,
            stage=stage,
        ),
        say("read the confirmed text (…确认稿) or an update (…更新) instead, or write a draft of the memory"),
        labels,
    )


RULE = Rule("candidate-into-memory", "Long-term memory takes a candidate or a draft directly.", check)

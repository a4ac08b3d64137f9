"""A worker that reads a tag and writes it anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skillc.checks.rule import Rule
from skillc.checks.uses import all_concrete, texts_of
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef, Worker
from skillc.tags import WHOLE, covers
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a worker, at the first output that an input of its own covers, or the other way round. The
    whole board is no such input: that it is read has a finding of its own."""
    for worker in graph.package.workers:
        texts = texts_of(graph)[worker.id]
        if worker.id in all_concrete(graph) and texts.reads.isdisjoint(texts.writes):
            continue
        reads = [ref for ref in worker.inputs if ref.pattern.parts[0] != WHOLE]
        pairs = [(output, _read_as(reads, output)) for output in worker.outputs]
        again = [(output, read) for output, read in pairs if read]
        if again:
            yield _in_place(worker, again)


def _read_as(reads: Sequence[TagRef], output: TagRef) -> TagRef | None:
    same = (ref for ref in reads if ref.pattern == output.pattern)
    near = (r for r in reads if covers(r.pattern, output.pattern) or covers(output.pattern, r.pattern))
    return next(same, None) or next(near, None)


def _in_place(worker: Worker, again: list[tuple[TagRef, TagRef]]) -> Diagnostic:
    return finding(
        "updates-in-place",
        again[0][0].span,
        say(
            "`{id}` reads and writes {tags}: each run goes on from the text of the last",
            id=worker.id,
            tags=listed(sorted({output.text for output, _ in again})),
        ),
        say("nothing to do if that is meant; the first run has no text to go on from"),
        [Label(read.span, say("`{tag}` is read here", tag=read.text)) for _, read in again],
    )


RULE = Rule("updates-in-place", "A worker reads a tag that it writes itself.", check)

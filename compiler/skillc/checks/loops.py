"""How a loop is shown: its route in words, and each hop with both its ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from skillc.diagnostic import Label
from skillc.graph import TagGraph
from skillc.model.package import TagRef
from skillc.value import value
from skillc.wording import say

SHOWN = 8
"""How many workers of a long loop are named, and how many of its hops are pointed at."""


@value
class Hop:
    """`writer` writes `wrote`, and `reader` reads it as `read`."""

    writer: str
    wrote: TagRef
    reader: str
    read: TagRef

    def labels(self) -> Iterator[Label]:
        yield Label(
            self.wrote.span, say("`{writer}` writes `{tag}`", writer=self.writer, tag=self.wrote.text)
        )
        yield Label(self.read.span, say("`{reader}` reads `{tag}`", reader=self.reader, tag=self.read.text))


def route(loop: Sequence[str]) -> str:
    """`a → b → a`; the middle of a long loop is left out."""
    names = [*loop, loop[0]]
    if len(loop) > SHOWN:
        names = [*names[: SHOWN - 2], "…", *names[-2:]]
    return " → ".join(name if name == "…" else f"`{name}`" for name in names)


def hops(graph: TagGraph, loop: Sequence[str]) -> list[Hop]:
    """The hops of a loop in order, beginning with the one into its first worker; at most `SHOWN`."""
    ring = [loop[-1], *loop]
    return [_hop(graph, writer, reader) for writer, reader in islice(pairwise(ring), SHOWN)]


def _hop(graph: TagGraph, writer: str, reader: str) -> Hop:
    for number, read in enumerate(graph.workers[reader].inputs):
        for producer in graph.producers[reader, number]:
            if producer.worker == writer and producer.ref is not None:
                return Hop(writer, producer.ref, reader, read)
    raise AssertionError(f"no edge from {writer} to {reader}")

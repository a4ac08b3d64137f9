"""TagGraphs -> Network: package by package, since packages share no board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from skillc.graph import PatternIndex, TagGraph
from skillc.graph.build import writers_of
from skillc.graph.receiving import asks_user
from skillc.graph.types import Producer
from skillc.model.package import Worker
from skillc.query.network import MATCHES, EdgeKind, Kind, Network, Vertex, tag_vertex
from skillc.tags import Pattern

USER = "user"
_DECLARED = ("startup", "ask")
"""Origins that are the package's own words; what other sources could give is in the network where somebody reads it."""


def build_network(graphs: Mapping[str, TagGraph]) -> Network:
    """The network of the packages with these graphs, by path.

    >>> build_network({}).vertices
    []
    """
    network = Network()
    for path in sorted(graphs):
        _Making(network, path, graphs[path]).run()
    return network


class _Making:
    """The network of one package in the making."""

    def __init__(self, network: Network, path: str, graph: TagGraph) -> None:
        self._network, self._path, self._graph = network, path, graph
        self._written: dict[Pattern, int] = {}
        self._read: dict[Pattern, int] = {}
        self._nodes: dict[tuple[str, str], int] = {}
        self._joined: set[tuple[int, int, EdgeKind]] = set()

    def run(self) -> None:
        package, network, path = self._graph.package, self._network, self._path
        network.graphs[path] = self._graph
        network.add(Vertex("package", path, "", path, silent=True))
        for worker in package.workers:
            self._node("worker", worker.id, worker)
        for template in package.templates:
            self._node("template", template.id, template)
        for reader in (*package.workers, *package.templates):
            self._reads(reader)
        read = PatternIndex(self._read.items())
        writers = writers_of(package, self._graph.acceptance, self._graph.names)
        for producer, _ in writers:
            if (
                producer.kind != "source"
                or producer.origin in _DECLARED
                or read.overlapping(producer.pattern)
            ):
                self._writes(producer)
        written = PatternIndex(self._written.items())
        network.written[path], network.read[path] = written, read
        for pattern, number in self._read.items():
            for source in written.overlapping(pattern):
                network.join(source, number, MATCHES)
        self._unknown()
        self._user(package.catalogue.deliverables)
        self._reviews()

    def _node(self, kind: Kind, name: str, worker: Worker | None = None, end: str = "") -> int:
        """The vertex of a worker, a source or the user; `end` tells the two of the user apart."""
        shown = f"({name})" if kind in ("source", "user") else name
        number = self._nodes.get((shown, end))
        if number is None:
            label = f"{self._path}:{shown}"
            number = self._network.add(Vertex(kind, self._path, shown, label, worker=worker))
            self._nodes[shown, end] = number
        return number

    def _tag(self, known: dict[Pattern, int], pattern: Pattern) -> int:
        if pattern not in known:
            known[pattern] = self._network.add(tag_vertex(self._path, pattern))
        return known[pattern]

    def _reads(self, reader: Worker) -> None:
        number = self._node("worker", reader.id)
        for pattern in dict.fromkeys(ref.pattern for ref in reader.inputs):
            self._network.join(self._tag(self._read, pattern), number, "reads")

    def _writes(self, producer: Producer) -> None:
        """The arrows of one way in which tags come to be."""
        made = self._tag(self._written, producer.pattern)
        if producer.kind == "source":
            self._once(self._source(str(producer.origin)), made, "gives")
        elif producer.kind in ("promotion", "update"):
            assert producer.ref is not None and producer.worker is not None
            draft = self._tag(self._written, producer.ref.pattern)
            self._once(draft, made, "promotes" if producer.kind == "promotion" else "updates")
            accepted = self._graph.acceptance.get(producer.worker)
            if producer.kind == "promotion" and (accepted is None or accepted.mode == "user_confirmed"):
                self._once(draft, self._sees(), "shows")
                self._once(self._source(USER), made, "accepts")
        elif producer.worker is not None:
            self._once(self._node("worker", producer.worker), made, "writes")

    def _source(self, origin: str) -> int:
        """Where something comes from outside. What is asked for at the start, or later on, is the user's answer."""
        if origin == USER:
            return self._node("user", USER, end="gives")
        number = self._node("source", origin)
        if origin in _DECLARED:
            self._once(self._node("user", USER, end="gives"), number, "gives")
        return number

    def _sees(self) -> int:
        return self._node("user", USER, end="sees")

    def _once(self, start: int, end: int, kind: EdgeKind) -> None:
        if (start, end, kind) not in self._joined:
            self._joined.add((start, end, kind))
            self._network.join(start, end, kind)

    def _unknown(self) -> None:
        """Who may give, for all that is known, what nobody is known to give."""
        asked: set[Pattern] = set()
        for (reader, at), producers in self._graph.producers.items():
            pattern = self._graph.workers[reader].inputs[at].pattern
            if pattern not in asked and producers and producers[0].kind == "unknown":
                asked.add(pattern)
                for producer in producers:
                    if producer.origin != "template":
                        self._network.join(self._stranger(producer), self._read[pattern], "unknown")

    def _stranger(self, producer: Producer) -> int:
        """A worker that cannot be read, or one that is named and not there; else the manifest that cannot be read."""
        if producer.worker is None:
            return self._node("source", str(producer.origin))
        known = (producer.worker, "") in self._nodes
        return self._node("worker" if known else "missing", producer.worker)

    def _user(self, deliverables: Iterable[Pattern]) -> None:
        """What comes to the user: what is delivered, and what workers ask."""
        delivered = PatternIndex((pattern, None) for pattern in deliverables)
        for pattern, number in self._written.items():
            own = any(kind in ("writes", "promotes") for _, kind in self._network.into[number])
            if own and delivered.overlapping(pattern):
                self._once(number, self._sees(), "shows")
        for worker in self._graph.package.workers:
            if asks_user(worker):
                self._once(self._node("worker", worker.id), self._sees(), "asks")

    def _reviews(self) -> None:
        """Who reviews comes after whose products are reviewed."""
        workers = self._graph.workers
        for id in workers:
            for reviewed in self._graph.acceptance_of(id).reviews:
                if reviewed.value in workers:
                    self._once(self._node("worker", reviewed.value), self._node("worker", id), "reviews")

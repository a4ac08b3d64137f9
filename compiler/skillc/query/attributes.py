"""What is known of each node besides its name: the values that `stage:play` and `attr(stage, play, …)` ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from skillc.graph.labels import Labels
from skillc.query.network import KINDS, Network, Vertex

Values = tuple[str, ...]
ORIGINS = ("user", "runtime", "book", "rag", "pseudo", "startup", "ask", "manifest")
CLOSED: Mapping[str, Values] = {
    "stage": ("design", "play"),
    "isolation": ("none", "role_pov", "blind_review"),
    "actor": ("llm", "user", "program"),
    "acceptance": ("user_confirmed", "programmatic_review", "no_confirmation"),
    "kind": KINDS,
    "origin": ORIGINS,
}
"""Attributes with all values that they can have; `label` has those that the packages define."""
ATTRIBUTES = (*CLOSED, "label")


class Attributes:
    """Answers about the vertices of one network; labels are looked up when they are first asked for."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._labels: dict[str, tuple[Values, Labels]] = {}

    def values(self, name: str, vertex: Vertex) -> Values:
        """The values of an attribute: one, or none where such a node has no such attribute; labels may be several."""
        return _READ[name](self, vertex)

    def having(self, name: str, value: str, among: Iterable[int]) -> Iterator[int]:
        """Those of the vertices that are nodes of which the attribute has the value."""
        for number in among:
            vertex = self._network.vertices[number]
            if not vertex.silent and value in self.values(name, vertex):
                yield number

    def known(self, name: str) -> Values:
        """The values that an attribute can have, sorted where the packages define them."""
        if name in CLOSED:
            return CLOSED[name]
        return tuple(sorted({label for path in self._network.graphs for label in self._rules(path)[0]}))

    def data(self, vertex: Vertex) -> dict[str, object]:
        """What a program is told of a node."""
        if vertex.kind == "tag":
            return {"labels": list(self.values("label", vertex))}
        names = {
            "worker": ("stage", "isolation", "actor", "acceptance"),
            "template": ("stage", "isolation", "actor"),
            "source": ("origin",),
            "user": ("origin",),
        }.get(vertex.kind, ())
        return {name: next(iter(self.values(name, vertex)), None) for name in names}

    def _rules(self, path: str) -> tuple[Values, Labels]:
        if path not in self._labels:
            graph = self._network.graphs[path]
            catalogue = graph.package.catalogue
            names = tuple(sorted({rule.label for rule in catalogue.labels}))
            self._labels[path] = names, Labels(catalogue, graph.names)
        return self._labels[path]

    def _stage(self, vertex: Vertex) -> Values:
        if vertex.worker is None:
            return ()
        stages = self._network.graphs[vertex.package].stages
        return (stages.get(vertex.name) or vertex.worker.stage or "play",)

    def _acceptance(self, vertex: Vertex) -> Values:
        graph = self._network.graphs[vertex.package]
        return (graph.acceptance_of(vertex.name).mode,) if vertex.kind == "worker" else ()

    def _label(self, vertex: Vertex) -> Values:
        pattern = vertex.pattern
        if pattern is None:
            return ()
        names, labels = self._rules(vertex.package)
        return tuple(name for name in names if labels.part(name, pattern) is not None)


_READ: Mapping[str, Callable[[Attributes, Vertex], Values]] = {
    "stage": Attributes._stage,
    "isolation": lambda _, vertex: (vertex.worker.isolation,) if vertex.worker else (),
    "actor": lambda _, vertex: (vertex.worker.actor,) if vertex.worker else (),
    "acceptance": Attributes._acceptance,
    "kind": lambda _, vertex: (vertex.kind,),
    "origin": lambda _, vertex: (vertex.name[1:-1],) if vertex.kind in ("source", "user") else (),
    "label": Attributes._label,
}

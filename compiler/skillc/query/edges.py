"""What is printed of an answer: its nodes by their labels, and the edges between them."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.query.evaluate import Answer
from skillc.query.network import MATCHES, Vertex
from skillc.value import value


@value(order=True)
class Edge:
    """`start` gives something to `end`; both are labels."""

    start: str
    end: str
    kind: str


def nodes(answer: Answer) -> list[Vertex]:
    """The nodes of an answer, each once, in its order; vertices that have no name of their own are left out."""
    vertices = (answer.network.vertices[number] for number in answer.vertices)
    return list({vertex.label: vertex for vertex in vertices if not vertex.silent}.values())


def edges(answer: Answer) -> list[Edge]:
    """The edges between the nodes of an answer, sorted."""
    return sorted(set(_edges(answer)))


def _edges(answer: Answer) -> Iterator[Edge]:
    vertices, inside = answer.network.vertices, frozenset(answer.vertices)
    for number in answer.vertices:
        start = vertices[number]
        for target, kind in answer.network.out[number]:
            end = vertices[target]
            named = not (start.silent or end.silent)
            if target in inside and named and not (kind == MATCHES and start.label == end.label):
                yield Edge(start.label, end.label, kind)

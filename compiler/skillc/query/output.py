"""An answer as text: labels, one a line; JSON with edges and attributes; DOT."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby

from skillc.query.edges import edges, nodes
from skillc.query.evaluate import Answer
from skillc.query.network import Vertex

FORMAT_VERSION = "1.0"


def labels(answer: Answer) -> str:
    """The label of each node in a line of its own."""
    return "".join(f"{vertex.label}\n" for vertex in nodes(answer))


def as_json(answer: Answer) -> str:
    """The nodes with what is known of them, and the edges between them; docs/schema has the schema."""
    data = {
        "format_version": FORMAT_VERSION,
        "nodes": [_node(answer, vertex) for vertex in nodes(answer)],
        "edges": [{"from": edge.start, "to": edge.end, "kind": edge.kind} for edge in edges(answer)],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _node(answer: Answer, vertex: Vertex) -> dict[str, object]:
    return {
        "label": vertex.label,
        "kind": vertex.kind,
        "package": vertex.package,
        "name": vertex.name,
        **answer.attributes.data(vertex),
    }


_SHAPES: Mapping[str, str] = {
    "worker": "box",
    "template": "box",
    "missing": "box",
    "tag": "plaintext",
    "source": "ellipse",
    "user": "ellipse",
}
_DASHED = ("accepts", "asks", "matches", "reviews", "shows", "unknown")
"""Edges along which no text of a worker becomes the input of another one by itself."""


def dot(answer: Answer) -> str:
    """The nodes and the edges between them for Graphviz, a cluster for each package."""
    lines = ["digraph query {", "  rankdir=LR;"]
    found = sorted(nodes(answer), key=lambda vertex: (vertex.package, vertex.label))
    for package, inside in groupby(found, key=lambda vertex: vertex.package):
        lines.append(f"  subgraph {_quoted('cluster ' + package)} {{")
        lines.append(f"    label={_quoted(package)};")
        lines += _dot_nodes(inside)
        lines.append("  }")
    for edge in edges(answer):
        style = ", style=dashed" if edge.kind in _DASHED else ""
        ends = f"{_quoted(edge.start)} -> {_quoted(edge.end)}"
        lines.append(f"  {ends} [label={_quoted(edge.kind)}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def _dot_nodes(inside: Iterable[Vertex]) -> Iterable[str]:
    for vertex in inside:
        style = ", style=dashed" if vertex.kind in ("template", "missing") else ""
        shown = f"[label={_quoted(vertex.name)}, shape={_SHAPES[vertex.kind]}{style}]"
        yield f"    {_quoted(vertex.label)} {shown};"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


OUTPUTS: Mapping[str, Callable[[Answer], str]] = {"label": labels, "json": as_json, "dot": dot}

"""`skillc graph`: who writes and who reads which tags, as DOT or JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from skillc.cli.check import check
from skillc.cli.errors import CLEAN
from skillc.cli.place import find_place
from skillc.graph import TagGraph

EPILOG = """\
examples:
  skillc graph basic | dot -Tsvg > basic.svg
  skillc graph --format json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="workspaces, packages, files or package names"
    )
    parser.add_argument("--format", choices=("dot", "json"), default="dot")


def run(args: argparse.Namespace) -> int:
    checked = check(find_place(args.paths))
    packages = [(path, edges(graph)) for path, graph in sorted(checked.graphs.items())]
    text = _json(packages) if args.format == "json" else _dot(packages)
    sys.stdout.write(text)
    return CLEAN


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """`reader` may read what `writer` writes under `tag`; `kind` is worker, promotion or source."""

    writer: str
    reader: str
    tag: str
    kind: str
    needed: bool


def edges(graph: TagGraph) -> list[Edge]:
    """All edges of a package, sorted; a source stands as writer under its origin (`user`, `runtime` …)."""
    found = set()
    for worker in graph.package.workers:
        for number, entry in enumerate(worker.inputs):
            needed = (worker.id, number) in graph.needed
            for producer in graph.producers.get((worker.id, number), ()):
                writer = producer.worker or f"({producer.origin})"
                found.add(Edge(writer, worker.id, entry.text, producer.kind, needed))
    return sorted(found)


def _json(packages: Iterable[tuple[str, list[Edge]]]) -> str:
    data = {
        "format_version": "1.0",
        "packages": [
            {
                "path": path,
                "edges": [
                    {"from": e.writer, "to": e.reader, "tag": e.tag, "kind": e.kind, "needed": e.needed}
                    for e in found
                ],
            }
            for path, found in packages
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _dot(packages: Iterable[tuple[str, list[Edge]]]) -> str:
    lines = ["digraph skillc {", "  rankdir=LR;", "  node [shape=box];"]
    for path, found in packages:
        lines.append(f"  subgraph {_quoted('cluster ' + path)} {{")
        lines.append(f"    label={_quoted(path)};")
        nodes = sorted({name for edge in found for name in (edge.writer, edge.reader)})
        for name in nodes:
            shape = ", shape=ellipse" if name.startswith("(") else ""
            lines.append(f"    {_quoted(f'{path}:{name}')} [label={_quoted(name)}{shape}];")
        for edge in found:
            style = "" if edge.needed else ", style=dashed"
            ends = f"{_quoted(f'{path}:{edge.writer}')} -> {_quoted(f'{path}:{edge.reader}')}"
            lines.append(f"    {ends} [label={_quoted(edge.tag)}{style}];")
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

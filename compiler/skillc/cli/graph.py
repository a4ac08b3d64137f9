"""`skillc graph`: who writes and who reads which tags, as DOT or JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping

from skillc.cli.check import check
from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN
from skillc.cli.language import add_language_option, words
from skillc.cli.place import find_place
from skillc.cli.selecting import add_selection_options, narrowed
from skillc.graph import TagGraph
from skillc.report.language import ENGLISH, Words
from skillc.value import value
from skillc.wording import said_in, say

EPILOG = Epilog(examples("skillc graph basic | dot -Tsvg > basic.svg", "skillc graph --format json"))


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help=say("workspaces, packages, files or package names")
    )
    parser.add_argument("--format", choices=("dot", "json"), default="dot")
    add_selection_options(parser)
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    place = narrowed(find_place(args.paths), args)
    checked = check(place)
    packages = [(path, edges(graph)) for path, graph in sorted(checked.graphs.items())]
    text = _json(packages) if args.format == "json" else _dot(packages, words(args, place))
    sys.stdout.write(text)
    return CLEAN


@value(order=True)
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


_SOURCES: Mapping[str, str] = {
    "(user)": say("(user)"),
    "(startup)": say("(startup)"),
    "(ask)": say("(ask)"),
    "(runtime)": say("(runtime)"),
    "(book)": say("(book)"),
    "(rag)": say("(rag)"),
    "(pseudo)": say("(pseudo)"),
}
"""What people see of a source; its name in the graph is the same in every language."""


def _dot(packages: Iterable[tuple[str, list[Edge]]], told: Words = ENGLISH) -> str:
    lines = ["digraph skillc {", "  rankdir=LR;", "  node [shape=box];"]
    for path, found in packages:
        lines.append(f"  subgraph {_quoted('cluster ' + path)} {{")
        lines.append(f"    label={_quoted(path)};")
        nodes = sorted({name for edge in found for name in (edge.writer, edge.reader)})
        for name in nodes:
            shape = ", shape=ellipse" if name.startswith("(") else ""
            shown = said_in(told, _SOURCES.get(name, name))
            lines.append(f"    {_quoted(f'{path}:{name}')} [label={_quoted(shown)}{shape}];")
        for edge in found:
            style = "" if edge.needed else ", style=dashed"
            ends = f"{_quoted(f'{path}:{edge.writer}')} -> {_quoted(f'{path}:{edge.reader}')}"
            lines.append(f"    {ends} [label={_quoted(edge.tag)}{style}];")
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

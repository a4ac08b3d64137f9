"""What all rules cost against reading, model and graph of the same packages, in one process.

`python tests/benchmarks/rules.py [packages]` prints the ratio and what each rule takes of it.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping

from corpus import write_corpus
from skillc.checks.run import all_rules, check_together, run_checks
from skillc.graph import TagGraph, build_graph
from skillc.graph.brief import overview
from skillc.model.package import Workspace
from skillc.model.workspace import build_workspace
from skillc.source.discover import read_workspace
from skillc.source.reader import DiskReader

Parsed = tuple[Workspace, Mapping[str, TagGraph]]


def parse(root: str) -> Parsed:
    """All that is known of the workspace below `root` before a rule looks at it."""
    files, _ = read_workspace(DiskReader(root))
    workspace, _ = build_workspace(files)
    return workspace, {package.path: build_graph(package) for package in workspace.packages}


def run_all(workspace: Workspace, graphs: dict[str, TagGraph]) -> None:
    for graph in graphs.values():
        run_checks(graph)
    check_together(overview(workspace, graphs.values()))


def pairs_of_seconds(root: str, pairs: int) -> list[tuple[float, float]]:
    """(rules, parse) in turns: what is parsed is what the rules then see for the first time. One untimed round
    first loads modules and fills what is remembered from one workspace to the next."""
    run_all(*parse(root))
    found = []
    for _ in range(pairs):
        gc.collect()
        start = time.perf_counter()
        parsed = parse(root)
        middle = time.perf_counter()
        run_all(*parsed)
        found.append((time.perf_counter() - middle, middle - start))
    return found


def shares(root: str) -> list[tuple[float, str]]:
    """The seconds of each rule, the costliest first; what several rules ask of one text counts for the first."""
    workspace, graphs = parse(root)
    seconds = {rule.slug: 0.0 for rule in all_rules()}
    for path in sorted(graphs):
        for rule in all_rules():
            start = time.perf_counter()
            list(rule.check(graphs[path])) if rule.check else None
            seconds[rule.slug] += time.perf_counter() - start
    for rule in all_rules():
        start = time.perf_counter()
        list(rule.workspace(overview(workspace, graphs.values()))) if rule.workspace else None
        seconds[rule.slug] += time.perf_counter() - start
    return sorted(((taken, slug) for slug, taken in seconds.items()), reverse=True)


def main() -> None:
    packages = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, "rules")
        write_corpus(root, packages)
        measured = pairs_of_seconds(root, 3)
        ratio = statistics.median(a / b for a, b in measured)
        sys.stdout.write(f"{ratio:8.2f}  rules / parse of {packages:,} packages × 5 workers\n")
        found = shares(root)
    whole = sum(taken for taken, _ in found)
    for taken, slug in found[:20]:
        sys.stdout.write(f"{taken / whole:8.1%}  {taken * 1000:8.1f} ms  {slug}\n")


if __name__ == "__main__":
    main()

"""How long following the secrets of one large package takes: a chain of 2,000 workers, 10,000 tags, secrets all along.

`python tests/benchmarks/flows.py [workers]` prints the seconds and what was found.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from building import package, worker
from skillc.graph import build_graph
from skillc.graph.flow import flows_of
from skillc.graph.flow_types import NO_FLOWS
from skillc.graph.types import TagGraph


def large(workers: int = 2_000, secret_every: int = 10, blind_every: int = 25) -> TagGraph:
    """Each worker reads two others and writes five tags; some make secrets, some are blind."""
    made = {}
    for n in range(workers):
        inputs = [f"卷{m}.节1.草稿" for m in (n - 1, n - 7) if m >= 0]
        inputs += [f"卷{n - 2}.核心.隐藏"] if n % secret_every == 2 else []
        outputs = [f"卷{n}.节{k}.草稿" for k in range(1, 5)]
        outputs.append(f"卷{n}.核心.隐藏" if n % secret_every == 0 else f"卷{n}.小结.当前")
        blind = n % blind_every == blind_every - 1
        made[f"w{n}"] = worker(inputs, outputs, **({"isolation": "blind_review"} if blind else {}))
    return build_graph(package(made, accept=dict.fromkeys(made, "no_confirmation")))


def seconds(graph: TagGraph, rounds: int = 5) -> float:
    """The best of some rounds of the flow check alone."""
    bare = replace(graph, flows=NO_FLOWS)
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        flows_of(bare)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Once with nobody who must not know, once with 80 blind workers whom all secrets reach."""
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    for name, blind in (("nobody blind", workers + 1), ("80 blind", workers // 80)):
        graph = large(workers, blind_every=blind)
        tags = sum(len(each.outputs) for each in graph.package.workers)
        sys.stdout.write(
            f"{workers} workers, {tags} tags, {name}: {seconds(graph) * 1000:.0f} ms, {len(graph.flows.leaks)} leaks\n"
        )


if __name__ == "__main__":
    main()

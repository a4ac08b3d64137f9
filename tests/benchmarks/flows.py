"""How long following the secrets of one large package takes: 2,000 workers, 10,000 tags, secrets all along.

`python tests/benchmarks/flows.py [workers]` prints for each shape of package the processor's seconds where nobody is
kept from anything and where some are, their ratio, and how many leaks were found.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from skillc.value import replace

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from building import package, worker
from skillc.graph import build_graph
from skillc.graph.flow import flows_of
from skillc.graph.types import TagGraph

Shape = Callable[[int, int], TagGraph]
"""From the number of workers, and how many of them come before one that is kept from secrets (0: nobody is)."""


def chain(workers: int = 2_000, blind_every: int = 25, secret_every: int = 10) -> TagGraph:
    """Each worker reads two others and writes five tags; some make secrets, some are blind."""
    made = {}
    for n in range(workers):
        inputs = [f"卷{m}.节1.草稿" for m in (n - 1, n - 7) if m >= 0]
        inputs += [f"卷{n - 2}.核心.隐藏"] if n % secret_every == 2 else []
        made[f"w{n}"] = _worker(n, inputs, n % secret_every == 0, _is_last(n, blind_every))
    return _graph(made)


def mesh(workers: int = 2_000, blind_every: int = 10, reads: int = 5) -> TagGraph:
    """Each worker makes a secret and reads some that came before, wherever they stand; half of those who may
    read a secret of another. The same package each time."""
    random, made = Random(1), {}
    for n in range(workers):
        inputs = [
            f"卷{random.randrange(n)}.节{random.randrange(1, 5)}.草稿" for _ in range(reads if n else 0)
        ]
        blind = _is_last(n, blind_every)
        if n and not blind and random.random() < 0.5:
            inputs.append(f"卷{random.randrange(n)}.核心.隐藏")
        made[f"w{n}"] = _worker(n, list(dict.fromkeys(inputs)), True, blind)
    return _graph(made)


def _is_last(n: int, every: int) -> bool:
    return bool(every) and n % every == every - 1


def _worker(n: int, inputs: list[str], secret: bool, blind: bool) -> dict[str, Any]:
    outputs = [f"卷{n}.节{k}.草稿" for k in range(1, 5)]
    outputs.append(f"卷{n}.核心.隐藏" if secret else f"卷{n}.小结.当前")
    return worker(inputs, outputs, **({"isolation": "blind_review"} if blind else {}))


def _graph(made: Mapping[str, dict[str, Any]]) -> TagGraph:
    return build_graph(package(made, accept=dict.fromkeys(made, "no_confirmation")))


SHAPES: Mapping[str, Shape] = {"chain": chain, "mesh": mesh}


def seconds(graph: TagGraph, rounds: int = 5) -> float:
    """The best of some rounds of the flow check alone."""
    times = []
    for _ in range(rounds):
        bare = replace(graph)
        start = time.process_time()
        flows_of(bare)
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    for name, shape in SHAPES.items():
        clean, leaking = shape(workers, 0), shape(workers, 25 if name == "chain" else 10)
        tags = sum(len(each.outputs) for each in leaking.package.workers)
        before, after = seconds(clean), seconds(leaking)
        sys.stdout.write(
            f"{name}: {workers} workers, {tags} tags: clean {before * 1000:.0f} ms, "
            f"{len(flows_of(leaking).leaks)} leaks {after * 1000:.0f} ms, {after / before:.1f} times\n"
        )


if __name__ == "__main__":
    main()

"""`make bench`: skillc held against plain references, measured side by side in one run.

Commands take turns (A B C A B C …) and are compared round by round; a figure is the median of the rounds' ratios. Each
figure is printed as soon as it is known. Times are shown for orientation only: ratios travel between machines.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

import corpora
from measuring import Figure, Program, Spent, middle, python, ratio, timed, turns
from skillc.runtime import Board, RunnablePlan

_HASH = """
import hashlib, os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            hashlib.sha256(file.read()).hexdigest()
"""
_COUNT = "sum(i * i for i in range(%d))"
_LOAD = "import sys; from skillc.runtime import load_plan; load_plan(open(sys.argv[1], 'rb').read())"
SETTLED = 2.2
"""Seconds after which a change is told apart by its time alone."""


@dataclass(slots=True)
class Bench:
    """What is to be measured, and what was of checks without any memory, by size: several figures look at it."""

    sizes: Sequence[int]
    pairs: int
    cold: dict[int, list[list[Spent]]] = field(default_factory=dict)

    def checks(self, size: int) -> list[list[Spent]]:
        """Rounds of a cold check, of reading and hashing the same files, and of agnix on the twin, if it is there."""
        if size not in self.cold:
            works = [_cold(size), python("-c", _HASH, os.path.join(corpora.packages(size), "skills"))]
            agnix = corpora.agnix_program()
            if agnix:
                works.append(Program([agnix, corpora.twin(size)]))
            self.cold[size] = turns(works, self.pairs)
        return self.cold[size]


def _size(number: int) -> str:
    return f"{number:,} packages × 5 workers"


def _cold(size: int, **variables: str) -> Program:
    """A check that knows nothing of an earlier one."""
    place = corpora.packages(size)
    state = os.path.join(place, ".skillc")
    return python(
        "-m", "skillc", "check", place, before=lambda: shutil.rmtree(state, ignore_errors=True), **variables
    )


def cold(bench: Bench) -> Iterator[Figure]:
    """Checks that know nothing, against agnix and against reading and hashing."""
    for size in bench.sizes:
        check, reading, *agnix = bench.checks(size)
        judged = size >= 1000
        for other in agnix:
            name = f"cold check of {_size(size)} / agnix on the twin"
            yield ratio(f"cold-agnix-{size}", name, check, other, *((0.7, 0.25) if judged else ()))
        name = f"cold check of {_size(size)} / read and hash the same files"
        yield ratio(f"cold-hash-{size}", name, check, reading, *((6, 2.6) if judged else ()))


def memory(bench: Bench) -> Iterator[Figure]:
    """Peak memory of the largest process of a cold check, and what each package adds to it."""
    for size in bench.sizes:
        check, _, *agnix = bench.checks(size)
        for other in agnix:
            name = f"peak memory of a cold check of {_size(size)} / of agnix"
            yield ratio(f"memory-agnix-{size}", name, check, other, 2.0, 0.9, "peak")
    small, large = min(bench.sizes), max(bench.sizes)
    if small < large:
        grown = middle(bench.checks(large)[0], "peak") - middle(bench.checks(small)[0], "peak")
        name = f"memory for each package, from {small:,} to {large:,}"
        yield Figure("memory-slope", name, grown / (large - small) / 1024, "KiB", must=64, goal=16)


def growth(bench: Bench) -> Iterator[Figure]:
    """The power of the number of packages with which the time of a cold check grows."""
    small, large = min(bench.sizes), max(bench.sizes)
    if small < large:
        times = [middle(bench.checks(size)[0]) for size in (small, large)]
        power = math.log(times[1] / times[0]) / math.log(large / small)
        name = f"growth of a cold check with the packages, from {small:,} to {large:,}: the exponent"
        yield Figure("growth", name, power, must=1.10, goal=1.03)


def processes(bench: Bench) -> Iterator[Figure]:
    """The speed-up by a second process, against that of work that does nothing but count."""
    size = max(size for size in bench.sizes if size <= 1000 or size == min(bench.sizes))
    count = python("-c", _COUNT % 20_000_000)
    half = [sys.executable, "-c", _COUNT % 10_000_000]

    def halves() -> Spent:
        start = time.perf_counter()
        running = [os.posix_spawn(half[0], half, dict(os.environ)) for _ in range(2)]
        for process in running:
            os.waitpid(process, 0)
        return Spent(time.perf_counter() - start)

    works = [_cold(size, SKILLC_JOBS="1"), _cold(size, SKILLC_JOBS="2"), count, halves]
    one, two, whole, split = ([spent.wall for spent in column] for column in turns(works, bench.pairs))
    gained = [a / b for a, b in zip(one, two, strict=True)]
    control = [a / b for a, b in zip(whole, split, strict=True)]
    yield Figure(
        f"processes-{size}",
        f"speed-up of a cold check of {_size(size)} by a second process / that of counting "
        f"({statistics.median(gained):.2f} / {statistics.median(control):.2f})",
        statistics.median(a / b for a, b in zip(gained, control, strict=True)),
        must=0.8,
        goal=0.95,
        pairs=bench.pairs,
    )


def _settle(build: Program) -> None:
    """After this, nothing of the workspace was written so lately that it has to be compared by content."""
    for _ in range(2):
        time.sleep(SETTLED)
        build()


def _builder(size: int) -> tuple[str, Program]:
    """A workspace that is built, and the command that builds it."""
    place = corpora.copy_of(size, "built")
    build = python("-m", "skillc", "build", cwd=place)
    build()
    _settle(build)
    return place, build


def nothing(bench: Bench) -> Iterator[Figure]:
    """Builds with nothing to do against `ninja -n`, and builds after one edit against those with nothing to do."""
    for size in bench.sizes:
        place, build = _builder(size)
        ninja = corpora.ninja_program()
        if ninja:
            works = [build, Program([ninja, "-n", "-C", corpora.ninja(size)])]
            own, other = turns(works, bench.pairs)
            targets = {1000: (1.3, 0.85), 10_000: (1.0, 0.50)}.get(size, ())
            name = f"build of {_size(size)} with nothing to do / ninja -n"
            yield ratio(f"noop-ninja-{size}", name, own, other, *targets)
        judged = size >= 1000
        for kind, targets in (("body", (2.0, 1.4)), ("tag", (3.0, 2.0))):
            rounds = [_edited(place, build, kind, number) for number in range(bench.pairs)]
            edited, idle = zip(*rounds, strict=True)
            name = f"build of {_size(size)} after one {_EDITS[kind]} / with nothing to do"
            yield ratio(f"edit-{kind}-{size}", name, edited, idle, *(targets if judged else ()))


_EDITS = {"body": "text was edited", "tag": "tag was renamed"}


def _edited(place: str, build: Program, kind: str, number: int) -> tuple[Spent, Spent]:
    """One build after an edit, and one with nothing to do behind it."""
    package = os.path.join(place, "skills", "novel", "corpus-00003")
    names = ("cast",) if kind == "body" else ("setting", "cast", "outline")
    for worker in names:
        path = os.path.join(package, "workers", worker, "SKILL.md")
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        if kind == "body":
            text += f"\n再写一句，第 {number} 次。\n"
        else:
            old, new = ("设定.世界", "设定.天下") if "设定.世界" in text else ("设定.天下", "设定.世界")
            text = text.replace(old, new)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    spent = build()
    _settle(build)
    return spent, build()


def starting(bench: Bench) -> Iterator[Figure]:
    """What a program that plays a plan waits for before it can."""
    plan = _some_plan()
    works = [python("-c", _LOAD, plan), python("-c", "pass")]
    own, bare = turns(works, bench.pairs * 3)
    above = statistics.median(a.wall - b.wall for a, b in zip(own, bare, strict=True)) * 1000
    name = "import skillc.runtime and load a plan, above bare Python"
    yield Figure("runtime-start", name, above, "ms", middle(own), middle(bare), len(own), must=40, goal=20)


def plans(bench: Bench) -> Iterator[Figure]:
    """Plans as bytes to plans that can be played, against the standard library's reading of the same bytes."""
    from skillc.runtime import load_plan

    with open(_some_plan(), "rb") as file:
        data = file.read()

    def load() -> None:
        for _ in range(1000):
            load_plan(data)

    def parse() -> None:
        for _ in range(1000):
            json.loads(data)

    own, other = turns([timed(load), timed(parse)], bench.pairs)
    yield ratio(
        "load-plans", "loading 1,000 plans / json.loads of the same bytes", own, other, 2.0, 1.3, "cpu"
    )


def _some_plan() -> str:
    place = corpora.packages(1)
    path = os.path.join(place, "build", "novel", "corpus-00000", "plan.json")
    python("-m", "skillc", "build", cwd=place)()
    return path


def assembly(bench: Bench) -> Iterator[Figure]:
    """30 segments × 2 KB with all checks and the index, against joining and encoding the same strings: on a board that
    did not change since the last time, and where every text is new."""
    plan, board, worker, parts = _assembling()
    boards = [type(board).from_data(board.to_data()) for _ in range(20)]

    def again() -> None:
        for _ in range(200):
            plan.assemble(worker, board).to_json()

    def anew() -> None:
        for _ in range(10):
            for each in boards:
                each.found.clear()
                plan.assemble(worker, each)

    def join() -> None:
        for _ in range(200):
            "\n\n---\n\n".join(parts).encode()

    old, new, joined = turns([timed(again), timed(anew), timed(join)], bench.pairs * 3)
    name = "200 times 30 {} × 2 KB / join and encode the same strings"
    yield ratio("assemble-again", name.format("segments"), old, joined, 3.0, 2.0, "cpu")
    yield ratio("assemble-anew", name.format("new segments"), new, joined, 3.0, 2.0, "cpu")


def _assembling() -> tuple[RunnablePlan, Board, str, list[str]]:
    """The plan, the board, the worker, and the strings that its context is made of."""
    from assembling import thirty_segments

    plan, board, worker = thirty_segments()
    texts = [message["content"] for message in plan.assemble(worker, board).messages]
    return plan, board, worker, [part for text in texts for part in text.split("\n\n---\n\n")]


def rules(bench: Bench) -> Iterator[Figure]:
    """What all rules cost on top of reading, model and graph, in this process; each round is of one parse."""
    from rules import pairs_of_seconds

    size = min(bench.sizes)
    times = pairs_of_seconds(corpora.packages(size), bench.pairs)
    columns = [[Spent(seconds) for seconds in column] for column in zip(*times, strict=True)]
    name = f"all rules on {_size(size)} / read, model and graph of the same"
    yield ratio(f"rules-{size}", name, *columns)


def cache_report(bench: Bench) -> Iterator[Figure]:
    """What the matrix of writers and readers and all token counts cost on top of a check."""
    size = min(bench.sizes)
    place = corpora.packages(size)
    own, other = turns([python("-m", "skillc", "cache-report", place), _cold(size)], bench.pairs)
    yield ratio(f"cache-report-{size}", f"cache-report of {_size(size)} / check of the same", own, other)


def prefixes(bench: Bench) -> Iterator[Figure]:
    """What a provider's prefix cache serves in play; nothing of it is timed."""
    from history import report

    sys.stdout.write(report() + "\n")
    yield from ()


GROUPS: dict[str, Callable[[Bench], Iterator[Figure]]] = {
    "starting": starting,
    "plans": plans,
    "assembly": assembly,
    "nothing": nothing,
    "cold": cold,
    "memory": memory,
    "growth": growth,
    "processes": processes,
    "rules": rules,
    "cache-report": cache_report,
    "prefixes": prefixes,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE")
    parser.add_argument(
        "--pairs", type=int, default=9, metavar="N", help="rounds of each comparison (default: 9)"
    )
    parser.add_argument(
        "--sizes",
        type=lambda text: [int(size) for size in text.split(",")],
        default=[100, 1000],
        metavar="N,N",
        help="numbers of packages (default: 100,1000)",
    )
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        default=list(GROUPS),
        metavar="GROUP,…",
        help=", ".join(GROUPS),
    )
    options = parser.parse_args()
    bench = Bench(options.sizes, options.pairs)
    figures = []
    for group in options.only:
        for figure in GROUPS[group](bench):
            sys.stdout.write(figure.line() + "\n")
            sys.stdout.flush()
            figures.append(figure)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([asdict(figure) for figure in figures], file, indent=2)


if __name__ == "__main__":
    main()

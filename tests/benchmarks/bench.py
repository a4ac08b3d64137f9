"""`make bench`: ratios of skillc to a plain reference, measured side by side in one run.

Commands are interleaved (A B A B …) and compared pair by pair; the figure is the median of the pairs' ratios.
`--json FILE` writes them for machines. Absolute times are shown for orientation only.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from corpus import write_corpus
from skillc.runtime import Board, RunnablePlan

_HASH = """
import hashlib, os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            hashlib.sha256(file.read()).hexdigest()
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """`ratio` is the median of paired ratios; `subject` and `reference` are median seconds."""

    name: str
    ratio: float
    subject: float
    reference: float
    pairs: int


def compare(name: str, subject: Callable[[], object], reference: Callable[[], object], pairs: int) -> Figure:
    """Run both `pairs` times, taking turns; one untimed round first fills caches alike."""
    subject(), reference()
    times = [(_timed(subject), _timed(reference)) for _ in range(pairs)]
    ratio = statistics.median(a / b for a, b in times)
    return Figure(
        name, ratio, statistics.median(a for a, _ in times), statistics.median(b for _, b in times), pairs
    )


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _python(*arguments: str, cwd: str | None = None, **variables: str) -> Callable[[], object]:
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}

    def run() -> None:
        subprocess.run(
            [sys.executable, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**kept, **variables},
            cwd=cwd,
        )

    return run


def check_against_hashing(root: str, packages: int, pairs: int) -> Figure:
    """Nothing is known from an earlier run."""
    folder = os.path.join(root, f"c{packages}")
    write_corpus(folder, packages)
    check = _python("-m", "skillc", "check", folder)

    def cold() -> None:
        shutil.rmtree(os.path.join(folder, ".skillc"), ignore_errors=True)
        check()

    return compare(
        f"cold check of {packages:,} packages × 5 workers / read and hash the same files",
        cold,
        _python("-c", _HASH, os.path.join(folder, "skills")),
        pairs,
    )


def builds(root: str, packages: int, pairs: int) -> list[Figure]:
    """Builds of a workspace that was built: with nothing to do, and with one text changed."""
    folder = os.path.join(root, f"b{packages}")
    write_corpus(folder, packages)
    build = _python("-m", "skillc", "build", cwd=folder)
    build()
    # What was written a moment ago is compared by content once more; then the log trusts the times.
    time.sleep(3)
    build()
    skill = os.path.join(folder, "skills", "novel", "corpus-00003", "workers", "cast", "SKILL.md")

    def edit() -> None:
        with open(skill, "a", encoding="utf-8") as file:
            file.write("\n再写一句。\n")
        build()

    size = f"{packages:,} packages × 5 workers"
    nothing = compare(
        f"build of {size} with nothing to do / python -c pass", build, _python("-c", "pass"), pairs
    )
    edited = []
    for _ in range(min(pairs, 5)):
        edited.append(_timed(edit))
        time.sleep(3)
        build()
    seconds = statistics.median(edited)
    return [
        nothing,
        Figure(
            f"build of {size} with one text changed / with nothing to do",
            seconds / nothing.subject,
            seconds,
            nothing.subject,
            len(edited),
        ),
    ]


def processes(root: str, packages: int, pairs: int) -> Figure:
    folder = os.path.join(root, f"c{packages}")
    write_corpus(folder, packages)

    def cold(jobs: str) -> Callable[[], None]:
        check = _python("-m", "skillc", "check", folder, SKILLC_JOBS=jobs)

        def run() -> None:
            shutil.rmtree(os.path.join(folder, ".skillc"), ignore_errors=True)
            check()

        return run

    name = f"cold check of {packages:,} packages in one process / in two"
    return compare(name, cold("1"), cold("2"), pairs)


def cache_report_against_check(root: str, packages: int, pairs: int) -> Figure:
    """What the matrix of writers and readers and all token counts cost on top of a check."""
    folder = os.path.join(root, f"c{packages}")
    write_corpus(folder, packages)
    return compare(
        f"cache-report of {packages:,} packages × 5 workers / check of the same",
        _python("-m", "skillc", "cache-report", folder),
        _python("-m", "skillc", "check", folder),
        pairs,
    )


def rules_against_parse(root: str, packages: int, pairs: int) -> Figure:
    """What all rules cost on top of reading, model and graph, in this process; each pair is of one parse."""
    from rules import pairs_of_seconds

    folder = os.path.join(root, f"c{packages}")
    write_corpus(folder, packages)
    times = pairs_of_seconds(folder, pairs)
    return Figure(
        f"all rules on {packages:,} packages × 5 workers / read, model and graph of the same",
        statistics.median(rules / parse for rules, parse in times),
        statistics.median(rules for rules, _ in times),
        statistics.median(parse for _, parse in times),
        pairs,
    )


def import_against_pass(pairs: int) -> Figure:
    return compare(
        "import skillc.runtime / python -c pass",
        _python("-c", "import skillc.runtime"),
        _python("-c", "pass"),
        pairs,
    )


def assemble_against_join(pairs: int) -> Figure:
    """30 segments × 2 KB, with all checks and the index, on a board that did not change since the last time; against
    joining and encoding the same strings."""
    plan, board, worker, parts = _assembling()

    def assemble() -> None:
        for _ in range(200):
            plan.assemble(worker, board).to_json()

    return compare(
        "assemble 30 segments × 2 KB again / join and encode the same strings",
        assemble,
        _joining(parts),
        pairs,
    )


def assemble_anew_against_join(pairs: int) -> Figure:
    """The same where every text is new: each time another board that nobody has looked at."""
    plan, board, worker, parts = _assembling()
    boards = [type(board).from_data(board.to_data()) for _ in range(20)]

    def assemble() -> None:
        for _ in range(10):
            for each in boards:
                each.found.clear()
                plan.assemble(worker, each)

    return compare(
        "assemble 30 new segments × 2 KB / join and encode the same strings", assemble, _joining(parts), pairs
    )


def _assembling() -> tuple[RunnablePlan, Board, str, list[str]]:
    """The plan, the board, the worker, and the strings that its context is made of."""
    from assembling import thirty_segments

    plan, board, worker = thirty_segments()
    texts = [message["content"] for message in plan.assemble(worker, board).messages]
    return plan, board, worker, [part for text in texts for part in text.split("\n\n---\n\n")]


def _joining(parts: list[str]) -> Callable[[], None]:
    def join() -> None:
        for _ in range(200):
            "\n\n---\n\n".join(parts).encode()

    return join


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE")
    parser.add_argument("--pairs", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        figures = [
            import_against_pass(options.pairs * 3),
            assemble_against_join(options.pairs * 3),
            assemble_anew_against_join(options.pairs * 3),
            check_against_hashing(root, 100, options.pairs),
            check_against_hashing(root, 1000, min(options.pairs, 5)),
            processes(root, 300, min(options.pairs, 3)),
            *builds(root, 1000, options.pairs),
            cache_report_against_check(root, 1000, min(options.pairs, 3)),
            rules_against_parse(root, 1000, min(options.pairs, 3)),
        ]
    for figure in figures:
        sys.stdout.write(
            f"{figure.ratio:8.2f}  {figure.name}  "
            f"({figure.subject * 1000:.1f} ms / {figure.reference * 1000:.2f} ms, {figure.pairs} pairs)\n"
        )
    small, large = figures[3:5]
    growth = large.subject / small.subject
    sys.stdout.write(f"{growth:8.2f}  check of 1,000 packages / check of 100 packages\n")
    from history import report

    sys.stdout.write("\n" + report())
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([asdict(figure) for figure in figures], file, indent=2)


if __name__ == "__main__":
    main()

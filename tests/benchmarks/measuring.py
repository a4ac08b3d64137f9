"""Two or more programs that take turns, and what each of them took: time, processor time, memory."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Figure:
    """`value` is what is compared with the targets: for most figures the median of paired ratios. `subject` and
    `reference` are medians in the unit that they have (seconds, or bytes of memory), None where there is none."""

    key: str
    name: str
    value: float
    unit: str = ""
    subject: float | None = None
    reference: float | None = None
    pairs: int = 1
    must: float | None = None
    goal: float | None = None

    def line(self) -> str:
        parts = [f"{self.value:9.2f} {self.unit:3}  {self.name}"]
        if self.must is not None:
            parts.append(f"[must {self.must:g}, goal {self.goal:g}]")
        if self.subject is not None and self.reference is not None:
            parts.append(f"({_shown(self.subject)} / {_shown(self.reference)}, {self.pairs} pairs)")
        return "  ".join(parts)


def _shown(amount: float) -> str:
    if amount > 4096:
        return f"{amount / 2**20:.1f} MiB"
    return f"{amount * 1000:.3g} ms" if amount < 1 else f"{amount:.2f} s"


@dataclass(frozen=True, slots=True)
class Spent:
    """What one run of a program took; `peak` in bytes, of the largest of its processes."""

    wall: float
    cpu: float = 0.0
    peak: int = 0


@dataclass(frozen=True, slots=True)
class Program:
    """A command that is started without a shell and without output; `before` is done first and is not measured."""

    command: Sequence[str]
    cwd: str | None = None
    variables: Mapping[str, str] | None = None
    before: Work | None = None
    codes: tuple[int, ...] = (0,)

    def __call__(self) -> Spent:
        if self.before:
            self.before()
        kept = {key: value for key, value in os.environ.items() if key not in _DROPPED}
        here = os.getcwd()
        if self.cwd:
            os.chdir(self.cwd)
        try:
            quiet = [(os.POSIX_SPAWN_OPEN, at, os.devnull, os.O_RDWR, 0) for at in (0, 1, 2)]
            start = time.perf_counter()
            process = os.posix_spawn(
                self.command[0], list(self.command), {**kept, **(self.variables or {})}, file_actions=quiet
            )
            _, status, used = os.wait4(process, 0)
            wall = time.perf_counter() - start
        finally:
            os.chdir(here)
        if os.waitstatus_to_exitcode(status) not in self.codes:
            raise SystemExit(f"{' '.join(self.command)} ended with {os.waitstatus_to_exitcode(status)}")
        return Spent(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


_DROPPED = ("PYTHONDONTWRITEBYTECODE", "SKILLC_JOBS", "SKILLC_CACHE_URL")


def python(*arguments: str, cwd: str | None = None, before: Work | None = None, **variables: str) -> Program:
    return Program([sys.executable, *arguments], cwd, variables, before)


def turns(works: Sequence[Callable[[], Spent]], rounds: int) -> list[list[Spent]]:
    """Rounds in which each of the `works` has its turn (A B C A B C …); one that is not counted first fills caches
    alike. By work, then by round."""
    for work in works:
        work()
    found = [[work() for work in works] for _ in range(rounds)]
    return [list(column) for column in zip(*found, strict=True)]


def timed(work: Work) -> Callable[[], Spent]:
    """Work of this very process as something that takes turns."""

    def run() -> Spent:
        start, busy = time.perf_counter(), time.process_time()
        work()
        return Spent(time.perf_counter() - start, time.process_time() - busy)

    return run


def ratio(
    key: str,
    name: str,
    subject: Sequence[Spent],
    reference: Sequence[Spent],
    must: float | None = None,
    goal: float | None = None,
    of: str = "wall",
) -> Figure:
    """The median of the ratios of each round."""
    ones, others = ([getattr(spent, of) for spent in column] for column in (subject, reference))
    value = statistics.median(a / b for a, b in zip(ones, others, strict=True))
    return Figure(
        key,
        name,
        value,
        "",
        statistics.median(ones),
        statistics.median(others),
        len(ones),
        must,
        goal,
    )


def middle(spent: Sequence[Spent], of: str = "wall") -> float:
    return float(statistics.median(getattr(one, of) for one in spent))

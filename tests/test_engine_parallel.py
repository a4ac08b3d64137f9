"""Shares of a list in processes: results in order, whatever becomes of a process, and all of them at work at once."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from skillc.engine.parallel import FROM, in_processes

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
PATIENCE = 60
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
"""The tests themselves may run beside threads of the runner; the commands fork before they have any."""


def as_it_is(_: int, result: object) -> object:
    return result


def test_results_stand_in_the_order_of_the_list() -> None:
    pieces = list(range(FROM + 7))
    told: list[int] = []
    for jobs in (1, 2, 3):
        found = in_processes(lambda n: (n, {"x": b"x" * n}), pieces, jobs, as_it_is, told.append)
        assert found == [(n, {"x": b"x" * n}) for n in pieces]
        assert told == list(range(1, len(pieces) + 1))
        told.clear()


@needs_fork
def test_what_is_kept_is_made_here_of_what_anybody_did() -> None:
    pieces = list(range(FROM))
    kept = in_processes(lambda n: (n, os.getpid()), pieces, 2, lambda n, done: (n, *done, os.getpid()), drop)
    assert [(n, one, here) for n, one, _, here in kept] == [(n, n, os.getpid()) for n in pieces]


def drop(_: int) -> None:
    """Nobody wants to know."""


@needs_fork
def test_no_process_waits_until_another_one_is_done(tmp_path: Path) -> None:
    """The first piece is finished only when the other process has written more than any pipe holds."""
    pieces = list(range(FROM))
    last = tmp_path / "last"

    def work(piece: int) -> bytes:
        if piece == 0:
            wait_for(last)
            return b"together" if last.exists() else b"alone"
        if piece == FROM - 1:
            last.touch()
        return bytes(100_000)

    assert in_processes(work, pieces, 2, as_it_is, drop)[0] == b"together"


def wait_for(path: Path) -> None:
    wait_until(path.exists)


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < end:
        time.sleep(0.01)


@needs_fork
def test_what_a_process_could_not_do_is_done_here(tmp_path: Path) -> None:
    here, gone = os.getpid(), tmp_path / "gone"

    def work(piece: int) -> bytes:
        if os.getpid() != here:
            gone.touch()
            os._exit(9)
        wait_for(gone)
        return str(piece).encode()

    assert in_processes(work, list(range(FROM)), 2, as_it_is, drop) == [str(n).encode() for n in range(FROM)]
    assert gone.exists()


@needs_fork
@pytest.mark.parametrize("count", [FROM, 1201])
def test_this_process_is_one_of_those_that_work(tmp_path: Path, count: int) -> None:
    """Each begins when the other has something to do, too; nothing is done twice."""

    def work(piece: int) -> tuple[int, int]:
        mine = tmp_path / str(os.getpid())
        if not mine.exists():
            mine.touch()
            wait_until(lambda: len(os.listdir(tmp_path)) == 2)
        with open(mine, "a") as file:
            file.write(f"{piece} ")
        return piece, os.getpid()

    found = in_processes(work, list(range(count)), 2, as_it_is, drop)
    assert [piece for piece, _ in found] == list(range(count))
    assert len({process for _, process in found}) == 2 and os.getpid() in {process for _, process in found}
    done = [int(piece) for path in tmp_path.iterdir() for piece in path.read_text().split()]
    assert sorted(done) == list(range(count))


@needs_fork
def test_an_error_here_leaves_no_process_behind(tmp_path: Path) -> None:
    here, failed, others = os.getpid(), tmp_path / "failed", tmp_path / "others"
    others.mkdir()

    def work(piece: int) -> int:
        if os.getpid() == here:
            wait_until(lambda: len(os.listdir(others)) == 2)
            failed.touch()
            raise ArithmeticError(piece)
        (others / str(os.getpid())).touch()
        wait_for(failed)
        return piece

    with pytest.raises(ArithmeticError):
        in_processes(work, list(range(FROM)), 3, as_it_is, drop)
    assert len(os.listdir(others)) == 2
    for process in map(int, os.listdir(others)):
        with pytest.raises(ChildProcessError):
            os.waitpid(process, 0)


def test_no_pipe_is_left_open() -> None:
    def opened() -> int:
        gc.collect()  # what other tests left open is closed whenever it is collected
        return len(os.listdir("/proc/self/fd"))

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("the open files are not listed here")
    before = opened()
    for count in (0, 1, FROM):
        in_processes(lambda n: n, list(range(count)), 2, as_it_is, drop)
    assert opened() == before

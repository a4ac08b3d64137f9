"""Shares of a list in processes: results in order, whatever becomes of a process, and all of them at work at once."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from skillc.engine.parallel import FROM, in_processes

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
PATIENCE = 30
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
"""The tests themselves may run beside threads of the runner; the commands fork before they have any."""


def test_results_stand_in_the_order_of_the_list() -> None:
    pieces = list(range(FROM + 7))
    told: list[int] = []
    for jobs in (1, 2, 3):
        found = in_processes(lambda n: (n, {"x": b"x" * n}), pieces, jobs, told.append)
        assert found == [(n, {"x": b"x" * n}) for n in pieces]
        assert told == list(range(1, len(pieces) + 1))
        told.clear()


@needs_fork
def test_no_process_waits_until_another_one_is_done(tmp_path: Path) -> None:
    """The first piece is finished only when the other process has written more than any pipe holds."""
    pieces = list(range(FROM))
    last = tmp_path / "last"

    def work(piece: int) -> bytes:
        end = time.monotonic() + PATIENCE
        if piece == 0:
            while not last.exists() and time.monotonic() < end:
                time.sleep(0.01)
            return b"together" if last.exists() else b"alone"
        if piece == FROM - 1:
            last.touch()
        return bytes(100_000)

    assert in_processes(work, pieces, 2, lambda _: None)[0] == b"together"


@needs_fork
def test_what_a_process_could_not_do_is_done_here() -> None:
    here = os.getpid()

    def work(piece: int) -> bytes:
        if piece == 9 and os.getpid() != here:
            os._exit(9)
        return str(piece).encode()

    assert in_processes(work, list(range(FROM)), 2, lambda _: None) == [str(n).encode() for n in range(FROM)]


@needs_fork
def test_this_process_is_one_of_those_that_work() -> None:
    found = in_processes(lambda _: os.getpid(), list(range(FROM)), 2, lambda _: None)
    assert set(found[::2]) == {os.getpid()}
    assert len(set(found[1::2])) == 1 and os.getpid() not in found[1::2]


@needs_fork
def test_an_error_here_leaves_no_process_behind() -> None:
    here = os.getpid()

    def work(piece: int) -> int:
        if os.getpid() == here:
            raise ArithmeticError(piece)
        return piece

    with pytest.raises(ArithmeticError):
        in_processes(work, list(range(FROM)), 3, lambda _: None)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, 0)

"""Work on several processors: shares of a list in forked processes, results in the order of the list."""

from __future__ import annotations

import marshal
import os
import threading
from collections.abc import Callable, Sequence
from typing import IO, Any, TypeVar

from skillc.processes import started

Work = TypeVar("Work")
Result = TypeVar("Result")
FROM = 50
"""Fewer pieces than this are done sooner in one process."""
_HEAD = 16
"""Bytes before each result: its number in the list, and its length."""


def in_processes(
    work: Callable[[Work], Result], pieces: Sequence[Work], jobs: int, done: Callable[[int], None]
) -> list[Result]:
    """`work` of every piece, in order; what it gives is plain data, as `marshal` carries it. `done` is told how many
    pieces are finished.

    This process is one of the `jobs`. What another could not do (it was killed, or it failed) is done here, too, so that
    an error is seen as it is.
    """
    if len(pieces) < FROM:
        jobs = 1
    found: dict[int, Result] = {}
    one_by_one = threading.Lock()

    def keep(at: int, result: Result) -> None:
        with one_by_one:
            found[at] = result
            done(len(found))

    children = [_start(work, pieces, job, jobs) for job in range(1, jobs)]
    # All pipes are read all the time: a process whose pipe is full would wait. No thread is there yet when the
    # processes begin.
    readers = [threading.Thread(target=_take, args=(pipe, keep)) for _, pipe in children]
    for reader in readers:
        reader.start()
    try:
        for at in range(0, len(pieces), jobs):
            keep(at, work(pieces[at]))
    finally:
        for reader, (process, _) in zip(readers, children, strict=True):
            reader.join()
            os.waitpid(process, 0)
    return [found[at] if at in found else work(piece) for at, piece in enumerate(pieces)]


def _take(pipe: int, keep: Callable[[int, Any], None]) -> None:
    """Keep what comes through a pipe, until it ends: that of which all has come."""
    with os.fdopen(pipe, "rb") as stream:
        while (header := stream.read(_HEAD)) and len(header) == _HEAD:
            at, length = int.from_bytes(header[:8], "big"), int.from_bytes(header[8:], "big")
            data = stream.read(length)
            if len(data) == length:
                keep(at, marshal.loads(data))


def _start(work: Callable[[Work], Any], pieces: Sequence[Work], job: int, jobs: int) -> tuple[int, int]:
    """A process that does every `jobs`th piece from `job` on; its id and the end of the pipe to read from."""

    def give(stream: IO[bytes]) -> None:
        for at in range(job, len(pieces), jobs):
            data = marshal.dumps(work(pieces[at]))
            stream.write(at.to_bytes(8, "big") + len(data).to_bytes(8, "big"))
            stream.write(data)

    return started(give)

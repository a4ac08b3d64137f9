"""Work on several processors: shares of a list in forked processes, results in the order of the list."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

Work = TypeVar("Work")
FROM = 50
"""Fewer pieces than this are done sooner in one process."""


def processors() -> int:
    """How many processes are worth having here: `SKILLC_JOBS`, else the processors that this process may use."""
    wanted = os.environ.get("SKILLC_JOBS", "")
    if wanted.isdecimal() and int(wanted):
        return int(wanted)
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_processes(
    work: Callable[[Work], bytes], pieces: Sequence[Work], jobs: int, done: Callable[[int], None]
) -> list[bytes]:
    """`work` of every piece, in order. `done` is told how many pieces are finished.

    What a process could not do (it was killed, or it failed) is done here, so that an error is seen as it is.
    """
    if jobs < 2 or len(pieces) < FROM:
        results = []
        for at, piece in enumerate(pieces):
            results.append(work(piece))
            done(at + 1)
        return results
    found: dict[int, bytes] = {}

    def take(pipe: int) -> None:
        with os.fdopen(pipe, "rb") as stream:
            while (header := stream.read(16)) and len(header) == 16:
                at, length = int.from_bytes(header[:8], "big"), int.from_bytes(header[8:], "big")
                data = stream.read(length)
                if len(data) == length:
                    found[at] = data
                    done(len(found))

    children = [_start(work, pieces, job, jobs) for job in range(jobs)]
    # All pipes are read at once: a process whose pipe is full would wait for the others. No thread is there yet
    # when the processes begin.
    readers = [threading.Thread(target=take, args=(pipe,)) for _, pipe in children]
    for reader in readers:
        reader.start()
    for reader, (process, _) in zip(readers, children, strict=True):
        reader.join()
        os.waitpid(process, 0)
    return [found[at] if at in found else work(piece) for at, piece in enumerate(pieces)]


def _start(work: Callable[[Work], bytes], pieces: Sequence[Work], job: int, jobs: int) -> tuple[int, int]:
    """A process that does every `jobs`th piece from `job` on; its id and the end of the pipe to read from."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    code = 1
    try:
        os.close(reading)
        with os.fdopen(writing, "wb") as stream:
            for at in range(job, len(pieces), jobs):
                data = work(pieces[at])
                stream.write(at.to_bytes(8, "big") + len(data).to_bytes(8, "big"))
                stream.write(data)
        code = 0
    finally:
        # No handler of the parent may run here: it would write what the parent has still to write.
        os._exit(code)

"""Work in other processes: how many are worth having, and one that gives what it found through a pipe."""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, TypeVar

    Result = TypeVar("Result")


def processors() -> int:
    """How many processes are worth having here: `SKILLC_JOBS`, else the processors that this process may use."""
    wanted = os.environ.get("SKILLC_JOBS", "")
    if wanted.isdecimal() and int(wanted):
        return int(wanted)
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def started(work: Callable[[IO[bytes]], object]) -> tuple[int, int]:
    """A process that does `work` on the stream that it writes to; its id, and the end of the pipe to read from."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    code = 1
    try:
        os.close(reading)
        with os.fdopen(writing, "wb") as stream:
            work(stream)
        code = 0
    finally:
        # No handler of the parent may run here: it would write what the parent has still to write.
        os._exit(code)


def in_shares(work: Callable[[range], list[Result]], pieces: int, jobs: int) -> list[Result]:
    """What `work` gives for each of the numbers below `pieces`, in order, done by `jobs` processes, of which this is one.
    It is plain data, as `marshal` carries it. What another process could not do is done here, too."""
    ends = [pieces * job // jobs for job in range(jobs + 1)]
    shares = [range(*ends[job : job + 2]) for job in range(jobs)]
    children = [_child(work, share) for share in shares[1:]]
    found = work(shares[0])
    for share, (process, pipe) in zip(shares[1:], children, strict=True):
        with os.fdopen(pipe, "rb") as stream:
            data = stream.read()
        _, status = os.waitpid(process, 0)
        found += work(share) if status else marshal.loads(data)
    return found


def _child(work: Callable[[range], list[Result]], share: range) -> tuple[int, int]:
    return started(lambda stream: stream.write(marshal.dumps(work(share))))

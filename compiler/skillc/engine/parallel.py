"""Work on several processors: a list shared by forked processes, results in the order of the list."""

from __future__ import annotations

import marshal
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, TypeVar

from skillc.processes import started

Work = TypeVar("Work")
Result = TypeVar("Result")
Kept = TypeVar("Kept")
FROM = 50
"""Fewer pieces than this are done sooner in one process."""
_NUMBER = 8
"""Bytes of a number in a pipe."""
_SHARES = 500
"""Numbers that every pipe holds, however small the system makes it."""


def in_processes(
    work: Callable[[Work], Result],
    pieces: Sequence[Work],
    jobs: int,
    kept: Callable[[Work, Result], Kept],
    done: Callable[[int], None],
) -> list[Kept]:
    """What is `kept` of the `work` of every piece, in order; what work gives is plain data, as `marshal` carries it. `done`
    is told how many pieces are finished.

    What is kept is made here as soon as a result is there: while this process does that, the others take more of the
    work, so that all end together. This process is one of the `jobs`; whoever is free takes what is next. What another
    could not do (it was killed, or it failed) is done here, too, so that an error is seen as it is.
    """
    found: dict[int, Kept] = {}
    one_by_one = threading.Lock()

    def keep(at: int, result: Result) -> None:
        with one_by_one:
            found[at] = kept(pieces[at], result)
            done(len(found))

    rest = _Rest(len(pieces))
    children = [_start(work, pieces, rest) for _ in range(1, jobs if len(pieces) >= FROM else 1)]
    # All pipes are read all the time: a process whose pipe is full would wait. No thread is there yet when the
    # processes begin.
    readers = [threading.Thread(target=_take, args=(pipe, keep)) for _, pipe in children]
    for reader in readers:
        reader.start()
    try:
        for at in rest.taken():
            keep(at, work(pieces[at]))
    finally:
        rest.drop()
        for reader, (process, _) in zip(readers, children, strict=True):
            reader.join()
            os.waitpid(process, 0)
    return [found[at] if at in found else kept(piece, work(piece)) for at, piece in enumerate(pieces)]


class _Rest:
    """The numbers that nobody has taken yet, in a pipe from which all processes read."""

    def __init__(self, count: int) -> None:
        self._pipe, writing = os.pipe()
        self._size = -(-count // _SHARES)
        self._count = count
        with os.fdopen(writing, "wb") as stream:
            stream.writelines(first.to_bytes(_NUMBER, "big") for first in range(0, count, self._size or 1))

    def taken(self) -> Iterator[int]:
        """Numbers that are taken by whoever asks, share by share."""
        while data := os.read(self._pipe, _NUMBER):
            first = int.from_bytes(data, "big")
            yield from range(first, min(first + self._size, self._count))

    def drop(self) -> None:
        """Leave nothing to the others, who end with what they have."""
        while os.read(self._pipe, _NUMBER * _SHARES):
            pass
        os.close(self._pipe)


def _take(pipe: int, keep: Callable[[int, Any], None]) -> None:
    """Keep what comes through a pipe, until it ends: that of which all has come."""
    with os.fdopen(pipe, "rb") as stream:
        while (head := stream.read(2 * _NUMBER)) and len(head) == 2 * _NUMBER:
            at, length = int.from_bytes(head[:_NUMBER], "big"), int.from_bytes(head[_NUMBER:], "big")
            data = stream.read(length)
            if len(data) == length:
                keep(at, marshal.loads(data))


def _start(work: Callable[[Work], Any], pieces: Sequence[Work], rest: _Rest) -> tuple[int, int]:
    """A process that does what it takes of the rest; its id, and the end of the pipe to read the results from."""

    def give(stream: IO[bytes]) -> None:
        for at in rest.taken():
            data = marshal.dumps(work(pieces[at]))
            stream.write(at.to_bytes(_NUMBER, "big") + len(data).to_bytes(_NUMBER, "big"))
            stream.write(data)

    return started(give)

"""How a file stands, as one number: whoever finds the same number again finds the same file, not opened.

It is made of size, mtime and ctime in ns, and inode; where somebody sets the old time again after a change, the system
still knows of the change. Files are looked at by the ten thousand, so what is done for each is done by the interpreter
itself, and in several processes where that pays.
"""

from __future__ import annotations

import marshal
import os
from operator import attrgetter

from skillc.processes import processors, started

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ABSENT, RACY = 0, -1
"""As a mark: something that must not be there; something changed too shortly before to be trusted, which no file has."""
_HIDDEN = -2
"""As a mark that is found: nobody lets us see. None is kept, so it is always another one."""
SHARE = 4000
"""Fewer files than this are looked at sooner than a process is there for them."""
_numbers = attrgetter("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino")


def mark_of(found: os.stat_result) -> int:
    """The mark of what was looked at. Numbers are hashed alike in every process, and where one of the four differs, the
    marks do."""
    return hash(_numbers(found))


def marks(paths: Iterable[str], stat: Callable[[str], os.stat_result] = os.stat) -> list[int]:
    """The marks of what is at `paths` now."""
    found: list[int] = []
    rest = iter(paths)
    while True:
        try:
            found.extend(map(hash, map(_numbers, map(stat, rest))))
            return found
        except (FileNotFoundError, NotADirectoryError):
            found.append(ABSENT)
        except OSError:
            found.append(_HIDDEN)


def mark_at(path: str) -> int:
    """The mark of what is at `path` now."""
    return marks([path])[0]


def changed(paths: Sequence[str], known: Sequence[int], jobs: int = 0) -> list[int]:
    """The rows of the paths of which the mark is not the `known` one; looked at in `jobs` processes, in as many as there
    are processors where that is 0."""
    jobs = jobs or max(1, min(processors(), len(paths) // SHARE))
    ends = [len(paths) * job // jobs for job in range(1, jobs + 1)]
    shares = list(zip([0, *ends], ends, strict=False))
    children = [_child(paths[first:last], known[first:last]) for first, last in shares[1:]]
    found = _changed(paths[: ends[0]], known[: ends[0]])
    for (first, last), (process, pipe) in zip(shares[1:], children, strict=True):
        rows = _given(process, pipe)
        rows = _changed(paths[first:last], known[first:last]) if rows is None else rows
        found += [first + row for row in rows]
    return found


def _changed(paths: Sequence[str], known: Sequence[int]) -> list[int]:
    now = marks(paths)
    return [] if now == known else [row for row, mark in enumerate(now) if mark != known[row]]


def _child(paths: Sequence[str], known: Sequence[int]) -> tuple[int, int]:
    """A process that finds what changed of its share."""
    return started(lambda stream: stream.write(marshal.dumps(_changed(paths, known))))


def _given(process: int, pipe: int) -> list[int] | None:
    """What a process found; None where it was killed."""
    with os.fdopen(pipe, "rb") as stream:
        data = stream.read()
    _, status = os.waitpid(process, 0)
    rows: list[int] | None = None if status else marshal.loads(data)
    return rows

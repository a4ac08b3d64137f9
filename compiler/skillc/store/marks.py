"""How a file stands, as one number: whoever finds the same number again finds the same file, not opened.

It is made of size, mtime and ctime in ns, and inode; where somebody sets the old time again after a change, the system
still knows of the change. Files are looked at by the ten thousand: no step of Python is taken for one of them.
"""

from __future__ import annotations

import os
from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ABSENT, RACY = 0, -1
"""As a mark: something that must not be there; something changed too shortly before to be trusted, which no file has."""
_HIDDEN = -2
"""As a mark that is found: nobody lets us see. None is kept, so it is always another one."""
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


def listing(entries: Iterable[tuple[str, str, str | None]]) -> bytes:
    """What stands in a folder, as it is hashed: name, kind and, of a link, target of each, in order."""
    return "\0".join([f"{name}\0{kind}\0{target}" for name, kind, target in entries]).encode(
        "utf-8", "surrogateescape"
    )


def mark_at(path: str) -> int:
    """The mark of what is at `path` now."""
    return marks([path])[0]


def changed(paths: Sequence[str], known: Sequence[int]) -> list[int]:
    """The rows of the paths of which the mark is not the `known` one."""
    now = marks(paths)
    return [] if now == known else [row for row, mark in enumerate(now) if mark != known[row]]

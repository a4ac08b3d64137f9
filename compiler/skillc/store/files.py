"""The one way in which files are written: whole or not at all.

What touches the disk here are plain calls of `os`, one after the other, so that a test can make any of them fail.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable

_PAUSE = 0.05
TRIES = 8 if sys.platform == "win32" else 1
"""On Windows a rename over a file that somebody reads is refused for a moment."""
PREFIX, SUFFIX = ".skillc-", ".tmp"
"""How the name of a temporary file begins and ends."""
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def is_temporary(name: str) -> bool:
    """Whether a file of this name was being written when the process died that wrote it; while one is at work, it may be
    its file too.

    >>> is_temporary(".skillc-0a.tmp"), is_temporary("plan.json")
    (True, False)
    """
    return name.startswith(PREFIX) and name.endswith(SUFFIX)


def sweep(folder: str) -> None:
    """Remove what was not written to the end in `folder`, where nobody else is at work."""
    with contextlib.suppress(OSError):
        for name in filter(is_temporary, os.listdir(folder)):
            os.unlink(os.path.join(folder, name))


def write_atomic(
    path: str,
    data: bytes,
    replace: Callable[[str, str], None] | None = None,
    tries: int = TRIES,
    durable: bool = True,
) -> bool:
    """Make `path` hold `data`; False when it already did and nothing was touched.

    Written to a temporary file of the same folder, flushed to disk, then renamed: a reader or a crash finds
    the old bytes or the new ones, never a part. Raises OSError with the old file intact; a refused rename
    is tried `tries` times in all. What is not `durable` is not flushed: it may be cut when the machine itself
    goes down, so whoever reads it has to know its digest.
    """
    if _holds(path, data):
        return False
    write_pieces(path, [data], replace, tries, durable)
    return True


def write_pieces(
    path: str,
    pieces: Iterable[bytes | memoryview],
    replace: Callable[[str, str], None] | None = None,
    tries: int = TRIES,
    durable: bool = True,
) -> None:
    """The same for what comes in pieces, one behind the other; whatever is there, it is written."""
    try:
        _write(path, pieces, replace or os.replace, tries, durable)
    except OSError as error:
        # The temporary file's own name would tell the user nothing.
        raise OSError(error.errno, error.strerror, path) from error


def rewrite(path: str, data: bytes) -> bool:
    """`write_atomic` for a file of somebody else's: a link stays one and its target gets the bytes, the mode stays."""
    target = os.path.realpath(path)
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        return write_atomic(target, data)
    changed = write_atomic(target, data)
    if changed:
        os.chmod(target, mode)
    return changed


def _write(
    path: str,
    pieces: Iterable[bytes | memoryview],
    replace: Callable[[str, str], None],
    tries: int,
    durable: bool,
) -> None:
    folder = os.path.dirname(path) or "."
    os.makedirs(folder, exist_ok=True)
    temporary = os.path.join(folder, f"{PREFIX}{os.urandom(8).hex()}{SUFFIX}")
    handle = os.open(temporary, _FLAGS, 0o666)
    try:
        try:
            for data in pieces:
                _fill(handle, data)
            if durable:
                os.fsync(handle)
        finally:
            os.close(handle)
        _rename(temporary, path, replace, tries)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _fill(handle: int, data: bytes | memoryview) -> None:
    """Write all of `data`, however little of it the system takes at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _holds(path: str, data: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read() == data
    except OSError:
        return False


def _rename(source: str, target: str, replace: Callable[[str, str], None], tries: int) -> None:
    for left in reversed(range(tries)):
        try:
            replace(source, target)
        except PermissionError:
            if not left:
                raise
            time.sleep(_PAUSE)
        else:
            return

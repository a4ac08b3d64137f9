"""One writer at a time: a lock that the system gives back when its owner ends, however it ends.

The lock is the system's own on an open file, not the file: nothing stale can be left, and nobody has to guess
whether an owner is alive. The file says who holds it, for people. It is never followed through a link, cut or removed.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from skillc.wording import say

PAUSE = 0.05
PATIENCE = 600.0
"""Seconds after which waiting for another build is given up."""


class Held(OSError):
    """Somebody else holds the lock; the text is what the owner wrote of itself."""


@contextmanager
def locked(
    path: str, waiting: Callable[[str], None] | None = None, patience: float = PATIENCE
) -> Iterator[None]:
    """Hold the lock at `path`. `waiting` is told once who holds it, when it has to be waited for.

    Raises Held when that takes longer than `patience` seconds, OSError when there can be no lock: the path is a link, or
    its folder cannot be written.
    """
    handle = _opened(path)
    try:
        end = time.monotonic() + patience
        while not _taken(handle):
            owner = _owner(handle)
            if waiting:
                waiting(owner)
                waiting = None
            if time.monotonic() > end:
                raise Held(errno.EAGAIN, owner, path)
            time.sleep(PAUSE)
        # The lock is held without its text, too, for which a full disk has no room.
        with suppress(OSError):
            _sign(handle)
        yield
    finally:
        os.close(handle)


def _opened(path: str) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        return os.open(path, flags, 0o600)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK) and os.path.islink(path):
            raise OSError(errno.EINVAL, say("it is a link, which is not followed"), path) from error
        raise


def _sign(handle: int) -> None:
    text = f"{os.getpid()}\n".encode()
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, text)
    os.ftruncate(handle, len(text))


def _owner(handle: int) -> str:
    os.lseek(handle, 0, os.SEEK_SET)
    return os.read(handle, 64).decode("ascii", "replace").strip() or "?"


def _taken(handle: int) -> bool:
    """Whether the lock is ours now; it is not waited for."""
    try:
        import fcntl
    except ImportError:
        return _taken_on_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True


def _taken_on_windows(handle: int) -> bool:
    """A byte far behind the text is locked: the text stays readable for who waits."""
    import msvcrt

    os.lseek(handle, 1 << 20, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return False
    return True

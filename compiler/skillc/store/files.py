"""The one way in which files are written: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable

_PAUSE = 0.05
TRIES = 8 if sys.platform == "win32" else 1
"""On Windows a rename over a file that somebody reads is refused for a moment."""


def write_atomic(
    path: str, data: bytes, replace: Callable[[str, str], None] = os.replace, tries: int = TRIES
) -> bool:
    """Make `path` hold `data`; False when it already did and nothing was touched.

    Written to a temporary file of the same folder, flushed to disk, then renamed: a reader or a crash finds
    the old bytes or the new ones, never a part. Raises OSError with the old file intact; a refused rename
    is tried `tries` times in all.
    """
    if _holds(path, data):
        return False
    try:
        _write(path, data, replace, tries)
    except OSError as error:
        # The temporary file's random name would tell the user nothing.
        raise OSError(error.errno, error.strerror, path) from error
    return True


def _write(path: str, data: bytes, replace: Callable[[str, str], None], tries: int) -> None:
    folder = os.path.dirname(path) or "."
    os.makedirs(folder, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=".skillc-", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        _rename(temporary, path, replace, tries)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _holds(path: str, data: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read() == data
    except OSError:
        return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


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

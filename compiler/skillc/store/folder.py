"""The build cache on this machine: a folder of files for its owner alone.

Below it no link is followed and nothing but plain files is read. What cannot be used is said once, and the build goes
on without; what is damaged is set aside, where a person can look at it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Callable
from stat import S_ISDIR, S_ISREG

from skillc.store.entry import ACTIONS, LIMITS
from skillc.store.files import write_atomic
from skillc.wording import say

ASIDE = "aside"
"""The folder of what is damaged."""
_NOTES = {
    ".gitignore": b"*\n",
    "CACHEDIR.TAG": b"""Signature: 8a477f597d28d172789f06886806bc55
# This folder is the build cache of skillc: it may be deleted at any time.
# For information about cache directory tags, see https://bford.info/cachedir/
""",
}
_READING = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    _READING |= getattr(os, _flag, 0)
_DAY = 86400


class Folder:
    """Files by kind and name, `<path>/<kind>/<xx>/<name>`.

    The folder is `base` and the `steps` below it; `base` is taken as it is, the steps must not be links. `shown` is how
    messages name it. Nothing here raises: `warn` is told of each kind of trouble once.
    """

    def __init__(self, base: str, steps: tuple[str, ...], shown: str, warn: Callable[[str], None]) -> None:
        self.base = base
        self.steps = steps
        self.shown = shown
        self._warn = warn
        self._warned: set[str] = set()
        self._plain: set[str] = set()
        self._writing = True

    @property
    def path(self) -> str:
        return os.path.join(self.base, *self.steps)

    def read(self, kind: str, name: str) -> bytes | None:
        """The bytes under a name; None where there are none that can be had. Reading a manifest counts as its use."""
        try:
            path = os.path.join(self.below(kind, name[:2]), name)
            found = self.opened(path, kind)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._say(
                say("the build cache `{path}` cannot be read: {reason}", path=self.shown, reason=_of(error))
            )
            return None
        if found is None:
            self.damaged(kind, name)
            return None
        data, used = found
        if kind == ACTIONS and time.time() - used > _DAY:
            with contextlib.suppress(OSError):
                os.utime(path)
        return data

    def opened(self, path: str, kind: str) -> tuple[bytes, float] | None:
        """The bytes of a plain file and when it was last used; None where it is something else, or too large."""
        try:
            handle = os.open(path, _READING)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO):
                return None
            raise
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(handle)
            if not S_ISREG(found.st_mode) or found.st_size > LIMITS[kind]:
                return None
            return file.read(), found.st_mtime

    def write(self, kind: str, name: str, data: bytes) -> None:
        """Keep `data` under a name, whole or not at all. After the first refusal nothing more is tried."""
        if not self._writing:
            return
        try:
            folder = self.made(kind, name[:2])
            write_atomic(os.path.join(folder, name), data, durable=False)
        except OSError as error:
            self._writing = False
            told = say(
                "the build cache `{path}` cannot be written, so the build goes on without it: {reason}",
                path=self.shown,
                reason=_of(error),
            )
            self._say(told)

    def damaged(self, kind: str, name: str) -> None:
        """Set aside what lies under a name: it is not what was put there."""
        entry = f"{self.shown}/{kind}/{name[:2]}/{name}"
        self._say(
            say("`{entry}` in the build cache is damaged; it is set aside and made anew", entry=entry),
            "damaged",
        )
        with contextlib.suppress(OSError):
            os.replace(
                os.path.join(self.below(kind, name[:2]), name),
                os.path.join(self.made(ASIDE), f"{kind}-{name}"),
            )

    def below(self, *more: str) -> str:
        """The path of a folder of ours. Raises OSError where it is not there, or is a link or no folder."""
        return self._walked(more, make=False)

    def made(self, *more: str) -> str:
        """The same, made where it is not there, for the owner alone."""
        path = os.path.join(self.path, *more)
        if path in self._plain:
            return path
        os.makedirs(self.base, exist_ok=True)
        self._walked(more, make=True)
        for name, data in _NOTES.items():
            note = os.path.join(self.path, name)
            if not os.path.lexists(note):
                write_atomic(note, data, durable=False)
        return path

    def _walked(self, more: tuple[str, ...], make: bool) -> str:
        """Step by step down to a folder of ours: none is gone through before it is known to be no link."""
        path = self.base
        for step in (*self.steps, *more):
            path = os.path.join(path, step)
            if path in self._plain:
                continue
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(path, 0o700)
            if not S_ISDIR(os.lstat(path).st_mode):
                raise NotADirectoryError(errno.ENOTDIR, say("a link or a file is in place of a folder"), path)
            self._plain.add(path)
        return path

    def _say(self, text: str, topic: str = "") -> None:
        if topic not in self._warned:
            self._warned.add(topic)
            self._warn(text)


def _of(error: OSError) -> str:
    return error.strerror or type(error).__name__

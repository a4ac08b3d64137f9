"""A disk whose nth call goes wrong, to stand in for `os` in a module that writes."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any
from unittest.mock import patch

CALLS = ("close", "fsync", "makedirs", "mkdir", "open", "replace", "unlink", "write")
"""The calls that are numbered, from 1 on."""


class Crash(BaseException):
    """The machine went down at this call; none of those behind it happens."""


class Disk:
    """`how` the call number `at` goes wrong: `fail` (the disk is full), `crash`, or `short` (a write takes one byte, and
    the disk is full at the next call)."""

    def __init__(self, at: int = 0, how: str = "fail") -> None:
        self.at = at
        self.how = how
        self.calls: list[str] = []
        self._handles: set[int] = set()

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        return self._numbered(name, real) if name in CALLS else real

    def _numbered(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **more: Any) -> Any:
            self.calls.append(name)
            number = len(self.calls)
            if self.how == "crash" and 0 < self.at <= number:
                raise Crash
            if self.how == "short" and number == self.at and name == "write":
                return real(arguments[0], bytes(arguments[1][:1]))
            if number == self.at + (self.how == "short"):
                if name == "close":
                    self._handles.discard(arguments[0])
                    real(*arguments)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            result = real(*arguments, **more)
            if name == "open":
                self._handles.add(result)
            elif name == "close":
                self._handles.discard(arguments[0])
            return result

        return call

    def settle(self) -> None:
        """Close what a crash left open."""
        for handle in self._handles:
            with contextlib.suppress(OSError):
                os.close(handle)


@contextmanager
def broken(disk: Disk, *modules: ModuleType) -> Iterator[Disk]:
    """While this lasts, the modules write to `disk`; a crash ends it."""
    with contextlib.ExitStack() as stack:
        for module in modules:
            stack.enter_context(patch.object(module, "os", disk))
        try:
            yield disk
        except Crash:
            pass
        finally:
            disk.settle()

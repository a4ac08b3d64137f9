"""The official clients of a server: one for each call at a time, so that one which is given up cuts no other off."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class Handle:
    """A call that may be given up: then its client is closed, whenever it gets one."""

    def __init__(self) -> None:
        self.abandoned = False
        self._close: Callable[[], None] | None = None

    def hold(self, close: Callable[[], None]) -> None:
        self._close = close
        if self.abandoned:
            close()

    def abandon(self) -> None:
        self.abandoned = True
        if self._close is not None:
            self._close()


class Connection(Generic[C]):
    """Clients that nobody uses now, closed when the connection is dropped. The first is made at once, so that what is
    wrong with it is known."""

    def __init__(self, connect: Callable[[], C]) -> None:
        self._connect = connect
        self._free: list[C] = [connect()]
        weakref.finalize(self, _close, self._free)

    @contextmanager
    def client(self, handle: Handle) -> Iterator[C]:
        """A client for one call."""
        try:
            client = self._free.pop()
        except IndexError:
            client = self._connect()
        handle.hold(client.close)
        try:
            yield client
        finally:
            if handle.abandoned:
                client.close()  # it may have connected since it was given up
            else:
                self._free.append(client)


def _close(clients: list[C]) -> None:
    for client in clients:
        with suppress(Exception):
            client.close()

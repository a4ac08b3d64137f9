"""The official client of a server while it is used: closed when nobody has it any more, or nobody waits for it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class Connection(Generic[C]):
    """Makes a client when one is needed; the first at once, so that what is wrong with it is known."""

    def __init__(self, connect: Callable[[], C]) -> None:
        self._connect = connect
        self._made()

    def _made(self) -> C:
        client = self._connect()
        self._client: C | None = client
        self._end = weakref.finalize(self, client.close)
        return client

    def abandon(self) -> None:
        """Close the client; the next use makes a new one."""
        self._client = None
        self._end()

    @contextmanager
    def client(self) -> Iterator[C]:
        """The client for one call. Where it was given up meanwhile, it may have connected since: it is closed again."""
        client = self._client or self._made()
        try:
            yield client
        finally:
            if client is not self._client:
                client.close()

"""Requests to one server, each with one deadline for all of it, over a connection that is kept.

The deadline covers every byte of the answer, so that a server that drips is as late as one that says nothing. Only
finding the server's address is in the hands of the system. No redirect is followed, and no proxy is used.
"""

from __future__ import annotations

import io
import math
import os
import time
from collections.abc import Mapping
from typing import Any

from skillc.value import value

SECONDS = 2.0
_PIECE = 1 << 16


@value
class Address:
    """Where a server is: `http` or `https`, host, port, and the path before each name, without a `/` at its end."""

    scheme: str
    host: str
    port: int | None
    path: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{f':{self.port}' if self.port else ''}{self.path}"


class TooLarge(Exception):
    """An answer of more bytes than were asked for."""


class Server:
    """One request after the other. The connection that is kept belongs to the process that made it."""

    def __init__(self, address: Address, headers: Mapping[str, str], seconds: float = SECONDS) -> None:
        self._address = address
        self._headers = dict(headers)
        self.seconds = seconds
        self._connection: Any = None
        self._process = 0

    def ask(self, method: str, path: str, body: bytes | None, limit: int) -> tuple[int, bytes]:
        """The status and the bytes of an answer of at most `limit` bytes. A connection that the server has closed in
        the meantime is opened anew, once.

        Raises OSError or http.client.HTTPException when there is no whole answer in time, TooLarge for a larger one.
        """
        kept = self._connection is not None and self._process == os.getpid()
        try:
            return self._asked(method, path, body, limit)
        except ConnectionError:
            self.close()
            if not kept:
                raise
            return self._asked(method, path, body, limit)

    def _asked(self, method: str, path: str, body: bytes | None, limit: int) -> tuple[int, bytes]:
        done = False
        try:
            connection = self._opened()
            connection.request(method, self._address.path + path, body, self._headers)
            answer = connection.getresponse()
            data = _body(answer, limit)
            done = not answer.will_close
            return answer.status, data
        finally:
            if not done:
                self.close()

    def _opened(self) -> Any:
        from http.client import HTTPConnection, HTTPSConnection

        end = time.monotonic() + self.seconds
        if self._process != os.getpid():
            self.close()
        if self._connection is None:
            kind = HTTPSConnection if self._address.scheme == "https" else HTTPConnection
            self._process = os.getpid()
            self._connection = kind(self._address.host, self._address.port, timeout=self.seconds)
            self._connection.connect()
            self._connection.sock = _Clocked(self._connection.sock)
        self._connection.sock.end = end
        return self._connection

    def close(self) -> None:
        """Give the connection back; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def __del__(self) -> None:
        self.close()


def _body(answer: Any, limit: int) -> bytes:
    """All bytes of an answer. Raises IncompleteRead when it ends before it should."""
    from http.client import IncompleteRead

    length = answer.length
    if length is not None and length > limit:
        raise TooLarge
    pieces, size = [], 0
    while (length is None or size < length) and (piece := answer.read1(_PIECE)):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            raise TooLarge
    if length is not None and size != length:
        raise IncompleteRead(b"", length - size)
    answer.close()
    return b"".join(pieces)


class _Clocked:
    """What http.client needs of a socket, with a time at which all waiting ends."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self.end = math.inf

    def wait(self) -> None:
        """Let the next call on the socket wait for what is left of the time. Raises TimeoutError when that is nothing."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)

    def sendall(self, data: bytes) -> None:
        self.wait()
        self._socket.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Stream(self, self._socket.makefile(mode, buffering=0)))

    def close(self) -> None:
        self._socket.close()


class _Stream(io.RawIOBase):
    def __init__(self, clock: _Clocked, source: Any) -> None:
        self._clock = clock
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        self._clock.wait()
        return self._source.readinto(buffer)

    def close(self) -> None:
        self._source.close()
        super().close()

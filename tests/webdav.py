"""A real nginx with WebDAV on a free port of this machine, and a server that answers whatever it was told to."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from http.client import HTTPConnection
from pathlib import Path
from unittest.mock import patch

from cli import ROOT
from skillc.store.transport import Server

TOKEN, PASSWORD = "t0ken-of-a-test", "passw0rd-of-a-test"
READER, WRITER = "me", "ci"
_CONFIG = """
daemon off;
{user}
worker_processes 1;
pid {home}/pid;
error_log {home}/error.log;
events {{}}
http {{
  log_format short "$connection $request_method $uri $status";
  access_log {home}/access.log short;
  client_body_temp_path {home}/body;
  proxy_temp_path {home}/proxy;
  fastcgi_temp_path {home}/fastcgi;
  uwsgi_temp_path {home}/uwsgi;
  scgi_temp_path {home}/scgi;
  server {{
    listen 127.0.0.1:{port};
    client_max_body_size 100m;
    dav_methods PUT;
    create_full_put_path on;
    location /open/ {{ alias {home}/store/; }}
    location /readable/ {{ alias {home}/store/; limit_except GET {{ deny all; }} }}
    location /token/ {{ alias {home}/store/; if ($http_authorization != "Bearer {token}") {{ return 401; }} }}
    {documented}
    location /slow/ {{ alias {home}/store/; limit_rate 10; }}
    location /broken/ {{ return 500; }}
    location /moved/ {{ return 302 {elsewhere}$uri; }}
  }}
}}
"""


@lru_cache(maxsize=1)
def missing() -> str:
    """Why there is no nginx to test with; nothing when there is one."""
    program = _program()
    if program is None:
        return "nginx is not installed (Debian: apt-get install nginx)"
    done = subprocess.run([program, "-V"], capture_output=True, text=True)
    return "" if "http_dav_module" in done.stderr else "this nginx has no WebDAV"


def _program() -> str | None:
    return shutil.which(
        "nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    )


def _documented() -> str:
    """The location of the guide, as people will copy it."""
    guide = (ROOT / "docs/guide/sharing-builds.md").read_text(encoding="utf-8")
    start = guide.index("  location /skillc/ {")
    return guide[start : guide.index("\n  }\n", start) + 5]


class Nginx:
    """`url(way, name)` leads to the folder `store/<name>` on one of the ways of the configuration."""

    def __init__(self, home: Path, port: int) -> None:
        self.home = home
        self.port = port

    def url(self, way: str, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{way}/{name}"

    def folder(self, name: str) -> Path:
        return self.home / "store" / name

    def requests(self, name: str) -> list[list[str]]:
        """Connection, method, path and status of each request that concerned `name`."""
        # The one worker does one thing after the other: when it answers this, it has logged all before.
        with contextlib.closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request("GET", "/")
            connection.getresponse().read()
        lines = (self.home / "access.log").read_text().splitlines()
        return [line.split(" ") for line in lines if f"/{name}/" in line]


@contextmanager
def nginx(home: Path, elsewhere: str = "") -> Iterator[Nginx]:
    """nginx, serving below `home` while this lasts. It takes over a socket that listens already: nobody has to wait
    for it, or to guess a free port."""
    program = _program()
    assert program is not None
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        port = listening.getsockname()[1]
        user = "user root;" if os.geteuid() == 0 else ""
        (home / "store").mkdir()
        for file, names in (("readers", (READER, WRITER)), ("writers", (WRITER,))):
            (home / file).write_text("".join(f"{name}:{{PLAIN}}{PASSWORD}\n" for name in names))
        documented = (
            _documented().replace("/srv/skillc-cache/", f"{home}/store/").replace("/etc/nginx/", f"{home}/")
        )
        text = _CONFIG.format(
            home=home, port=port, user=user, token=TOKEN, elsewhere=elsewhere, documented=documented
        )
        (home / "nginx.conf").write_text(text)
        command = [program, "-p", str(home), "-e", str(home / "error.log"), "-c", str(home / "nginx.conf")]
        number = listening.fileno()
        running = subprocess.Popen(
            command, pass_fds=[number], env={"NGINX": f"{number};"}, stderr=subprocess.DEVNULL
        )
    try:
        yield Nginx(home, port)
    finally:
        running.terminate()
        running.wait(60)


def patient() -> contextlib.AbstractContextManager[object]:
    """While this lasts a server is waited for longer than anything here may stand still; whether one that is late is
    given up is no question then."""
    return patch("skillc.store.remote.Server", partial(Server, seconds=60.0))


class Scripted:
    """A server that gives the answers it was told, one a request, byte for byte; behind an answer in `closing` it
    closes the connection, and behind the last one too. `asked` are the heads of the requests."""

    def __init__(self, *answers: bytes, closing: frozenset[int] = frozenset(), drip: float = 0) -> None:
        self.answers = answers
        self.closing = closing
        self.drip = drip
        self.asked: list[bytes] = []
        self.over = threading.Event()
        self._listening = socket.socket()
        self._listening.bind(("127.0.0.1", 0))
        self._listening.listen(8)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> Scripted:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        with socket.socket() as knock:
            knock.connect(self._listening.getsockname())
        self._thread.join(60)
        self._listening.close()

    def _serve(self) -> None:
        at = 0
        while at < len(self.answers) and not self.over.is_set():
            connection, _ = self._listening.accept()
            with connection:
                connection.settimeout(60)
                while at < len(self.answers) and not self.over.is_set() and self._heard(connection):
                    self._answer(connection, self.answers[at])
                    at += 1
                    if at - 1 in self.closing:
                        break

    def _heard(self, connection: socket.socket) -> bool:
        """Read one request, with its body."""
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.recv(65536)
            if not piece:
                return False
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        self.asked.append(head)
        lengths = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
        wanted = int(lengths[0].split(b":")[1]) if lengths else 0
        while len(body) < wanted:
            body += connection.recv(65536)
        return True

    def _answer(self, connection: socket.socket, answer: bytes) -> None:
        try:
            if not self.drip:
                connection.sendall(answer)
                return
            for byte in answer:
                connection.sendall(bytes([byte]))
                if self.over.wait(self.drip):
                    return
        except OSError:
            return

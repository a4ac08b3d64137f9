"""A real PostgreSQL server for tests: in a folder of its own, on a socket of its own, gone when the tests end.

One server for each process that runs tests, started when the first test asks for it; each test gets a database of
its own, which is a copy of an empty one. Nothing of it can be reached from another machine.
"""

from __future__ import annotations

import atexit
import glob
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

START_SECONDS = 60
PASSWORD = "geheim@ü/:#"
"""Of the user `guest`, who must give one over TCP: with all that is awkward in a URL."""
_NUMBERS = count(1)


class NoServer(Exception):
    """Why there is no server here; one sentence."""


@dataclass
class Server:
    """`folder` holds socket and data; `port` answers on 127.0.0.1 for those with a password."""

    folder: str
    port: int
    user: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """It answers afterwards, whatever happened to it before."""
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, cwd=self.folder)
        atexit.register(_stop, self.process)
        _wait(self, self.process)

    def crash(self) -> None:
        """All of its processes end at once, in whatever they do."""
        assert self.process is not None
        _stop(self.process)

    def url(self, database: str) -> str:
        """As the owner of everything, over the socket, without a password."""
        return f"postgresql://{self.user}@/{database}?host={self.folder}&port={self.port}"

    def sql(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return list(cursor.fetchall()) if cursor.description else []

    def fresh(self) -> str:
        """The URL of a new, empty database."""
        name = f"t{os.getpid()}_{next(_NUMBERS)}"
        self.sql(f"CREATE DATABASE {name}")
        return self.url(name)


@lru_cache(maxsize=1)
def server() -> Server:
    """The server of this process. It writes nothing through to the disk. Refuses with NoServer."""
    return new_server(durable=False)


def new_server(durable: bool = True) -> Server:
    """Another server, which writes through to the disk unless it need not be `durable`. Refuses with NoServer."""
    programs = _programs()
    folder = tempfile.mkdtemp(prefix="skillc-pg-", dir="/tmp" if os.path.isdir("/tmp") else None)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    user = _user()
    if user is not None:
        shutil.chown(folder, user.pw_name, user.pw_gid)
    data, port = os.path.join(folder, "data"), _held_port()
    _run(
        user,
        f"{programs}/initdb",
        "-D",
        data,
        "-U",
        "owner",
        "-E",
        "UTF8",
        "--locale=C.UTF-8",
        "-A",
        "trust",
        "-N",
    )
    with open(os.path.join(data, "pg_hba.conf"), "w", encoding="utf-8") as file:
        file.write("local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n")
    settings = {
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": folder,
        "port": str(port),
        "max_connections": "200",
        "autovacuum": "off",  # it may stand in the way of who makes a database
        "fsync": "on" if durable else "off",
        "synchronous_commit": "on" if durable else "off",
        "full_page_writes": "on" if durable else "off",
        "shared_buffers": "32MB",
        "timezone": "UTC",
    }
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    found = Server(folder, port, "owner", [*_as(user), f"{programs}/postgres", "-D", data, *options])
    found.start()
    found.sql(f"CREATE USER guest PASSWORD '{PASSWORD}'")
    return found


def _programs() -> str:
    """The folder of the newest server that is installed."""
    beside = shutil.which("postgres")
    folders = [os.path.dirname(os.path.realpath(beside))] if beside else []
    folders += glob.glob("/usr/lib/postgresql/*/bin") + glob.glob("/opt/homebrew/opt/postgresql@*/bin")
    found = [folder for folder in folders if os.path.exists(os.path.join(folder, "initdb"))]
    if not found:
        raise NoServer("no PostgreSQL server is installed here (Debian: apt-get install postgresql)")
    return max(found, key=lambda folder: [int(part) for part in folder.split("/") if part.isdigit()])


def _user() -> pwd.struct_passwd | None:
    """Whom to run it as: a server refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise NoServer("the PostgreSQL server refuses to run as root, and there is no user to run it as")


def _as(user: pwd.struct_passwd | None) -> list[str]:
    if user is None:
        return []
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


def _run(user: pwd.struct_passwd | None, *command: str) -> None:
    done = subprocess.run([*_as(user), *command], capture_output=True, text=True, cwd="/", check=False)
    if done.returncode:
        raise NoServer(f"the PostgreSQL server cannot be set up: {done.stderr.strip().splitlines()[-1:]}")


def _held_port() -> int:
    """A port that nobody else is given until this process ends. The server may listen on it all the same, also after a
    crash: both say that they share it."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind(("127.0.0.1", 0))
    atexit.register(found.close)
    return int(found.getsockname()[1])


def _wait(found: Server, process: subprocess.Popen[bytes]) -> None:
    import psycopg

    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            found.sql("SELECT 1")
            return
        except psycopg.OperationalError as problem:
            if process.poll() is not None or time.monotonic() > deadline:
                with open(os.path.join(found.folder, "log"), encoding="utf-8", errors="replace") as log:
                    raise NoServer(f"the PostgreSQL server does not start: {log.read()[-500:]}") from problem
            time.sleep(0.05)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """At once, as after a crash: nothing of it is needed any more."""
    if process.poll() is not None:
        return
    process.send_signal(3)
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()

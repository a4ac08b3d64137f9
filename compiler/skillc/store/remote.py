"""The build cache of a team: GET and PUT of `/ac/<key>` and `/cas/<sha256>` on a plain HTTP server.

That is what bazel-remote, and nginx with WebDAV, speak.

| variable | setting | meaning |
|---|---|---|
| SKILLC_CACHE_URL | cache-url | `http://host[:port][/path]` or `https://…` |
| SKILLC_CACHE_WRITE | cache-write | `1` (true): what is made here is put there. Only machines whose builds all others trust may do that |
| SKILLC_CACHE_TOKEN | | sent as a bearer token; wins over the next |
| SKILLC_CACHE_AUTH | | `user:password`, sent as basic authentication |

A variable wins over the setting, also when it is empty. A workspace that was just cloned decides neither where a token goes nor
what another workspace builds: who we are is sent to a server that the environment names, and what comes from one that the
settings name is kept in the workspace's own folder.

The server is a help and never a condition: whatever goes wrong with it is said once in a run, and the build goes on.
After the first request that fails it is not asked again. What the variables hold besides the address is shown nowhere.
"""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import skillc
from skillc.store.entry import LIMITS
from skillc.store.transport import Address, Server, TooLarge
from skillc.value import value
from skillc.wording import say

DIRECTORY = "SKILLC_CACHE_DIR"
URL, WRITE, TOKEN, AUTH = (
    "SKILLC_CACHE_URL",
    "SKILLC_CACHE_WRITE",
    "SKILLC_CACHE_TOKEN",
    "SKILLC_CACHE_AUTH",
)
SETTING = "cache-url"
_ABSENT = (404, 410)
_ANSWER = 1 << 16
"""More than this a server need not say about a PUT."""


class Remote:
    """The tier behind a server. Nothing here raises; `warn` is told of the first trouble, and of no other."""

    def __init__(self, address: Address, server: Server, writes: bool, warn: Callable[[str], None]) -> None:
        self.address = address
        self._server = server
        self._reading = True
        self._writing = writes
        self._warn: Callable[[str], None] | None = warn

    def read(self, kind: str, name: str) -> bytes | None:
        """The bytes under a name, as the server gives them; None where it has none or gives none."""
        if not self._reading:
            return None
        try:
            status, data = self._server.ask("GET", f"/{kind}/{name}", None, LIMITS[kind])
        except TooLarge:
            self.damaged(kind, name)
            return None
        except _failures() as error:
            self._stop(_reason(error, self._server.seconds))
            return None
        if status == 200:
            return data
        if status not in _ABSENT:
            self._stop(_meaning(status))
        return None

    def write(self, kind: str, name: str, data: bytes) -> None:
        """Put `data` there, where this run may. After the first refusal nothing more is put."""
        if not self._writing:
            return
        try:
            status, _ = self._server.ask("PUT", f"/{kind}/{name}", data, _ANSWER)
        except TooLarge:
            return
        except _failures() as error:
            self._stop(_reason(error, self._server.seconds))
            return
        if not 200 <= status < 300:
            self._writing = False
            self._say(
                say(
                    "nothing is put into the shared build cache {address}: {reason}",
                    address=self.address,
                    reason=_meaning(status),
                )
            )

    def damaged(self, kind: str, name: str) -> None:
        """An entry is not what its name says: it counts as none."""
        self._say(
            say(
                "`{entry}` in the shared build cache {address} is damaged; it is made anew",
                entry=f"{kind}/{name}",
                address=self.address,
            )
        )

    def _stop(self, reason: str) -> None:
        self._reading = self._writing = False
        self._say(
            say(
                "the shared build cache {address} is not used in this run: {reason}",
                address=self.address,
                reason=reason,
            )
        )

    def _say(self, text: str) -> None:
        if self._warn:
            self._warn(text)
            self._warn = None


def _failures() -> tuple[type[Exception], ...]:
    """What a request raises; loaded with the first one."""
    from http.client import HTTPException

    return (OSError, HTTPException)


def _reason(error: Exception, seconds: float) -> str:
    """What went wrong, in words that hold nothing of what was sent."""
    if isinstance(error, TimeoutError):
        return say("no answer within {seconds:g} seconds", seconds=seconds)
    if isinstance(error, ConnectionError):
        return say("no connection, or one that broke off")
    if isinstance(error, OSError):
        return getattr(error, "verify_message", "") or error.strerror or type(error).__name__
    return say("its answer is not whole, or no HTTP")


def _meaning(status: int) -> str:
    if status in (401, 403):
        return say("it does not allow that (HTTP {status})", status=status)
    if 300 <= status < 400:
        return say("it names another place (HTTP {status}), which is not followed", status=status)
    return say("it answers with HTTP {status}", status=status)


@value
class Shared:
    """A server as it is named: the address as it is written, the name of what says so, whether it is written, what of
    the environment says who we are there, and whether a workspace names it for a folder that is not its own."""

    url: str
    named_by: str
    writes: bool
    login: Mapping[str, str]
    is_foreign: bool


def shared(environment: Mapping[str, str], url: str = "", writes: bool = False) -> Shared:
    """The server that the environment names, else that of the settings (`url`, `writes`); its `url` is empty where
    there is none."""
    told, leave = environment.get(URL), environment.get(WRITE)
    may = writes if leave is None else leave == "1"
    if told is None:
        return Shared(url, SETTING, may, {}, bool(environment.get(DIRECTORY)))
    return Shared(told, URL, may, environment, False)


def open_remote(named: Shared, warn: Callable[[str], None]) -> Remote | None:
    """The tier behind a server; None, and a warning, when it cannot be meant as it stands. Asks nothing yet."""
    if named.is_foreign:
        warn(
            say(
                "`{setting}` is not asked, since {folder} may hold what other workspaces build: name the server in "
                "{variable}",
                setting=SETTING,
                folder=DIRECTORY,
                variable=URL,
            )
        )
        return None
    address = address_of(named.url)
    if address is None:
        said = say(
            "{variable} is not used: it must be http:// or https:// with a host and perhaps a port and a path; what "
            "identifies you goes into {token} or {auth}",
            variable=named.named_by,
            token=TOKEN,
            auth=AUTH,
        )
        warn(said)
        return None
    login = _login(named.login)
    if login is None:
        warn(
            say(
                "the shared build cache is not used: {token} or {auth} cannot be sent", token=TOKEN, auth=AUTH
            )
        )
        return None
    headers = {"User-Agent": f"skillc/{skillc.__version__}", **login}
    return Remote(address, Server(address, headers), named.writes, warn)


def address_of(url: str) -> Address | None:
    """The address that a URL is; None when it is none, or says more than where.

    >>> str(address_of("https://cache.example.org/skillc/"))
    'https://cache.example.org/skillc'
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    odd = not url.isascii() or any(char <= " " or char == "\x7f" for char in url) or "@" in parts.netloc
    if odd or parts.scheme not in ("http", "https") or parts.query or parts.fragment:
        return None
    if not parts.hostname or not all(0 < len(label) < 64 for label in parts.hostname.split(".")):
        return None
    return Address(parts.scheme, parts.hostname, port, parts.path.rstrip("/"))


def _login(environment: Mapping[str, str]) -> Mapping[str, str] | None:
    """The header that says who we are, nothing where nobody is named; None where a value cannot be sent."""
    token, pair = environment.get(TOKEN, ""), environment.get(AUTH, "")
    if token:
        fits = token.isascii() and token.isprintable() and " " not in token
        return {"Authorization": f"Bearer {token}"} if fits else None
    if pair:
        data = pair.encode("utf-8", "surrogateescape")
        fits = ":" in pair and pair.isprintable()
        return {"Authorization": f"Basic {b2a_base64(data, newline=False).decode()}"} if fits else None
    return {}

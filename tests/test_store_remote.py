"""The shared build cache: what one machine puts, another one gets; and nothing that a server does stops a build."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pytest

from skillc.store.cache import Cache, local_folder, open_cache
from skillc.store.entry import LIMITS, Manifest, manifest_bytes
from skillc.store.remote import Remote, address_of, open_remote, shared
from skillc.store.transport import Server
from webdav import PASSWORD, READER, TOKEN, WRITER, Nginx, Scripted, missing, nginx, patient

KEY, OTHER = sha256(b"one").digest(), sha256(b"two").digest()
OUTCOME = b'{"found":[]}'
FILES = {"plan.json": b'{"schema":"skillc.plan/1"}', "write.prompt.md": "# 写作\n".encode()}
WHOLE = (OUTCOME, FILES)
MANIFEST = manifest_bytes(
    Manifest(
        KEY.hex(),
        sha256(OUTCOME).hexdigest(),
        {name: sha256(data).hexdigest() for name, data in FILES.items()},
    )
)
needs_nginx = pytest.mark.skipif(bool(missing()), reason=missing() or "there is one")


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    with patient():
        yield


@dataclass
class Machine:
    """A workspace of its own on a machine of its own, which knows a server."""

    root: Path
    url: str
    writes: bool = False
    login: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def open(self) -> Cache:
        write = {"SKILLC_CACHE_WRITE": "1"} if self.writes else {}
        environment = {"SKILLC_CACHE_URL": self.url, **write, **self.login}
        cache = open_cache(str(self.root), environment, self.warnings.append)
        assert cache is not None
        return cache


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Scripted]:
    """A server that nobody may be sent to."""
    with Scripted(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") as server:
        yield server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, elsewhere: Scripted) -> Iterator[Nginx]:
    with nginx(tmp_path_factory.mktemp("nginx"), elsewhere.url) as running:
        yield running


@pytest.fixture
def name(tmp_path: Path) -> str:
    return tmp_path.name


def machine(tmp_path: Path, name: str, url: str, **more: object) -> Machine:
    (tmp_path / name).mkdir(exist_ok=True)
    return Machine(tmp_path / name, url, **more)  # type: ignore[arg-type]


@pytest.fixture
def filled(server: Nginx, name: str, tmp_path: Path) -> Nginx:
    """The server, after a trusted machine has put an entry."""
    ci = machine(tmp_path, "ci", server.url("open", name), writes=True)
    ci.open().put(KEY, OUTCOME, FILES)
    assert ci.warnings == []
    return server


@needs_nginx
def test_what_ci_puts_another_machine_gets_and_keeps(filled: Nginx, name: str, tmp_path: Path) -> None:
    folder = filled.folder(name)
    assert (folder / "ac" / KEY.hex()).read_bytes() == MANIFEST
    assert {path.name for path in (folder / "cas").iterdir()} == {
        sha256(data).hexdigest() for data in (OUTCOME, *FILES.values())
    }
    laptop = machine(tmp_path, "laptop", filled.url("open", name))
    assert laptop.open().get(KEY) == WHOLE and laptop.open().get(OTHER) is None
    laptop.url = "http://127.0.0.1:1"
    assert laptop.open().get(KEY) == WHOLE and laptop.warnings == []


@needs_nginx
def test_nothing_is_put_without_leave_and_what_is_here_is_not_asked_for(
    filled: Nginx, name: str, tmp_path: Path
) -> None:
    before = len(filled.requests(name))
    for words in ({}, {"SKILLC_CACHE_WRITE": "0"}, {"SKILLC_CACHE_WRITE": "yes"}):
        laptop = machine(tmp_path, "laptop", filled.url("open", name), login=words)
        cache = laptop.open()
        cache.put(OTHER, b"mine", {})
        assert cache.get(OTHER) == (b"mine", {})
    assert laptop.warnings == [] and len(filled.requests(name)) == before


@needs_nginx
def test_one_connection_serves_all(filled: Nginx, name: str, tmp_path: Path) -> None:
    other = f"{name}-reuse"
    cache = machine(tmp_path, "reuse", filled.url("open", other), writes=True).open()
    for number in range(20):
        key = sha256(b"%d" % number).digest()
        assert cache.get(key) is None
        cache.put(key, b"outcome %d" % number, FILES)
    requests = filled.requests(other)
    assert len(requests) == 20 * 5 and len({request[0] for request in requests}) == 1


@needs_nginx
@pytest.mark.parametrize(
    ("way", "login"),
    [
        ("token", {"SKILLC_CACHE_TOKEN": TOKEN, "SKILLC_CACHE_AUTH": "not:asked"}),
        ("skillc", {"SKILLC_CACHE_AUTH": f"{WRITER}:{PASSWORD}"}),
    ],
)
def test_who_may_and_who_may_not(
    filled: Nginx, name: str, tmp_path: Path, way: str, login: dict[str, str]
) -> None:
    known = machine(tmp_path, "known", filled.url(way, name), writes=True, login=login)
    cache = known.open()
    assert cache.get(KEY) == WHOLE
    cache.put(OTHER, b"mine", {})
    assert known.warnings == [] and (filled.folder(name) / "ac" / OTHER.hex()).exists()
    wrong = {variable: f"{value[:-1]}X" for variable, value in login.items()}
    for words in ({}, wrong):
        stranger = machine(tmp_path, f"stranger{len(words)}", filled.url(way, name), writes=True, login=words)
        cache = stranger.open()
        assert cache.get(KEY) is None
        cache.put(KEY, OUTCOME, FILES)
        (warning,) = stranger.warnings
        assert "HTTP 401" in warning and not any(value in warning for value in wrong.values())


def by_settings(root: Path, url: str, warnings: list[str], **environment: str) -> Cache:
    """The cache of a workspace whose settings name the server and let it be written."""
    cache = open_cache(str(root), environment, warnings.append, url, writes=True)
    assert cache is not None
    return cache


@needs_nginx
def test_a_server_of_the_settings_is_read_and_written(filled: Nginx, name: str, tmp_path: Path) -> None:
    said: list[str] = []
    cache = by_settings(tmp_path / "a", filled.url("open", name), said)
    assert cache.get(KEY) == WHOLE
    cache.put(OTHER, b"mine", {})
    assert by_settings(tmp_path / "b", filled.url("open", name), said).get(OTHER) == (b"mine", {})
    before = len(filled.requests(name))
    for words in ({"SKILLC_CACHE_URL": ""}, {"SKILLC_CACHE": "off"}):
        cold = open_cache(str(tmp_path / "c"), words, said.append, filled.url("open", name))
        assert cold is None or cold.get(KEY) is None
    near = by_settings(
        tmp_path / "d", filled.url("open", name), said, SKILLC_CACHE_DIR=str(tmp_path / "near")
    )
    assert near.get(KEY) is None and len(filled.requests(name)) == before
    assert len(said) == 1 and "`cache-url` is not asked, since SKILLC_CACHE_DIR may hold" in said[0]


@needs_nginx
def test_a_token_is_not_sent_where_only_the_settings_point(
    filled: Nginx, name: str, tmp_path: Path, elsewhere: Scripted
) -> None:
    said: list[str] = []
    for words in ({"SKILLC_CACHE_TOKEN": TOKEN}, {"SKILLC_CACHE_AUTH": f"{WRITER}:{PASSWORD}"}):
        assert by_settings(tmp_path / "a", filled.url("token", name), said, **words).get(KEY) is None
    assert len(said) == 2 and all("HTTP 401" in text for text in said)
    with Scripted(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") as server:
        assert by_settings(tmp_path / "b", server.url, said, SKILLC_CACHE_TOKEN=TOKEN).get(KEY) is None
        assert len(server.asked) == 1 and b"authorization" not in server.asked[0].lower()


@needs_nginx
def test_as_the_guide_has_it_readers_read_and_only_writers_write(
    filled: Nginx, name: str, tmp_path: Path
) -> None:
    for user, warnings in ((WRITER, 0), (READER, 1)):
        login = {"SKILLC_CACHE_AUTH": f"{user}:{PASSWORD}"}
        one = machine(tmp_path, user, filled.url("skillc", name), writes=True, login=login)
        cache = one.open()
        assert cache.get(KEY) == WHOLE
        cache.put(sha256(user.encode()).digest(), user.encode(), {})
        assert len(one.warnings) == warnings and all("(HTTP 401)" in text for text in one.warnings)
    third = machine(tmp_path, "third", filled.url("open", name)).open()
    assert third.get(sha256(b"ci").digest()) == (b"ci", {}) and third.get(sha256(b"me").digest()) is None


@needs_nginx
def test_a_refused_put_is_said_once_and_reading_goes_on(filled: Nginx, name: str, tmp_path: Path) -> None:
    laptop = machine(tmp_path, "laptop", filled.url("readable", name), writes=True)
    cache = laptop.open()
    for number in range(3):
        cache.put(sha256(b"%d" % number).digest(), b"%d" % number, {})
    (warning,) = laptop.warnings
    assert warning == (
        f"nothing is put into the shared build cache {filled.url('readable', name)}: "
        "it does not allow that (HTTP 403)"
    )
    assert cache.get(KEY) == WHOLE and laptop.warnings == [warning]
    assert [request[1:] for request in filled.requests(name) if request[3] == "403"] == [
        ["PUT", f"/readable/{name}/cas/{sha256(b'0').hexdigest()}", "403"]
    ]


@needs_nginx
@pytest.mark.parametrize(("way", "said"), [("broken", "HTTP 500"), ("moved", "another place (HTTP 302)")])
def test_a_server_in_trouble_is_asked_once(
    filled: Nginx, name: str, tmp_path: Path, way: str, said: str, elsewhere: Scripted
) -> None:
    laptop = machine(
        tmp_path, "laptop", filled.url(way, name), writes=True, login={"SKILLC_CACHE_TOKEN": TOKEN}
    )
    cache = laptop.open()
    for key in (KEY, OTHER):
        assert cache.get(key) is None
        cache.put(key, *WHOLE)
        assert cache.get(key) == WHOLE
    (warning,) = laptop.warnings
    assert said in warning and "is not used in this run" in warning and TOKEN not in warning
    assert len([request for request in filled.requests(name) if request[2].startswith(f"/{way}/")]) == 1
    assert elsewhere.asked == []


@needs_nginx
def test_a_server_that_goes_down_in_mid_run(tmp_path: Path) -> None:
    home = tmp_path / "nginx"
    home.mkdir()
    with nginx(home) as running:
        laptop = machine(tmp_path, "laptop", running.url("open", "x"), writes=True)
        cache = laptop.open()
        cache.put(KEY, *WHOLE)
        assert laptop.warnings == []
    fresh = machine(tmp_path, "fresh", laptop.url)
    for one, opened in ((laptop, cache), (fresh, fresh.open())):
        assert opened.get(OTHER) is None and opened.get(sha256(b"three").digest()) is None
        opened.put(OTHER, b"mine", {})
        assert opened.get(OTHER) == (b"mine", {})
        assert one.warnings == [
            f"the shared build cache {laptop.url} is not used in this run: no connection, or one that broke off"
        ]


@needs_nginx
@pytest.mark.parametrize("what", ["entry", "object"])
@pytest.mark.parametrize("how", ["flipped", "cut", "empty", "swapped", "large"])
def test_what_lies_damaged_on_the_server_is_a_miss(
    filled: Nginx, name: str, tmp_path: Path, what: str, how: str
) -> None:
    ci = machine(tmp_path, "ci", filled.url("open", name), writes=True)
    ci.open().put(OTHER, b"mine", {})
    folder = filled.folder(name)
    path = folder / "ac" / KEY.hex() if what == "entry" else folder / "cas" / sha256(OUTCOME).hexdigest()
    other = folder / "ac" / OTHER.hex() if what == "entry" else folder / "cas" / sha256(b"mine").hexdigest()
    data = path.read_bytes()
    bad = {
        "flipped": bytes([data[0] ^ 1]) + data[1:],
        "cut": data[:-1],
        "empty": b"",
        "swapped": other.read_bytes(),
        "large": bytes(LIMITS["ac" if what == "entry" else "cas"] + 1),
    }
    path.write_bytes(bad[how])
    laptop = machine(tmp_path, "laptop", filled.url("open", name))
    cache = laptop.open()
    assert cache.get(KEY) is None and cache.get(KEY) is None
    (warning,) = laptop.warnings
    assert "is damaged; it is made anew" in warning and path.name in warning
    assert cache.get(OTHER) == (b"mine", {}) and laptop.warnings == [warning]
    ci = machine(tmp_path, "ci2", filled.url("open", name), writes=True)
    ci.open().put(KEY, *WHOLE)
    assert machine(tmp_path, "third", filled.url("open", name)).open().get(KEY) == WHOLE


def hasty(tmp_path: Path, url: str, said: list[str]) -> Cache:
    """As `open_cache` makes it, with less patience."""
    address = address_of(url)
    assert address is not None
    near = local_folder(str(tmp_path), {}, pytest.fail)
    return Cache([near, Remote(address, Server(address, {}, 0.3), True, said.append)])


@needs_nginx
def test_an_answer_that_comes_too_slowly_is_none(filled: Nginx, name: str, tmp_path: Path) -> None:
    said: list[str] = []
    cache = hasty(tmp_path, filled.url("slow", name), said)
    assert cache.get(KEY) is None and cache.get(OTHER) is None
    assert said == [
        f"the shared build cache {filled.url('slow', name)} is not used in this run: no answer within 0.3 seconds"
    ]


def test_a_server_that_says_nothing_is_waited_for_once(tmp_path: Path) -> None:
    said: list[str] = []
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(8)
        cache = hasty(tmp_path, f"http://127.0.0.1:{listening.getsockname()[1]}", said)
        assert cache.get(KEY) is None and cache.get(KEY) is None
        cache.put(KEY, *WHOLE)
    assert cache.get(KEY) == WHOLE
    assert len(said) == 1 and said[0].endswith("no answer within 0.3 seconds")


def ok(body: bytes, length: int | None = None) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body


def test_a_server_that_drips_its_head_or_its_body_is_too_late(tmp_path: Path) -> None:
    for turn, answer in enumerate((b"HTTP/1.1 200 OK\r\nX: " + b"y" * 1000, ok(b"z" * 1000))):
        said: list[str] = []
        with Scripted(answer, drip=0.02) as server:
            assert hasty(tmp_path / str(turn), server.url, said).get(KEY) is None
        assert len(said) == 1 and said[0].endswith("no answer within 0.3 seconds")


NOT_WHOLE, BROKEN = "its answer is not whole, or no HTTP", "no connection, or one that broke off"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ok(MANIFEST[:20], len(MANIFEST)), NOT_WHOLE),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{", NOT_WHOLE),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{", NOT_WHOLE),
        (b"SSH-2.0-OpenSSH_9.2\r\n", NOT_WHOLE),
        (b"HTTP/1.1 200 OK\r\n" + b"".join(b"H%d: x\r\n" % n for n in range(200)) + b"\r\n", NOT_WHOLE),
        (b"", BROKEN),
        (b"HTTP/1.1 204 No Content\r\n\r\n", "it answers with HTTP 204"),
        (b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 4\r\n\r\nslow", "it answers with HTTP 429"),
        (b"HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", "not followed"),
    ],
)
def test_answers_that_are_none(tmp_path: Path, answer: bytes, said: str) -> None:
    with Scripted(answer) as server:
        laptop = machine(tmp_path, "laptop", server.url, writes=True)
        cache = laptop.open()
        assert cache.get(KEY) is None
        cache.put(KEY, *WHOLE)
        assert cache.get(KEY) == WHOLE and len(server.asked) == 1
    (warning,) = laptop.warnings
    assert (
        warning.startswith(f"the shared build cache {server.url} is not used in this run: ")
        and said in warning
    )


@pytest.mark.parametrize(
    "answer",
    [
        ok(b"other bytes"),
        ok(b"", LIMITS["ac"] + 1),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"100000\r\n"
        + bytes(1 << 20)
        + b"\r\n1\r\nx\r\n",
        b"HTTP/1.0 200 OK\r\n\r\n" + MANIFEST[:-1],
    ],
)
def test_answers_with_bytes_that_are_none(tmp_path: Path, answer: bytes) -> None:
    with Scripted(answer, closing=frozenset([0])) as server:
        laptop = machine(tmp_path, "laptop", server.url)
        assert laptop.open().get(KEY) is None
    (warning,) = laptop.warnings
    assert "is damaged; it is made anew" in warning


def test_a_connection_that_the_server_gave_up_is_opened_anew(tmp_path: Path) -> None:
    bodies = [OUTCOME, *FILES.values()]
    wanted = sorted(bodies, key=lambda data: sha256(data).hexdigest())
    answers = [ok(MANIFEST), *map(ok, wanted)]
    with Scripted(*answers, closing=frozenset(range(4))) as server:
        laptop = machine(tmp_path, "laptop", server.url)
        assert laptop.open().get(KEY) == WHOLE and laptop.warnings == []
        assert len(server.asked) == 4


def test_answers_in_pieces_and_to_the_end_of_the_connection_are_read_whole(tmp_path: Path) -> None:
    bodies = sorted([OUTCOME, *FILES.values()], key=lambda data: sha256(data).hexdigest())
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in MANIFEST) + b"0\r\n\r\n"
    answers = [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks]
    answers += [b"HTTP/1.0 200 OK\r\n\r\n" + body for body in bodies]
    with Scripted(*answers, closing=frozenset([1, 2, 3])) as server:
        laptop = machine(tmp_path, "laptop", server.url)
        assert laptop.open().get(KEY) == WHOLE and laptop.warnings == []


def test_a_request_says_what_it_should_and_no_more(tmp_path: Path) -> None:
    with Scripted(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") as server:
        laptop = machine(tmp_path, "laptop", server.url + "/team/", login={"SKILLC_CACHE_TOKEN": TOKEN})
        assert laptop.open().get(KEY) is None
    assert laptop.warnings == []
    line, *headers = server.asked[0].decode().split("\r\n")
    assert line == f"GET /team/ac/{KEY.hex()} HTTP/1.1"
    assert {header.split(":")[0] for header in headers} == {
        *("Host", "Accept-Encoding", "User-Agent", "Authorization")
    }
    assert f"Authorization: Bearer {TOKEN}" in headers


@pytest.mark.parametrize(
    "url",
    [
        *(
            "ftp://host/x",
            "cache.example.org",
            "http://",
            "http:///x",
            "http://host:port/",
            "http://host:99999/",
        ),
        *("http://me:secret-word@host/", "http://secret-word@host/", "http://host/?secret-word"),
        *("http://host/#secret-word", "http://host/a b", "http://host/\r\nX: secret-word", "http://höst/"),
        *("http://a..b/", f"http://{'a' * 64}.org/", "file:///etc/passwd", "http://[::1", "   "),
    ],
)
def test_an_address_that_is_none_is_said_once_without_its_words(tmp_path: Path, url: str) -> None:
    laptop = machine(tmp_path, "laptop", url)
    cache = laptop.open()
    cache.put(KEY, *WHOLE)
    assert cache.get(KEY) == WHOLE
    (warning,) = laptop.warnings
    assert warning.startswith("SKILLC_CACHE_URL is not used: it must be http:// or https://")
    assert "secret-word" not in warning


@pytest.mark.parametrize(
    "login",
    [
        {"SKILLC_CACHE_TOKEN": "secret-word\r\nX: y"},
        {"SKILLC_CACHE_TOKEN": "秘密secret-word"},
        {"SKILLC_CACHE_TOKEN": "Bearer secret-word"},
        {"SKILLC_CACHE_AUTH": "secret-word"},
        {"SKILLC_CACHE_AUTH": "me:secret-word\n"},
    ],
)
def test_a_login_that_cannot_be_sent_is_said_once_without_its_words(
    tmp_path: Path, login: dict[str, str]
) -> None:
    said: list[str] = []
    named = shared({"SKILLC_CACHE_URL": "http://127.0.0.1:1", **login})
    assert open_remote(named, said.append) is None
    assert len(said) == 1 and "secret-word" not in said[0] and "cannot be sent" in said[0]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://host", "http://host"),
        ("HTTPS://Cache.Example.org:8443/a/b/", "https://cache.example.org:8443/a/b"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
    ],
)
def test_addresses(url: str, shown: str) -> None:
    assert str(address_of(url)) == shown


def test_no_secret_is_kept_in_any_file(tmp_path: Path) -> None:
    login = {"SKILLC_CACHE_TOKEN": TOKEN, "SKILLC_CACHE_AUTH": f"{WRITER}:{PASSWORD}"}
    laptop = machine(tmp_path, "laptop", "http://127.0.0.1:1", writes=True, login=login)
    laptop.open().put(KEY, *WHOLE)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert OUTCOME in kept and TOKEN.encode() not in kept and PASSWORD.encode() not in kept
    assert len(laptop.warnings) == 1

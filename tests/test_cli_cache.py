"""`skillc cache`: says what is there, throws out what it is told to, names what is damaged."""

from __future__ import annotations

import errno
import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from cli import Done, examples, skillc, tree, write
from skillc.store.cache import open_cache
from webdav import missing, nginx, patient

KEYS = [sha256(b"%d" % number).digest() for number in range(4)]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace whose cache holds four entries of 10 KiB and more, each a day older than the next."""
    write(tmp_path, {"skills/registry.yaml": "packages: []\n"})
    fill(tmp_path, {})
    return tmp_path


def fill(root: Path, environment: dict[str, str]) -> None:
    cache = open_cache(str(root), environment, pytest.fail)
    assert cache is not None
    for number, key in enumerate(KEYS):
        cache.put(key, b"%d" % number * 10240, {"plan.json": b"shared"})


def manifest(root: Path, number: int) -> Path:
    return root / ".skillc" / "cache" / "ac" / KEYS[number].hex()[:2] / KEYS[number].hex()


def cache(workspace: Path, *arguments: str, **environment: str) -> Done:
    return skillc("cache", *arguments, cwd=workspace, **environment)


def data(workspace: Path, *arguments: str, **environment: str) -> Any:
    return json.loads(cache(workspace, *arguments, "--json", **environment).out)


def test_stats(workspace: Path) -> None:
    done = cache(workspace, "stats")
    held = sum(
        path.stat().st_size for path in (workspace / ".skillc/cache").rglob("*") if len(path.name) == 64
    )
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f".skillc/cache: 4 entries, 5 objects, {held / 1024:.1f} KiB\n"
        "no shared cache: neither SKILLC_CACHE_URL nor `cache-url` names one\n"
    )
    assert data(workspace, "stats") == {
        "path": ".skillc/cache",
        "entries": 4,
        "objects": 5,
        "bytes": held,
        "aside": 0,
        "network": None,
        "shared": None,
        "off": False,
    }


def test_stats_of_a_cache_that_is_not_there_yet(tmp_path: Path) -> None:
    write(tmp_path, {"skills/registry.yaml": "packages: []\n"})
    assert cache(tmp_path, "stats").out.startswith(".skillc/cache: 0 entries, 0 objects, 0 B\n")
    assert not (tmp_path / ".skillc").exists()


def test_stats_name_the_shared_cache_and_never_a_secret(workspace: Path) -> None:
    url = "https://cache.example.org/skillc"
    secrets = {"SKILLC_CACHE_TOKEN": "secret-word", "SKILLC_CACHE_AUTH": "me:secret-word"}
    done = cache(workspace, "stats", SKILLC_CACHE_URL=f"{url}/", **secrets)
    assert f"shared cache: {url}, read only\n" in done.out
    writes = data(workspace, "stats", SKILLC_CACHE_URL=url, SKILLC_CACHE_WRITE="1", SKILLC_CACHE="off")
    assert writes["shared"] == {"url": url, "writes": True} and writes["off"] is True
    wrong = cache(workspace, "stats", SKILLC_CACHE_URL="http://me:secret-word@host/", SKILLC_CACHE="off")
    assert "no shared cache: SKILLC_CACHE_URL is not used: it must be http://" in wrong.out
    assert wrong.out.endswith("switched off by SKILLC_CACHE\n")
    assert "secret-word" not in done.out + wrong.out


def test_settings_name_the_shared_cache_and_the_environment_wins(workspace: Path) -> None:
    url = "https://cache.example.org/skillc"
    settings = workspace / "skillc.toml"
    settings.write_text(f'cache-url = "{url}"\n', encoding="utf-8")
    shown = skillc("check", "--show-settings", cwd=workspace).out
    assert f'cache-url = "{url}"\ncache-write = false\n' in shown
    assert f"shared cache: {url}, read only\n" in cache(workspace, "stats").out
    assert data(workspace, "stats", SKILLC_CACHE_WRITE="1")["shared"] == {"url": url, "writes": True}
    other = "https://other.example.org"
    assert data(workspace, "stats", SKILLC_CACHE_URL=other)["shared"]["url"] == other
    assert data(workspace, "stats", SKILLC_CACHE_URL="")["shared"] is None
    foreign = cache(workspace, "stats", SKILLC_CACHE_DIR=str(workspace / "elsewhere")).out
    assert "no shared cache: `cache-url` is not asked, since SKILLC_CACHE_DIR may hold" in foreign
    settings.write_text(f'cache-url = "{url}"\ncache-write = true\n', encoding="utf-8")
    assert data(workspace, "stats")["shared"]["writes"] is True
    assert data(workspace, "stats", SKILLC_CACHE_WRITE="")["shared"]["writes"] is False


@pytest.mark.skipif(bool(missing()), reason=missing() or "there is one")
def test_a_build_asks_the_server_of_the_settings(tmp_path: Path) -> None:
    with nginx(tmp_path) as server, patient():
        settings = f'cache-url = "{server.url("open", "team")}"\n'
        first = examples(tmp_path / "first", "novel/basic")
        write(first, {"skillc.toml": f"{settings}cache-write = true\n"})
        assert skillc("build", cwd=first).code == 0
        second = examples(tmp_path / "second", "novel/basic")
        write(second, {"skillc.toml": settings})
        done = skillc("build", "--explain", cwd=second)
    assert done.code == 0 and "(from the cache)" in done.err
    assert tree(second / "build") == tree(first / "build")


@pytest.mark.parametrize("url", ["me:secret-word@host", "http://me:secret-word@host/", "ftp://host"])
def test_a_setting_that_is_no_address_is_told_without_what_it_holds(workspace: Path, url: str) -> None:
    (workspace / "skillc.toml").write_text(f'cache-url = "{url}"\n', encoding="utf-8")
    done = cache(workspace, "stats")
    assert "no shared cache: cache-url is not used: it must be http:// or https://" in done.out
    assert "secret-word" not in done.out + done.err


def test_a_named_folder_needs_no_workspace(tmp_path: Path) -> None:
    folder = str(tmp_path / "shared")
    fill(tmp_path, {"SKILLC_CACHE_DIR": folder})
    assert data(tmp_path, "stats", SKILLC_CACHE_DIR=folder)["entries"] == 4
    assert cache(tmp_path, "clear", SKILLC_CACHE_DIR=folder).out.startswith(f"{folder}: removed 4 entries")
    assert cache(tmp_path, "stats").code == 2


def test_gc_by_age_and_by_size(workspace: Path) -> None:
    for number in range(4):
        path = manifest(workspace, number)
        used = path.stat().st_mtime - (4 - number) * 86400 + 3600
        os.utime(path, (used, used))
    done = cache(workspace, "gc", "--max-age", "3d")
    assert done.out.startswith(".skillc/cache: removed 1 entry, 1 object, 10.") and done.code == 0
    assert not manifest(workspace, 0).exists() and "\n3 entries, 4 objects, 3" in done.out
    found = data(workspace, "gc", "--max-size", "15k")
    assert (found["removed"]["entries"], found["left"]["entries"]) == (2, 1) and found["left"][
        "bytes"
    ] <= 15360
    assert manifest(workspace, 3).exists()
    assert data(workspace, "gc", "--max-age", "0.5h", "--max-size", "1GiB")["left"]["entries"] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "say what may stay: --max-size, --max-age or both"),
        (("--max-age", "3"), "`3` is nothing for --max-age; write it like 12h, 30d, 8w"),
        (("--max-age", "3m"), "`3m` is nothing for --max-age; write it like 12h, 30d, 8w"),
        (("--max-age=-3d",), "`-3d` is nothing for --max-age; write it like 12h, 30d, 8w"),
        (("--max-size", "much"), "`much` is nothing for --max-size; write it like 500M, 2G"),
        (("--max-size", "1x"), "`1x` is nothing for --max-size; write it like 500M, 2G"),
    ],
)
def test_gc_takes_nothing_away_by_mistake(workspace: Path, arguments: tuple[str, ...], said: str) -> None:
    done = cache(workspace, "gc", *arguments)
    assert (done.code, done.out, done.err) == (2, "", f"skillc: {said}\n")
    assert data(workspace, "stats")["entries"] == 4


def test_verify(workspace: Path) -> None:
    done = cache(workspace, "verify")
    assert (
        done.code == 0
        and "4 entries, 5 objects, " in done.out
        and done.out.endswith("as they were written\n")
    )
    manifest(workspace, 1).write_bytes(b"[]")
    done = cache(workspace, "verify")
    assert done.code == 1
    assert done.out.startswith(f"ac/{KEYS[1].hex()} was damaged and is set aside\n.skillc/cache: 3 entries, ")
    assert cache(workspace, "verify").code == 0
    assert "1 file set aside as damaged; `skillc cache gc` removes them\n" in cache(workspace, "stats").out
    lost = sha256(b"2" * 10240).hexdigest()
    (workspace / ".skillc/cache/cas" / lost[:2] / lost).unlink()
    again = cache(workspace, "verify")
    assert again.code == 0 and "1 entry of lost objects; they count as none\n" in again.out
    assert data(workspace, "verify")["incomplete"] == 1


def test_clear(workspace: Path) -> None:
    done = cache(workspace, "clear")
    assert done.out.startswith(".skillc/cache: removed 4 entries, 5 objects, ") and done.code == 0
    assert data(workspace, "stats")["entries"] == 0


def test_what_may_not_be_removed_is_told(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise OSError(errno.EROFS, "any words", path)

    monkeypatch.setattr(os, "unlink", refuse)
    for action in (["clear"], ["gc", "--max-size", "0"]):
        done = cache(workspace, *action)
        assert (done.out, done.code) == ("", 3)
        assert done.err == "skillc: cannot clear `.skillc/cache`: Read-only file system\n"


def test_a_link_in_place_of_the_cache_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"w/skills/registry.yaml": "packages: []\n", "precious/ac/x": ""})
    (tmp_path / "w/.skillc").mkdir()
    (tmp_path / "w/.skillc/cache").symlink_to(tmp_path / "precious")
    done = cache(tmp_path / "w", "clear")
    said = "skillc: cannot use `.skillc/cache`: a link or a file is in place of a folder\n"
    assert (done.code, done.err) == (2, said)


def test_in_chinese(workspace: Path) -> None:
    assert cache(workspace, "stats", "--lang", "zh").out.startswith(".skillc/cache：4 个条目、5 个对象、")
    assert (
        cache(workspace, "gc", "--lang", "zh").err
        == "skillc: 要说明留下什么：--max-size、--max-age，或者两个都写\n"
    )

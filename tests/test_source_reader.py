"""Readers: in memory, on disk with links of all kinds, and with an editor's unsaved files on top."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skillc.source.paths import safe_relative
from skillc.source.reader import READ_LIMIT, DictReader, DiskReader, Entry, OverlayReader, Reader


def kinds(reader: Reader, path: str) -> dict[str, str]:
    return {entry.name: entry.kind for entry in reader.entries(path)}


def test_a_dictionary_is_a_file_system() -> None:
    reader = DictReader({"skills/b/x.md": "x", "skills/a.md": b"y"})
    assert reader.entries("") == (Entry("skills", "dir"),)
    assert kinds(reader, "skills") == {"a.md": "file", "b": "dir"}
    assert reader.read("skills/b/x.md") == b"x"
    assert reader.entries("nowhere") == ()
    with pytest.raises(FileNotFoundError):
        reader.read("nowhere")


def test_links_in_a_dictionary_lead_where_they_say() -> None:
    reader = DictReader({"s/a/x.md": "x"}, {"s/b": "s/a", "s/c": "outside", "s/d": "s/none"})
    assert reader.entries("s") == (
        Entry("a", "dir"),
        Entry("b", "dir", "s/a"),
        Entry("c", "outside"),
        Entry("d", "broken"),
    )
    assert reader.read("s/b/x.md") == b"x"


def test_the_disk_is_read_as_the_dictionary_is(tmp_path: Path) -> None:
    files = {"skills/b/x.md": "x", "skills/a.md": "y", "skills/中 文.md": "z"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    disk, memory = DiskReader(str(tmp_path)), DictReader(files)
    for folder in ("", "skills", "skills/b", "nowhere", "skills/a.md"):
        assert disk.entries(folder) == memory.entries(folder)
    for name in files:
        assert disk.read(name) == memory.read(name)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a23_links_on_disk_are_resolved_and_judged(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "real").mkdir(parents=True)
    (root / "real" / "x.md").write_text("x")
    (tmp_path / "secret.md").write_text("s")
    (root / "inside").symlink_to("real")
    (root / "file").symlink_to("real/x.md")
    (root / "outside").symlink_to("../secret.md")
    (root / "absolute").symlink_to(tmp_path)
    (root / "loop").symlink_to("loop")
    (root / "ping").symlink_to("pong")
    (root / "pong").symlink_to("ping")
    (root / "broken").symlink_to("none")
    (root / "self").symlink_to(".")
    os.mkfifo(root / "pipe")
    (root / "null").symlink_to("/dev/null")
    reader = DiskReader(str(root))
    assert kinds(reader, "") == {
        "absolute": "outside",
        "broken": "broken",
        "file": "file",
        "inside": "dir",
        "loop": "loop",
        "null": "special",
        "outside": "outside",
        "ping": "loop",
        "pipe": "special",
        "pong": "loop",
        "real": "dir",
        "self": "dir",
    }
    targets = {entry.name: entry.target for entry in reader.entries("") if entry.target is not None}
    assert targets == {"file": "real/x.md", "inside": "real", "self": ""}
    assert reader.read("inside/x.md") == b"x"


@pytest.mark.skipif(os.name == "nt", reason="no pipes there")
def test_a_pipe_is_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        DiskReader(str(tmp_path)).read("pipe")


def test_no_more_of_a_file_is_read_than_shows_that_it_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * (READ_LIMIT + 100))
    assert len(DiskReader(str(tmp_path)).read("big")) == READ_LIMIT
    assert len(DictReader({"big": b"x" * (READ_LIMIT + 100)}).read("big")) == READ_LIMIT


def test_an_overlay_replaces_and_adds_files() -> None:
    base = DictReader({"s/a.md": "old", "s/b.md": "b"})
    reader = OverlayReader(base, {"s/a.md": b"new", "s/new/c.md": b"c"})
    assert kinds(reader, "s") == {"a.md": "file", "b.md": "file", "new": "dir"}
    assert [reader.read(path) for path in ("s/a.md", "s/b.md", "s/new/c.md")] == [b"new", b"b", b"c"]
    assert base.read("s/a.md") == b"old"


@pytest.mark.parametrize(
    "path",
    ["", "/etc/passwd", "../x", "a/../../x", "a/..", "C:/x", "c:x", "a\\b", "a\0b", "~/x", "\\\\host\\x"],
)
def test_unsafe_paths_have_a_reason(path: str) -> None:
    assert safe_relative(path)


@pytest.mark.parametrize("path", ["novel/basic", "./x", "a..b/c", "中文/x.md", "a:b/c", ".", "a/./b"])
def test_safe_paths_have_none(path: str) -> None:
    if path == "a:b/c":
        assert safe_relative(path)
    else:
        assert safe_relative(path) is None

"""The build log: whole or none, read in one go, and honest about what is still as it was."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.store.log import (
    ABSENT,
    FOLDER,
    Log,
    Seen,
    encode_log,
    identity,
    read_log,
    read_records,
    unchanged,
)

NAMES = st.lists(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1), max_size=5
)
NUMBERS = st.integers(-2, 2**63 - 1)


@st.composite
def seen(draw: st.DrawFn) -> Seen:
    names = draw(NAMES)
    columns = [draw(st.lists(NUMBERS, min_size=len(names), max_size=len(names))) for _ in range(3)]
    digests = draw(st.binary(min_size=32 * len(names), max_size=32 * len(names)))
    return Seen(names, *columns, digests)


@st.composite
def logs(draw: st.DrawFn) -> tuple[Log, list[bytes]]:
    packages = draw(NAMES)
    records = [draw(st.binary(max_size=40)) for _ in packages]
    firsts = draw(st.lists(NUMBERS, min_size=len(packages) + 1, max_size=len(packages) + 1))
    keys = draw(st.binary(min_size=32 * len(packages), max_size=32 * len(packages)))
    frame = draw(NAMES)
    return Log(frame, draw(seen()), draw(seen()), packages, firsts, keys, ()), records


def rows(table: Seen) -> list[tuple[str, int, int, int, bytes]]:
    return [
        (name, table.sizes[at], table.mtimes[at], table.inodes[at], table.digest(at))
        for at, name in enumerate(table.names)
    ]


@settings(deadline=None)
@given(logs())
def test_what_is_written_is_read(tmp_path_factory: object, made: tuple[Log, list[bytes]]) -> None:
    log, records = made
    path = str(tmp_path_factory.mktemp("log") / "log")  # type: ignore[attr-defined]
    Path(path).write_bytes(encode_log(log, records))
    read = read_log(path)
    assert read is not None
    again, start = read
    assert list(again.frame) == list(log.frame) and list(again.packages) == list(log.packages)
    assert rows(again.seen) == rows(log.seen) and rows(again.made) == rows(log.made)
    assert list(again.firsts) == list(log.firsts) and again.keys == log.keys
    found = read_records(path, again, start, range(len(records)))
    assert [found[row] for row in range(len(records))] == records


def small() -> bytes:
    table = Seen(["a.md", "b"], [3, FOLDER], [5, 6], [7, 8], b"\1" * 64)
    return encode_log(Log(["words"], table, Seen(), ["novel/a"], [0, 2], b"\2" * 32, ()), [b"record"])


def test_a_log_that_is_cut_anywhere_is_none(tmp_path: Path) -> None:
    whole = small()
    path = tmp_path / "log"
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert read_log(str(path)) is None, length
    path.write_bytes(whole + b"x")
    assert read_log(str(path)) is None
    assert read_log(str(tmp_path / "nothing")) is None
    assert read_log(str(tmp_path)) is None


def test_a_byte_that_flips_anywhere_but_in_a_record_makes_it_none(tmp_path: Path) -> None:
    whole = small()
    path = tmp_path / "log"
    for at in range(len(whole) - len(b"record")):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
        assert read_log(str(path)) is None, at


def test_what_changed_is_noticed_by_size_time_and_kind(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.md", tmp_path / "b"
    file.write_text("abc")
    folder.mkdir()

    def look() -> Seen:
        stats = [file.stat(), folder.stat()]
        sizes = [stats[0].st_size, FOLDER, ABSENT]
        times = [*(s.st_mtime_ns for s in stats), 0]
        return Seen(["a.md", "b", "c"], sizes, times, [*map(identity, stats), 0], b"\0" * 96)

    before = look()
    assert unchanged(before, str(tmp_path))
    os.utime(file, ns=(1, 1))
    assert not unchanged(before, str(tmp_path))
    before = look()
    file.write_text("abcd")
    os.utime(file, ns=(1, 1))
    assert not unchanged(before, str(tmp_path))
    before = look()
    (tmp_path / "c").write_text("now it is there")
    assert not unchanged(before, str(tmp_path))
    (tmp_path / "c").unlink()
    folder.rmdir()
    folder.write_text("")
    assert not unchanged(before, str(tmp_path))


def test_an_equal_file_in_another_place_of_the_disk_is_another_one(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("abc")
    found = file.stat()
    before = Seen(["a.md"], [3], [found.st_mtime_ns], [identity(found)], b"\0" * 32)
    other = tmp_path / "other"
    other.write_text("xyz")
    os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns))
    os.replace(other, file)
    assert not unchanged(before, str(tmp_path))

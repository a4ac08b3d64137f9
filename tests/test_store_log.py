"""The build log: whole or none, sheet by sheet, each part to be trusted by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.store.log import Entry, Opened, Seen, Sheet, encode_log, open_log, sheet_of

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)
NUMBERS = st.integers(-2, 2**63 - 1)
DIGESTS = st.binary(min_size=32, max_size=32)
ROWS = st.lists(st.tuples(NAMES, NUMBERS, DIGESTS), max_size=4).map(
    lambda rows: Seen([n for n, _, _ in rows], [m for _, m, _ in rows], b"".join(d for _, _, d in rows))
)
ENTRIES = st.builds(
    Entry, NAMES, ROWS, ROWS, st.binary(max_size=40), DIGESTS, DIGESTS, DIGESTS, NUMBERS, NUMBERS
)


def plain(entry: Entry) -> list[object]:
    values = [getattr(entry, name) for name in Entry.__slots__]
    return [[v.names, v.marks, v.digests] if isinstance(v, Seen) else v for v in values]


def opened(path: Path) -> Opened:
    found = open_log(str(path))
    assert found is not None
    return found


def write(path: Path, frame: list[str], sheets: list[Sheet]) -> None:
    path.write_bytes(b"".join(encode_log(frame, sheets)))


@settings(max_examples=60)
@given(st.lists(NAMES, max_size=3), st.lists(st.lists(ENTRIES, max_size=3), max_size=3))
def test_what_is_read_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, frame: list[str], sheets: list[list[Entry]]
) -> None:
    path = tmp_path_factory.mktemp("log") / "log"
    write(path, frame, [sheet_of(entries) for entries in sheets])
    log = opened(path)
    assert log.frame == frame and len(log) == len(sheets)
    for number, entries in enumerate(sheets):
        front = log.front(number)
        assert front is not None
        assert front.seen == [name for entry in entries for name in entry.seen.names]
        assert front.made == [name for entry in entries for name in entry.made.names]
    again = log.sheets()
    assert again is not None
    for sheet, entries in zip(again, sheets, strict=True):
        assert [plain(sheet.entry(at)) for at in range(len(sheet.paths))] == [*map(plain, entries)]
    once_more = path.with_name("again")
    write(once_more, frame, again)
    assert once_more.read_bytes() == path.read_bytes(), "a sheet that was read is the bytes that it was"


def small() -> list[Sheet]:
    rows = Seen(["a", "b"], [5, 6], b"\1" * 64)
    around = Entry("", Seen(["c"], [7], b"\2" * 32), Seen(), b"whole")
    package = Entry("novel/a", rows, Seen(), b"record", b"\2" * 32, b"\3" * 32, b"\4" * 32, 5, 1)
    return [sheet_of([around]), sheet_of([package])]


def standing(path: Path) -> tuple[bool, bool]:
    """Whether all that tells of changes can be trusted, and whether all can."""
    found = open_log(str(path))
    if found is None:
        return False, False
    fronts = all(found.front(number) for number in range(len(found)))
    return fronts, found.sheets() is not None


def test_a_log_that_is_cut_anywhere_is_none(tmp_path: Path) -> None:
    path = tmp_path / "log"
    write(path, ["words"], small())
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert open_log(str(path)) is None, length
    path.write_bytes(whole + b"x")
    assert open_log(str(path)) is None
    assert open_log(str(tmp_path / "nothing")) is None
    assert open_log(str(tmp_path)) is None


def test_a_byte_that_flips_anywhere_is_noticed_by_whoever_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "log"
    write(path, ["words"], small())
    whole = path.read_bytes()
    assert standing(path) == (True, True)
    backs = len(whole) - sum(len(sheet.back) for sheet in small())
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
        assert standing(path) == (at >= backs, False), at

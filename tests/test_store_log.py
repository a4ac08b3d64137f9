"""The build log: whole or none, read in one go, and honest about what is still as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.store.log import Log, Seen, encode_log, open_log

NAMES = st.lists(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1), max_size=5
)
NUMBERS = st.integers(-2, 2**63 - 1)


@st.composite
def seen(draw: st.DrawFn) -> Seen:
    names = draw(NAMES)
    marks = draw(st.lists(NUMBERS, min_size=len(names), max_size=len(names)))
    digests = draw(st.binary(min_size=32 * len(names), max_size=32 * len(names)))
    return Seen(names, marks, digests)


@st.composite
def logs(draw: st.DrawFn) -> tuple[Log, list[bytes]]:
    packages = draw(NAMES)
    number = len(packages)
    records = [draw(st.binary(max_size=40)) for _ in range(number + 1)]
    starts = [draw(st.lists(NUMBERS, min_size=number + 1, max_size=number + 1)) for _ in range(2)]
    columns = [draw(st.lists(NUMBERS, min_size=number, max_size=number)) for _ in range(2)]
    digests = [draw(st.binary(min_size=32 * number, max_size=32 * number)) for _ in range(3)]
    return Log(draw(NAMES), draw(seen()), draw(seen()), packages, *starts, *columns, *digests), records


def plain(rows: Seen) -> tuple[object, ...]:
    return (list(rows.names), list(rows.marks), rows.digests)


@settings(max_examples=60)
@given(logs())
def test_what_is_read_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, given: tuple[Log, list[bytes]]
) -> None:
    log, records = given
    path = str(tmp_path_factory.mktemp("log") / "log")
    Path(path).write_bytes(encode_log(log, records))
    opened = open_log(path)
    assert opened is not None
    again = opened.log
    for name in ("frame", "packages", "firsts", "writes", "sizes", "marks"):
        assert list(getattr(again, name)) == list(getattr(log, name))
    assert (again.keys, again.settings, again.briefs) == (log.keys, log.settings, log.briefs)
    assert plain(again.seen) == plain(log.seen) and plain(again.made) == plain(log.made)
    data = opened.records()
    assert data == b"".join(records)
    begins = [0, *again.ends]
    assert [data[a:b] for a, b in zip(begins, again.ends, strict=False)] == records


def small() -> bytes:
    table = Seen(["a", "b"], [5, 6], b"\1" * 64)
    parts = (
        ["words"],
        table,
        Seen(),
        ["novel/a"],
        [0, 2],
        [0, 0],
        [5],
        [1],
        b"\2" * 32,
        b"\3" * 32,
        b"\4" * 32,
    )
    return encode_log(Log(*parts), [b"record", b"whole"])


def none(path: Path) -> bool:
    opened = open_log(str(path))
    if opened:
        opened.close()
    return opened is None


def test_a_log_that_is_cut_anywhere_is_none(tmp_path: Path) -> None:
    whole = small()
    path = tmp_path / "log"
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert none(path), length
    path.write_bytes(whole + b"x")
    assert none(path)
    assert none(tmp_path / "nothing")
    assert none(tmp_path)


def test_a_byte_that_flips_anywhere_but_in_a_record_makes_it_none(tmp_path: Path) -> None:
    whole = small()
    path = tmp_path / "log"
    for at in range(len(whole) - len(b"recordwhole")):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
        assert none(path), at


def test_a_byte_that_flips_in_a_record_makes_all_of_them_none(tmp_path: Path) -> None:
    whole = small()
    path = tmp_path / "log"
    for at in range(len(whole) - len(b"recordwhole"), len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
        opened = open_log(str(path))
        assert opened is not None and opened.records() is None, at

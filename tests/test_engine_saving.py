"""However packages come, change and go, the next log has just what is to be known, and takes over what it can."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.engine.saving import PACKAGES, save
from skillc.engine.state import Kept, Known, Record, Stored, columns_of, load

NUMBERS = st.integers(0, 4 * PACKAGES)


def name(number: int) -> str:
    return f"novel/p{number:04}"


def record(number: int, text: str) -> Record:
    def digest(part: str) -> bytes:
        return sha256(f"{part} {number} {text}".encode()).digest()

    seen = {
        f"skills/{name(number)}/{file}": (number + 7, digest(file)) for file in ("a", "b")[: 1 + number % 2]
    }
    made = {"plan.json": (number + 9, digest("plan"))} if number % 3 else {}
    outcome = f"{number}\n{text}".encode()
    return Record(digest("key"), digest("setting"), columns_of(seen), made, b"{}", outcome, True, number, 1)


def plain(known: Known) -> tuple[object, ...]:
    one = known.whole()
    rows = (list(one.seen.names), list(one.seen.marks), one.seen.digests)
    return (one.key, one.setting, rows, one.made, one.head, one.outcome, one.compiled, one.size, one.marks)


def saved(root: Path, records: dict[str, Known]) -> dict[str, Known]:
    """What the next run finds."""
    save(
        str(root),
        Kept(("compiler",), {"around": (1, bytes(32))}, records, {"index": (2, bytes(32))}, b"whole"),
    )
    again = load(str(root))
    assert (again.frame, again.whole) == (("compiler",), b"whole")
    assert set(again.around) == {"around"} and set(again.beside) == {"index"}
    return dict(again.records)


@settings(max_examples=25, deadline=None)
@given(
    st.sets(NUMBERS, max_size=4 * PACKAGES),
    st.lists(st.tuples(st.sets(NUMBERS, max_size=3), st.sets(NUMBERS, max_size=40)), max_size=4),
)
def test_log_after_log_everything_is_as_it_was_said(
    tmp_path_factory: pytest.TempPathFactory, first: set[int], edits: list[tuple[set[int], set[int]]]
) -> None:
    root = tmp_path_factory.mktemp("saving")
    wanted: dict[str, Known] = {name(number): record(number, "") for number in first}
    known = saved(root, wanted)
    for turn, (written, gone) in enumerate(edits):
        for number in gone:
            wanted.pop(name(number), None)
            known.pop(name(number), None)
        for number in written:
            wanted[name(number)] = known[name(number)] = record(number, f"turn {turn}")
        known = saved(root, known)
        assert list(known) == sorted(wanted)
        assert {path: plain(one) for path, one in known.items()} == {
            p: plain(one) for p, one in wanted.items()
        }


def test_a_sheet_of_which_nothing_changed_is_taken_over_as_it_is(tmp_path: Path) -> None:
    known = saved(tmp_path, {name(number): record(number, "") for number in range(3 * PACKAGES)})
    before = sheets(known)
    known[name(PACKAGES + 3)] = record(PACKAGES + 3, "changed")
    after = sheets(saved(tmp_path, known))
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, True]


def sheets(records: dict[str, Known]) -> list[bytes]:
    found = {id(one.sheet): one.sheet for one in records.values() if isinstance(one, Stored)}
    return [bytes(sheet.front) + bytes(sheet.back) for sheet in found.values()]

"""How files stand: whatever happens to one, it has another mark."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from skillc.store.marks import ABSENT, RACY, changed, mark_at, marks

LONG_AGO = (10**18, 10**18)


def tick(folder: Path) -> None:
    """Until the clock of the file system has moved on: there are some that look at the time a hundred times a second."""
    clock = folder / "clock"
    clock.touch()
    begun = clock.stat().st_ctime_ns
    while clock.stat().st_ctime_ns == begun:
        os.utime(clock)


def replaced_by_an_equal_one(file: Path) -> None:
    other = file.with_name("other")
    other.write_bytes(file.read_bytes())
    os.utime(other, ns=LONG_AGO)
    other.replace(file)


def written_in_place(file: Path) -> None:
    file.write_text("xyz")
    os.utime(file, ns=LONG_AGO)


def made_longer(file: Path) -> None:
    file.write_text("abcd")
    os.utime(file, ns=LONG_AGO)


def made_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()
    os.utime(file, ns=LONG_AGO)


@pytest.mark.parametrize(
    "change",
    [
        os.utime,
        Path.unlink,
        made_longer,
        made_a_folder,
        replaced_by_an_equal_one,
        pytest.param(written_in_place, marks=pytest.mark.skipif(os.name == "nt", reason="no ctime there")),
    ],
)
def test_whatever_happens_to_a_file_its_mark_is_another_one(
    tmp_path: Path, change: Callable[[Path], object]
) -> None:
    file = tmp_path / "a.md"
    file.write_text("abc")
    os.utime(file, ns=LONG_AGO)
    before = mark_at(str(file))
    assert mark_at(str(file)) == before and before not in (ABSENT, RACY)
    tick(tmp_path)
    change(file)
    assert mark_at(str(file)) != before


def test_a_folder_has_another_mark_when_something_comes_or_goes(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    os.utime(folder, ns=LONG_AGO)
    empty = mark_at(str(folder))
    (folder / "a").write_text("")
    full = mark_at(str(folder))
    tick(tmp_path)
    (folder / "a").unlink()
    assert len({empty, full, mark_at(str(folder))}) == 3


def test_what_is_not_there_is_absent_and_the_others_are_looked_at_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("")
    paths = [str(tmp_path / name) for name in ("a", "b", "b/c", "b")]
    there = mark_at(paths[1])
    assert marks(paths) == [ABSENT, there, ABSENT, there]
    assert changed(paths, [ABSENT, there, ABSENT, there]) == []
    assert changed(paths, [there, there, RACY, ABSENT]) == [0, 2, 3]


def test_what_may_not_be_seen_is_neither_there_nor_absent() -> None:
    def refused(path: str) -> os.stat_result:
        raise PermissionError(path)

    assert marks(["a"], refused)[0] not in (ABSENT, RACY)

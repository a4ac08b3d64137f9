"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from skillc.store.files import write_atomic


def leftovers(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".tmp")]


def test_writes_and_tells_whether_bytes_changed(tmp_path: Path) -> None:
    target = tmp_path / "a" / "plan.json"
    assert write_atomic(str(target), b"one")
    assert not write_atomic(str(target), b"one")
    assert write_atomic(str(target), b"two")
    assert target.read_bytes() == b"two"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE, errno.EIO])
def test_b46_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path, number: int) -> None:
    target = tmp_path / "plan.json"
    write_atomic(str(target), b"old")

    def full(source: str, destination: str) -> None:
        raise OSError(number, os.strerror(number))

    with pytest.raises(OSError):
        write_atomic(str(target), b"new", replace=full)
    assert target.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


class Refusing:
    """A rename that is refused `times` times, as Windows does while somebody reads the target."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self, source: str, target: str) -> None:
        if self.left:
            self.left -= 1
            raise PermissionError(errno.EACCES, "somebody reads it", target)
        os.replace(source, target)


def test_e90_a_rename_refused_twice_succeeds_in_the_end(tmp_path: Path) -> None:
    target = tmp_path / "plan.json"
    write_atomic(str(target), b"old")
    assert write_atomic(str(target), b"new", replace=Refusing(2), tries=8)
    assert target.read_bytes() == b"new"


def test_e90_a_rename_refused_for_good_is_an_error_and_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "plan.json"
    write_atomic(str(target), b"old")
    with pytest.raises(PermissionError):
        write_atomic(str(target), b"new", replace=Refusing(99), tries=3)
    assert target.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


def test_e90_elsewhere_a_refused_rename_is_not_tried_again(tmp_path: Path) -> None:
    refusing = Refusing(99)
    with pytest.raises(PermissionError):
        write_atomic(str(tmp_path / "plan.json"), b"new", replace=refusing, tries=1)
    assert refusing.left == 98

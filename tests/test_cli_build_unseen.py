"""What a build does where it cannot see, or cannot keep, what it would like to."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from cli import examples, replace, skillc, tree
from skillc.engine import writing
from skillc.source.reader import DiskReader, Entry

BASIC, QUICK = "novel/basic", "novel/quick-write"
OUTLINE = f"skills/{BASIC}/workers/outline/SKILL.md"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A workspace of two packages, built."""
    examples(tmp_path, BASIC, QUICK)
    assert skillc("build", cwd=tmp_path).code == 0
    return tmp_path


def close(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """Make a folder one that nobody may open: root may open any."""
    real = DiskReader.entries

    def entries(reader: DiskReader, path: str) -> tuple[Entry, ...]:
        if path == folder or path.startswith(folder + "/"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real(reader, path)

    monkeypatch.setattr(DiskReader, "entries", entries)


def stale(folder: Path) -> list[str]:
    return sorted(name.rpartition("/")[0] for name in tree(folder / "build") if name.endswith("plan.stale"))


@pytest.mark.parametrize(
    ("folder", "hidden"),
    [("skills", [BASIC, QUICK]), ("skills/novel", [BASIC, QUICK]), (f"skills/{BASIC}", [BASIC])],
)
def test_what_cannot_be_opened_keeps_its_output_marked_stale(
    built: Path, monkeypatch: pytest.MonkeyPatch, folder: str, hidden: list[str]
) -> None:
    before = tree(built / "build")
    with monkeypatch.context() as closed:
        close(closed, folder)
        os.utime(built / folder)
        for _ in range(2):
            done = skillc("build", cwd=built)
            assert done.code == 1 and f"{len(hidden)} with errors" in done.err and "unsafe-path" in done.out
            assert stale(built) == hidden
            assert {**before, **tree(built / "build")}.keys() - before.keys() == {
                f"{path}/plan.stale" for path in hidden
            }
        done = skillc("build", "--check", cwd=built)
        assert done.code == 1 and "build/ is as a build leaves it" in done.err
    assert skillc("build", cwd=built).code == 0
    assert tree(built / "build") == before


@pytest.mark.parametrize("folder", ["skills/novel", f"skills/{BASIC}"])
def test_a_link_that_leads_nowhere_is_no_deletion(built: Path, folder: str) -> None:
    before = tree(built / "build")
    shutil.move(built / folder, built / "away")
    (built / folder).symlink_to(built / "nowhere")
    done = skillc("build", cwd=built)
    assert done.code == 1 and "with errors" in done.err and BASIC in stale(built)
    assert before.items() <= {**tree(built / "build"), "index.json": before["index.json"]}.items()
    (built / folder).unlink()
    shutil.move(built / "away", built / folder)
    assert skillc("build", cwd=built).code == 0 and tree(built / "build") == before
    shutil.rmtree(built / folder)
    assert skillc("build", cwd=built).code == 0
    assert not [name for name in tree(built / "build") if name.startswith(BASIC)]


def test_an_unreadable_folder_is_not_an_empty_one(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contexts = built / "skills" / BASIC / "contexts"
    shutil.rmtree(contexts, ignore_errors=True)
    contexts.mkdir()
    skillc("build", cwd=built)
    with monkeypatch.context() as closed:
        close(closed, f"skills/{BASIC}/contexts")
        (contexts / "a").touch()
        assert "unsafe-path" in skillc("build", cwd=built).out
        (contexts / "a").unlink()
    assert skillc("build", cwd=built).code == 0 and stale(built) == []


@pytest.mark.parametrize("log", ["kept", "lost"])
@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_damaged_output_goes_with_its_package(built: Path, damage: str, log: str) -> None:
    plan = built / "build" / BASIC / "plan.json"
    plan.write_bytes(b"") if damage == "cut" else plan.unlink()
    shutil.rmtree(built / "skills" / BASIC)
    if log == "lost":
        shutil.rmtree(built / ".skillc")
    checked = skillc("build", "--check", cwd=built)
    assert checked.code == 1 and f"build/{BASIC}/outline.prompt.md is left over" in checked.out
    assert skillc("build", cwd=built).code == 0
    assert skillc("build", "--check", cwd=built).code == 0
    assert not (built / "build" / BASIC).exists()


@pytest.mark.parametrize("name", ["lock", "log"])
def test_a_lock_or_a_log_that_cannot_be_had_is_done_without(built: Path, name: str) -> None:
    path = built / ".skillc" / name
    path.unlink()
    path.mkdir()
    replace(built / OUTLINE, "的", "之")
    for compiled in (1, 0):
        done = skillc("build", cwd=built)
        assert done.code == 0 and f"{compiled} package" in done.err
        assert done.err.count("cannot be written") == 1 and f"`.skillc/{name}`" in done.err
    assert skillc("build", "--check", cwd=built).code == 0
    path.rmdir()
    assert "cannot be written" not in skillc("build", cwd=built).err


def test_a_lock_that_is_a_link_is_named_and_not_followed(built: Path) -> None:
    lock = built / ".skillc" / "lock"
    lock.unlink()
    lock.symlink_to(built / "victim")
    replace(built / OUTLINE, "的", "之")
    done = skillc("build", cwd=built)
    assert done.code == 0 and "it is a link, which is not followed" in done.err
    assert not (built / "victim").exists() and lock.is_symlink()


def test_a_disk_that_is_full_hinders_no_build_that_has_nothing_to_write(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(root: str, kept: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), f"{root}/.skillc/log")

    monkeypatch.setattr(writing, "save", full)
    os.utime(built / OUTLINE)
    done = skillc("build", cwd=built)
    assert done.code == 0 and "`.skillc/log` cannot be written" in done.err
    assert "No space left on device" in done.err

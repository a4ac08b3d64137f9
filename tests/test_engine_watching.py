"""What stands otherwise is seen by times alone, and a burst of changes is one change: with a clock that is made up."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from cli import write
from skillc.cli import events
from skillc.cli.events import concerning
from skillc.engine.picture import Picture, Scene, changes, is_halfway, picture
from skillc.engine.settling import AGAIN, PATIENCE, QUIET, next_change

BODY = "skills/novel/demo/workers/write/SKILL.md"


class Script:
    """A made-up machine: at its times it does its `steps`, and each of them is an event."""

    def __init__(self, *steps: tuple[float, Callable[[], object]]) -> None:
        self.time = 0.0
        self.opened = 0
        self._steps = list(steps)

    def clock(self) -> float:
        return self.time

    def wait(self, seconds: float | None) -> bool:
        end = float("inf") if seconds is None else self.time + seconds
        if not self._steps or self._steps[0][0] > end:
            assert seconds is not None, "nothing more will ever happen"
            self.time = end
            return False
        at, step = self._steps.pop(0)
        self.time = max(at, self.time)
        step()
        return True

    @contextmanager
    def opening(self, here: Picture) -> Iterator[Script]:
        self.opened += 1
        yield self


def pictured(size: int | None) -> Picture:
    return Picture({} if size is None else {"a": (size, 0, 0, 1)})


class Disk:
    """One file, of a size that can be set."""

    def __init__(self, size: int | None = 5) -> None:
        self.size = size

    def set(self, size: int | None) -> Callable[[], None]:
        return lambda: setattr(self, "size", size)

    def look(self) -> Picture:
        return pictured(self.size)


def test_a_burst_is_one_change_and_its_last_state_counts() -> None:
    disk = Disk()
    script = Script(*((1 + n * 0.002, disk.set(10 + n)) for n in range(100)))
    assert next_change(pictured(5), disk.look, script.opening, script.clock) == pictured(109)
    assert script.time == pytest.approx(1.198 + QUIET)


def test_a_burst_without_an_end_is_looked_at_all_the_same() -> None:
    disk = Disk()
    script = Script(*((1 + n * 0.1, disk.set(10 + n)) for n in range(1000)))
    assert next_change(pictured(5), disk.look, script.opening, script.clock) != pictured(5)
    assert script.time < 1 + PATIENCE + 1


def test_what_changed_before_anybody_watched_is_not_missed() -> None:
    disk, script = Disk(7), Script()
    assert next_change(pictured(5), disk.look, script.opening, script.clock) == pictured(7)


@pytest.mark.parametrize("moment", [0, None], ids=["emptied", "taken away"])
def test_a_file_that_is_written_anew_is_given_time(moment: int | None) -> None:
    disk = Disk()
    script = Script((1, disk.set(moment)), (1 + QUIET + AGAIN / 2, disk.set(9)))
    assert next_change(pictured(5), disk.look, script.opening, script.clock) == pictured(9)


def test_a_file_that_stays_empty_is_told_of() -> None:
    disk = Disk()
    script = Script((1, disk.set(0)))
    assert next_change(pictured(5), disk.look, script.opening, script.clock) == pictured(0)
    assert script.time == pytest.approx(1 + QUIET + AGAIN)


def test_an_event_that_changed_nothing_is_no_change_and_is_watched_anew() -> None:
    disk = Disk()
    script = Script((1, disk.set(5)), (2, disk.set(6)))
    assert next_change(pictured(5), disk.look, script.opening, script.clock) == pictured(6)
    assert script.opened == 2


def test_a_folder_that_vanishes_while_it_is_opened_is_looked_at_again() -> None:
    disk, script, failing = Disk(), Script(), [FileNotFoundError("skills")]

    @contextmanager
    def opening(here: Picture) -> Iterator[Script]:
        if failing:
            disk.size = None
            raise failing.pop()
        yield script

    assert next_change(pictured(5), disk.look, opening, script.clock) == pictured(None)


def scene(folder: Path) -> Scene:
    write(folder, {BODY: "text\n", "build/index.json": "{}\n"})
    return Scene(str(folder), str(folder / "skills"), str(folder / "build"), (str(folder / "skillc.toml"),))


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda root: (root / BODY).write_text("other\n"), [(BODY, "changed")]),
        (lambda root: (root / BODY).unlink(), [(BODY, "gone")]),
        (lambda root: write(root, {"skills/novel/b/orchestrator.md": ""}),
         [("skills/novel/b/orchestrator.md", "new")]),
        (lambda root: (root / "skills/novel/empty").mkdir(), [("skills/novel/empty", "new")]),
        (lambda root: (root / "skills").rename(root / "away"), [(BODY, "gone")]),
        (lambda root: write(root, {"skillc.toml": "strict = true\n"}), [("skillc.toml", "new")]),
        (lambda root: write(root, {"build/novel/demo/plan.json": "", ".skillc/log": "", "notes.txt": ""}), []),
        (lambda root: write(root, {f"{BODY}~": "", "skills/novel/demo/.x.swp": ""}), []),
    ],
    ids=["edit", "delete", "package", "folder", "skills", "settings", "build", "editor"],
)  # fmt: skip
def test_what_stands_otherwise(
    tmp_path: Path, edit: Callable[[Path], object], told: list[tuple[str, str]]
) -> None:
    looked_at = scene(tmp_path)
    before = picture(looked_at)
    edit(tmp_path)
    found = changes(before, picture(looked_at))
    assert [(Path(one.path).relative_to(tmp_path).as_posix(), one.kind) for one in found] == told


def test_a_file_saved_by_rename_stands_otherwise_with_the_same_size_and_time(tmp_path: Path) -> None:
    looked_at = scene(tmp_path)
    before, stat = picture(looked_at), (tmp_path / BODY).stat()
    (tmp_path / "new").write_text("txet\n")
    os.utime(tmp_path / "new", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    os.replace(tmp_path / "new", tmp_path / BODY)
    assert [one.kind for one in changes(before, picture(looked_at))] == ["changed"]


def test_links_are_followed_inside_of_the_workspace_each_place_once(tmp_path: Path) -> None:
    place, outside = tmp_path / "place", tmp_path / "outside"
    looked_at = scene(place)
    write(place, {"shared/part/SKILL.md": "part\n"})
    write(outside, {"SKILL.md": "other\n"})
    skills = place / "skills" / "novel"
    for name, target in (("in", "shared"), ("again", "skills"), ("all", ".")):
        (skills / name).symlink_to(place / target)
    (skills / "out").symlink_to(outside)
    (skills / "back").symlink_to("back")
    (skills / "nowhere").symlink_to("nothing")
    before = picture(looked_at)
    assert str(place / "shared") in before.deep and str(outside) not in before.deep
    write(outside, {"SKILL.md": "changed\n"})
    write(place, {"build/index.json": "changed\n"})
    assert picture(looked_at) == before
    write(place, {"shared/part/SKILL.md": "changed\n"})
    assert [one.kind for one in changes(before, picture(looked_at))] == ["changed"]


def test_only_what_becomes_empty_or_vanishes_is_halfway() -> None:
    assert is_halfway(pictured(5), pictured(0)) and is_halfway(pictured(5), pictured(None))
    assert is_halfway(pictured(None), pictured(0))
    assert not is_halfway(pictured(0), pictured(5)) and not is_halfway(pictured(0), pictured(0))


def test_events_concern_what_is_looked_at_and_the_ways_there(tmp_path: Path) -> None:
    looked_at = scene(tmp_path)
    concerns = concerning(looked_at, picture(looked_at))
    for name in (BODY, "skills", "skills/novel/new", "skillc.toml", "."):
        assert concerns(os.path.normpath(tmp_path / name)), name
    for name in ("build/index.json", ".skillc/log", "skillc.toml.tmp", "skillsets", "build"):
        assert not concerns(str(tmp_path / name)), name


@pytest.mark.parametrize("whole", [False, True], ids=["each folder", "all below"])
def test_the_system_tells_of_changes_from_the_opening_on(tmp_path: Path, whole: bool) -> None:
    looked_at = scene(tmp_path)
    with (
        patch.object(events, "WHOLE", whole),
        events.events_in(looked_at, picture(looked_at)) as stream,
    ):
        write(tmp_path, {"build/index.json": "other\n", "notes.txt": "other\n"})
        assert not stream.wait(0.2)
        for name in (BODY, "skillc.toml"):
            write(tmp_path, {name: "other\n"})
            assert stream.wait(60), name
            while stream.wait(0.2):
                pass


def test_a_folder_whose_name_is_not_utf8_is_seen_and_not_watched(tmp_path: Path) -> None:
    looked_at = scene(tmp_path)
    before = picture(looked_at)
    try:
        os.mkdir(os.fsencode(tmp_path / "skills/novel") + b"/\xff")
    except OSError:
        pytest.skip("this file system has no such names")
    here = picture(looked_at)
    assert [one.kind for one in changes(before, here)] == ["new"]
    with events.events_in(looked_at, here) as stream:
        assert not stream.wait(0)


def test_links_out_of_the_workspace_are_not_watched(tmp_path: Path) -> None:
    looked_at = scene(tmp_path / "place")
    write(tmp_path / "outside", {"deep/below/file.md": "text\n"})
    (tmp_path / "place/skills/novel/out").symlink_to(tmp_path / "outside")
    here = picture(looked_at)
    watched = [folder for folders, _ in events.watched(here) for folder in folders]
    assert not any("outside" in os.path.realpath(folder) for folder in watched)
    assert str(tmp_path / "place/skills/novel/demo/workers/write") in watched

"""How everything that a run looks at stands, by times alone: two pictures that are equal have nothing between them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from stat import S_ISDIR

from skillc.source.names import is_ignored
from skillc.store.quick import STATE
from skillc.value import field, value

FOLDER = -1
"""Stands for the size of a folder, which is known by its inode: what is in it has marks of its own."""
Mark = tuple[int, int, int, int]
"""Size, mtime, ctime, inode. A file that is written twice within one tick of the clock has another ctime, or an event."""


@value
class Scene:
    """What is looked at: the `skills` folder with all below it, and single `files`, there or not. Paths are absolute.
    Never the `build` folder nor the state of skillc, wherever they lie: a run would be its own cause."""

    root: str
    skills: str
    build: str
    files: tuple[str, ...] = ()


@value
class Picture:
    """The marks by path; the `deep` folders, which are looked at with all below them; and single `names`, there or not."""

    marks: Mapping[str, Mark]
    deep: tuple[str, ...] = field(default=(), compare=False)
    names: tuple[str, ...] = field(default=(), compare=False)

    @property
    def flat(self) -> tuple[str, ...]:
        """The folders in which the names stand, or the nearest ones that there are."""
        return tuple(sorted({_standing(os.path.dirname(name)) for name in self.names}))

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that are looked at, each for itself; in one whose name is not UTF-8 nothing is ever read."""
        return tuple(
            sorted(path for path, mark in self.marks.items() if mark[0] == FOLDER and _has_text(path))
        )

    def is_file(self, path: str) -> bool:
        return path in self.marks and self.marks[path][0] != FOLDER

    def is_empty(self, path: str) -> bool:
        return path in self.marks and self.marks[path][0] == 0


@value
class Change:
    """One name that stands otherwise: `new`, `changed` or `gone`."""

    path: str
    kind: str


def picture(scene: Scene) -> Picture:
    """How it all stands now. What vanishes meanwhile is not there; nothing is opened, and no error is raised."""
    walk = _Walk(scene)
    walk.folder(scene.skills)
    for path in scene.files:
        walk.file(path)
    names = {scene.skills, *scene.files, *walk.targets}
    return Picture(walk.marks, tuple(sorted(walk.deep)), tuple(sorted(names)))


def changes(before: Picture, after: Picture) -> list[Change]:
    """What lies between two pictures, by path; folders only where no file tells of them."""
    names = sorted({*before.marks, *after.marks})
    found = [Change(name, _kind(name, before, after)) for name in names]
    told = [one for one in found if one.kind and (before.is_file(one.path) or after.is_file(one.path))]
    return told or [one for one in found if one.kind]


def is_halfway(before: Picture, after: Picture) -> bool:
    """Whether a file has become empty, or is gone: as it is for a moment while somebody writes it anew."""
    emptied = any(after.is_empty(path) and not before.is_empty(path) for path in after.marks)
    return emptied or any(before.is_file(path) and path not in after.marks for path in before.marks)


def _kind(name: str, before: Picture, after: Picture) -> str:
    if name not in before.marks:
        return "new"
    if name not in after.marks:
        return "gone"
    return "changed" if before.marks[name] != after.marks[name] else ""


class _Walk:
    """One walk. Links among the packages are followed inside of the workspace only, and each folder once."""

    def __init__(self, scene: Scene) -> None:
        skills = os.path.realpath(scene.skills)
        self.marks: dict[str, Mark] = {}
        self.deep: set[str] = {skills} if os.path.isdir(skills) else set()
        """The skills folder, and the folders elsewhere that links lead to."""
        self.targets: set[str] = {skills}
        """What links lead to."""
        self._inside = (os.path.realpath(scene.root), skills)
        self._known = {os.path.realpath(scene.build), os.path.join(self._inside[0], STATE)}

    def folder(self, path: str) -> None:
        rest = [(path, os.path.realpath(path))]
        while rest:
            here, real = rest.pop()
            mark = _mark(here) if real not in self._known else None
            if mark is not None and mark[0] == FOLDER:
                self._known.add(real)
                self.marks[here] = mark
                rest += self._below(here, real)

    def file(self, path: str) -> None:
        """A file of a name that is given: wherever a link leads, there it is."""
        mark = _mark(path)
        if mark is not None:
            self.marks[path] = mark
            self.targets.add(os.path.realpath(path))

    def _below(self, folder: str, real: str) -> Iterator[tuple[str, str]]:
        """The folders in a folder, with where they really are; its files are marked."""
        for name, is_link, is_folder in _entries(folder):
            path = f"{folder}{os.sep}{name}"
            leads_on = not is_link or self._leads_on(path, is_folder)
            if is_folder and leads_on:
                yield path, os.path.realpath(path) if is_link else f"{real}{os.sep}{name}"
            elif (mark := _mark(path, leads_on)) is not None:
                self.marks[path] = mark

    def _leads_on(self, link: str, is_folder: bool) -> bool:
        """Whether a link leads to something inside, where it is looked at, too."""
        real = os.path.realpath(link)
        if not any(_is_below(real, folder) for folder in self._inside):
            return False
        self.targets.add(real)
        if is_folder and not _is_below(real, self._inside[1]):
            self.deep.add(real)
        return os.path.exists(real)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))


def _entries(folder: str) -> Sequence[tuple[str, bool, bool]]:
    """Name, whether it is a link, whether it is or leads to a folder; sorted, without what is never read."""
    try:
        with os.scandir(folder) as found:
            return sorted(
                (item.name, item.is_symlink(), _is_folder(item))
                for item in found
                if not is_ignored(item.name)
            )
    except OSError:
        return ()


def _is_folder(item: os.DirEntry[str]) -> bool:
    try:
        return item.is_dir()
    except OSError:  # a link that leads back to itself
        return False


def _has_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _mark(path: str, following: bool = True) -> Mark | None:
    try:
        found = os.stat(path, follow_symlinks=following)
    except OSError:
        return None
    if S_ISDIR(found.st_mode):
        return (FOLDER, found.st_mode, 0, found.st_ino)
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _standing(folder: str) -> str:
    """The nearest folder at or above `folder` that there is."""
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder

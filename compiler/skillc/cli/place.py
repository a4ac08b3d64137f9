"""From the paths and names that a user types to a workspace, its settings and its packages."""

from __future__ import annotations

import os

from skillc.cli.errors import Stop
from skillc.config import FILE, PYPROJECT, Config, ConfigError, load_config
from skillc.report.reasons import reason
from skillc.source.reader import DiskReader
from skillc.text import Source
from skillc.value import replace, value
from skillc.wording import say

KINDS = ("novel", "dialogue")


@value
class Place:
    """Where a command works: `root` is absolute; `only` are package paths, None for all of them.
    `settings` is the file that `config` is from, if there is one."""

    root: str
    config: Config
    only: frozenset[str] | None = None
    settings: Source | None = None

    @property
    def reader(self) -> DiskReader:
        return DiskReader(self.root)

    def path(self, relative: str) -> str:
        """An absolute path of something in the workspace."""
        return os.path.join(self.root, *relative.split("/"))


def find_place(paths: list[str]) -> Place:
    """The workspace of `paths` (workspaces, skills folders, packages, files; or package names).

    Refuses what does not exist, what lies in two workspaces, and a workspace without a skills folder.
    """
    paths = [_spelled(path) for path in paths]
    existing = [os.path.realpath(path) for path in paths if os.path.exists(path)]
    names = [path for path in paths if not os.path.exists(path)]
    places = [_workspace(path) for path in existing or [os.getcwd()]]
    place = places[0]
    other = next((p.root for p in places if p.root != place.root), None)
    if other:
        raise Stop(
            say(
                "the paths lie in two workspaces, `{root}` and `{other}`: check them one by one",
                root=place.root,
                other=other,
            )
        )
    selected = [_package_of(place, path) for path in existing]
    named = [find_package(place, name) for name in names]
    if None in selected or not paths:
        return place
    return replace(place, only=frozenset([*(path for path in selected if path), *named]))


def place_of_buffer(path: str) -> tuple[Place, str]:
    """The workspace of a file that need not be on the disk yet, its package, and its path in the workspace."""
    absolute = os.path.abspath(_spelled(path))
    folder, missing = os.path.dirname(absolute), [os.path.basename(absolute)]
    while not os.path.isdir(folder):
        folder, name = os.path.split(folder)
        missing.insert(0, name)
    target = os.path.join(os.path.realpath(folder), *missing)
    place = _workspace(os.path.realpath(folder))
    relative = os.path.relpath(target, place.root).replace(os.sep, "/")
    steps = os.path.relpath(target, os.path.realpath(place.path(place.config.skills))).split(os.sep)
    if steps[0] == "..":
        raise Stop(
            say(
                "`{path}` is no file below `{skills}`, so it is no part of a package",
                path=path,
                skills=place.config.skills,
            )
        )
    return replace(place, only=frozenset(["/".join(steps[:2])]) if len(steps) > 2 else None), relative


def _spelled(path: str) -> str:
    """A path written with backslashes means the same with slashes, when only that one exists."""
    slashed = path.replace("\\", "/")
    return slashed if not os.path.exists(path) and os.path.exists(slashed) else path


def home_for(folder: str) -> Place:
    """The workspace that something new in `folder` belongs to: the one around it, else the folder itself."""
    start = os.path.realpath(folder)
    return _settled(start) or Place(_parent_of_skills(start) or start, Config())


def _workspace(path: str) -> Place:
    start = path if os.path.isdir(path) else os.path.dirname(path)
    place = _settled(start)
    if place is None:
        root = _parent_of_skills(start)
        if root is None:
            raise Stop(
                say(
                    "no skills folder at or above `{start}`: name a workspace, or make one with `skillc init`",
                    start=start,
                )
            )
        place = Place(root, Config())
    return _with_skills(place)


def _settled(start: str) -> Place | None:
    """The nearest folder at or above `start` that has settings."""
    folder = start
    while True:
        found = _config(folder)
        if found is not None:
            return Place(folder, found[0], settings=found[1])
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _config(folder: str) -> tuple[Config, Source] | None:
    for name in (FILE, PYPROJECT):
        path = os.path.join(folder, name)
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            config = load_config(_from_here(path), text)
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            raise Stop(say("cannot read `{path}`: {reason}", path=path, reason=reason(error))) from error
        if isinstance(config, ConfigError):
            raise Stop(config.message)
        if config is not None:
            return config, Source(name, text)
    return None


def _from_here(path: str) -> str:
    """`path` as somebody in the working folder calls it: what lies below it without the way there."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))


def _parent_of_skills(start: str) -> str | None:
    folder = start
    while True:
        if os.path.isdir(os.path.join(folder, "skills")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _with_skills(place: Place) -> Place:
    if not os.path.isdir(place.path(place.config.skills)):
        raise Stop(
            say(
                "the workspace `{root}` has no folder `{skills}`: make a package with `skillc init`, or set "
                "`skills` in the settings",
                root=place.root,
                skills=place.config.skills,
            )
        )
    return place


def _package_of(place: Place, path: str) -> str | None:
    """The package that `path` is or lies in; None for the whole workspace or a file of it."""
    skills = os.path.realpath(place.path(place.config.skills))
    relative = os.path.relpath(path, skills).split(os.sep)
    if relative[0] == ".." or len(relative) < 2:
        return None
    package = "/".join(relative[:2])
    return package if os.path.isdir(os.path.join(skills, *relative[:2])) else None


def find_package(place: Place, name: str) -> str:
    """The path of the package that the user named, by its path or its bare name (SPEC 17.4), or by where it lies."""
    packages, bare = all_packages(place), name.rstrip("/")
    if bare in packages:
        return bare
    found = [path for path in packages if path.split("/")[-1] == bare]
    lies = _package_of(place, os.path.realpath(name)) if not found and os.path.exists(name) else None
    if lies in packages:
        return lies
    if len(found) == 1:
        return found[0]
    if found:
        raise Stop(
            say(
                "`{name}` is ambiguous: say {paths}",
                name=name,
                paths=" or ".join(f"`{path}`" for path in found),
            )
        )
    known = ", ".join(f"`{path}`" for path in packages) or "none"
    raise Stop(
        say("no path and no package is named `{name}`; packages here: {known}", name=name, known=known)
    )


def no_package(place: Place) -> Stop:
    """What to say when there is nothing where the packages that were named would stand."""
    names = ", ".join(f"`{place.config.skills}/{path}`" for path in sorted(place.only or ()))
    return Stop(say("{names} is no package: a package has an orchestrator.md and workers", names=names))


def all_packages(place: Place) -> list[str]:
    """The paths of all folders that stand where packages stand, sorted."""
    reader, skills = place.reader, place.config.skills
    return [
        f"{kind.name}/{entry.name}"
        for kind in reader.entries(skills)
        if kind.kind == "dir"
        for entry in reader.entries(f"{skills}/{kind.name}")
        if entry.kind == "dir"
    ]


def split_worker(name: str) -> tuple[str, str | None]:
    """`PACKAGE:worker` in two; the worker is None when it is not named."""
    package, colon, worker = name.partition(":")
    return package, worker if colon else None

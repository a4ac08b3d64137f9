"""Which packages are not as a git revision has them: by the ids of their files, without a checkout."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from hashlib import sha1, sha256

from skillc.cli.errors import Stop
from skillc.cli.place import Place, all_packages
from skillc.cli.revision import Repository, Revision, Tree, files_of, find_revision, read_tree, repository_at
from skillc.config import FILE, PYPROJECT, Config, ConfigError, load_config
from skillc.source.names import WORKSPACE_FILES, is_ignored
from skillc.wording import say


def revision_at(place: Place, name: str) -> tuple[Repository, Revision]:
    """The repository of a workspace, and the revision in it that the user named."""
    repository = repository_at(place.root)
    if repository is None:
        raise Stop(say("`{root}` lies in no git repository: there is no revision", root=place.root))
    revision = find_revision(repository, name)
    if revision is None:
        raise Stop(
            say(
                "`{name}` is no revision of the git repository here; a branch that was never fetched has to be "
                "fetched first",
                name=name,
            )
        )
    return repository, revision


def changed_packages(place: Place, name: str) -> frozenset[str]:
    """The packages that are here and of which a file, or something that all packages share, is not as in the revision.

    Files that the format reads over do not count, nor do line ends that git converts.
    """
    repository, revision = revision_at(place, name)
    tree = read_tree(repository, revision, repository.prefix)
    packages = all_packages(place)
    if _settings(tree) != place.config:
        return frozenset(packages)
    skills = place.config.skills
    folders = {path: _folders(place, f"{skills}/{path}") for path in packages}
    outside = {folder for found in folders.values() for folder in found if not _below(folder, skills)}
    changed = _differing(place.root, tree, [skills, place.config.profiles, *sorted(outside)])
    shared = {place.config.profiles, *(f"{skills}/{name}" for name in WORKSPACE_FILES)}
    if not shared.isdisjoint(changed):
        return frozenset(packages)
    return frozenset(path for path in packages if any(_below(c, f) for f in folders[path] for c in changed))


def _settings(tree: Tree) -> Config | None:
    """The settings of the revision; None where they cannot be used."""
    reader = files_of(tree, (FILE, PYPROJECT))
    for name in (FILE, PYPROJECT):
        try:
            config = load_config(name, reader.read(name).decode("utf-8-sig"))
        except FileNotFoundError:
            continue
        except UnicodeDecodeError:
            return None
        if config is not None:
            return None if isinstance(config, ConfigError) else config
    return Config()


def _folders(place: Place, folder: str) -> tuple[str, ...]:
    """Where a package stands, and where it really is when links lead there."""
    real = os.path.relpath(os.path.realpath(place.path(folder)), place.root).replace(os.sep, "/")
    return tuple(dict.fromkeys((folder, real)))


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _differing(root: str, tree: Tree, tops: list[str]) -> set[str]:
    """The paths at or below `tops` that are here or in the revision and not the same in both."""
    was = {path: (id, size) for path, (id, size) in tree.files.items() if _counts(path, tops)}
    was |= {path: (id, -1) for path, id in tree.links.items() if _counts(path, tops)}
    here = {path for top in tops for path in _files(root, top)}
    gone = was.keys() - here
    return {*gone, *(path for path in here if not _is_same(root, path, was))}


def _counts(path: str, tops: list[str]) -> bool:
    """Whether a path lies at or below one of `tops`, and nothing on the way is read over."""
    inner = (path[len(top) + 1 :].split("/") for top in tops if _below(path, top))
    return any(not any(is_ignored(name) for name in names if name) for names in inner)


def _files(root: str, top: str) -> Iterator[str]:
    """Files and links at or below a path, without what is read over."""
    start = os.path.join(root, *top.split("/"))
    if os.path.isfile(start) or os.path.islink(start):
        yield top
        return
    for folder, folders, names in os.walk(start):
        linked = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        folders[:] = [name for name in folders if name not in linked and not is_ignored(name)]
        inner = os.path.relpath(folder, root).replace(os.sep, "/")
        yield from (f"{inner}/{name}" for name in (*linked, *names) if not is_ignored(name))


def _is_same(root: str, path: str, was: Mapping[str, tuple[str, int]]) -> bool:
    if path not in was:
        return False
    id, size = was[path]
    full = os.path.join(root, *path.split("/"))
    try:
        if os.path.islink(full) or size < 0:
            return size < 0 and os.path.islink(full) and _id(os.fsencode(os.readlink(full)), id) == id
        with open(full, "rb") as file:
            data = file.read()
    except OSError:
        return False
    return _id(data, id) == id or _id(data.replace(b"\r\n", b"\n"), id) == id


def _id(data: bytes, like: str) -> str:
    """The id that git gives to these bytes, by the algorithm of the id `like`."""
    head = b"blob %d\0" % len(data)
    return (sha1(head + data, usedforsecurity=False) if len(like) == 40 else sha256(head + data)).hexdigest()

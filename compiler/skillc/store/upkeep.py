"""Looking after the build cache of this machine: what it holds, what to throw out, and whether all of it is whole.

Nothing is ever thrown out unasked. A build that runs meanwhile loses nothing but time: an entry without all of its
objects is no entry. Only files with names of ours are touched.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from skillc.store.entry import ACTIONS, OBJECTS, Damaged, Manifest, checked, read_manifest
from skillc.store.files import is_temporary
from skillc.store.folder import ASIDE, Folder
from skillc.value import value

UNFINISHED = 3600
"""Seconds after which a file that nobody has finished, and an object without an entry, belong to no running build."""
_SHAPES = {
    ACTIONS: re.compile(r"[0-9a-f]{64}"),
    OBJECTS: re.compile(r"[0-9a-f]{64}"),
    ASIDE: re.compile(f"({ACTIONS}|{OBJECTS})-[0-9a-f]{{64}}"),
}


@value
class Stored:
    """One file of the cache. `used` is when it was last used (an entry) or written, in seconds."""

    kind: str
    name: str
    path: str
    size: int
    used: float


@value
class Sum:
    """How many entries and objects, and the bytes of both; how many files lie aside."""

    entries: int = 0
    objects: int = 0
    size: int = 0
    aside: int = 0


@value
class Verified:
    """What was read; `damaged` are names like `ac/ab…` that were set aside, `incomplete` entries lack an object."""

    read: Sum
    damaged: tuple[str, ...]
    incomplete: int


def stored(folder: Folder, *kinds: str) -> Iterator[Stored]:
    """The files of the kinds, sorted by name; none where the folder is not there or not to be trusted."""
    for kind in kinds:
        for name, parts in _places(folder, kind):
            with contextlib.suppress(OSError):
                path = os.path.join(folder.below(*parts), name)
                found = os.lstat(path)
                yield Stored(kind, name, path, found.st_size, found.st_mtime)


def _places(folder: Folder, kind: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names of the form that the kind has, and the folders in which each lies."""
    if kind == ASIDE:
        yield from ((name, (kind,)) for name in _names(folder, kind) if _SHAPES[kind].fullmatch(name))
        return
    for first in _names(folder, kind):
        for name in _names(folder, kind, first):
            if _SHAPES[kind].fullmatch(name) and name[:2] == first:
                yield name, (kind, first)


def _names(folder: Folder, *parts: str) -> list[str]:
    try:
        return sorted(os.listdir(folder.below(*parts)))
    except OSError:
        return []


def total(files: Iterable[Stored]) -> Sum:
    """How many files and bytes these are."""
    files = tuple(files)
    counts = Counter(file.kind for file in files)
    size = sum(file.size for file in files if file.kind != ASIDE)
    return Sum(counts[ACTIONS], counts[OBJECTS], size, counts[ASIDE])


def stats(folder: Folder) -> Sum:
    """What the cache holds."""
    return total(stored(folder, ACTIONS, OBJECTS, ASIDE))


def clear(folder: Folder) -> Sum:
    """Throw out all that the cache holds."""
    _sweep(folder, float("inf"))
    return total(_removed(stored(folder, ACTIONS, OBJECTS, ASIDE)))


def gc(
    folder: Folder, now: float, max_size: int | None = None, max_age: float | None = None
) -> tuple[Sum, Sum]:
    """Throw out entries that were not used for `max_age` seconds, then the least recently used ones until no more than
    `max_size` bytes are left, with the objects that no other entry has, and all that lies aside.

    `now` is the time in seconds. Gives what went and what stays.
    """
    _sweep(folder, now)
    entries = sorted(stored(folder, ACTIONS), key=lambda file: (file.used, file.name))
    objects = {file.name: file for file in stored(folder, OBJECTS)}
    manifests = {entry.name: _manifest(folder, entry) for entry in entries}
    users = Counter(name for manifest in manifests.values() if manifest for name in manifest.objects)
    orphans = [file for file in objects.values() if file.name not in users and now - file.used > UNFINISHED]
    size = sum(file.size for file in (*entries, *(objects[name] for name in users if name in objects)))
    gone = [*orphans, *stored(folder, ASIDE)]
    for entry in entries:
        manifest = manifests[entry.name]
        aged = max_age is not None and now - entry.used > max_age
        if manifest and not aged and (max_size is None or size <= max_size):
            continue
        users.subtract(manifest.objects if manifest else ())
        freed = [objects[name] for name in sorted(manifest.objects if manifest else ()) if name in objects]
        freed = [entry, *(file for file in freed if not users[file.name])]
        size -= sum(file.size for file in freed)
        gone += freed
    return total(_removed(gone)), stats(folder)


def _manifest(folder: Folder, entry: Stored) -> Manifest | None:
    try:
        return read_manifest(_bytes(folder, entry), entry.name)
    except (Damaged, OSError):
        return None


def _bytes(folder: Folder, file: Stored) -> bytes:
    """What a plain file holds. Raises Damaged where it is none, OSError where it cannot be read."""
    found = folder.opened(file.path, file.kind)
    if found is None:
        raise Damaged("no plain file")
    return found[0]


def _removed(files: Iterable[Stored]) -> Iterator[Stored]:
    """Removes the files; gives those that are gone. An entry goes before its objects, as `files` come. Raises OSError
    where one may not be removed; somebody else may have been quicker."""
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(file.path)
            yield file


def _sweep(folder: Folder, now: float) -> None:
    """Remove what writers left that did not live to finish."""
    for kind in (ACTIONS, OBJECTS):
        for first in _names(folder, kind):
            for name in _names(folder, kind, first):
                if is_temporary(name):
                    with contextlib.suppress(OSError):
                        path = os.path.join(folder.below(kind, first), name)
                        if now - os.lstat(path).st_mtime > UNFINISHED:
                            os.unlink(path)


def verify(folder: Folder) -> Verified:
    """Read everything; what is not what its name says is set aside."""
    whole, damaged, manifests = [], [], []
    for file in stored(folder, OBJECTS, ACTIONS):
        try:
            data = _bytes(folder, file)
            if file.kind == OBJECTS:
                checked(data, file.name)
            else:
                manifests.append(read_manifest(data, file.name))
            whole.append(file)
        except (Damaged, OSError):
            damaged.append(f"{file.kind}/{file.name}")
            folder.damaged(file.kind, file.name)
    there = {file.name for file in whole if file.kind == OBJECTS}
    incomplete = sum(not manifest.objects <= there for manifest in manifests)
    return Verified(total(whole), tuple(sorted(damaged)), incomplete)

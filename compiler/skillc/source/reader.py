"""Where files come from: a disk, an editor's unsaved buffers, a dictionary in a test.

Paths are relative to the workspace root, POSIX, normal form; `""` is the root. A reader resolves
links and says where they lead; which links a package may use is discovery's decision (SPEC 2.6).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from typing import Literal, Protocol

from skillc.source.paths import join
from skillc.value import value

EntryKind = Literal["file", "dir", "outside", "loop", "special", "broken", "undecodable"]

READ_LIMIT = 1024 * 1024 + 1
"""Bytes read of one file: one more than a file may have (SPEC 2.7), so that a larger one shows."""

_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_LEVELS = 40
"""Links that are followed one after the other."""


@value
class Entry:
    """One name in a folder. `kind` is what a link leads to: a file or folder below the root, or
    why it leads nowhere: `outside` the root, a `loop`, a `special` file, a `broken` link; or that the `name` is
    not UTF-8 (`undecodable`) and stands here with its bytes escaped."""

    name: str
    kind: EntryKind
    target: str | None = None
    """For links to files and folders below the root: the workspace-relative path they resolve to."""


class Reader(Protocol):
    """What discovery needs of a file system."""

    def entries(self, path: str) -> tuple[Entry, ...]:
        """What stands in a folder, sorted by name; nothing when there is no such folder. May raise OSError."""

    def read(self, path: str) -> bytes:
        """The bytes of a file, at most `READ_LIMIT` of them; raises OSError."""


class DictReader:
    """Files in memory. `links` maps a path to what it leads to: another path, or an entry kind.

    >>> DictReader({"skills/a.md": "x"}).entries("skills")
    (Entry(name='a.md', kind='file', target=None),)
    """

    def __init__(self, files: Mapping[str, bytes | str], links: Mapping[str, str] | None = None) -> None:
        self._files = {path: _as_bytes(data) for path, data in files.items()}
        self._links = dict(links or {})
        self._folders: dict[str, set[str]] = {"": set()}
        for path in (*self._files, *self._links):
            while path:
                parent, _, name = path.rpartition("/")
                self._folders.setdefault(parent, set()).add(name)
                path = parent

    def entries(self, path: str) -> tuple[Entry, ...]:
        real = self._real(path)
        return tuple(self._entry(real, name) for name in sorted(self._folders.get(real, ())))

    def read(self, path: str) -> bytes:
        real = self._real(path)
        if real not in self._files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return self._files[real][:READ_LIMIT]

    def _real(self, path: str) -> str:
        """Where `path` leads, through a link in a folder that is itself a link, too."""
        for _ in range(_LEVELS):
            link = next((link for link in self._links if path == link or path.startswith(link + "/")), None)
            if link is None:
                return path
            path = self._links[link] + path[len(link) :]
        return path

    def _entry(self, folder: str, name: str) -> Entry:
        path = join(folder, name)
        target = self._links.get(path)
        if target in ("outside", "loop", "special", "broken", "undecodable"):
            return Entry(name, target)  # type: ignore[arg-type]
        real = target or path
        if real not in self._folders and real not in self._files:
            return Entry(name, "broken")
        return Entry(name, "dir" if real in self._folders else "file", target)


class DiskReader:
    """Files below a folder of this machine. Never opens anything but regular files."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)

    def entries(self, path: str) -> tuple[Entry, ...]:
        try:
            with os.scandir(absolute(self.root, path)) as found:
                return tuple(sorted([self._entry(item) for item in found], key=_name))
        except (FileNotFoundError, NotADirectoryError):
            return ()

    def read(self, path: str) -> bytes:
        handle = os.open(absolute(self.root, path), _READING)
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", path)
            return _bytes(handle, found.st_size)
        finally:
            os.close(handle)

    def _entry(self, item: os.DirEntry[str]) -> Entry:
        name = item.name
        if not name.isascii() and not _is_utf8(name):
            return Entry(os.fsencode(name).decode("utf-8", "backslashreplace"), "undecodable")
        if item.is_file(follow_symlinks=False):
            return Entry(name, "file")
        if item.is_dir(follow_symlinks=False):
            return Entry(name, "dir")
        return self._link(name, item.path) if item.is_symlink() else Entry(name, "special")

    def _link(self, name: str, path: str) -> Entry:
        try:
            mode = os.stat(path).st_mode
        except FileNotFoundError:
            return Entry(name, "broken")
        except OSError as error:
            return Entry(name, "loop" if error.errno == errno.ELOOP else "broken")
        real = os.path.realpath(path)
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            return Entry(name, "special")
        if real != self.root and not real.startswith(os.path.join(self.root, "")):
            return Entry(name, "outside")
        target = os.path.relpath(real, self.root).replace(os.sep, "/")
        return Entry(name, "dir" if stat.S_ISDIR(mode) else "file", "" if target == "." else target)


def absolute(root: str, path: str) -> str:
    """Where a path of the workspace at `root` is on this machine."""
    if not path:
        return root
    return f"{root}{os.sep}{path if os.sep == '/' else path.replace('/', os.sep)}"


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _bytes(handle: int, size: int) -> bytes:
    """All of a file of about `size` bytes, as far as files are read; asked for at once, not by the limit, for which room
    would have to be made each time."""
    parts, left = [], READ_LIMIT
    while left and (data := os.read(handle, min(size + 1, left))):
        parts.append(data)
        left -= len(data)
    return parts[0] if len(parts) == 1 else b"".join(parts)


class OverlayReader:
    """Another reader with some files replaced or added: what an editor has not saved yet."""

    def __init__(self, base: Reader, files: Mapping[str, bytes]) -> None:
        self._base = base
        self._over = DictReader(files)
        self._files = dict(files)

    def entries(self, path: str) -> tuple[Entry, ...]:
        merged = {entry.name: entry for entry in self._over.entries(path)}
        merged.update({entry.name: entry for entry in self._base.entries(path)})
        return tuple(merged[name] for name in sorted(merged))

    def read(self, path: str) -> bytes:
        if path in self._files:
            return self._files[path][:READ_LIMIT]
        return self._base.read(path)


def _as_bytes(data: bytes | str) -> bytes:
    return data.encode("utf-8") if isinstance(data, str) else data


def _name(entry: Entry) -> str:
    return entry.name

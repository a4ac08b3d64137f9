"""A reader that reads each thing once, and remembers what it read: what is hashed is what is compiled (SPEC 15.3)."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from hashlib import sha256

from skillc.engine.state import MARGIN, Row
from skillc.source.paths import join
from skillc.source.reader import Entry, Reader, absolute
from skillc.store.marks import ABSENT, RACY, listing, mark_of

_UNSEEN = b"\0"
"""Stands for the entries of a folder that cannot be opened, which is not the same as an empty one."""


class Trace:
    """A Reader over `base`. The first answer stands: whoever asks again gets the same, whatever happens on the disk.

    `files` are the bytes read by path, None where a file could not be read; `folders` the entries listed, none where a
    folder could not be opened.
    """

    def __init__(self, base: Reader) -> None:
        self._base = base
        self.files: dict[str, bytes | None] = {}
        self.folders: dict[str, tuple[Entry, ...]] = {}
        self._digests: dict[str, bytes] = {}
        self._errors: dict[str, OSError] = {}
        self._stats: dict[str, os.stat_result | None] = {}
        self._root = getattr(base, "root", None)

    def entries(self, path: str) -> tuple[Entry, ...]:
        if path not in self.folders:
            self._note(path)
            try:
                self.folders[path] = self._base.entries(path)
            except OSError as error:
                self.folders[path], self._errors[path] = (), error
        if path in self._errors:
            raise self._errors[path]
        return self.folders[path]

    def read(self, path: str) -> bytes:
        if path not in self.files:
            self._note(path)
            try:
                self.files[path] = self._base.read(path)
            except OSError as error:
                self.files[path], self._errors[path] = None, error
        data = self.files[path]
        if data is None:
            raise self._errors[path]
        return data

    def _note(self, path: str) -> None:
        """How it stands with the file before it is read: a change while it is read shows the next time."""
        if self._root is None:
            return
        try:
            self._stats[path] = os.stat(absolute(self._root, path))
        except OSError:
            self._stats[path] = None

    def digest(self, path: str) -> bytes:
        """sha256 of the bytes of a file that was read, or of the entries of a folder; of nothing where it could not be."""
        found = self._digests.get(path)
        if found is None:
            if path in self.folders:
                data = _UNSEEN if path in self._errors else self._listing(path)
            else:
                data = self.files[path] or b""
            found = self._digests[path] = sha256(data).digest()
        return found

    def _listing(self, path: str) -> bytes:
        return listing((entry.name, entry.kind, entry.target) for entry in self.folders[path])

    def walk(self, folder: str) -> None:
        """Read all that is below `folder`, whatever it is; links are followed, each place once."""
        rest, known = [folder], {folder}
        while rest:
            here = rest.pop()
            try:
                found = self.entries(here)
            except OSError:
                continue
            for entry in found:
                path = join(here, entry.name)
                if entry.kind == "file":
                    self._try(path)
                elif entry.kind == "dir" and (entry.target or path) not in known:
                    known.add(entry.target or path)
                    rest.append(path)

    def _try(self, path: str) -> None:
        try:
            self.read(path)
        except OSError:
            return

    def rows(self, now: int, below: str | None = None, leaving: Collection[str] = ()) -> dict[str, Row]:
        """The rows of a log for what was read, or for what of it is `below` a folder, by name, `leaving` out some. `now`
        is the time of the file system before anything was read."""
        read = {*self.files, *self.folders}.difference(leaving)
        paths = [path for path in sorted(read) if below is None or _is_below(path, below)]
        linked = any(_leads_away(entry) for path in paths for entry in self.folders.get(path, ()))
        return {path or ".": (self._mark(path, now, linked), self.digest(path)) for path in paths}

    def _mark(self, path: str, now: int, linked: bool) -> int:
        found = self._stats.get(path)
        if found is None:
            return ABSENT if self.files.get(path) is None else RACY
        # What could not be read may be another time, though it is as it was: by somebody else, say.
        is_loose = linked or path in self._errors or found.st_mtime_ns + MARGIN > now
        return RACY if is_loose else mark_of(found)

    def listed(self, folder: str) -> Iterator[tuple[str, str]]:
        """(path below `folder` with a `/` at its end, digest of the entries) of all folders read there, by path."""
        for path in sorted(self.folders):
            if _is_below(path, folder):
                yield f"{path[len(folder) + 1 :]}/", self.digest(path).hex()


def _leads_away(entry: Entry) -> bool:
    """Whether what `entry` is may change while its folder stays as it is."""
    return entry.target is not None or entry.kind not in ("file", "dir")


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")

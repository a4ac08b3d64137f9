"""The build log: what was there when it was last looked at, in one file.

It is a row of sheets. The first stands for what is around the packages, each of the others for some packages that
follow one another. Nothing in a sheet is executable or nested: 64-bit numbers, names joined by NUL, digests one behind
the other, and records that only their owner reads. A log that is cut, changed, of another version or another machine's
byte order counts as none.

A sheet has two parts. The fronts, which stand before all backs, are all that tells whether something has changed: who
only wants to know that reads one after the other, and nothing else. Each part has a check sum of its own, so that
nothing has to be read to trust what is; and a sheet that is as it was goes into the next log as the bytes that it is.
"""

from __future__ import annotations

import os
import sys
from itertools import accumulate
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from io import FileIO

    Bytes = bytes | memoryview

MAGIC = b"skillc-log/4 " + sys.byteorder.encode() + b"\n"
_WORD = 8
_DIGEST = 32
_HEAD = len(MAGIC) + 3 * _WORD
"""After the magic words: how many sheets there are, how long the frame is, and the check sum of the table with it."""
_COLUMNS = 4
"""Of each sheet the table has the lengths of front and back, and their check sums."""


class Seen:
    """Files, folders and absences, row by row: name, mark, and sha256 (of the bytes, or of a folder's entries)."""

    __slots__ = ("digests", "marks", "names")

    def __init__(self, names: Sequence[str] = (), marks: Sequence[int] = (), digests: bytes = b"") -> None:
        self.names = names
        self.marks = marks
        self.digests = digests

    def digest(self, row: int) -> bytes:
        return _digest(self.digests, row)

    def __len__(self) -> int:
        return len(self.names)


class Entry:
    """What is known of one package: its path, three digests (`key`, `setting`, `brief`), its `size` and `marks`; what it is
    made of (`seen`), and what was written of it (`made`), by name; and its record."""

    __slots__ = ("brief", "key", "made", "marks", "path", "record", "seen", "setting", "size")

    def __init__(
        self,
        path: str,
        seen: Seen,
        made: Seen,
        record: bytes,
        key: bytes = bytes(_DIGEST),
        setting: bytes = bytes(_DIGEST),
        brief: bytes = bytes(_DIGEST),
        size: int = 0,
        marks: int = 0,
    ) -> None:
        self.path = path
        self.seen = seen
        self.made = made
        self.record = record
        self.key = key
        self.setting = setting
        self.brief = brief
        self.size = size
        self.marks = marks


class Front:
    """The names of what the packages of a sheet are made of, those of what was written of them, and the marks of all."""

    __slots__ = ("made", "marks", "seen")

    def __init__(self, data: Bytes) -> None:
        part = _Part(data)
        seen, made = part.numbers(2)
        self.marks = part.numbers(seen + made)
        names = part.names()
        self.seen = names[:seen]
        self.made = names[seen:]


class Sheet:
    """Some packages, in order. A package's rows are those of `seen` from one number of `firsts` to the next, and those of
    `made` by `writes`."""

    __slots__ = (
        "_digests",
        "_ends",
        "_keys",
        "_named",
        "_records",
        "back",
        "firsts",
        "front",
        "marks",
        "paths",
        "sizes",
        "writes",
    )

    def __init__(self, front: Bytes, back: Bytes) -> None:
        self.front = front
        self.back = back
        part = _Part(back)
        count, length, rows = part.numbers(3)
        self.firsts, self.writes, self._ends = (part.numbers(count + 1) for _ in range(3))
        self.sizes, self.marks = part.numbers(count), part.numbers(count)
        self._keys = part.take(3 * count * _DIGEST)
        self._digests = part.take(rows * _DIGEST)
        self.paths = _names(part.take(length))
        self._records = part.rest()
        self._named: Front | None = None

    def key(self, at: int) -> bytes:
        return _digest(self._keys, 3 * at)

    def setting(self, at: int) -> bytes:
        return _digest(self._keys, 3 * at + 1)

    def brief(self, at: int) -> bytes:
        return _digest(self._keys, 3 * at + 2)

    def record(self, at: int) -> bytes:
        return bytes(self._records[self._ends[at] : self._ends[at + 1]])

    def seen(self, at: int) -> Seen:
        """What the package at `at` is made of."""
        front = self._opened()
        return self._rows(front.seen, self.firsts[at], self.firsts[at + 1], 0)

    def made(self, at: int) -> Seen:
        """What was written of it."""
        front = self._opened()
        return self._rows(front.made, self.writes[at], self.writes[at + 1], len(front.seen))

    def source(self, row: int) -> tuple[str, int, bytes]:
        """Name, mark and digest of a row of all that the packages are made of."""
        front = self._opened()
        return front.seen[row], front.marks[row], _digest(self._digests, row)

    def output(self, row: int) -> tuple[str, int, bytes]:
        """The same of what was written."""
        front = self._opened()
        at = len(front.seen) + row
        return front.made[row], front.marks[at], _digest(self._digests, at)

    @property
    def outputs(self) -> list[str]:
        """The names of all that was written."""
        return self._opened().made

    def entry(self, at: int) -> Entry:
        """All that is known of it."""
        keys = self.key(at), self.setting(at), self.brief(at)
        return Entry(
            self.paths[at],
            self.seen(at),
            self.made(at),
            self.record(at),
            *keys,
            self.sizes[at],
            self.marks[at],
        )

    def _opened(self) -> Front:
        self._named = self._named or Front(self.front)
        return self._named

    def _rows(self, names: list[str], first: int, last: int, moved: int) -> Seen:
        marks = self._opened().marks[moved + first : moved + last]
        return Seen(names[first:last], marks, _digest(self._digests, moved + first, last - first))


def sheet_of(entries: Sequence[Entry]) -> Sheet:
    """The sheet of some packages."""
    seen, made = [entry.seen for entry in entries], [entry.made for entry in entries]
    rows = [*seen, *made]
    counts = [sum(map(len, seen)), sum(map(len, made))]
    front = [
        _numbers([*counts, *(mark for each in rows for mark in each.marks)]),
        _joined(name for each in rows for name in each.names),
    ]
    paths = _joined(entry.path for entry in entries)
    columns = [
        *_sums(map(len, seen)),
        *_sums(map(len, made)),
        *_sums(len(entry.record) for entry in entries),
        *(entry.size for entry in entries),
        *(entry.marks for entry in entries),
    ]
    back = [
        _numbers([len(entries), len(paths), sum(counts), *columns]),
        *(digest for entry in entries for digest in (entry.key, entry.setting, entry.brief)),
        *(each.digests for each in rows),
        paths,
        *(entry.record for entry in entries),
    ]
    return Sheet(b"".join(front), b"".join(back))


def encode_log(frame: Sequence[str], sheets: Sequence[Sheet]) -> list[Bytes]:
    """The bytes of a log, piece by piece. `frame` are words about the whole: whose log this is, and what it says when
    nothing has changed."""
    table = []
    for sheet in sheets:
        table += [len(sheet.front), len(sheet.back), crc32(sheet.front), crc32(sheet.back)]
    words = _joined(frame)
    counts = _numbers([len(sheets), len(words)])
    described = _numbers(table) + words
    head = MAGIC + counts + _numbers([crc32(described, crc32(counts))]) + described
    return [head, *(sheet.front for sheet in sheets), *(sheet.back for sheet in sheets)]


class Opened:
    """A log, and its file for as long as somebody may want more of it: its frame, and its sheets by their numbers."""

    __slots__ = ("_file", "_start", "_table", "frame")

    def __init__(self, file: FileIO, frame: list[str], table: list[int], start: int) -> None:
        self._file = file
        self.frame = frame
        self._table = [tuple(table[at : at + _COLUMNS]) for at in range(0, len(table), _COLUMNS)]
        self._start = start

    def __len__(self) -> int:
        return len(self._table)

    def front(self, number: int) -> Front | None:
        """The front of a sheet; None when it is not the one that was written."""
        length, _, total, _ = self._table[number]
        data = self._trusted(sum(front for front, *_ in self._table[:number]), length, total)
        return Front(data) if data is not None else None

    def sheet(self, number: int) -> Sheet | None:
        """One sheet; None as above."""
        fronts = sum(front for front, *_ in self._table)
        before = self._table[:number]
        length, other, *totals = self._table[number]
        front = self._trusted(sum(one for one, *_ in before), length, totals[0])
        back = self._trusted(fronts + sum(one for _, one, *_ in before), other, totals[1])
        return Sheet(front, back) if front is not None and back is not None else None

    def sheets(self) -> list[Sheet] | None:
        """All sheets; None when they are not those that were written. To be asked once."""
        length = sum(front + back for front, back, *_ in self._table)
        try:
            with self._file:
                data = memoryview(self._piece(self._start, length))
        except (OSError, ValueError):
            return None
        fronts = _Part(data)
        backs = _Part(data[sum(front for front, *_ in self._table) :])
        found = []
        for front, back, *totals in self._table:
            parts = fronts.take(front), backs.take(back)
            if [crc32(part) for part in parts] != totals:
                return None
            found.append(Sheet(*parts))
        return found

    def close(self) -> None:
        self._file.close()

    def _trusted(self, start: int, length: int, total: int) -> bytes | None:
        """A piece behind the table; None when it is not the one that was written."""
        try:
            data = self._piece(self._start + start, length)
        except OSError:
            return None
        return data if len(data) == length and crc32(data) == total else None

    def _piece(self, start: int, length: int) -> bytes:
        # Several processes may read at once: none of them moves the place at which another one reads.
        if hasattr(os, "pread"):
            return os.pread(self._file.fileno(), length, start)
        self._file.seek(start)
        return self._file.read(length)


def open_log(path: str) -> Opened | None:
    """The log at `path`; None where there is none that can be trusted. Its sheets are looked at when they are read."""
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115 - the sheets are read later, or never
    except OSError:
        return None
    try:
        opened = _opened(file)
    except OSError:
        opened = None
    if opened is None:
        file.close()
    return opened


def _opened(file: FileIO) -> Opened | None:
    size = os.fstat(file.fileno()).st_size
    head = file.read(_HEAD)
    if len(head) < _HEAD or not head.startswith(MAGIC):
        return None
    sheets, words, total = _Part(head[len(MAGIC) :]).numbers(3)
    tabled = sheets * _COLUMNS * _WORD
    if min(sheets, words) < 0 or _HEAD + tabled + words > size:
        return None
    described = file.read(tabled + words)
    if crc32(described, crc32(head[len(MAGIC) : -_WORD])) != total:
        return None
    part = _Part(described)
    table = part.numbers(sheets * _COLUMNS)
    whole = _HEAD + len(described) + sum(table[0::_COLUMNS]) + sum(table[1::_COLUMNS])
    return Opened(file, part.names(), table, _HEAD + len(described)) if whole == size else None


class _Part:
    """Bytes that are taken one piece after the other."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: Bytes) -> None:
        self._data = memoryview(data)
        self._at = 0

    def take(self, length: int) -> memoryview:
        self._at += length
        return self._data[self._at - length : self._at]

    def numbers(self, count: int) -> list[int]:
        return self.take(count * _WORD).cast("q").tolist()

    def rest(self) -> memoryview:
        return self._data[self._at :]

    def names(self) -> list[str]:
        """What is left, as names."""
        return _names(self.rest())


def _names(data: memoryview) -> list[str]:
    return str(data, "utf-8", "surrogateescape").split("\0") if data else []


def _joined(names: Iterable[str]) -> bytes:
    return "\0".join(names).encode("utf-8", "surrogateescape")


def _numbers(numbers: Sequence[int]) -> bytes:
    from array import array

    return array("q", numbers).tobytes()


def _sums(lengths: Iterable[int]) -> list[int]:
    """Where each piece begins, and where the last one ends."""
    return list(accumulate(lengths, initial=0))


def _digest(digests: Bytes, row: int, count: int = 1) -> bytes:
    return bytes(digests[row * _DIGEST : (row + count) * _DIGEST])

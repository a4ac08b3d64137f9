"""The build log: what was there when it was last looked at, in one file that is read in one go.

Nothing in it is executable or nested: a head of numbers, names joined by NUL, columns of 64-bit numbers, digests one
behind the other, and a check sum over all of that. A log that is cut, changed, of another version or another machine's
byte order counts as none. Reading it imports next to nothing, so that a build with nothing to do starts in no time.

The first part, `Log`, is all that tells what has changed. The records behind it have a check sum of their own, and are
read only where something has.
"""

from __future__ import annotations

import os
import sys
from itertools import accumulate
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from io import FileIO

MAGIC = b"skillc-log/3 " + sys.byteorder.encode() + b"\n"
_WORD = 8
_DIGEST = 32
_COUNTS = 8
_TEXTS = 4


class Seen:
    """Files, folders and absences, row by row: name, mark, and sha256 (of the bytes, or of a folder's entries)."""

    __slots__ = ("digests", "marks", "names")

    def __init__(
        self, names: list[str] | tuple[str, ...] = (), marks: Sequence[int] = (), digests: bytes = b""
    ) -> None:
        self.names = names
        self.marks = marks
        self.digests = digests

    def digest(self, row: int) -> bytes:
        return self.digests[row * _DIGEST : (row + 1) * _DIGEST]

    def part(self, first: int, last: int) -> Seen:
        """The rows from `first` up to, not including, `last`."""
        digests = self.digests[first * _DIGEST : last * _DIGEST]
        return Seen(self.names[first:last], self.marks[first:last], digests)

    def __len__(self) -> int:
        return len(self.names)


class Log:
    """What the last look saw.

    `frame` are words about the whole: whose log this is, and what it says when nothing has changed. `seen` are what
    packages are made of and all else that counts, which stands first; `made` what the build wrote. `packages` are the
    names of the records in order. `firsts` are the rows of `seen` with which each package begins, `writes` those of
    `made`; both have a last number more, where the last package ends. Of each package, too: its `keys`, `settings` and
    `briefs` (32 bytes each), its `sizes` and `marks`, and `ends`, where its record ends, counted from the first; the
    record behind the last package is of the whole.
    """

    __slots__ = (
        "briefs",
        "ends",
        "firsts",
        "frame",
        "keys",
        "made",
        "marks",
        "packages",
        "seen",
        "settings",
        "sizes",
        "writes",
    )

    def __init__(
        self,
        frame: Sequence[str],
        seen: Seen,
        made: Seen,
        packages: Sequence[str],
        firsts: Sequence[int],
        writes: Sequence[int],
        sizes: Sequence[int],
        marks: Sequence[int],
        keys: bytes,
        settings: bytes,
        briefs: bytes,
        ends: Sequence[int] = (),
    ) -> None:
        self.frame = frame
        self.seen = seen
        self.made = made
        self.packages = packages
        self.firsts = firsts
        self.writes = writes
        self.sizes = sizes
        self.marks = marks
        self.keys = keys
        self.settings = settings
        self.briefs = briefs
        self.ends = ends

    def key(self, row: int) -> bytes:
        return digest_at(self.keys, row)


def digest_at(column: bytes, row: int) -> bytes:
    """One of the digests that stand one behind the other."""
    return column[row * _DIGEST : (row + 1) * _DIGEST]


class Opened:
    """A log, and its file for as long as the records behind it may still be wanted."""

    __slots__ = ("_file", "_rest", "_sum", "log")

    def __init__(self, log: Log, file: FileIO, rest: int, total: int) -> None:
        self.log = log
        self._file = file
        self._rest = rest
        self._sum = total

    def records(self) -> bytes | None:
        """All records, one behind the other; None when they are not those that were written. To be asked once."""
        try:
            with self._file as file:
                data = file.read(self._rest + 1)
        except (OSError, ValueError):
            return None
        return data if len(data) == self._rest and crc32(data) == self._sum else None

    def close(self) -> None:
        self._file.close()


def encode_log(log: Log, records: Sequence[bytes]) -> bytes:
    """The bytes of a log and its records, that of each package and that of the whole, in pieces. `ends` are as they are
    given, or, where they are not, those of the pieces."""
    ends = log.ends or list(accumulate(map(len, records)))
    texts = [_names(log.frame), _names(log.seen.names), _names(log.made.names), _names(log.packages)]
    body = b"".join(
        [
            *texts,
            numbers(log.seen.marks, log.made.marks),
            numbers(log.firsts, log.writes, log.sizes, log.marks, ends),
            log.keys,
            log.settings,
            log.briefs,
            log.seen.digests,
            log.made.digests,
        ]
    )
    total = 0
    for piece in records:
        total = crc32(piece, total)
    head = numbers([*map(len, texts), len(log.seen), len(log.made), len(log.packages), total])
    return b"".join([MAGIC, head, numbers([crc32(body, crc32(head))]), body, *records])


def open_log(path: str) -> Opened | None:
    """The log at `path`; None where there is none that can be trusted."""
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115 - the records are read later, or never
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
    length = len(MAGIC) + (_COUNTS + 1) * _WORD
    head = file.read(length)
    if len(head) < length or not head.startswith(MAGIC):
        return None
    *counts, total = memoryview(head)[len(MAGIC) :].cast("q").tolist()
    bodily = _length(counts)
    if min(counts) < 0 or length + bodily > size:
        return None
    body = file.read(bodily)
    if len(body) != bodily or crc32(body, crc32(head[len(MAGIC) : -_WORD])) != total:
        return None
    log = _decoded(counts, body)
    rest = log.ends[-1]
    return Opened(log, file, rest, counts[-1]) if length + bodily + rest == size else None


def _length(counts: Sequence[int]) -> int:
    seen, made, packages = counts[_TEXTS:-1]
    return sum(counts[:_TEXTS]) + sum(_columns(counts)) * _WORD + (seen + made + 3 * packages) * _DIGEST


def _columns(counts: Sequence[int]) -> list[int]:
    """How long each column of numbers is."""
    seen, made, packages = counts[_TEXTS:-1]
    return [seen, made] + [packages + 1] * 2 + [packages] * 2 + [packages + 1]


def _decoded(counts: Sequence[int], body: bytes) -> Log:
    seen, made, packages = counts[_TEXTS:-1]
    at = 0
    names: list[list[str]] = []
    for size in counts[:_TEXTS]:
        text = body[at : at + size].decode("utf-8", "surrogateescape")
        names.append(text.split("\0") if text else [])
        at += size
    view = memoryview(body)
    columns: list[memoryview[int]] = []
    for length in _columns(counts):
        # A copy: the column begins at any byte, and numbers are wanted aligned.
        columns.append(memoryview(bytes(view[at : at + length * _WORD])).cast("q"))
        at += length * _WORD
    digests = []
    for count in (packages, packages, packages, seen, made):
        digests.append(body[at : at + count * _DIGEST])
        at += count * _DIGEST
    firsts, writes, sizes, marks, ends = columns[2:]
    keys, settings, briefs, *rows = digests
    seen_rows = Seen(names[1], columns[0].tolist(), rows[0])
    made_rows = Seen(names[2], columns[1].tolist(), rows[1])
    return Log(
        names[0], seen_rows, made_rows, names[3], firsts, writes, sizes, marks, keys, settings, briefs, ends
    )


def _names(names: Sequence[str]) -> bytes:
    return "\0".join(names).encode("utf-8", "surrogateescape")


def numbers(*columns: Sequence[int]) -> bytes:
    """The bytes of columns of numbers."""
    from array import array

    return b"".join(
        column.tobytes() if isinstance(column, array | memoryview) else array("q", column).tobytes()
        for column in columns
    )

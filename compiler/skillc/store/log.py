"""The build log: what was there when it was last looked at, in one file that is read in one go.

Nothing in it is executable or nested: a head of numbers, names joined by NUL, columns of 64-bit numbers, digests one
behind the other, and a digest over all of that. A log that is cut, changed, of another version or another machine's
byte order counts as none. Reading it imports nothing, so that a build with nothing to do starts in no time.

The first part, `Log`, is read whole; the records behind it are read one by one.
"""

from __future__ import annotations

import os
import sys
from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAGIC = b"skillc-log/1 " + sys.byteorder.encode() + b"\n"
FOLDER, ABSENT, RACY = -1, -2, -1
"""As a size: a folder, and something that must not be there. As a time: changed too shortly before to be trusted."""
_WORD = 8
_DIGEST = 32
_COUNTS = 7


class Seen:
    """Files, folders and absences, row by row: name, size, mtime in ns, identity (of inode and ctime), and sha256 (of the bytes, or of a
    folder's entries)."""

    __slots__ = ("digests", "inodes", "mtimes", "names", "sizes")

    def __init__(
        self,
        names: Sequence[str] = (),
        sizes: Sequence[int] = (),
        mtimes: Sequence[int] = (),
        inodes: Sequence[int] = (),
        digests: bytes = b"",
    ) -> None:
        self.names = names
        self.sizes = sizes
        self.mtimes = mtimes
        self.inodes = inodes
        self.digests = digests

    def digest(self, row: int) -> bytes:
        return self.digests[row * _DIGEST : (row + 1) * _DIGEST]

    def __len__(self) -> int:
        return len(self.names)


class Log:
    """What the last look saw.

    `frame` are words about the whole: whose log this is, and what it says when nothing has changed. `seen` are what
    packages are made of and all else that counts, `made` what the build wrote. `packages` are the names of the records
    in order, `keys` their keys (32 bytes each), `ends` where each record ends, counted from the first. `firsts` are
    the rows of `seen` with which each package begins, and a last number: where the last one ends.
    """

    __slots__ = ("ends", "firsts", "frame", "keys", "made", "packages", "seen")

    def __init__(
        self,
        frame: Sequence[str],
        seen: Seen,
        made: Seen,
        packages: Sequence[str],
        firsts: Sequence[int],
        keys: bytes,
        ends: Sequence[int],
    ) -> None:
        self.frame = frame
        self.seen = seen
        self.made = made
        self.packages = packages
        self.firsts = firsts
        self.keys = keys
        self.ends = ends

    def key(self, row: int) -> bytes:
        return self.keys[row * _DIGEST : (row + 1) * _DIGEST]


def encode_log(log: Log, records: Sequence[bytes]) -> bytes:
    """The bytes of a log and its records, one a package. `ends` of the log are taken from them."""
    ends, at = [], 0
    for record in records:
        at += len(record)
        ends.append(at)
    texts = [_names(log.frame), _names(log.seen.names), _names(log.made.names), _names(log.packages)]
    body = b"".join(
        [
            *texts,
            _numbers(log.seen.sizes, log.seen.mtimes, log.seen.inodes),
            _numbers(log.made.sizes, log.made.mtimes, log.made.inodes, log.firsts, ends),
            log.seen.digests,
            log.made.digests,
            log.keys,
        ]
    )
    sizes = [len(text) for text in texts]
    head = _numbers([*sizes, len(log.seen), len(log.made), len(log.packages)])
    return MAGIC + head + body + sha256(head + body).digest() + b"".join(records)


def read_log(path: str) -> tuple[Log, int] | None:
    """The log at `path` and where its records begin; None where there is none that can be trusted."""
    try:
        with open(path, "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(len(MAGIC) + _COUNTS * _WORD)
            if len(head) < len(MAGIC) + _COUNTS * _WORD or not head.startswith(MAGIC):
                return None
            counts = memoryview(head)[len(MAGIC) :].cast("q").tolist()
            length = _length(counts)
            if min(counts) < 0 or len(head) + length + _DIGEST > size:
                return None
            body = file.read(length + _DIGEST)
    except OSError:
        return None
    if len(body) != length + _DIGEST or sha256(head[len(MAGIC) :] + body[:length]).digest() != body[length:]:
        return None
    log = _decoded(counts, body)
    start = len(head) + len(body)
    return (log, start) if start + (log.ends[-1] if log.ends else 0) == size else None


def read_records(path: str, log: Log, start: int, wanted: Sequence[int]) -> dict[int, bytes]:
    """The records of the rows `wanted`; those that cannot be read are left out."""
    found: dict[int, bytes] = {}
    try:
        with open(path, "rb") as file:
            for row in wanted:
                begin = log.ends[row - 1] if row else 0
                file.seek(start + begin)
                data = file.read(log.ends[row] - begin)
                if len(data) == log.ends[row] - begin:
                    found[row] = data
    except OSError:
        return found
    return found


def _length(counts: Sequence[int]) -> int:
    seen, made, packages = counts[4:]
    words = 3 * seen + 3 * made + (packages + 1) + packages
    return sum(counts[:4]) + words * _WORD + (seen + made + packages) * _DIGEST


def _decoded(counts: Sequence[int], body: bytes) -> Log:
    seen, made, packages = counts[4:]
    at = 0
    names: list[list[str]] = []
    for size in counts[:4]:
        text = body[at : at + size].decode("utf-8", "surrogateescape")
        names.append(text.split("\0") if text else [])
        at += size
    lengths = [seen] * 3 + [made] * 3 + [packages + 1, packages]
    columns: list[Sequence[int]] = []
    view = memoryview(body)
    for length in lengths:
        # A copy: the column begins at any byte, and numbers are wanted aligned.
        columns.append(memoryview(bytes(view[at : at + length * _WORD])).cast("q"))
        at += length * _WORD
    digests = []
    for count in (seen, made, packages):
        digests.append(body[at : at + count * _DIGEST])
        at += count * _DIGEST
    return Log(
        names[0],
        Seen(names[1], columns[0], columns[1], columns[2], digests[0]),
        Seen(names[2], columns[3], columns[4], columns[5], digests[1]),
        names[3],
        columns[6],
        digests[2],
        columns[7],
    )


def _names(names: Sequence[str]) -> bytes:
    return "\0".join(names).encode("utf-8", "surrogateescape")


def _numbers(*columns: Sequence[int]) -> bytes:
    from array import array

    return b"".join(array("q", column).tobytes() for column in columns)


def identity(found: os.stat_result) -> int:
    """A number for the file and the last change of anything about it: where somebody sets the old time again after a
    change, the system still knows of the change."""
    return (found.st_ino * 0x9E3779B97F4A7C15 ^ found.st_ctime_ns) & (2**63 - 1)


def unchanged(seen: Seen, root: str, stat: Callable[[str], os.stat_result] = os.stat) -> bool:
    """Whether all rows are as they were, by size, times and inode alone. A relative name is below `root`."""
    sizes, mtimes, inodes = seen.sizes, seen.mtimes, seen.inodes
    prefix = os.path.join(root, "")
    for row, name in enumerate(seen.names):
        try:
            found = stat(name if name[:1] == "/" or name[1:2] == ":" else prefix + name)
        except (FileNotFoundError, NotADirectoryError):
            if sizes[row] != ABSENT:
                return False
            continue
        except OSError:
            return False
        size = FOLDER if found.st_mode & 0o170000 == 0o040000 else found.st_size
        if size != sizes[row] or found.st_mtime_ns != mtimes[row] or identity(found) != inodes[row]:
            return False
    return True

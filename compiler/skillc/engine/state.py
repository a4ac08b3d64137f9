"""What is kept between two runs, below `.skillc`: the log, and the records of the packages in it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from stat import S_ISDIR

from skillc.artifact.codec import canonical
from skillc.engine.reasons import Inputs, Reason
from skillc.store.files import write_atomic
from skillc.store.log import FOLDER as FOLDER_SIZE
from skillc.store.log import RACY, Log, Seen, encode_log, identity, read_log, read_records
from skillc.store.quick import LOG
from skillc.store.quick import STATE as FOLDER

_TAG = b"""Signature: 8a477f597d28d172789f06886806bc55
# This folder is a cache of skillc: it may be deleted at any time, except for sessions.sqlite3.
# For information about cache directory tags, see https://bford.info/cachedir/
"""
NOTHING = bytes(32)
"""Stands for the digest of what is told apart by its times alone."""
MARGIN = 2_000_000_000
"""Nanoseconds: the coarsest clock of a file system that is still in use. What changed less than that before it was
looked at may change again without a new time."""
LATER = 1 << 62
"""A time to which nothing is too near."""
Row = tuple[int, int, int, bytes]
"""Size, mtime, inode, digest of one name of a log."""


@dataclass(frozen=True, slots=True)
class Record:
    """What is kept of one package: its key, what it was read from and wrote, and its outcome.

    `inputs` are what the key is made of; `reasons` why it was made, `changed` the workers that came out otherwise than
    before (None where there was no before). `compiled` tells whether it was to be compiled, too.
    """

    key: bytes
    seen: Mapping[str, Row]
    made: Mapping[str, Row]
    inputs: Inputs
    outcome: bytes
    reasons: tuple[Reason, ...] = ()
    changed: tuple[str, ...] | None = None
    compiled: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """All records by package path. `frame` are the words of the log, `around` its rows outside of packages."""

    frame: tuple[str, ...] = ()
    around: Mapping[str, Row] = field(default_factory=dict)
    records: Mapping[str, Record] = field(default_factory=dict)


def load(root: str) -> Kept:
    """What the last run left; nothing when there is no log that can be trusted."""
    path = _path(root)
    read = read_log(path)
    if read is None:
        return Kept()
    log, start = read
    records = read_records(path, log, start, range(len(log.packages)))
    made = _by_package(log.made)
    found = {}
    for at, name in enumerate(log.packages):
        data = _decoded(records.get(at, b""))
        if data is not None:
            rows = _rows(log.seen, log.firsts[at], log.firsts[at + 1])
            found[name] = Record(log.key(at), rows, made.get(name, {}), *data)
    return Kept(tuple(log.frame), _rows(log.seen, 0, log.firsts[0]), found)


def save(root: str, kept: Kept) -> None:
    """Write what is to be known the next time, whole or not at all. Raises OSError with the old log intact."""
    names: list[str] = []
    rows: list[Row] = []
    firsts: list[int] = []

    def add(table: Mapping[str, Row]) -> None:
        firsts.append(len(names))
        names.extend(sorted(table))
        rows.extend(table[name] for name in sorted(table))

    add(kept.around)
    firsts.clear()
    packages = sorted(kept.records)
    for path in packages:
        add(kept.records[path].seen)
    firsts.append(len(names))
    written = {f"{path}/{name}": row for path in packages for name, row in kept.records[path].made.items()}
    made = sorted(written)
    log = Log(
        kept.frame,
        _seen(names, rows),
        _seen(made, [written[name] for name in made]),
        packages,
        firsts,
        b"".join(kept.records[path].key for path in packages),
        (),
    )
    prepare(root)
    write_atomic(_path(root), encode_log(log, [_encoded(kept.records[path]) for path in packages]))


def prepare(root: str) -> None:
    """Make the folder, for the owner alone, ignored by git and by backups."""
    folder = os.path.join(root, FOLDER)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    for name, data in ((".gitignore", b"*\n"), ("CACHEDIR.TAG", _TAG)):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            write_atomic(path, data)


def now(root: str) -> int:
    """The time of the file system that the state lies on, in nanoseconds; this machine's where there is no state yet."""
    path = os.path.join(root, FOLDER, "clock")
    try:
        with open(path, "wb") as file:
            file.write(b"\n")
        return os.stat(path).st_mtime_ns
    except OSError:
        return time.time_ns()


def stat_row(path: str, now: int, digest: bytes = NOTHING) -> Row | None:
    """The row of a file or folder as it is; None when it is not there. What changed a moment before `now` may change
    again without showing it."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    size = FOLDER_SIZE if S_ISDIR(found.st_mode) else found.st_size
    mtime = RACY if found.st_mtime_ns + MARGIN > now else found.st_mtime_ns
    return (size, mtime, identity(found), digest)


def _path(root: str) -> str:
    return os.path.join(root, FOLDER, LOG)


def _rows(seen: Seen, first: int, last: int) -> dict[str, Row]:
    return {
        seen.names[at]: (seen.sizes[at], seen.mtimes[at], seen.inodes[at], seen.digest(at))
        for at in range(first, last)
    }


def _seen(names: list[str], rows: list[Row]) -> Seen:
    sizes, mtimes, inodes, digests = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Seen(names, sizes, mtimes, inodes, b"".join(digests))


def _by_package(made: Seen) -> dict[str, dict[str, Row]]:
    found: dict[str, dict[str, Row]] = {}
    for name, row in _rows(made, 0, len(made)).items():
        path, _, file = name.rpartition("/")
        found.setdefault(path, {})[file] = row
    return found


def _encoded(record: Record) -> bytes:
    reasons = [[reason.part, reason.name, reason.change] for reason in record.reasons]
    head = canonical(
        {
            "changed": record.changed,
            "compiled": record.compiled,
            "inputs": record.inputs,
            "reasons": reasons,
        }
    )
    return head + b"\n" + record.outcome


def _decoded(data: bytes) -> tuple[Inputs, bytes, tuple[Reason, ...], tuple[str, ...] | None, bool] | None:
    head, _, outcome = data.partition(b"\n")
    try:
        kept = json.loads(head)
        reasons = tuple(Reason(*reason) for reason in kept["reasons"])
        changed = None if kept["changed"] is None else tuple(kept["changed"])
        return kept["inputs"], outcome, reasons, changed, kept["compiled"]
    except (ValueError, KeyError, TypeError):
        return None

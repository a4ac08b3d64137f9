"""What is kept between two runs, below `.skillc`: the log, and the records of the packages in it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise

from skillc.artifact.encoding import canonical
from skillc.engine.reasons import Inputs, Reason
from skillc.store.files import write_atomic
from skillc.store.log import Entry, Seen, Sheet
from skillc.store.marks import RACY, mark_of
from skillc.store.quick import LOG, Standing, standing
from skillc.store.quick import STATE as FOLDER
from skillc.value import field, value

_TAG = b"""Signature: 8a477f597d28d172789f06886806bc55
# This folder is a cache of skillc: it may be deleted at any time, except for sessions.sqlite3.
# For information about cache directory tags, see https://bford.info/cachedir/
"""
NOTHING = bytes(32)
"""Stands for the digest of what is told apart by its times alone."""
MARGIN = 2_000_000_000
"""Nanoseconds: the coarsest clock of a file system that is still in use. What changed less than that before it was
looked at may change again without a new time."""
BUILT, FAILS, SPEAKS, SUPPRESSES, COMPILED, TELLS = 1, 2, 4, 8, 16, 32
"""Marks of a record: it has output; it has errors; it has errors or warnings; there are suppressions in it; it was to be
compiled; there are findings in it, of whatever weight."""
Row = tuple[int, bytes]
"""Mark and digest of one name of a log."""


@value
class Built:
    """When a package last came out of a build: the `inputs` that it was made of, why it was made, the digests of its
    `workers`, and which of them came out otherwise than before (None where there was no before)."""

    inputs: Inputs
    reasons: tuple[Reason, ...]
    workers: Mapping[str, str]
    changed: tuple[str, ...] | None


@value
class Record:
    """What is kept of one package: its key, what it was read from and wrote, and its outcome.

    `setting` names what it gets from outside. The `head` (see `head_of`) and the outcome are as they lie in a log, and are
    read when somebody asks. `compiled` tells whether it was to be compiled, too; `size` and `marks` are what is known of
    the outcome without reading it.
    """

    key: bytes
    setting: bytes
    seen: Seen
    made: Mapping[str, Row]
    head: bytes
    outcome: bytes
    compiled: bool = False
    size: int = 0
    marks: int = 0

    @property
    def brief(self) -> bytes:
        return brief_digest(self.outcome)

    @property
    def inputs(self) -> Inputs:
        """What the key is made of."""
        inputs: Inputs = json.loads(self.head)["inputs"]
        return inputs

    @property
    def changed(self) -> tuple[str, ...] | None:
        """The workers that came out otherwise than before; None where there was no before."""
        changed = json.loads(self.head)["changed"]
        return None if changed is None else tuple(changed)

    @property
    def built(self) -> Built | None:
        """When it last came out of a build; None where it never did. What was only checked since, or could not be
        compiled, is no build."""
        head = json.loads(self.head)
        workers = worker_digests(self.outcome)
        kept = head if workers is not None else head.get("built")
        if kept is None:
            return None
        changed = kept["changed"]
        return Built(
            kept["inputs"],
            tuple(Reason(*reason) for reason in kept["reasons"]),
            kept["workers"] if workers is None else workers,
            None if changed is None else tuple(changed),
        )

    def whole(self) -> Record:
        return self

    def entry(self, path: str) -> Entry:
        """What a log keeps of it."""
        return Entry(
            path,
            self.seen,
            columns_of({f"{path}/{name}": row for name, row in self.made.items()}),
            self.head + b"\n" + self.outcome,
            self.key,
            self.setting,
            self.brief,
            self.size,
            self.marks | (COMPILED if self.compiled else 0),
        )


def head_of(
    inputs: Inputs, reasons: Iterable[Reason], changed: Sequence[str] | None, built: Built | None = None
) -> bytes:
    """What of a record is wanted only where something has changed. `built` is when the package last came out, where it did
    not now."""
    before = built and {**_head(built.inputs, built.reasons, built.changed), "workers": built.workers}
    return canonical({**_head(inputs, reasons, changed), "built": before})


def _head(inputs: Inputs, reasons: Iterable[Reason], changed: Sequence[str] | None) -> dict[str, object]:
    told = [[reason.part, reason.name, reason.change] for reason in reasons]
    return {"changed": changed, "inputs": inputs, "reasons": told}


class Stored:
    """The record of one package as it lies in a sheet of a log, which is not read before somebody asks for the `whole` of
    it. By their times, the sources (`is_source`) and the output (`is_output`) are as it says."""

    __slots__ = ("at", "is_output", "is_source", "sheet")

    def __init__(self, sheet: Sheet, at: int, is_source: bool, is_output: bool) -> None:
        self.sheet = sheet
        self.at = at
        self.is_source = is_source
        self.is_output = is_output

    @property
    def key(self) -> bytes:
        return self.sheet.key(self.at)

    @property
    def setting(self) -> bytes:
        return self.sheet.setting(self.at)

    @property
    def brief(self) -> bytes:
        return self.sheet.brief(self.at)

    @property
    def size(self) -> int:
        return self.sheet.sizes[self.at]

    @property
    def marks(self) -> int:
        return self.sheet.marks[self.at] & ~COMPILED

    @property
    def compiled(self) -> bool:
        return bool(self.sheet.marks[self.at] & COMPILED)

    @property
    def has_output(self) -> bool:
        return self.sheet.writes[self.at] < self.sheet.writes[self.at + 1]

    @property
    def outcome(self) -> bytes:
        return self.sheet.record(self.at).partition(b"\n")[2]

    def entry(self, path: str) -> Entry:
        """What the log kept of it."""
        return self.sheet.entry(self.at)

    def whole(self) -> Record:
        """All of the record."""
        head, _, outcome = self.sheet.record(self.at).partition(b"\n")
        prefix = len(self.sheet.paths[self.at]) + 1
        return Record(
            self.key,
            self.setting,
            self.sheet.seen(self.at),
            {name[prefix:]: row for name, row in rows_of(self.sheet.made(self.at)).items()},
            head,
            outcome,
            self.compiled,
            self.size,
            self.marks,
        )


Known = Record | Stored


@value
class Kept:
    """All records by package path. `frame` are the words of the log, `around` its rows outside of packages, `beside` those
    of the build folder outside of packages; `whole` is the record of what is known of the workspace itself.
    `is_around` tells whether, by their times, the rows of `around` are as they say."""

    frame: tuple[str, ...] = ()
    around: Mapping[str, Row] = field(default_factory=dict)
    records: Mapping[str, Known] = field(default_factory=dict)
    beside: Mapping[str, Row] = field(default_factory=dict)
    whole: bytes = b""
    is_around: bool = False


def load(root: str, build: str = "build", stood: Standing | None = None) -> Kept:
    """What the last run left; nothing when there is no log that can be trusted. `stood` is how things stand, where that
    was looked at a moment ago."""
    if stood is not None and (stood.folder != root or stood.opened.frame[-1:] != [build]):
        stood.opened.close()
        stood = None
    stood = stood or standing(root, build)
    sheets = stood.opened.sheets() if stood else None
    if stood is None or not sheets:
        return Kept()
    around, *rest = sheets
    records = {}
    for sheet, change in zip(rest, stood.changes[1:], strict=True):
        seen, made = (_untouched(*ends) for ends in zip((sheet.firsts, sheet.writes), change, strict=True))
        for at, path in enumerate(sheet.paths):
            records[path] = Stored(sheet, at, seen[at], made[at])
    return Kept(
        tuple(stood.opened.frame),
        rows_of(around.seen(0)),
        records,
        rows_of(around.made(0)),
        around.record(0),
        not stood.changes[0][0],
    )


def _untouched(ends: Sequence[int], rows: Sequence[int]) -> list[bool]:
    """Of each package of a sheet, whether none of the changed rows is one of its own."""
    if not rows:
        return [True] * (len(ends) - 1)
    return [not any(first <= row < last for row in rows) for first, last in pairwise(ends)]


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
    return (RACY if found.st_mtime_ns + MARGIN > now else mark_of(found), digest)


def setting_digest(workspace: Mapping[str, str], compiler: Mapping[str, str]) -> bytes:
    """The name of what a package gets from outside."""
    return sha256(canonical([workspace, compiler])).digest()


def brief_digest(outcome: bytes) -> bytes:
    """The name of what others see of a package: the first line of its outcome."""
    return sha256(outcome.partition(b"\n")[0]).digest()


def worker_digests(outcome: bytes) -> Mapping[str, str] | None:
    """The digests of the compiled workers in an outcome; None where there are none."""
    found: Mapping[str, str] | None = json.loads(outcome.partition(b"\n")[2]).get("workers")
    return found


def log_path(root: str) -> str:
    return os.path.join(root, FOLDER, LOG)


def columns_of(rows: Mapping[str, Row]) -> Seen:
    """The rows by name, as a log has them."""
    names = sorted(rows)
    return Seen(names, [rows[name][0] for name in names], b"".join([rows[name][1] for name in names]))


def rows_of(seen: Seen) -> dict[str, Row]:
    return {name: (seen.marks[at], seen.digest(at)) for at, name in enumerate(seen.names)}

"""What is to be known the next time, written as one log: of what is as it was, the bytes of the last log are taken over."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from skillc.engine.state import COMPILED, Kept, Record, Stored, columns_of, log_path, prepare
from skillc.store.files import write_atomic
from skillc.store.log import Log, Seen, encode_log

_DIGEST = 32


def save(root: str, kept: Kept) -> None:
    """Write what is to be known the next time, whole or not at all. Raises OSError with the old log intact. The disk is not
    waited for: a log that was cut when the machine went down is noticed, and counts as none."""
    prepare(root)
    write_atomic(log_path(root), log_bytes(kept), durable=False)


def log_bytes(kept: Kept) -> bytes:
    """The log of what is known."""
    growing = _Growing(kept)
    run: list[Stored] = []
    for path in sorted(kept.records):
        known = kept.records[path]
        if isinstance(known, Stored) and (
            not run or (known.log is run[-1].log and known.at == run[-1].at + 1)
        ):
            run.append(known)
            continue
        growing.take_over(run)
        run = []
        if isinstance(known, Stored):
            run.append(known)
        else:
            growing.add(path, known)
    growing.take_over(run)
    return growing.whole(kept)


class _Table:
    """Rows that are being put together."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.marks: list[int] = []
        self.digests: list[bytes] = []

    def add(self, rows: Seen) -> None:
        self.names.extend(rows.names)
        self.marks.extend(rows.marks)
        self.digests.append(rows.digests)

    def seen(self) -> Seen:
        return Seen(self.names, self.marks, b"".join(self.digests))


class _Growing:
    """A log that is being put together, package by package."""

    def __init__(self, kept: Kept) -> None:
        self._seen, self._made = _Table(), _Table()
        self._seen.add(columns_of(kept.around))
        self._made.add(columns_of(kept.beside))
        self._packages: list[str] = []
        self._firsts, self._writes, self._sizes, self._marks, self._ends = (array("q") for _ in range(5))
        self._digests: tuple[list[bytes], ...] = ([], [], [])
        self._records: list[bytes] = []
        self._length = 0

    def add(self, path: str, record: Record) -> None:
        self._packages.append(path)
        self._firsts.append(len(self._seen.names))
        self._writes.append(len(self._made.names))
        self._seen.add(record.seen)
        self._made.add(columns_of({f"{path}/{name}": row for name, row in record.made.items()}))
        self._sizes.append(record.size)
        self._marks.append(record.marks | (COMPILED if record.compiled else 0))
        for digests, digest in zip(self._digests, (record.key, record.setting, record.brief), strict=True):
            digests.append(digest)
        self._append(record.head, b"\n", record.outcome)

    def take_over(self, run: Sequence[Stored]) -> None:
        """Packages that follow one another in a log."""
        if not run:
            return
        log, first, last = run[0].log, run[0].at, run[-1].at + 1
        self._packages.extend(log.packages[first:last])
        for table, rows, starts, column in (
            (self._seen, log.seen, log.firsts, self._firsts),
            (self._made, log.made, log.writes, self._writes),
        ):
            moved = len(table.names) - starts[first]
            column.extend(start + moved for start in starts[first:last])
            table.add(rows.part(starts[first], starts[last]))
        self._sizes.extend(log.sizes[first:last])
        self._marks.extend(log.marks[first:last])
        for digests, old in zip(self._digests, (log.keys, log.settings, log.briefs), strict=True):
            digests.append(old[first * _DIGEST : last * _DIGEST])
        begin, end = (log.ends[first - 1] if first else 0), log.ends[last - 1]
        moved = self._length - begin
        self._ends.extend(at + moved for at in log.ends[first:last])
        self._records.append(run[0].data[begin:end])
        self._length += end - begin

    def whole(self, kept: Kept) -> bytes:
        self._firsts.append(len(self._seen.names))
        self._writes.append(len(self._made.names))
        self._append(kept.whole)
        keys, settings, briefs = (b"".join(digests) for digests in self._digests)
        log = Log(
            kept.frame,
            self._seen.seen(),
            self._made.seen(),
            self._packages,
            self._firsts,
            self._writes,
            self._sizes,
            self._marks,
            keys,
            settings,
            briefs,
            self._ends,
        )
        return encode_log(log, self._records)

    def _append(self, *pieces: bytes) -> None:
        """A record, in pieces, which nobody copies before all is written."""
        self._records += pieces
        self._length += sum(map(len, pieces))
        self._ends.append(self._length)

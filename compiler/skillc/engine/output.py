"""What a build wrote, held against what lies there now."""

from __future__ import annotations

import os
from hashlib import sha256

from skillc.engine.reasons import Reason
from skillc.engine.state import Record, Row, stat_row
from skillc.store.marks import mark_at
from skillc.store.output import HERE, output_names

OUTPUT = "output"
UNWRITTEN = Reason("package", "", "unwritten")
"""What was made of it the last time was for a look alone, or could not be written for what stands around it."""


def output_reasons(record: Record, folder: str) -> tuple[Reason, ...]:
    """Why the output in `folder` has to be made anew although its sources are as they were; nothing when it stands."""
    if not record.compiled:
        return (UNWRITTEN,)
    reasons = []
    for name, row in record.made.items():
        path = os.path.join(folder, name)
        if name == HERE or _is_same(path, row):
            continue
        reasons.append(Reason(OUTPUT, name, "changed" if os.path.exists(path) else "removed"))
    here = record.made.get(HERE)
    if here is not None and mark_at(folder) != here[0]:
        strange = set(output_names(folder)) - set(record.made)
        reasons += [Reason(OUTPUT, name, "added") for name in sorted(strange)]
    return tuple(reasons)


def _is_same(path: str, row: Row) -> bool:
    """Whether the file is as it was written: by its times, else by its bytes."""
    mark, known = row
    if mark_at(path) == mark:
        return True
    try:
        with open(path, "rb") as file:
            return sha256(file.read()).digest() == known
    except OSError:
        return False


def file_row(path: str, now: int) -> Row | None:
    """The row of a file with what is in it; None where there is none."""
    try:
        with open(path, "rb") as file:
            digest = sha256(file.read()).digest()
    except FileNotFoundError:
        return None
    return stat_row(path, now, digest)


def output_rows(folder: str, now: int) -> dict[str, Row]:
    """The rows of what a build has written in `folder`; nothing where it has no output."""
    rows = {}
    for name in output_names(folder):
        path = os.path.join(folder, name)
        row = file_row(path, now)
        if row is not None:
            rows[name] = row
    here = stat_row(folder, now)
    if here is not None and os.path.isdir(folder):
        rows[HERE] = here
    return rows

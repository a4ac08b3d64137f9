"""What is to be known the next time, written as one log: a sheet of which all is as it was is taken over as it is."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.engine.state import Kept, Stored, columns_of, log_path, prepare
from skillc.store.files import write_pieces
from skillc.store.log import Entry, Sheet, encode_log, sheet_of

PACKAGES = 32
"""As many packages stand in one sheet: few enough to be written anew for one of them."""


def save(root: str, kept: Kept) -> None:
    """Write what is to be known the next time, whole or not at all. Raises OSError with the old log intact. The disk is not
    waited for: a log that was cut when the machine went down is noticed, and counts as none."""
    prepare(root)
    around = sheet_of([Entry("", columns_of(kept.around), columns_of(kept.beside), kept.whole)])
    write_pieces(log_path(root), encode_log(kept.frame, [around, *_sheets(kept)]), durable=False)


def _sheets(kept: Kept) -> Iterator[Sheet]:
    """The packages of a log, sheet by sheet."""
    paths = sorted(kept.records)
    loose: list[str] = []
    at = 0
    while at < len(paths):
        sheet = _sheet_at(kept, paths, at)
        if sheet is None:
            loose.append(paths[at])
            at += 1
        else:
            yield from _new(kept, loose)
            yield sheet
            loose = []
            at += len(sheet.paths)
    yield from _new(kept, loose)


def _sheet_at(kept: Kept, paths: list[str], at: int) -> Sheet | None:
    """The old sheet that has what is to be known of the packages from `at` on, and of no others."""
    first = kept.records[paths[at]]
    if not isinstance(first, Stored) or first.at:
        return None
    sheet = first.sheet
    own = (kept.records[path] for path in sheet.paths if path in kept.records)
    is_same = all(isinstance(known, Stored) and known.sheet is sheet for known in own)
    return sheet if is_same and paths[at : at + len(sheet.paths)] == sheet.paths else None


def _new(kept: Kept, paths: list[str]) -> Iterator[Sheet]:
    """New sheets, about equally long."""
    number = -(-len(paths) // PACKAGES)
    for at in range(number):
        share = paths[len(paths) * at // number : len(paths) * (at + 1) // number]
        yield sheet_of([kept.records[path].entry(path) for path in share])

"""What changed too shortly before it was looked at to be told apart by its times is told by what is in it."""

from __future__ import annotations

import os
from hashlib import sha256

from skillc.store.marks import RACY, listing
from skillc.store.output import HERE, output_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from skillc.store.log import Sheet
    from skillc.store.quick import Standing

MOST = 100
"""More rows than this are not opened one by one."""


def is_settled(found: Standing, build: str) -> bool:
    """Whether all that by its times is not as it was is so by what is in it; nothing else may have another mark. `build` is
    the folder of the output, below the workspace. Where links are, nothing is settled: they are followed with care."""
    if sum(len(seen) + len(made) for seen, made in found.changes) > MOST:
        return False
    target = os.path.join(found.folder, *build.split("/"))
    for number, (seen, made) in enumerate(found.changes):
        if seen or made:
            sheet = found.opened.sheet(number)
            if sheet is None or not _is_same(sheet, found.folder, target, seen, made):
                return False
    return True


def _is_same(sheet: Sheet, root: str, target: str, seen: list[int], made: list[int]) -> bool:
    sources = (sheet.source(row) for row in seen)
    written = (sheet.output(row) for row in made)
    return all(
        mark == RACY and _digest(os.path.join(root, name)) == digest for name, mark, digest in sources
    ) and all(
        mark == RACY
        and (
            _holds(sheet, target, name)
            if name.endswith(f"/{HERE}")
            else _digest(os.path.join(target, name)) == digest
        )
        for name, mark, digest in written
    )


def _holds(sheet: Sheet, target: str, name: str) -> bool:
    """Whether a folder of output has nothing of ours in it that is not known."""
    folder = name.removesuffix(HERE)
    return set(sheet.outputs).issuperset(
        folder + inner for inner in output_names(os.path.join(target, folder))
    )


def _digest(path: str) -> bytes | None:
    """The digest of a file, or of the entries of a folder; None where there is neither, and where there are links."""
    try:
        if os.path.isdir(path):
            entries = _entries(path)
            return None if entries is None else sha256(listing(entries)).digest()
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return sha256(file.read()).digest()
    except (OSError, UnicodeEncodeError):
        pass
    return None


def _entries(folder: str) -> list[tuple[str, str, None]] | None:
    """What stands in a folder, files and folders only."""
    found: list[tuple[str, str, None]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            entry.name.encode()
            is_file = entry.is_file(follow_symlinks=False)
            if not is_file and not entry.is_dir(follow_symlinks=False):
                return None
            found.append((entry.name, "file" if is_file else "dir", None))
    return sorted(found)

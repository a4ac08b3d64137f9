"""Whether what lies in the build folder is what the sources say, without writing anything."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping

from skillc.engine.run import Run
from skillc.store.output import (
    INDEX,
    STALE,
    built_packages,
    index_of,
    indexed,
    is_unmarked,
    output_folder,
    output_names,
)
from skillc.value import value


@value
class Difference:
    """A file of the build folder, by its path there: `missing`, `changed` or `extra`."""

    path: str
    kind: str


def differences(build: str, made: Run, broken: Collection[str], everything: bool) -> Iterator[Difference]:
    """What a build would write otherwise, by package, then by name. `made` is a run that compiled; a package in
    `broken` keeps what it has, marked stale. With `everything` the run was over all packages, and what others left is too much."""
    there = {*built_packages(build), *indexed(build)} if everything else set()
    for path in sorted({*there, *made.outcomes}):
        folder = output_folder(build, path)
        if path in broken:
            if is_unmarked(build, path):
                yield Difference(f"{path}/{STALE}", "missing")
        elif path not in made.outcomes:
            yield from (Difference(f"{path}/{name}", "extra") for name in output_names(folder))
        elif path in made.files:
            yield from _compared(path, folder, made.files[path])
    if everything and not _is_index(build):
        yield Difference(INDEX, "changed" if os.path.exists(os.path.join(build, INDEX)) else "missing")


def _is_index(build: str) -> bool:
    """Whether the index is that of the plans that are there."""
    try:
        with open(os.path.join(build, INDEX), "rb") as file:
            return file.read() == index_of(build)
    except OSError:
        return False


def _compared(path: str, folder: str, files: Mapping[str, bytes]) -> Iterator[Difference]:
    for name in sorted({*files, *output_names(folder)}):
        if name not in files:
            yield Difference(f"{path}/{name}", "extra")
            continue
        try:
            with open(os.path.join(folder, name), "rb") as file:
                same = file.read() == files[name]
        except (FileNotFoundError, NotADirectoryError):
            yield Difference(f"{path}/{name}", "missing")
            continue
        except OSError:
            same = False
        if not same:
            yield Difference(f"{path}/{name}", "changed")

"""What a run made, brought to the disk: the output first, then the index, then what is to be known the next time."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from hashlib import sha256

from skillc.engine.look import MADE
from skillc.engine.output import file_row, output_rows
from skillc.engine.run import Run
from skillc.engine.saving import save
from skillc.engine.state import Kept, Known, Stored, now, prepare
from skillc.store.files import sweep
from skillc.store.lock import Held, locked
from skillc.store.output import (
    INDEX,
    Plans,
    is_unmarked,
    mark_stale,
    output_folder,
    plans_of,
    remove_others,
    write_index,
    write_package,
)
from skillc.store.quick import STATE
from skillc.value import replace, value

LOCK = "lock"


@value
class Written:
    """How many packages have other files than before, and how many stand as they were."""

    changed: int
    current: int


def write(
    root: str,
    build: str,
    done: Run,
    broken: Collection[str],
    everything: bool,
    words: tuple[str, ...] = (),
    waiting: Callable[[str], None] | None = None,
    without: Callable[[OSError], None] | None = None,
) -> Written:
    """Bring the folder `build` (absolute) up to date with a run that compiled, and keep what is known of it.

    Packages in `broken` keep what was built of them before, marked stale. With `everything` the run was over all
    packages there are, and the output of others is removed; `words` are then kept for a run that finds all of it as it
    is left now. `without` is told once of what hinders that anything is kept. Raises OSError where the output cannot be
    written; each file of it is whole then, as it was or as it is to be.
    """
    with _alone(root, waiting, without) as keeping:
        changed = 0
        for path in sorted({*done.outcomes, *broken}):
            if path in broken:
                mark_stale(build, path)
            elif path in done.files:
                changed += write_package(build, path, done.files[path])
        if everything:
            remove_others(build, {*done.outcomes, *broken}, done.gone)
        write_index(build, _known_plans(build, done, broken))
        if keeping:
            for folder in (build, os.path.join(root, STATE)):
                sweep(folder)
            kept = _with_output(root, build, done, broken)
            try:
                save(root, replace(kept, frame=(*kept.frame, *(words if everything else ()))))
            except OSError as error:
                _tell(without, error)
    return Written(changed, len(done.outcomes) - len(set(done.outcomes) & set(broken)) - changed)


def write_single(root: str, build: str, path: str, files: Mapping[str, bytes] | None) -> None:
    """Bring the output of the package `path` up to date; where it has errors (no `files`), the older one is marked stale.
    Raises OSError as `write` does."""
    if files is None and not is_unmarked(build, path):
        return
    with _alone(root):
        if files is None:
            mark_stale(build, path)
        else:
            write_package(build, path, files)
        write_index(build)


def keep(root: str, done: Run) -> None:
    """Keep what a run found out that wrote no output, if it found anything out; not where somebody else writes."""
    if all(decision.did != MADE for decision in done.decisions):
        return
    try:
        prepare(root)
        with locked(os.path.join(root, STATE, LOCK), patience=0):
            save(root, done.kept)
    except OSError:
        return


@contextmanager
def _alone(
    root: str,
    waiting: Callable[[str], None] | None = None,
    without: Callable[[OSError], None] | None = None,
) -> Iterator[bool]:
    """The lock of the workspace, and whether anything can be kept there. Where the folder for it or the lock cannot be
    written, a build goes on without: each file is written whole, and nothing needs what would have been kept."""
    with ExitStack() as held:
        keeping = True
        try:
            prepare(root)
            held.enter_context(locked(os.path.join(root, STATE, LOCK), waiting))
        except Held:
            raise
        except OSError as error:
            keeping = False
            _tell(without, error)
        yield keeping


def _tell(without: Callable[[OSError], None] | None, error: OSError) -> None:
    if without:
        without(error)


def _known_plans(build: str, done: Run, broken: Collection[str]) -> Plans:
    """The plans that stand as the last build left them, as its index tells of them; none where the index is another one,
    since then somebody has built meanwhile."""
    left = done.kept.beside.get(INDEX)
    try:
        with open(os.path.join(build, INDEX), "rb") as file:
            index = file.read()
    except OSError:
        return {}
    if left is None or sha256(index).digest() != left[1]:
        return {}
    records = done.kept.records
    return {
        path: plan
        for path, plan in plans_of(index).items()
        if path not in broken and _is_as_left(records.get(path))
    }


def _is_as_left(record: Known | None) -> bool:
    """Whether the output of a package is as the last build left it, by its times."""
    return isinstance(record, Stored) and record.has_output and record.is_output


def _with_output(root: str, build: str, done: Run, broken: Collection[str]) -> Kept:
    """What is known, with the rows of what lies in the build folder now. A package that only something outside of it
    keeps from being built is looked at again the next time."""
    time = now(root)
    records = dict(done.kept.records)
    for path, outcome in done.outcomes.items():
        record = records[path]
        if path in broken:
            if not isinstance(record, Stored) or record.has_output or record.compiled != outcome.has_errors:
                records[path] = replace(record.whole(), made={}, compiled=outcome.has_errors)
        elif not _is_as_left(record):
            records[path] = replace(record.whole(), made=output_rows(output_folder(build, path), time))
    for path in records.keys() & set(broken) - done.outcomes.keys():
        records[path] = replace(records[path].whole(), made={}, compiled=False)
    index = file_row(os.path.join(build, INDEX), time)
    return replace(done.kept, records=records, beside={INDEX: index} if index else {})

"""What a run made, brought to the disk: the output first, then the index, then what is to be known the next time."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from skillc.engine.look import MADE
from skillc.engine.output import HERE, output_rows
from skillc.engine.run import Run
from skillc.engine.saving import save
from skillc.engine.state import Kept, Stored, now, prepare, stat_row
from skillc.store.lock import locked
from skillc.store.marks import changed
from skillc.store.output import (
    INDEX,
    PLAN,
    STALE,
    Plans,
    mark_stale,
    output_folder,
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
) -> Written:
    """Bring the folder `build` (absolute) up to date with a run that compiled, and keep what is known of it.

    Packages in `broken` keep what was built of them before, marked stale. With `everything` the run was over all
    packages there are, and the output of others is removed; `words` are then kept for a run that finds all of it as it
    is left now. Raises OSError; what was there before is intact then.
    """
    with _alone(root, waiting) as keeping:
        changed = 0
        for path in sorted(done.outcomes):
            if path in broken:
                mark_stale(build, path)
            elif path in done.files:
                changed += write_package(build, path, done.files[path])
        if everything:
            remove_others(build, set(done.outcomes))
        write_index(build, _known_plans(build, done))
        if keeping:
            kept = _with_output(root, build, done, broken)
            save(root, replace(kept, frame=(*kept.frame, *(words if everything else ()))))
    return Written(changed, len(done.outcomes) - len(set(done.outcomes) & set(broken)) - changed)


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
def _alone(root: str, waiting: Callable[[str], None] | None) -> Iterator[bool]:
    """The lock of the workspace, and whether anything can be kept there. Where the folder for it cannot be written, a
    build goes on without: each file is written whole, and nothing needs what would have been kept."""
    try:
        prepare(root)
    except OSError:
        yield False
        return
    with locked(os.path.join(root, STATE, LOCK), waiting):
        yield True


def _known_plans(build: str, done: Run) -> Callable[[], Plans]:
    """The plans that were as they had been written when the run looked at them, in folders in which nobody has written
    since: a build writes no file without another entry for it."""
    plans: dict[str, tuple[str, bool]] = {}
    folders: list[str] = []
    marks: list[int] = []
    for path, record in done.kept.records.items():
        if not isinstance(record, Stored) or not record.is_output:
            continue
        plan, here = record.written(PLAN), record.written(HERE)
        if plan and here:
            plans[path] = f"sha256:{plan[1].hex()}", record.written(STALE) is not None
            folders.append(output_folder(build, path))
            marks.append(here[0])

    def known() -> Plans:
        others = set(changed(folders, marks))
        return {path: plan for at, (path, plan) in enumerate(plans.items()) if at not in others}

    return known


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
        elif not isinstance(record, Stored) or not record.has_output or not record.is_output:
            records[path] = replace(record.whole(), made=output_rows(output_folder(build, path), time))
    index = stat_row(os.path.join(build, INDEX), time)
    return replace(done.kept, records=records, beside={INDEX: index} if index else {})

"""`skillc why`: which input made a package be compiled anew, and what came out otherwise."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN, Stop
from skillc.cli.language import add_language_option, words
from skillc.cli.looking import options_of
from skillc.cli.place import find_package, find_place, split_worker
from skillc.engine.look import MADE, Look
from skillc.engine.reasons import told_of
from skillc.engine.state import Record
from skillc.engine.survey import survey
from skillc.wording import said_in, say, series

EPILOG = Epilog(
    say(
        "A package is compiled when a file of it changed, what the workspace gives to all packages, the settings, the "
        "compiler, or when its output is not as it was left. The reasons are those of the moment when it was decided."
    ),
    examples("skillc why basic", "skillc why basic:outline"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("package", metavar="PACKAGE[:WORKER]", help=say("as in basic or basic:outline"))
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    place = find_place([])
    name, worker = split_worker(args.package)
    path = find_package(place, name)
    stands = survey(place.root, options_of(place), True, frozenset({path}))
    (look,) = stands.looks or (None,)
    if look is None:
        raise Stop(say("`{path}` is no package", path=path))
    kept = stands.old.records.get(path)
    record = kept.whole() if kept else None
    if worker is not None:
        _known(path, worker, record)
    outcome = stands.outcomes.get(path)
    for line in _told(path, worker, look, record, outcome is not None and outcome.has_errors):
        sys.stdout.write(said_in(words(args, place), line) + "\n")
    return CLEAN


def _known(path: str, worker: str, record: Record | None) -> None:
    from skillc.engine.outcome import worker_digests

    workers = (worker_digests(record.outcome) if record else None) or {}
    if workers and worker not in workers:
        names = series(f"`{id}`" for id in sorted(workers))
        raise Stop(
            say("`{path}` has no worker `{worker}`; it has {names}", path=path, worker=worker, names=names)
        )


def _told(path: str, worker: str | None, look: Look, record: Record | None, is_broken: bool) -> Iterable[str]:
    """First what a build would do now, then what the last one did."""
    if record is None or not record.compiled:
        yield say("`{path}` was not compiled yet: the next build does it", path=path)
        return
    if look.did == MADE:
        yield say("the next build compiles `{path}`:", path=path)
        yield from (say("  {reason}", reason=told) for told in told_of(look.reasons))
    elif is_broken:
        yield say(
            "`{path}` has errors, so nothing is compiled of it: `skillc check {path}` tells them", path=path
        )
        return
    else:
        yield say("`{path}` is up to date", path=path)
    yield say("the last time it was compiled because:")
    yield from (say("  {reason}", reason=told) for told in told_of(record.reasons))
    yield _came_out(worker, record)


def _came_out(worker: str | None, record: Record) -> str:
    if record.changed is None:
        return say("all of it came out for the first time")
    if worker is not None:
        return (
            say("`{worker}` came out otherwise than before", worker=worker)
            if worker in record.changed
            else say("`{worker}` came out as before", worker=worker)
        )
    if not record.changed:
        return say("every worker came out as before")
    return say("came out otherwise than before: {names}", names=series(f"`{id}`" for id in record.changed))

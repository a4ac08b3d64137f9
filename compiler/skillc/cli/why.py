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
from skillc.engine.state import Built, Record
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
    workers = record.built.workers if record and record.built else {}
    if workers and worker not in workers:
        names = series(f"`{id}`" for id in sorted(workers))
        raise Stop(
            say("`{path}` has no worker `{worker}`; it has {names}", path=path, worker=worker, names=names)
        )


def _told(path: str, worker: str | None, look: Look, record: Record | None, is_broken: bool) -> Iterable[str]:
    """First what a build would do now, then what the last one did."""
    built = record.built if record else None
    if record is None or not (record.compiled or built):
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
    if built is None:
        return
    yield say("the last time it was compiled because:")
    yield from (say("  {reason}", reason=told) for told in told_of(built.reasons))
    yield _came_out(worker, built)


def _came_out(worker: str | None, built: Built) -> str:
    if built.changed is None:
        return say("all of it came out for the first time")
    if worker is not None:
        return (
            say("`{worker}` came out otherwise than before", worker=worker)
            if worker in built.changed
            else say("`{worker}` came out as before", worker=worker)
        )
    if not built.changed:
        return say("every worker came out as before")
    return say("came out otherwise than before: {names}", names=series(f"`{id}`" for id in built.changed))

"""`skillc compat`: whether suspended sessions of one state go on with the plans of another (SPEC 12.8)."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator

from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN, FINDINGS, INTERNAL, USAGE, Stop
from skillc.cli.forms import add_form_options
from skillc.cli.language import add_language_option, language
from skillc.cli.output import emit
from skillc.cli.sides import open_side
from skillc.compare import Compat, Waiting, compatible
from skillc.engine.checks import Checks
from skillc.report.language import Words, words_of
from skillc.report.visible import visible
from skillc.wording import said_in, say

EPILOG = Epilog(
    say(
        "A session that waits for answers to a worker goes on only with the plan that the worker had when it asked; it is "
        "refused where that changed, unless it is resumed with --accept-change. Changes of other workers never stop it."
    ),
    say(
        "OLD and NEW are what they are for skillc diff: a git revision, a workspace, or a build output. Without NEW, the "
        "files as they lie here are taken. With --store, the sessions that are there decide."
    ),
    say("exit codes: 0 all survive, 1 some do not or nobody knows, 2 usage, 3 it could not be done"),
    examples(
        ("skillc compat build", say("before a build: whom would it strand?")),
        ("skillc compat v1 v2 --store .skillc/sessions.sqlite3", say("which sessions, by their ids")),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help=say("a revision, a workspace or a build output"))
    parser.add_argument(
        "new", metavar="NEW", nargs="?", help=say("the other one (default: the files as they lie here)")
    )
    parser.add_argument("--store", metavar="FILE|URL", help=say("a store of sessions; it is only read"))
    add_form_options(parser)
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    words = words_of(language(args, None, args.format))
    waiting = None if args.store is None else tuple(_waiting(args.store))
    checks = Checks()
    found = compatible(open_side(args.old, checks), open_side(args.new, checks), waiting)
    emit(args.format, _json(found) if args.format == "json" else _text(found, words))
    return CLEAN if found.survive else FINDINGS


def _waiting(path: str) -> Iterator[Waiting]:
    """The sessions of a store that are not over, oldest first."""
    from skillc.execute.postgres import is_url
    from skillc.execute.store import StoreCorrupt, StoreError, open_store
    from skillc.execute.temporary import made, making

    if not is_url(path) and not os.path.isfile(path):
        raise Stop(say("there is no store `{path}`", path=path))
    try:
        store = open_store(path, only_read=True)
        for summary in store.sessions():
            if summary.phase == "done":
                continue
            record = store.load(summary.id)
            pending = record.progress.pending
            turn = pending.turn if pending else None
            found = next((row for row in made(record.decisions) if turn and row.worker == turn.worker), None)
            yield Waiting(
                summary.id,
                summary.package,
                turn.worker if turn else None,
                turn.role if turn else None,
                pending.reason if pending else None,
                pending.plan_digest if pending else None,
                making(found) if found else None,
            )
    except StoreError as problem:
        code = INTERNAL if isinstance(problem, StoreCorrupt) else USAGE
        raise Stop(str(problem), code) from problem


def _json(found: Compat) -> str:
    from skillc.compare.compat import compat_data

    return json.dumps(compat_data(found), ensure_ascii=False, indent=2) + "\n"


def _text(found: Compat, words: Words) -> str:
    from skillc.compare.compattelling import compat_lines

    return "".join(f"{visible(said_in(words, line))}\n" for line in compat_lines(found))

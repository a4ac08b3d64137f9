"""What a new session of a Book begins with: `skillc run PACKAGE --book NAME [--load [SESSION]|--fresh]`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from skillc.cli.errors import Stop
from skillc.cli.shelf import find_book, find_session
from skillc.execute.bookledger import check_takes
from skillc.execute.bookload import Loaded
from skillc.execute.store import Store
from skillc.runtime import RunnablePlan
from skillc.value import value
from skillc.wording import say, series

ALL = ""
"""`--load` without a session: of each tag the text that was confirmed last, whoever wrote it."""


@value
class Beginning:
    """The Book, and the session whose texts are loaded; `load` is None where none are."""

    book: str
    load: str | None


def add_book_options(parser: argparse.ArgumentParser) -> None:
    """`--book`, `--load`, `--fresh`."""
    parser.add_argument("--book", metavar="BOOK", help=say("the new session belongs to this Book"))
    loading = parser.add_mutually_exclusive_group()
    loading.add_argument(
        "--load",
        nargs="?",
        const=ALL,
        metavar="SESSION",
        help=say("begin with what the Book has confirmed (the default), or with that of one session"),
    )
    loading.add_argument("--fresh", action="store_true", help=say("begin with nothing of the Book"))


def beginning_of(args: argparse.Namespace) -> Beginning | None:
    """What the options say; None where no Book is named. Refuses to load from no Book."""
    if not args.book and (args.fresh or args.load is not None):
        raise Stop(say("`--load` and `--fresh` are about the texts of a Book: give --book, too"))
    if not args.book:
        return None
    empty = args.fresh or (args.board and args.load is None)
    return Beginning(args.book, None if empty else args.load or ALL)


def begin(
    choice: Beginning | None,
    store: Store,
    plan: RunnablePlan,
    board: Mapping[str, object] | None,
    tell: Callable[[str], None],
) -> tuple[str | None, Mapping[str, object] | None]:
    """The id of the Book, and the board of the new session; what is loaded is told. Refuses a Book or a session that
    is not there."""
    if choice is None:
        return None, board
    book, record = find_book(store, choice.book)
    check_takes(record, plan.package.path)
    if choice.load is None:
        return book.id, board
    session = find_session(store, choice.load).id if choice.load else None
    loaded = book.load(plan, session)
    for line in _told(loaded, record.name):
        tell(line)
    given = [*_items(loaded.board), *_items(board)]
    return book.id, {**(board or {}), "items": given}


def _items(board: Mapping[str, object] | None) -> list[object]:
    items = (board or {}).get("items")
    return list(items) if isinstance(items, list | tuple) else []


_WHY = {
    "passing": say("it belongs to the play that wrote it"),
    "unread": say("nobody in this package reads it"),
    "unlabelled": say("it is kept from some who read it, and this package does not say from whom"),
}


def _told(loaded: Loaded, name: str) -> list[str]:
    tags = series(dict.fromkeys(fact.tag for fact in loaded.facts))
    lines: list[str] = [say("loads from {book}: {tags}", book=name, tags=tags)] if tags else []
    for why, said in _WHY.items():
        tags = series(dict.fromkeys(left.tag for left in loaded.left if left.why == why))
        lines += [say("does not load {tags}: {why}", tags=tags, why=said)] if tags else []
    return lines

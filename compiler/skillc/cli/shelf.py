"""The store behind `skillc book` and `skillc session`: opened, asked for a Book or a session by name or prefix."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TypeVar

from skillc.cli.errors import FINDINGS, INTERNAL, USAGE, Stop
from skillc.cli.place import find_place
from skillc.cli.storing import store_of, told_store
from skillc.execute.book import Book, books
from skillc.execute.booknames import alike
from skillc.execute.bookrecords import BookRecord, Fact
from skillc.execute.postgres import is_url, without_password
from skillc.execute.records import SessionRecord, SessionSummary
from skillc.execute.spread.plans import plan_of
from skillc.execute.store import Store, StoreConflict, StoreCorrupt, StoreError, open_store
from skillc.runtime import RunnablePlan
from skillc.wording import say, series


@contextmanager
def opened(args: argparse.Namespace, makes: bool = False) -> Iterator[Store]:
    """The store that `args` mean. Refuses one that is not there, unless the command `makes` it; what the store says
    ends the command with its exit code: 1 somebody was quicker, 2 it cannot be used, 3 it is damaged."""
    with refusals():
        where = store_at(args)
        if not makes and not is_url(where) and not os.path.exists(where):
            raise Stop(say("there are no sessions yet: `{path}` is not there", path=where))
        with closing(open_store(where)) as store:
            yield store


@contextmanager
def refusals() -> Iterator[None]:
    """What a store or a Book refuses, as the end of the command."""
    try:
        yield
    except StoreError as problem:
        damaged, late = isinstance(problem, StoreCorrupt), isinstance(problem, StoreConflict)
        code = INTERNAL if damaged else FINDINGS if late else USAGE
        raise Stop(str(problem), code) from problem


def store_at(args: argparse.Namespace) -> str:
    """Where the store is: a workspace is needed only where nothing else says it."""
    named: str | None = args.store if args.store is not None else told_store()
    return named if named and named.strip() else store_of(find_place([]), named)


def again(args: argparse.Namespace) -> list[str]:
    """The option that names the store, for a command that is told to the user."""
    return ["--store", without_password(args.store)] if args.store else []


def find_book(store: Store, name: str) -> tuple[Book, BookRecord]:
    """The Book that the user names by its name or one that reads the same, its id, or the beginning of the id."""
    there = books(store)
    found = next((one for one in there if name in (one.name, one.id)), None)
    if found is None:
        found = next((one for one in there if alike(one.name, name)), None)
    if found is None:
        record = _one([one for one in there if one.id.startswith(name)], name)
        found = record
    if found is None:
        names = series(f"`{one.name}`" for one in there) or say("none")
        raise Stop(say("there is no Book `{name}`; there are: {names}", name=name, names=names))
    return Book(store, found.id), found


def find_session(store: Store, name: str) -> SessionSummary:
    """The session that the user names by its id, or the beginning of it."""
    there = store.sessions()
    found = next((one for one in there if one.id == name), None)
    if found is None:
        found = _one([one for one in there if one.id.startswith(name)], name)
    if found is None:
        newest = series(f"`{one.id}`" for one in there[:-6:-1]) or say("none")
        raise Stop(
            say("there is no session `{name}`; the newest are: {sessions}", name=name, sessions=newest)
        )
    return found


_Any = TypeVar("_Any", BookRecord, SessionSummary)


def _one(found: Sequence[_Any], name: str) -> _Any | None:
    if len(found) > 1:
        ids = series(f"`{one.id}`" for one in found)
        raise Stop(say("`{name}` is ambiguous: say more of one of {ids}", name=name, ids=ids))
    return found[0] if found else None


def day(at: str) -> str:
    """A time as people read it, in UTC to the minute."""
    return at[:16].replace("T", " ")


def kept_plan(store: Store, record: SessionRecord) -> RunnablePlan | None:
    """The plan that a session runs on, if the store keeps it: of an older session it does not."""
    try:
        return plan_of(store, record.progress.fingerprint, record.package)
    except StoreCorrupt:
        raise
    except StoreError:
        return None


def confirmed(store: Store, book: Book) -> tuple[Fact, ...]:
    """What counts of a Book now. What the user said to the startup inquiry of a package is of it, whatever its tag: a new
    session of that package does not ask again."""
    newest = {one.package: one.id for one in book.sessions()}
    plans = [kept_plan(store, store.load(id)) for id in newest.values()]
    return book.confirmed(
        targets={tag for plan in plans if plan and plan.startup for tag in plan.startup.targets}
    )

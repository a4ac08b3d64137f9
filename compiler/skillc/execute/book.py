"""A Book: one project, and all that its sessions confirmed (SPEC 14).

book = Book.create(store, "留真", "novel")
Session.open(store, plan, client, book=book.id, board=book.load(plan).board)
book.save("第一章定稿", session.id)
book.restore("第一章定稿")             # a new session, as it was then
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, RowMapping

from skillc.artifact.plan import Plan
from skillc.execute.assetfile import asset_file, read_assets
from skillc.execute.bookfacts import SessionRows, fact_of, standing
from skillc.execute.bookledger import (
    BookRefused,
    append_book,
    book_rows,
    find_book,
    fork,
    insert_book,
    position,
    read_book,
    session_row,
)
from skillc.execute.bookload import Loaded, is_wanted, load, wanted_by
from skillc.execute.booknames import composed, name_fault
from skillc.execute.bookrecords import BookRecord, DatedSave, Fact, StateRow, Trace
from skillc.execute.booktraces import book_traces, traces_of
from skillc.execute.border import fresh_session_id
from skillc.execute.ledger import directory, read_entries, summary_of
from skillc.execute.records import Record, SessionRecord, SessionSummary
from skillc.execute.store import Store

KINDS = ("novel", "dialogue")


def books(store: Store) -> tuple[BookRecord, ...]:
    """All Books of `store`, oldest first, archived ones too."""
    return store.read(lambda at: tuple(read_book(at, row) for row in book_rows(at)))


def fork_session(store: Store, session_id: str) -> SessionRecord:
    """A new session with all that the session `session_id` has now, in the same Book; both go on by themselves."""
    new_id = fresh_session_id()
    return store.write(lambda at, now: fork(at, position(at, session_id, ""), new_id, now))


def rows_of(store: Store, session_id: str) -> SessionRows:
    """The rows of one session, checked."""
    return store.read(lambda at: _rows(at, session_id))


def _rows(connection: Connection, session_id: str) -> SessionRows:
    row = session_row(connection, session_id)
    entries = read_entries(connection, row)
    return SessionRows(session_id, row["package"], entries, row["forked_entries"] or 0)


class Book:
    """One Book of a store. It holds no state: each call reads what is there, and writes whole or not at all."""

    def __init__(self, store: Store, book_id: str) -> None:
        self._store = store
        self.id = book_id

    @classmethod
    def create(cls, store: Store, name: str, kind: str) -> Book:
        """A new Book; the kind of its packages is fixed. Refuses a name that is none or reads like that of another Book,
        an unknown kind."""
        if kind not in KINDS:
            raise BookRefused(f"a Book is for {' or '.join(KINDS)}, not for `{kind}`")
        name = composed(name)
        fault = name_fault(name)
        if fault is not None:
            raise BookRefused(fault)
        book_id = fresh_session_id()
        store.write(lambda at, now: insert_book(at, book_id, name, kind, now))
        return cls(store, book_id)

    @property
    def record(self) -> BookRecord:
        """The Book as it is stored."""
        return self._store.read(lambda at: find_book(at, self.id))

    def archive(self) -> None:
        """Put the Book away: it keeps all it has and takes no new sessions. Refuses one that is put away."""
        self._turn(True)

    def unarchive(self) -> None:
        """Take the Book up again. Refuses one that is not archived."""
        self._turn(False)

    def _turn(self, archived: bool) -> None:
        def change(connection: Connection, now: str) -> None:
            book = find_book(connection, self.id, lock=True)
            if book.archived is archived:
                raise BookRefused(
                    f"the Book `{book.name}` is archived already"
                    if archived
                    else f"the Book `{book.name}` is not archived"
                )
            append_book(connection, self.id, "states", StateRow(archived=archived), now)

        self._store.write(change)

    def sessions(self) -> tuple[SessionSummary, ...]:
        """Its sessions, oldest first."""
        return self._store.read(lambda at: tuple(map(summary_of, self._lines(at))))

    def _lines(self, connection: Connection) -> list[RowMapping]:
        """Those of its sessions. Each line of the store is checked: one that was moved out of the Book is damage."""
        return [row for row in directory(connection) if summary_of(row).book == self.id]

    def facts(self, session: str | None = None, targets: Iterable[str] = ()) -> tuple[Fact, ...]:
        """All that was confirmed in it, oldest first; of `session` alone, then with what that one began with."""
        wanted = tuple(targets)

        def look(connection: Connection) -> tuple[Fact, ...]:
            if session is not None:
                _own(connection, self.id, session)
                return tuple(_rows(connection, session).facts(whole=True, targets=wanted))
            found = [fact_of(asset) for asset in find_book(connection, self.id).assets]
            for row in self._lines(connection):
                found += _rows(connection, row["id"]).facts(targets=wanted)
            return tuple(sorted(found, key=lambda fact: fact.at))

        return self._store.read(look)

    def confirmed(self, session: str | None = None, targets: Iterable[str] = ()) -> tuple[Fact, ...]:
        """What counts now: of each tag what the session has that confirmed it last (or the file that it was imported
        with), or what `session` has. So a fork, and a session that began anew, stand for themselves."""
        wanted = tuple(targets)
        if session is not None:
            return standing(self.facts(session, wanted))

        def look(connection: Connection) -> tuple[Fact, ...]:
            assets = find_book(connection, self.id).assets
            imported = [(f"\n{asset.at}", fact_of(asset)) for asset in assets]
            rows = {row["id"]: _rows(connection, row["id"]) for row in self._lines(connection)}
            own = [(id, fact) for id, one in rows.items() for fact in one.facts(targets=wanted)]
            last: dict[str, str] = {}
            for place, fact in sorted([*imported, *own], key=lambda pair: pair[1].at):
                last.pop(fact.tag, None)
                last[fact.tag] = place
            whole = {id: standing(one.facts(whole=True, targets=wanted)) for id, one in rows.items()}
            for place, fact in imported:
                whole[place] = standing([*whole.get(place, ()), fact])
            return tuple(fact for tag, place in last.items() for fact in whole[place] if fact.tag == tag)

        return self._store.read(look)

    def load(self, plan: Plan, session: str | None = None) -> Loaded:
        """What a new session of `plan` may begin with of what is confirmed, in the Book or in `session`."""
        targets = plan.startup.targets if plan.startup else ()
        return load(self.confirmed(session, targets), plan, self.record.name)

    def traces(self) -> tuple[Trace, ...]:
        """What happened in it, oldest first."""

        def look(connection: Connection) -> tuple[Trace, ...]:
            found = list(book_traces(find_book(connection, self.id)))
            for row in self._lines(connection):
                kind = "forked" if row["forked_from"] else "begun"
                begun = Trace(at=row["created_at"], kind=kind, session=row["id"], who=row["package"])
                found += [
                    begun.model_copy(update={"text": row["forked_from"] or ""}),
                    *traces_of(_rows(connection, row["id"])),
                ]
            return tuple(sorted(found, key=lambda trace: trace.at))

        return self._store.read(look)

    def save(self, name: str, session_id: str) -> DatedSave:
        """Give the present position of a session of the Book a name. Refuses a name that reads like one that the Book
        has."""
        name = composed(name)
        fault = name_fault(name)
        if fault is not None:
            raise BookRefused(fault)

        def change(connection: Connection, now: str) -> DatedSave:
            book = find_book(connection, self.id, lock=True)
            _own(connection, self.id, session_id)
            there = book.save_named(name)
            if there is not None:
                raise BookRefused(f"the Book `{book.name}` has a save `{there.name}` already")
            place = position(connection, session_id, name)
            append_book(connection, self.id, "saves", place, now)
            return DatedSave(at=now, row=place)

        return self._store.write(change)

    def restore(self, name: str) -> SessionRecord:
        """A new session as that of the save was then; the other one stays as it is."""

        def change(connection: Connection, now: str) -> SessionRecord:
            book = find_book(connection, self.id, lock=True)
            place = book.save_named(name)
            if place is None:
                there = ", ".join(f"`{one.row.name}`" for one in book.saves) or "none"
                raise BookRefused(f"the Book `{book.name}` has no save `{name}`; there are: {there}")
            return fork(connection, place, new_id, now)

        new_id = fresh_session_id()
        return self._store.write(change)

    def export(self, facts: Sequence[Fact]) -> str:
        """The file that takes `facts` to another Book. It holds what it is given: who calls decides what that is."""
        return asset_file(self.record, facts)

    def take(self, value: object, plan: Plan | None = None) -> tuple[str, ...]:
        """Import the texts of an exported file, all or none; the tags. Refuses a file that was changed, and, where a
        `plan` is given, texts that none of its workers reads. A text that the Book imported before is not taken twice."""
        rows = read_assets(value)
        wanted = wanted_by(plan) if plan else []
        unread = next((row.tag for row in rows if plan and not is_wanted(row.tag, wanted)), None)
        if plan is not None and unread is not None:
            raise BookRefused(f"no worker of `{plan.package.path}` reads `{unread}`")

        def change(connection: Connection, now: str) -> tuple[str, ...]:
            book = find_book(connection, self.id, lock=True)
            if book.archived:
                raise BookRefused(f"the Book `{book.name}` is archived: it takes no texts")
            known = {(asset.row.tag, asset.row.digest) for asset in book.assets}
            fresh = [row for row in rows if (row.tag, row.digest) not in known]
            for number, row in enumerate(fresh, len(book.assets) + 1):
                named: Record = row.model_copy(update={"id": f"x{number}"})
                append_book(connection, self.id, "assets", named, now)
            return tuple(row.tag for row in fresh)

        return self._store.write(change)


def _own(connection: Connection, book_id: str, session_id: str) -> None:
    if session_row(connection, session_id)["book_id"] != book_id:
        name = find_book(connection, book_id).name
        raise BookRefused(f"session `{session_id}` is not of the Book `{name}`")

"""The rows of Books as chains of digests, and the rows of a session in another one: connections in, records out."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, RowMapping, insert, literal, select, update

from skillc.execute import bookrecords, schema
from skillc.execute.booknames import alike
from skillc.execute.bookrecords import BookRecord, SaveRow
from skillc.execute.faults import Damage, StoreError, UnknownSession
from skillc.execute.ledger import (
    START,
    content_digest,
    directory,
    insert_session,
    line_of,
    link_digest,
    read_session,
    version_row,
)
from skillc.execute.records import Progress, Record, SessionRecord

_ROW_TYPES: Mapping[str, type[Record]] = {
    "states": bookrecords.StateRow,
    "assets": bookrecords.AssetRow,
    "saves": bookrecords.SaveRow,
}


class BookRefused(StoreError):
    """What is asked of a Book cannot be; one sentence."""


def book_rows(connection: Connection) -> list[RowMapping]:
    """The lines of all Books, oldest first, checked: none is missing, none was altered."""
    version = connection.execute(select(schema.SCHEMA_VERSION)).mappings().one()
    rows = connection.execute(select(schema.BOOKS).order_by(schema.BOOKS.c.number)).mappings().all()
    head = START
    for number, row in enumerate(rows, 1):
        head = _book_link(head, number, row)
        _check_line(row)
    if len(rows) != (version["books"] or 0) or head != (version["books_head"] or START):
        raise Damage("a Book is missing or was altered")
    return list(rows)


def _check_line(row: RowMapping) -> None:
    if row["digest"] != _line_digest(row):
        raise Damage(f"the Book `{row['id']}` does not fit its digest")


def _book_link(head: str, number: int, row: Mapping[str, object] | RowMapping) -> str:
    fixed = [row[name] for name in ("id", "name", "kind", "created_at")]
    return content_digest(schema.to_json([head, number, *fixed]))


def _line_digest(row: Mapping[str, object] | RowMapping) -> str:
    names = [column.name for column in schema.BOOKS.c if column.name != "digest"]
    return content_digest(schema.to_json([row[name] for name in names]))


def insert_book(connection: Connection, book_id: str, name: str, kind: str, now: str) -> None:
    """The line of a new Book. Refuses a name that reads like that of another one, an archived one too."""
    version_row(connection, lock=True)
    rows = book_rows(connection)
    taken = next((row["name"] for row in rows if alike(row["name"], name)), None)
    if taken is not None:
        raise BookRefused(f"there is a Book `{taken}` already")
    line: dict[str, object] = {
        "id": book_id,
        "number": len(rows) + 1,
        "name": name,
        "kind": kind,
        "created_at": now,
        "revision": 0,
        "entries": 0,
        "head": START,
    }
    connection.execute(insert(schema.BOOKS).values(**line, digest=_line_digest(line)))
    before = connection.execute(select(schema.SCHEMA_VERSION.c.books_head)).scalar_one() or START
    head = _book_link(before, len(rows) + 1, line)
    connection.execute(update(schema.SCHEMA_VERSION).values(books=len(rows) + 1, books_head=head))


def read_book(connection: Connection, row: RowMapping) -> BookRecord:
    """The Book of the line `row` with all of its rows, checked."""
    rows: dict[int, tuple[str, Record, str, str]] = {}
    for name, table in schema.BOOK_LOGS.items():
        for line in connection.execute(select(table).where(table.c.book_id == row["id"])).mappings():
            rows[line["entry"]] = (name, _row(name, line), line["created_at"], line["link"])
    head = START
    fields: dict[str, list[object]] = {name: [] for name in schema.BOOK_LOGS}
    for entry in sorted(rows):
        name, value, at, link = rows[entry]
        head = link_digest(head, entry, name, at, value)
        if head != link:
            raise Damage(f"entry {entry} of the Book `{row['id']}` does not fit its digest")
        fields[name].append({"at": at, "row": value})
    if len(rows) != row["entries"] or head != row["head"]:
        raise Damage(f"the Book `{row['id']}` lacks entries")
    known = {name: row[name] for name in ("id", "name", "kind", "created_at", "revision")}
    return BookRecord.model_validate({**known, **fields})


def _row(name: str, line: RowMapping) -> Record:
    kind = _ROW_TYPES[name]
    value = kind.model_validate({field: line[field] for field in kind.model_fields})
    if isinstance(value, bookrecords.AssetRow) and value.digest != content_digest(value.content):
        raise Damage(f"asset `{value.id}` under `{value.tag}` does not fit its digest")
    return value


def find_book(connection: Connection, book_id: str, lock: bool = False) -> BookRecord:
    """The Book with that id; with `lock` nobody else writes it before the transaction ends. Refuses where there is
    none."""
    query = select(schema.BOOKS).where(schema.BOOKS.c.id == book_id)
    if lock:
        query = query.with_for_update(key_share=True)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise BookRefused(f"there is no Book `{book_id}`")
    _check_line(row)
    return read_book(connection, row)


def append_book(connection: Connection, book_id: str, log: str, value: Record, now: str) -> None:
    """One row at the end of the chain of a Book that was found with a lock."""
    book = select(schema.BOOKS).where(schema.BOOKS.c.id == book_id)
    line = dict(connection.execute(book).mappings().one())
    entry = line["entries"] + 1
    link = link_digest(line["head"], entry, log, now, value)
    row = {"book_id": book_id, "entry": entry, "link": link, "created_at": now}
    connection.execute(insert(schema.BOOK_LOGS[log]).values(**row, **value.model_dump(mode="json")))
    line |= {"entries": entry, "head": link, "revision": line["revision"] + 1}
    changed = {name: line[name] for name in ("entries", "head", "revision")}
    moved = update(schema.BOOKS).where(schema.BOOKS.c.id == book_id)
    connection.execute(moved.values(**changed, digest=_line_digest(line)))


def check_open(connection: Connection, book_id: str, package: str) -> None:
    """Refuses where the Book takes no session of `package`: there is none, it is archived or of another kind."""
    check_takes(find_book(connection, book_id, lock=True), package)


def check_takes(book: BookRecord, package: str) -> None:
    """Refuses where `book` as it was read takes no session of `package`."""
    if book.archived:
        raise BookRefused(f"the Book `{book.name}` is archived: it takes no new sessions")
    kind = package.partition("/")[0]
    if kind != book.kind:
        raise BookRefused(f"the Book `{book.name}` is for {book.kind}; package `{package}` is for {kind}")


def session_row(connection: Connection, session_id: str, lock: bool = False) -> RowMapping:
    """The line of a session. Refuses (UnknownSession) where there is none, and where it was lost."""
    row = line_of(connection, session_id, lock)
    if row is None:
        directory(connection)
        raise UnknownSession(f"there is no session `{session_id}`")
    return row


def position(connection: Connection, session_id: str, name: str) -> SaveRow:
    """Where a session stands now, as a save. The session is checked whole: damage is never saved."""
    row = session_row(connection, session_id, lock=True)
    read_session(connection, row)
    return SaveRow(
        name=name,
        session=session_id,
        at_entry=row["entries"],
        at_revision=row["revision"],
        at_head=row["head"],
        progress=row["progress"],
    )


def fork(connection: Connection, place: SaveRow, new_id: str, now: str) -> SessionRecord:
    """A new session that begins with the rows up to `place`, in the same Book. The chain of rows does not hold the
    id of their session, so the copies have the links of the originals, and `at_head` proves them."""
    origin = session_row(connection, place.session, lock=True)
    if origin["book_id"] is not None:
        check_open(connection, origin["book_id"], origin["package"])
    record = SessionRecord(
        id=new_id,
        package=origin["package"],
        created_at=now,
        revision=place.at_revision,
        progress=Progress.model_validate(place.progress),
        book=origin["book_id"],
        forked_from=origin["id"],
    )
    insert_session(connection, record, place.at_entry, place.at_head)
    for table in schema.LOGS.values():
        names = [column.name for column in table.c]
        columns = [table.c[name] for name in names if name != "session_id"]
        rows = select(literal(new_id), *columns).where(
            table.c.session_id == origin["id"], table.c.entry <= place.at_entry
        )
        others = [name for name in names if name != "session_id"]
        connection.execute(insert(table).from_select(["session_id", *others], rows))
    return read_session(connection, session_row(connection, new_id))

"""The rows of a store as a chain of digests: what is read is what was written, or it is damage."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, insert, select, update

from skillc.execute import records, schema
from skillc.execute.records import Changes, Progress, Record, SessionRecord, SessionSummary

START = "sha256:" + "0" * 64
_ROW_TYPES: Mapping[str, type[Record]] = {
    "items": records.ItemRow,
    "statuses": records.StatusRow,
    "runs": records.RunRow,
    "answers": records.AnswerRow,
    "blocks": records.BlockRow,
    "notes": records.NoteRow,
    "rules": records.RulesRow,
}


class Damage(Exception):
    """Something read does not fit its digest; the message says what."""


class Moved(Exception):
    """The stored session is not the one that was read."""


def schema_digest(connection: Connection) -> str:
    rows = connection.exec_driver_sql("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name")
    return _digest([list(row) for row in rows])


def check_file(connection: Connection) -> None:
    found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
    if found != "ok":
        raise Damage(str(found))


def directory(connection: Connection) -> list[RowMapping]:
    """The lines of all sessions, checked: none is missing, none was altered."""
    versions = connection.execute(select(schema.SCHEMA_VERSION)).mappings().all()
    if len(versions) != 1:
        raise Damage("it does not say of which version it is")
    if versions[0]["version"] != schema.VERSION:
        raise Damage(f"its version is {versions[0]['version']}, this program knows {schema.VERSION}")
    if versions[0]["schema_digest"] != schema_digest(connection):
        raise Damage("its tables are not those that were made")
    rows = connection.execute(select(schema.SESSIONS).order_by(schema.SESSIONS.c.number)).mappings().all()
    head = START
    for number, row in enumerate(rows, 1):
        head = _session_link(head, number, row["id"], row["package"], row["created_at"])
    if len(rows) != versions[0]["sessions"] or head != versions[0]["head"]:
        raise Damage("a session is missing or was altered")
    return list(rows)


def _session_link(head: str, number: int, session_id: str, package: str, created_at: str) -> str:
    return _digest([head, number, session_id, package, created_at])


def summary_of(row: RowMapping) -> SessionSummary:
    progress = _progress(row)
    status = progress.status
    return SessionSummary(
        id=row["id"],
        package=row["package"],
        created_at=row["created_at"],
        phase=status.phase,
        reason=status.reason,
        stage=status.stage,
        book=row["book_id"],
        forked_from=row["forked_from"],
        revision=row["revision"],
    )


def _progress(row: RowMapping) -> Progress:
    if row["digest"] != _line_digest(row):
        raise Damage(f"session `{row['id']}` does not fit its digest")
    return Progress.model_validate(row["progress"])


def _line_digest(row: Mapping[str, object] | RowMapping) -> str:
    names = [column.name for column in schema.SESSIONS.c if column.name not in ("digest", *schema.LATER)]
    later = [[name, row[name]] for name in schema.LATER if row[name] is not None]
    return _digest([row[name] for name in names] + later)


class Entry(NamedTuple):
    """One appended row: its place in the chain, the log that it stands in, when it was written, its value."""

    number: int
    log: str
    created_at: str
    value: Record
    link: str


def read_entries(connection: Connection, row: RowMapping) -> list[Entry]:
    """All rows of the session with the line `row`, in the order they were written, checked."""
    rows: dict[int, Entry] = {}
    for name, table in schema.LOGS.items():
        query = select(table).where(table.c.session_id == row["id"])
        for line in connection.execute(query).mappings():
            entry = Entry(line["entry"], name, line["created_at"], _row(name, line), line["link"])
            rows[entry.number] = entry
    head, entries = START, [rows[number] for number in sorted(rows)]
    for entry in entries:
        head = link_digest(head, entry.number, entry.log, entry.created_at, entry.value)
        if head != entry.link:
            raise Damage(f"entry {entry.number} of session `{row['id']}` does not fit its digest")
    if len(rows) != row["entries"] or head != row["head"]:
        raise Damage(f"session `{row['id']}` lacks entries")
    return entries


def read_session(connection: Connection, row: RowMapping) -> SessionRecord:
    fields: dict[str, list[Record]] = {name: [] for name in schema.LOGS}
    for entry in read_entries(connection, row):
        fields[entry.log].append(entry.value)
    return SessionRecord.model_validate(
        {
            "id": row["id"],
            "package": row["package"],
            "created_at": row["created_at"],
            "revision": row["revision"],
            "progress": _progress(row),
            "book": row["book_id"],
            "forked_from": row["forked_from"],
            **fields,
        }
    )


def _row(name: str, line: RowMapping) -> Record:
    kind = _ROW_TYPES[name]
    value = kind.model_validate({field: line[field] for field in kind.model_fields})
    if isinstance(value, records.ItemRow) and value.digest != content_digest(value.content):
        raise Damage(f"item `{value.id}` under `{value.tag}` does not fit its digest")
    return value


def insert_session(
    connection: Connection, record: SessionRecord, entries: int | None = None, head: str = START
) -> None:
    """The line of a new session; of a fork with the `entries` rows, up to the link `head`, that it begins with."""
    number = len(directory(connection)) + 1
    line = {
        "id": record.id,
        "number": number,
        "package": record.package,
        "created_at": record.created_at,
        "revision": record.revision,
        "entries": entries or 0,
        "head": head,
        "progress": record.progress.model_dump(mode="json"),
        "book_id": record.book,
        "forked_from": record.forked_from,
        "forked_entries": entries,
    }
    connection.execute(insert(schema.SESSIONS).values(**line, digest=_line_digest(line)))
    before = connection.execute(select(schema.SCHEMA_VERSION.c.head)).scalar_one()
    head = _session_link(before, number, record.id, record.package, record.created_at)
    connection.execute(update(schema.SCHEMA_VERSION).values(sessions=number, head=head))


def append(
    connection: Connection, record: SessionRecord, progress: Progress, changes: Changes, now: str
) -> SessionRecord:
    query = select(schema.SESSIONS).where(schema.SESSIONS.c.id == record.id)
    line = dict(connection.execute(query).mappings().one())
    if line["revision"] != record.revision:
        raise Moved
    for name in schema.LOGS:
        for value in getattr(changes, name):
            _insert_row(connection, line, name, value, now)
    line["progress"] = progress.model_dump(mode="json")
    line["revision"] += 1
    changed = {"digest": _line_digest(line)}
    changed |= {name: line[name] for name in ("progress", "revision", "entries", "head")}
    connection.execute(update(schema.SESSIONS).where(schema.SESSIONS.c.id == record.id).values(**changed))
    return record.after(progress, changes)


def _insert_row(connection: Connection, line: dict[str, object], name: str, value: Record, now: str) -> None:
    """One row at the end of the session's chain; `line` is moved on."""
    entry = int(str(line["entries"])) + 1
    link = link_digest(str(line["head"]), entry, name, now, value)
    fields = value.model_dump(mode="json")
    connection.execute(
        insert(schema.LOGS[name]).values(
            session_id=line["id"], entry=entry, link=link, created_at=now, **fields
        )
    )
    line["entries"], line["head"] = entry, link


def link_digest(head: str, entry: int, name: str, created_at: str, value: Record) -> str:
    return _digest([head, entry, name, created_at, value.model_dump(mode="json")])


def _digest(value: object) -> str:
    return content_digest(schema.to_json(value))


def content_digest(text: str) -> str:
    """The digest of a text, as items carry it."""
    return "sha256:" + sha256(text.encode()).hexdigest()

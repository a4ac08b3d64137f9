"""The rows of a store as a chain of digests: what is read is what was written, or it is damage."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, insert, select, update

from skillc.execute import records, schema
from skillc.execute.dialect import described
from skillc.execute.faults import Damage as Damage
from skillc.execute.faults import Moved as Moved
from skillc.execute.faults import OtherVersion
from skillc.execute.records import Changes, Progress, Record, SessionRecord, SessionSummary

NO_VERSION = "it does not say of which version it is"
START = "sha256:" + "0" * 64
_ROW_TYPES: Mapping[str, type[Record]] = {
    "items": records.ItemRow,
    "statuses": records.StatusRow,
    "runs": records.RunRow,
    "answers": records.AnswerRow,
    "blocks": records.BlockRow,
    "notes": records.NoteRow,
    "calls": records.CallRow,
    "decisions": records.DecisionRow,
    "talk": records.TalkRow,
    "rules": records.RulesRow,
}


def schema_digest(connection: Connection) -> str:
    return _digest(described(connection))


def fill(connection: Connection) -> None:
    """The tables of a new store, which says of which version it is."""
    schema.METADATA.create_all(connection, checkfirst=False)
    first = {"version": schema.VERSION, "sessions": 0, "head": START}
    connection.execute(insert(schema.SCHEMA_VERSION).values(**first, schema_digest=schema_digest(connection)))
    connection.execute(insert(schema.ALEMBIC_VERSION).values(version_num=schema.REVISION))


def version_row(connection: Connection, lock: bool = False) -> RowMapping:
    """What the store says of itself. Refuses with OtherVersion where its tables are not of this version."""
    names = ("version", "schema_digest", "sessions", "head")
    query = select(*(schema.SCHEMA_VERSION.c[name] for name in names))
    versions = connection.execute(query.with_for_update() if lock else query).mappings().all()
    if len(versions) != 1:
        raise Damage(NO_VERSION)
    if versions[0]["version"] != schema.VERSION:
        raise OtherVersion(versions[0]["version"])
    return versions[0]


def directory(connection: Connection) -> list[RowMapping]:
    """The lines of all sessions, checked: none is missing, none was altered."""
    version = version_row(connection)
    if version["schema_digest"] != schema_digest(connection):
        raise Damage("its tables are not those that were made")
    rows = connection.execute(select(schema.SESSIONS).order_by(schema.SESSIONS.c.number)).mappings().all()
    head = START
    for number, row in enumerate(rows, 1):
        head = _session_link(head, number, row["id"], row["package"], row["created_at"])
    if len(rows) != version["sessions"] or head != version["head"]:
        raise Damage("a session is missing or was altered")
    return list(rows)


def line_of(connection: Connection, session_id: str, lock: bool = False) -> RowMapping | None:
    """The line of one session, whatever others there are; None where there is none. With `lock` nobody else moves
    the session on before the transaction ends."""
    version = select(schema.SCHEMA_VERSION.c.version).scalar_subquery().label("store_version")
    query = select(schema.SESSIONS, version).where(schema.SESSIONS.c.id == session_id)
    if lock:
        query = query.with_for_update(of=schema.SESSIONS, key_share=True)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        version_row(connection)
    elif row["store_version"] != schema.VERSION:
        raise OtherVersion(row["store_version"] or 0)
    return row


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
    version = version_row(connection, lock=True)
    number = version["sessions"] + 1
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
    head = _session_link(version["head"], number, record.id, record.package, record.created_at)
    connection.execute(update(schema.SCHEMA_VERSION).values(sessions=number, head=head))


def append(
    connection: Connection, record: SessionRecord, progress: Progress, changes: Changes, now: str
) -> SessionRecord:
    """The rows of `changes` at the end of the session's chain. Refuses with Moved when somebody was quicker."""
    line = line_of(connection, record.id, lock=True)
    if line is None or line["revision"] != record.revision:
        raise Moved
    rows, after = _grown(line, progress, changes, now)
    for name, values in rows.items():
        connection.execute(insert(schema.LOGS[name]), values)
    session = update(schema.SESSIONS).where(schema.SESSIONS.c.id == record.id)
    connection.execute(session.values(**{name: after[name] for name in _MOVING}))
    return record.after(progress, changes)


_MOVING = ("progress", "revision", "entries", "head", "digest")


def was_appended(
    connection: Connection, record: SessionRecord, progress: Progress, changes: Changes, now: str
) -> SessionRecord | None:
    """The session with `changes`, when exactly they were appended already, at that time; else None."""
    line = line_of(connection, record.id, lock=True)
    if line is None or line["revision"] != record.revision + 1:
        return None
    count = sum(len(getattr(changes, name)) for name in schema.LOGS)
    before = {**line, "entries": line["entries"] - count, "revision": record.revision}
    before["head"] = _link_at(connection, record.id, before["entries"])
    _, after = _grown(before, progress, changes, now)
    same = all(after[name] == line[name] for name in _MOVING)
    return record.after(progress, changes) if same else None


def _link_at(connection: Connection, session_id: str, entry: int) -> str:
    for table in schema.LOGS.values():
        query = select(table.c.link).where(table.c.session_id == session_id, table.c.entry == entry)
        found = connection.execute(query).scalar_one_or_none()
        if found is not None:
            return str(found)
    return START


def _grown(
    line: Mapping[str, object] | RowMapping, progress: Progress, changes: Changes, now: str
) -> tuple[dict[str, list[dict[str, object]]], dict[str, object]]:
    """Rows by log for `changes` behind those of the session's `line`, and the line afterwards."""
    after = {column.name: line[column.name] for column in schema.SESSIONS.c}
    entry, head = int(str(after["entries"])), str(after["head"])
    rows: dict[str, list[dict[str, object]]] = {}
    for name in schema.LOGS:
        for value in getattr(changes, name):
            entry += 1
            head = link_digest(head, entry, name, now, value)
            place = {"session_id": after["id"], "entry": entry, "link": head, "created_at": now}
            rows.setdefault(name, []).append({**place, **value.model_dump(mode="json")})
    after |= {"entries": entry, "head": head, "revision": int(str(after["revision"])) + 1}
    after["progress"] = progress.model_dump(mode="json")
    return rows, {**after, "digest": _line_digest(after)}


def link_digest(head: str, entry: int, name: str, created_at: str, value: Record) -> str:
    return _digest([head, entry, name, created_at, value.model_dump(mode="json")])


def _digest(value: object) -> str:
    return content_digest(schema.to_json(value))


def content_digest(text: str) -> str:
    """The digest of a text, as items carry it."""
    return "sha256:" + sha256(text.encode()).hexdigest()

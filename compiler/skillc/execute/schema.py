"""The tables of a store of sessions. Rows are appended, never changed, but for a session's own line.

Every appended row has the session's next `entry` and a `link`: the digest of the row and of the link
before it. The session's line holds the last one, so a row that was changed, lost or moved is noticed;
`schema_version` holds the same over the sessions, so none of them can vanish unnoticed.
A table or a nullable column can be added later without touching what is here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine

VERSION = 2
REVISION = "0002"
"""The last step of `migrations` that a new store does not need any more."""


class Json(TypeDecorator[object]):
    """A value as JSON text with sorted keys: the same value is always the same text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> str:
        return to_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> object:
        return None if value is None else json.loads(value)


class Written(TypeDecorator[str]):
    """A text as it was written. PostgreSQL cannot keep the character NUL, so there another one, which stands for
    nothing, tells of it. `in_order` texts compare by code point everywhere, whatever the language of the server."""

    impl = Text
    cache_ok = True

    def __init__(self, in_order: bool = False) -> None:
        super().__init__()
        self.in_order = in_order

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        ordered = self.in_order and dialect.name == "postgresql"
        return Text(collation="C") if ordered else Text()

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or dialect.name != "postgresql" or not {"\0", _MARK} & set(value):
            return value
        return value.replace(_MARK, _MARK + "1").replace("\0", _MARK + "0")

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or dialect.name != "postgresql" or _MARK not in value:
            return value
        return value.replace(_MARK + "0", "\0").replace(_MARK + "1", _MARK)


_MARK = "\ufdd0"


def to_json(value: object) -> str:
    """`value` as the one JSON text that stands for it."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


METADATA = MetaData()

SCHEMA_VERSION = Table(
    "schema_version",
    METADATA,
    Column("version", Integer, primary_key=True),
    Column("schema_digest", String, nullable=False),
    Column("sessions", Integer, nullable=False),
    Column("head", String, nullable=False),
    Column("books", Integer),
    Column("books_head", String),
)

ALEMBIC_VERSION = Table(
    "alembic_version",
    METADATA,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""The last step of `migrations` that was taken, as their library keeps it."""

BOOKS = Table(
    "books",
    METADATA,
    Column("id", String, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("name", String, nullable=False, unique=True),
    Column("kind", String, nullable=False),
    Column("created_at", String, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("entries", Integer, nullable=False),
    Column("head", String, nullable=False),
    Column("digest", String, nullable=False),
)
"""The projects (SPEC 14). What a Book holds of its sessions is read from their rows, never copied."""

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("id", String, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("package", String, nullable=False),
    Column("created_at", String, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("entries", Integer, nullable=False),
    Column("head", String, nullable=False),
    Column("progress", Json, nullable=False),
    Column("digest", String, nullable=False),
    Column("book_id", String, ForeignKey("books.id")),
    Column("forked_from", String),
    Column("forked_entries", Integer),
)
"""`forked_entries` is how many of its first rows a session has from the one that it was forked from."""
LATER = ("book_id", "forked_from", "forked_entries")
"""Columns of a session's line that older stores did not have: where they are empty, its digest is what it was."""


LEASES = Table(
    "leases",
    METADATA,
    Column("session_id", String, ForeignKey("sessions.id"), primary_key=True),
    Column("holder", String, nullable=False),
    Column("token", BigInteger, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
)
"""Who runs a session: milliseconds since 1970 by the clock of the database, and a token that only grows."""


PLANS = Table(
    "plans",
    METADATA,
    Column("fingerprint", String, primary_key=True),
    Column("package", String, nullable=False),
    Column("plan", Written(), nullable=False),
    Column("digest", String, nullable=False),
)
"""The compiled plans that sessions run on wherever they are moved on; none ever changes."""


def _log(name: str, *columns: Column[object], unique: str | None = None, owner: str = "sessions") -> Table:
    """A table of appended rows of a session (or a Book), with what the chain needs."""
    key = f"{owner.removesuffix('s')}_id"
    rules = [UniqueConstraint(key, unique)] if unique else []
    return Table(
        name,
        METADATA,
        Column(key, String, ForeignKey(f"{owner}.id"), primary_key=True),
        Column("entry", Integer, primary_key=True),
        Column("link", String, nullable=False),
        Column("created_at", String, nullable=False),
        *columns,
        *rules,
    )


def _text(name: str, optional: bool = False) -> Column[object]:
    return Column(name, Written(in_order=name == "tag"), nullable=optional)


def _number(name: str, optional: bool = False) -> Column[object]:
    return Column(name, Integer, nullable=optional)


def _json(name: str) -> Column[object]:
    return Column(name, Json, nullable=False)


LOGS: Mapping[str, Table] = {
    "items": _log(
        "items",
        _text("id"),
        _text("op"),
        _number("seq"),
        _text("tag"),
        _text("content"),
        _text("source"),
        _text("digest"),
        _text("scope", optional=True),
        _json("dependencies"),
        _json("metadata"),
        unique="op",
    ),
    "statuses": _log(
        "item_events",
        _text("item"),
        _text("status"),
        _text("superseded_by", optional=True),
        _number("after"),
    ),
    "runs": _log(
        "invocations",
        _number("number"),
        _text("worker"),
        _text("role", optional=True),
        _text("stage"),
        _number("round"),
        Column("revision", Boolean, nullable=False),
        _number("seen"),
        _json("used"),
        _json("reads"),
        _json("items"),
        Column("asked", Boolean, nullable=False),
        _text("summary"),
        _json("questions"),
        _json("notes"),
        _text("verdict", optional=True),
        _text("verdict_reason"),
        _text("plan_digest"),
        _text("profile", optional=True),
        _text("way"),
        _number("attempts"),
        _number("prompt_tokens"),
        _number("completion_tokens"),
        _number("cached_tokens"),
        unique="number",
    ),
    "answers": _log("answers", _text("id"), _text("action"), _text("reason"), _text("text"), unique="id"),
    "blocks": _log("history", _text("role"), _text("content")),
    "notes": _log("notes", _text("kind"), _text("text")),
    "calls": _log(
        "calls",
        _number("run", optional=True),
        _text("worker"),
        _text("role", optional=True),
        _text("profile", optional=True),
        _text("model", optional=True),
        _text("way"),
        _number("attempt"),
        _text("outcome"),
        _number("prompt_tokens"),
        _number("completion_tokens"),
        _number("cached_tokens"),
        _number("cache_written_tokens"),
        _number("predicted_tokens"),
        _json("parts"),
    ),
    "decisions": _log(
        "decisions",
        _text("id"),
        _text("action"),
        _text("reason"),
        _text("worker", optional=True),
        _text("role", optional=True),
        Column("requires_approval", Boolean, nullable=False),
        _text("driver"),
        _text("outcome"),
        _text("message"),
        _json("detail"),
        unique="id",
    ),
    "talk": _log("talk", _text("role"), _text("kind"), _text("content")),
    "rules": _log("label_rules", _text("fingerprint"), _json("labels"), _json("moved")),
}
"""Tables of appended rows by the field of `Changes` and `SessionRecord` that they hold."""

BOOK_LOGS: Mapping[str, Table] = {
    "states": _log("book_events", Column("archived", Boolean, nullable=False), owner="books"),
    "assets": _log(
        "book_assets",
        _text("id"),
        _text("tag"),
        _text("content"),
        _text("digest"),
        _json("metadata"),
        _json("labels"),
        _json("origin"),
        unique="id",
        owner="books",
    ),
    "saves": _log(
        "saves",
        _text("name"),
        _text("session"),
        _number("at_entry"),
        _number("at_revision"),
        _text("at_head"),
        _json("progress"),
        unique="name",
        owner="books",
    ),
}
"""The same for the rows of a Book: fields of `BookChanges` and `BookRecord`."""

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
    Boolean,
    Column,
    Dialect,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

VERSION = 1


class Json(TypeDecorator[object]):
    """A value as JSON text with sorted keys: the same value is always the same text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> str:
        return to_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> object:
        return None if value is None else json.loads(value)


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
)

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
)


def _log(name: str, *columns: Column[object], unique: str | None = None) -> Table:
    """A table of appended rows of a session, with what the chain needs."""
    rules = [UniqueConstraint("session_id", unique)] if unique else []
    return Table(
        name,
        METADATA,
        Column("session_id", String, ForeignKey("sessions.id"), primary_key=True),
        Column("entry", Integer, primary_key=True),
        Column("link", String, nullable=False),
        Column("created_at", String, nullable=False),
        *columns,
        *rules,
    )


def _text(name: str, optional: bool = False) -> Column[object]:
    return Column(name, Text, nullable=optional)


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
}
"""Tables of appended rows by the field of `Changes` and `SessionRecord` that they hold."""

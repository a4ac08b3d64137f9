"""Version 1: sessions and their rows."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The tables as version 1 made them; its stores are at this step without having taken it."""
    op.create_table(
        "schema_version",
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("schema_digest", sa.String, nullable=False),
        sa.Column("sessions", sa.Integer, nullable=False),
        sa.Column("head", sa.String, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False, unique=True),
        sa.Column("package", sa.String, nullable=False),
        sa.Column("created_at", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("entries", sa.Integer, nullable=False),
        sa.Column("head", sa.String, nullable=False),
        sa.Column("progress", sa.Text, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
    )
    _log("items", *_texts("id", "op"), *_numbers("seq"), _tag(), *_texts("content", "source", "digest"),
         _optional("scope"), *_texts("dependencies", "metadata"), unique="op")  # fmt: skip
    _log("item_events", *_texts("item", "status"), _optional("superseded_by"), *_numbers("after"))
    _log(
        "invocations",
        *_numbers("number"),
        *_texts("worker"),
        _optional("role"),
        *_texts("stage"),
        *_numbers("round"),
        sa.Column("revision", sa.Boolean, nullable=False),
        *_numbers("seen"),
        *_texts("used", "reads", "items"),
        sa.Column("asked", sa.Boolean, nullable=False),
        *_texts("summary", "questions", "notes"),
        _optional("verdict"),
        *_texts("verdict_reason", "plan_digest"),
        _optional("profile"),
        *_texts("way"),
        *_numbers("attempts", "prompt_tokens", "completion_tokens", "cached_tokens"),
        unique="number",
    )
    _log("answers", *_texts("id", "action", "reason", "text"), unique="id")
    _log("history", *_texts("role", "content"))
    _log("notes", *_texts("kind", "text"))


def _log(name: str, *columns: sa.Column[Any], unique: str | None = None) -> None:
    op.create_table(
        name,
        sa.Column("session_id", sa.String, sa.ForeignKey("sessions.id"), primary_key=True),
        sa.Column("entry", sa.Integer, primary_key=True),
        sa.Column("link", sa.String, nullable=False),
        sa.Column("created_at", sa.String, nullable=False),
        *columns,
        *([sa.UniqueConstraint("session_id", unique)] if unique else []),
    )


def _texts(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _optional(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Text)


def _tag() -> sa.Column[Any]:
    """By code point on PostgreSQL, as on SQLite."""
    ordered = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column("tag", ordered, nullable=False)


def _numbers(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Integer, nullable=False) for name in names]

"""Version 2: Books, leases, and what is kept of calls, decisions and labels."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """New tables, and columns that are empty in the rows that are there."""
    op.add_column("schema_version", sa.Column("books", sa.Integer))
    op.add_column("schema_version", sa.Column("books_head", sa.String))
    _books()
    op.add_column(
        "sessions", sa.Column("book_id", sa.String, sa.ForeignKey("books.id")), inline_references=True
    )
    op.add_column("sessions", sa.Column("forked_from", sa.String))
    op.add_column("sessions", sa.Column("forked_entries", sa.Integer))
    _session_logs()
    _book_logs()
    op.create_table(
        "leases",
        sa.Column("session_id", sa.String, sa.ForeignKey("sessions.id"), primary_key=True),
        sa.Column("holder", sa.String, nullable=False),
        sa.Column("token", sa.BigInteger, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "plans",
        sa.Column("fingerprint", sa.String, primary_key=True),
        *(sa.Column(name, kind, nullable=False) for name, kind in _PLAN),
    )


_PLAN = (("package", sa.String), ("plan", sa.Text), ("digest", sa.String))


def _books() -> None:
    op.create_table(
        "books",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False, unique=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("created_at", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("entries", sa.Integer, nullable=False),
        sa.Column("head", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
    )


def _session_logs() -> None:
    _log(
        "calls",
        sa.Column("run", sa.Integer),
        *_texts("worker"),
        *(_optional(name) for name in ("role", "profile", "model")),
        *_texts("way"),
        *_numbers("attempt"),
        *_texts("outcome"),
        *_numbers("prompt_tokens", "completion_tokens", "cached_tokens", "cache_written_tokens"),
        *_numbers("predicted_tokens"),
        *_texts("parts"),
    )
    _log(
        "decisions",
        *_texts("id", "action", "reason"),
        *(_optional(name) for name in ("worker", "role")),
        sa.Column("requires_approval", sa.Boolean, nullable=False),
        *_texts("driver", "outcome", "message", "detail"),
        unique="id",
    )
    _log("talk", *_texts("role", "kind", "content"))
    _log("label_rules", *_texts("fingerprint", "labels", "moved"))


def _book_logs() -> None:
    _log("book_events", sa.Column("archived", sa.Boolean, nullable=False), owner="books")
    _log(
        "book_assets",
        *_texts("id"),
        _tag(),
        *_texts("content", "digest", "metadata", "labels", "origin"),
        unique="id",
        owner="books",
    )
    _log(
        "saves",
        *_texts("name", "session"),
        *_numbers("at_entry", "at_revision"),
        *_texts("at_head", "progress"),
        unique="name",
        owner="books",
    )


def _log(name: str, *columns: sa.Column[Any], unique: str | None = None, owner: str = "sessions") -> None:
    key = f"{owner.removesuffix('s')}_id"
    op.create_table(
        name,
        sa.Column(key, sa.String, sa.ForeignKey(f"{owner}.id"), primary_key=True),
        sa.Column("entry", sa.Integer, primary_key=True),
        sa.Column("link", sa.String, nullable=False),
        sa.Column("created_at", sa.String, nullable=False),
        *columns,
        *([sa.UniqueConstraint(key, unique)] if unique else []),
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

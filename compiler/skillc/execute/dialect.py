"""What SQLite and PostgreSQL say in different words: how the tables are, whether all is sound, what time it is."""

from __future__ import annotations

from sqlalchemy import Connection

from skillc.execute.faults import Damage

SCHEMA = "skillc"
"""The PostgreSQL schema of our tables: whatever else the database holds is not touched."""

_CLOCKS = {
    "sqlite": "SELECT CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER)",
    "postgresql": "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
}
_COLUMNS = f"""
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, o.collname
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_collation o ON o.oid = a.attcollation
WHERE c.relnamespace = to_regnamespace('{SCHEMA}') AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.relname COLLATE "C", a.attname COLLATE "C"
"""
_KEYS = f"""
SELECT c.relname, k.contype::text, array_to_string(k.conkey, ','), f.relname
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_class f ON f.oid = k.confrelid
WHERE k.connamespace = to_regnamespace('{SCHEMA}') AND k.contype IN ('p', 'u', 'f')
ORDER BY c.relname COLLATE "C", k.contype::text, array_to_string(k.conkey, ',') COLLATE "C"
"""


def described(connection: Connection) -> list[list[object]]:
    """The tables as they are, in a fixed order; the version of the server does not matter."""
    queries: tuple[str, ...] = (_COLUMNS, _KEYS)
    if connection.dialect.name == "sqlite":
        queries = ("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name",)
    return [list(row) for query in queries for row in connection.exec_driver_sql(query)]


def check_whole(connection: Connection) -> None:
    """Refuses with Damage where the database itself finds some; a server looks after that on its own."""
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
        if found != "ok":
            raise Damage(str(found))


def time_there(connection: Connection) -> int:
    """Milliseconds since 1970 by the clock of the database: the same for all who share it."""
    return int(connection.exec_driver_sql(_CLOCKS[connection.dialect.name]).scalar_one())

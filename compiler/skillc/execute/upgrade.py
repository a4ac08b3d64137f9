"""A store of an older version becomes one of this version: whole, or it stays as it was."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select, update

from skillc.execute import schema
from skillc.execute.dialect import check_whole
from skillc.execute.faults import Damage, OtherVersion, StoreOutdated
from skillc.execute.ledger import NO_VERSION, directory, read_session, schema_digest
from skillc.execute.sqlite import SqliteDatabase, copy_file

if TYPE_CHECKING:
    from skillc.execute.store import Store

MIGRATIONS = "skillc.execute:migrations"


def upgraded(store: Store, old: StoreOutdated, only_read: bool) -> Store:
    """`store`, upgraded in one transaction, of a file behind a copy of it. With `only_read` an upgraded copy that
    ends with the process: the file itself stays as it is. A server's database is not copied: StoreOutdated."""
    if only_read:
        if not isinstance(store.database, SqliteDatabase):
            raise old
        store = _copied(store, store.database)
    store.write(lambda connection, _: _upgrade(store, connection, keep=not only_read))
    return store


def _upgrade(store: Store, connection: Connection, keep: bool) -> None:
    store.database.lock_upgrade(connection)
    version = _sound_version(connection)
    if version == schema.VERSION:
        return
    if version > schema.VERSION:
        raise OtherVersion(version)
    check_whole(connection)
    if keep:
        store.database.keep_copy(connection, version)
    migrate(connection, f"{version:04}")
    new = update(schema.SCHEMA_VERSION).values(
        version=schema.VERSION, schema_digest=schema_digest(connection)
    )
    connection.execute(new)
    for row in directory(connection):
        read_session(connection, row)


def _sound_version(connection: Connection) -> int:
    columns = schema.SCHEMA_VERSION.c
    found = connection.execute(select(columns.version, columns.schema_digest)).all()
    if len(found) != 1 or found[0].version < 1:
        raise Damage(NO_VERSION)
    if found[0].schema_digest != schema_digest(connection):
        raise Damage("its tables are not those that were made")
    return int(found[0].version)


def migrate(connection: Connection, stands_at: str | None, until: str = schema.REVISION) -> None:
    """Take the steps behind `stands_at` (all of them, where it is None) in the transaction of `connection`."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.attributes["connection"] = connection
    if stands_at is not None:
        command.stamp(config, stands_at, purge=True)
    command.upgrade(config, until)


def _copied(store: Store, database: SqliteDatabase) -> Store:
    from skillc.execute.store import Store

    folder = tempfile.mkdtemp(prefix="skillc-")
    path = os.path.join(folder, "store")
    with open(path, "xb"):
        pass
    with store.explaining():
        copy_file(os.path.realpath(database.path), path)
    copy = Store(SqliteDatabase(path), store.clock)
    weakref.finalize(copy, shutil.rmtree, folder, ignore_errors=True)
    copy.database.name = database.name
    return copy

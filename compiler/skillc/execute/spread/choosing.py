"""Which engine the hosts of a store use, for a program that only begins and answers sessions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from skillc.execute.postgres import is_url
from skillc.execute.spread.desk import Desk
from skillc.execute.spread.looping import Loop
from skillc.execute.spread.port import Engine


@contextmanager
def engine_of(desk: Desk, where: str) -> Iterator[Engine]:
    """DBOS where a host ever made its tables beside the store at `where`, so that it is told at once; otherwise the
    loop, whose hosts look by themselves."""
    if not _has_tables(desk, where):
        yield Loop(desk)
        return
    from skillc.execute.spread.dbos_engine import DbosEngine, database_of

    engine = DbosEngine(desk, database_of(where))
    try:
        yield engine
    finally:
        engine.close()


def _has_tables(desk: Desk, where: str) -> bool:
    if not is_url(where):
        return os.path.exists(f"{os.path.abspath(where)}.dbos")
    found = "SELECT to_regclass('dbos.workflow_status')"
    return desk.store.read(lambda connection: connection.exec_driver_sql(found).scalar()) is not None

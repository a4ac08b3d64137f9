"""The compiled plans that the sessions of a store run on, so that every host has the very plan of a session.

A plan is kept under its fingerprint and never changes; a session names its own in its progress.
"""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import insert, select

from skillc.artifact.codec import PlanError, encode
from skillc.execute import schema
from skillc.execute.ledger import content_digest
from skillc.execute.store import Store, StoreConflict, StoreCorrupt, StoreError
from skillc.runtime import RunnablePlan, load_plan


def keep_plan(store: Store, plan: RunnablePlan) -> None:
    """From now on every host of the store has `plan`."""
    if _kept(store, plan.fingerprint) is not None:
        return
    text = encode(plan).decode()
    row = {
        "fingerprint": plan.fingerprint,
        "package": plan.package.path,
        "plan": text,
        "digest": content_digest(text),
    }
    with suppress(StoreConflict):  # another process keeps it at the same time
        store.write(lambda connection, _: connection.execute(insert(schema.PLANS).values(**row)))


def plan_of(store: Store, fingerprint: str, package: str) -> RunnablePlan:
    """The plan that is kept under `fingerprint`.

    Refuses with StoreError when nobody kept it, and with StoreCorrupt when it is not what was kept.
    """
    text = _kept(store, fingerprint)
    if text is None:
        raise StoreError(
            f"the store `{store.path}` does not keep the plan of package `{package}` that the session runs on"
        )
    try:
        plan = load_plan(text.encode())
    except PlanError as problem:
        raise StoreCorrupt(
            f"the plan of package `{package}` in the store `{store.path}`: {problem}"
        ) from None
    if plan.fingerprint != fingerprint:
        raise StoreCorrupt(f"the plan of package `{package}` in the store `{store.path}` is another one")
    return plan


def _kept(store: Store, fingerprint: str) -> str | None:
    query = select(schema.PLANS).where(schema.PLANS.c.fingerprint == fingerprint)
    row = store.read(lambda connection: connection.execute(query).mappings().one_or_none())
    if row is None:
        return None
    if content_digest(row["plan"]) != row["digest"]:
        raise StoreCorrupt(f"the store `{store.path}` is corrupt: a plan does not fit its digest")
    return str(row["plan"])

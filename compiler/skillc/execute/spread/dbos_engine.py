"""Sessions over many machines: DBOS Transact keeps the queue, the store keeps the sessions.

A workflow moves one session on, once: from a revision until it waits. Its id names both, so the same work is never
queued twice, and a session that waits for a person for days is no workflow at all. DBOS does not take over what a dead
host was doing; here a session that nobody holds and that has something to do is started again by whoever sees it.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from skillc.execute.delivery import Delivery, Said
from skillc.execute.postgres import is_url
from skillc.execute.spread.desk import Desk, Waiting
from skillc.execute.spread.port import ABI, Dispatch, in_words, standing_of
from skillc.execute.store import StoreError

if TYPE_CHECKING:
    from dbos import DBOSClient, WorkflowStatus

QUEUE = "skillc-sessions"
WORKFLOW = "skillc-advance"
VERSION = f"skillc-executor-{ABI}"
"""What hosts must have in common; never the version of a package, whose plan the session itself names."""
SECONDS = 0.5
"""Between two looks at the queue, and at what nobody does."""
LONGEST_PAUSE = 300.0
GRACE_SECONDS = 3.0
"""From the queue to the lease; who has no lease after that is dead."""
_OPEN = ("ENQUEUED", "DELAYED", "PENDING")


class DbosEngine:
    """An Engine on the tables of DBOS at `url`. It dispatches only; `hosting` makes this process one that works."""

    def __init__(self, desk: Desk, url: str) -> None:
        self._desk = desk
        self._url = url
        self._made: DBOSClient | None = None

    def start(self, session_id: str) -> None:
        """Queue what the session has to do. Where there is no queue, or none that works (the first host may be making
        it just now), hosts find by themselves what nobody does."""
        self._desk.free(session_id)
        phase, revision, holder = self._desk.standing(session_id)
        client = self._client()
        if phase == "running" and holder is None and client is not None:
            with suppress(SQLAlchemyError):
                self._dispatch(client, Waiting(session_id, revision), asked=True)

    def suspend(self, session_id: str) -> None:
        self._desk.suspend(session_id)
        client = self._client()
        if client is not None:
            _, revision, _ = self._desk.standing(session_id)
            for flow in _flows(client, Waiting(session_id, revision)):
                if flow.status in _OPEN:
                    client.cancel_workflow(flow.workflow_id)

    def answer(self, session_id: str, action: str, said: Said, answer_id: str | None = None) -> Delivery:
        delivery = self._desk.deliver(session_id, action, said, answer_id)
        if not delivery.refused and not self._desk.is_suspended(session_id):
            self.start(session_id)
        return delivery

    def resume_orphans(self) -> tuple[str, ...]:
        client = self._client()
        if client is None:
            return ()
        return tuple(one.session for one in self._desk.waiting() if self._dispatch(client, one))

    def status(self, session_id: str) -> Dispatch:
        phase, revision, holder = self._desk.standing(session_id)
        if self._desk.is_suspended(session_id):
            return Dispatch(session_id, phase, "suspended")
        if holder:
            return Dispatch(session_id, phase, "running", holder)
        client = self._client()
        flows = _flows(client, Waiting(session_id, revision)) if client else []
        queued = any(flow.status in _OPEN for flow in flows)
        return Dispatch(session_id, phase, "queued" if queued or phase == "running" else "idle")

    def close(self) -> None:
        if self._made is not None:
            self._made.destroy()
            self._made = None

    def _client(self) -> DBOSClient | None:
        """None until a host has made the tables, and where the package is missing: hosts then look by themselves."""
        if self._made is None:
            try:
                from dbos import DBOSClient
            except ImportError:
                return None

            client = DBOSClient(
                system_database_url=self._url,
                serializer=_json_only(),
                lazy=True,
                retry_connection_errors=False,
            )
            try:
                client.list_workflows(limit=1, load_input=False, load_output=False)
            except SQLAlchemyError:
                client.destroy()
                return None
            self._made = client
        return self._made

    def _dispatch(self, client: DBOSClient, one: Waiting, asked: bool = False) -> bool:
        """Whether the session was queued now: it was not yet, or who was to do it died, or left it undone some time
        ago (longer each time)."""
        flows = _flows(client, one)
        if not flows:
            return _enqueue(client, one, 1)
        last = flows[-1]
        if last.status in _OPEN and last.app_version == VERSION:
            if last.status != "PENDING" or _age(last) < min(self._desk.seconds, GRACE_SECONDS):
                return False
            client.resume_workflow(last.workflow_id, queue_name=QUEUE)
            return True
        if last.status in _OPEN:
            if _age(last) < self._desk.seconds:
                return False
            client.cancel_workflow(last.workflow_id)
        elif not asked and _age(last) < min(self._desk.seconds * 2 ** len(flows), LONGEST_PAUSE):
            return False
        return _enqueue(client, one, len(flows) + 1)


def _flows(client: DBOSClient, one: Waiting) -> list[WorkflowStatus]:
    """The workflows that were to move the session on from this revision, the last one behind."""
    found = client.list_workflows(
        workflow_id_prefix=f"{one.session}@{one.revision}#", load_input=False, load_output=False
    )
    return sorted(found, key=lambda flow: int(flow.workflow_id.rpartition("#")[2]))


def _enqueue(client: DBOSClient, one: Waiting, attempt: int) -> bool:
    flow = f"{one.session}@{one.revision}#{attempt}"
    client.enqueue(
        {"queue_name": QUEUE, "workflow_name": WORKFLOW, "workflow_id": flow, "app_version": VERSION},
        one.session,
    )
    return True


def _age(flow: WorkflowStatus) -> float:
    """Seconds since the workflow last changed."""
    return time.time() - (flow.updated_at or flow.created_at or 0) / 1000


@contextmanager
def hosting(
    desk: Desk,
    url: str,
    name: str,
    threads: int = 4,
    told: Callable[[str, str], None] = lambda *_: None,
    polling: float = SECONDS,
) -> Iterator[DbosEngine]:
    """This process works on the queue, as the host `name`, until the end of the block; what runs then is finished.

    `told` hears for each session how it stands now, or why it could not be moved on. Refuses with StoreError when the
    package is missing or the tables of DBOS cannot be made.
    """
    try:
        from dbos import DBOS
    except ImportError:
        raise StoreError("the engine dbos needs the package `dbos`: install skillc[dbos]") from None
    logging.getLogger("dbos").setLevel(logging.ERROR)
    DBOS(
        config={
            "name": QUEUE,
            "system_database_url": url,
            "application_version": VERSION,
            "executor_id": name,
            "enable_otlp": False,
            "log_level": "ERROR",
            "serializer": _json_only(),
            "notification_listener_polling_interval_sec": polling,
        }
    )

    @DBOS.workflow(name=WORKFLOW)
    def advance(session_id: str) -> str:
        try:
            standing = standing_of(desk.move_on(session_id))
        except Exception as problem:  # noqa: BLE001 - DBOS would keep it as it is, with all that it holds
            told(session_id, in_words(problem))
            return "failed"
        told(session_id, standing)
        return standing

    engine = DbosEngine(desk, url)
    try:
        DBOS.launch()
        DBOS.register_queue(QUEUE, worker_concurrency=threads, polling_interval_sec=polling)
        yield engine
    finally:
        engine.close()
        DBOS.destroy(destroy_registry=True, workflow_completion_timeout_sec=int(LONGEST_PAUSE))


def database_of(where: str) -> str:
    """The database of DBOS that belongs to the store at `where`: the same one on a server, which has a schema for each,
    and a file beside the file."""
    if not is_url(where):
        return f"sqlite:///{os.path.abspath(where)}.dbos"
    scheme, _, rest = where.partition("://")
    return f"postgresql://{rest}" if scheme.startswith("postgres") else where


def serve(
    engine: DbosEngine, stop: threading.Event, told: Callable[[str, str], None], seconds: float = SECONDS
) -> None:
    """Start what nobody does, again and again, until `stop` is set."""
    while not stop.is_set():
        try:
            engine.resume_orphans()
        except Exception as problem:  # noqa: BLE001 - a database that is away for a while ends no host
            told("", in_words(problem))
        stop.wait(seconds)


def _json_only() -> Any:
    """Values in the tables of DBOS are JSON: to read a pickle is to run what somebody wrote there."""
    from dbos import Serializer

    class JsonOnly(Serializer):
        def name(self) -> str:
            return "skillc-json"

        def serialize(self, data: Any) -> str:
            return json.dumps(data if _plain(data) else str(data), ensure_ascii=False, sort_keys=True)

        def deserialize(self, serialized_data: str) -> Any:
            return json.loads(serialized_data)

    return JsonOnly()


def _plain(data: object) -> bool:
    try:
        json.dumps(data)
    except (TypeError, ValueError):
        return False
    return True

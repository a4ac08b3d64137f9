"""`skillc serve-sessions`: this process moves the sessions of a store on whenever they have something to do."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN, Stop
from skillc.cli.language import add_language_option, words
from skillc.cli.modelling import profiled_client
from skillc.cli.place import Place, home_for
from skillc.cli.run import given_profiles
from skillc.cli.storing import add_store_option, store_of
from skillc.execute.lease import HOLD_SECONDS
from skillc.execute.models.protocol import ModelClient, NoModel
from skillc.execute.profiles import ProfileError, Profiles, check_profiles, load_profiles
from skillc.execute.spread.desk import Desk
from skillc.execute.spread.looping import Loop
from skillc.execute.store import StoreError, open_store
from skillc.report.language import retold
from skillc.runtime import RunnablePlan
from skillc.wording import said_in, say

ENGINES = ("dbos", "loop")
Told = Callable[[str, str], None]

EPILOG = Epilog(
    say(
        "Start it on as many machines as you like, all with the same PostgreSQL database. A session that waits for a "
        "person needs no process; an answer (`skillc session answer`) wakes it on any host. When a host dies, another one "
        "takes its sessions over. Each host needs the model profiles and, in its environment, their keys; the compiled "
        "plans are in the database."
    ),
    say(
        "--engine dbos spreads the work with the queue of DBOS (skillc[dbos]); --engine loop looks into the store itself, "
        "which is enough for one machine."
    ),
    examples(
        (
            "skillc serve-sessions --store postgresql://me@db/stories --profile main",
            say("a host; start the same on others"),
        ),
        ("skillc serve-sessions --engine loop --once", say("all that can be done now, then the end")),
        ("skillc session start basic --store postgresql://me@db/stories", say("a session for the hosts")),
        ("skillc session answer SESSION --accept --store …", say("what a user says; it goes on somewhere")),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--engine", choices=ENGINES, default="dbos", help=say("who spreads the work"))
    add_store_option(parser)
    parser.add_argument("--database", metavar="URL", dest="store", help=say("the same as --store"))
    parser.add_argument("--profiles", metavar="FILE", help=say("model profiles (default: profiles.json)"))
    parser.add_argument("--profile", metavar="ID", help=say("the model profile of all sessions"))
    parser.add_argument("--name", metavar="HOST", help=say("what this process is called (default: made up)"))
    parser.add_argument("--threads", type=int, default=4, metavar="N", help=say("sessions at a time"))
    parser.add_argument(
        "--lease",
        type=float,
        default=HOLD_SECONDS,
        metavar="SECONDS",
        help=say("how long a session stays with a host that gives no sign"),
    )
    parser.add_argument("--once", action="store_true", help=say("end when no session has anything to do"))
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    place = home_for(os.getcwd())
    if args.threads < 1 or not 1 <= args.lease <= 86_400:
        raise Stop(say("a host moves at least one session at a time, and holds it for 1 to 86400 seconds"))
    where = store_of(place, args.store)
    profiles = _profiles(place, args)
    catalogue = words(args, place)
    name = args.name or f"{socket.gethostname()}-{os.getpid()}"

    def told(session: str, text: str) -> None:
        line = f"{time.strftime('%H:%M:%S')}  {session or name}  {retold(catalogue, text)}"
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    stop = threading.Event()
    _on_signals(stop)
    try:
        store = open_store(where)
        models = args.profiles or place.path(place.config.profiles)
        desk = Desk(store, _clients(profiles, models), seconds=args.lease)
        told("", said_in(catalogue, say("serves the sessions of `{store}`", store=store.path)))
        _serve(args, desk, where, name, told, stop)
    except StoreError as problem:
        raise Stop(retold(catalogue, str(problem))) from problem
    told("", said_in(catalogue, say("has stopped; nothing of it runs any more")))
    return CLEAN


def _serve(
    args: argparse.Namespace, desk: Desk, where: str, name: str, told: Told, stop: threading.Event
) -> None:
    """Until `stop`, or with --once until nothing is left to do; what runs then is finished."""
    if args.once:
        threading.Thread(target=_until_idle, args=(desk, stop), daemon=True).start()
    if args.engine == "loop":
        Loop(desk, args.threads, told).serve(stop)
        return
    from skillc.execute.spread.dbos_engine import database_of, hosting, serve

    with hosting(desk, database_of(where), name, args.threads, told) as engine:
        serve(engine, stop, told)


def _on_signals(stop: threading.Event) -> None:
    def heard(_: int, __: FrameType | None) -> None:
        stop.set()

    with suppress(ValueError):  # only the main thread of a process hears signals
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, heard)


def _until_idle(desk: Desk, stop: threading.Event) -> None:
    while not stop.wait(0.2):
        with suppress(StoreError):
            if desk.is_idle():
                stop.set()


def _profiles(place: Place, args: argparse.Namespace) -> Profiles | None:
    data = given_profiles(place, args)
    try:
        return None if data is None else load_profiles(data, args.profile)
    except ProfileError as problem:
        raise Stop(str(problem)) from problem


def _clients(profiles: Profiles | None, path: str) -> Callable[[RunnablePlan], ModelClient]:
    """One client for all sessions, held against each plan before it is used."""
    if profiles is None:
        return lambda _: NoModel()
    client = profiled_client(profiles, path)

    def client_of(plan: RunnablePlan) -> ModelClient:
        try:
            check_profiles(plan, profiles)
        except ProfileError as problem:
            raise StoreError(str(problem)) from problem
        return client

    return client_of

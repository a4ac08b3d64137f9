"""Sessions that hosts move on (`skillc serve-sessions`): begun, answered, suspended and woken from any machine."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from skillc.cli import run as running
from skillc.cli.build import write_one
from skillc.cli.datafile import read_data
from skillc.cli.errors import CLEAN, FINDINGS, Stop
from skillc.cli.language import language, words
from skillc.cli.place import find_package, find_place
from skillc.cli.session_view import print_lines
from skillc.cli.session_words import PHASES
from skillc.cli.shelf import again, find_session, opened, store_at
from skillc.execute.delivery import open_actions
from skillc.execute.models.protocol import NoModel
from skillc.execute.session import Session, SessionRefused
from skillc.execute.spread.choosing import engine_of
from skillc.execute.spread.desk import Desk
from skillc.execute.spread.plans import keep_plan
from skillc.execute.spread.port import Dispatch, Engine
from skillc.execute.store import Store
from skillc.report.language import retold
from skillc.runtime import PlanError, load_plan
from skillc.wording import say


def start_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("package", metavar="PACKAGE", help=say("as in basic or novel/basic"))
    parser.add_argument("--board", metavar="FILE", help=say("a board that the new session starts from"))
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help=say("play rounds (default: 1)"))


def answer_options(parser: argparse.ArgumentParser) -> None:
    one(parser)
    parser.add_argument("text", metavar="TEXT", nargs="?", help=say("the answer; `-` reads standard input"))
    parser.add_argument("--accept", action="store_true", help=say("accept what is shown"))
    parser.add_argument("--reject", metavar="NOTES", help=say("send back what is shown, with notes"))
    parser.add_argument(
        "--id", metavar="ID", help=say("a name for this answer: delivering it twice writes once")
    )
    parser.add_argument(
        "--accept-change",
        action="store_true",
        help=say("answer although the waiting worker was compiled anew"),
    )


def one(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="SESSION", help=say("its id, or the beginning of it"))


def start(args: argparse.Namespace) -> int:
    """A session that hosts move on; its compiled plan goes into the store with it."""
    place = find_place([])
    path = find_package(place, args.package)
    if args.rounds < 1:
        raise Stop(say("a session plays at least one round, not {rounds}", rounds=args.rounds))
    board = read_data(args.board, say("board")) if args.board else None
    write_one(place, running.compiled(place, path, language(args, place)))
    with opened(args, makes=True) as store, _engine(store, args) as engine:
        try:
            plan = load_plan(place.path(f"{place.config.build}/{path}/plan.json"))
            keep_plan(store, plan)
            session = Session.open(store, plan, board=board, rounds=args.rounds)
        except (PlanError, SessionRefused) as problem:
            raise Stop(str(problem)) from problem
        engine.start(session.id)
        lines = [
            say("session {id}, for the hosts that serve this store", id=session.id),
            say("see it with: {command}", command=_command("show", session.id, args)),
        ]
        print_lines(args, {"session": session.id}, lines)
    return CLEAN


def answer(args: argparse.Namespace) -> int:
    """What the user says to a session that waits, written once; exit code 1 when it is refused."""
    given = [args.text is not None, args.accept, args.reject is not None]
    if sum(given) != 1:
        raise Stop(say("say one of TEXT, --accept and --reject NOTES"))
    action = "accept" if args.accept else "answer" if args.text is not None else "reject"
    said = args.text if args.text is not None else args.reject or ""
    text = sys.stdin.read() if said == "-" else said
    with opened(args) as store, _engine(store, args, args.accept_change) as engine:
        session = find_session(store, args.session).id
        delivery = engine.answer(session, action, text, args.id)
        if delivery.refused:
            raise Stop(_refusal(args, store, session, delivery.message), FINDINGS)
        _tell(args, engine.status(session), delivery.status)
    return CLEAN


def _refusal(args: argparse.Namespace, store: Store, session: str, message: str) -> str:
    """Why an answer is none; where it was meant for what is shown and asks nothing, how it is sent back as notes."""
    actions = open_actions(store.load(session).progress)
    if args.text in (None, "-") or "answer" in actions or "reject" not in actions:
        return message
    command = shlex.join(["skillc", "session", "answer", session, "--reject", args.text, *again(args)])
    return say("{message}; to send it back: {command}", message=retold(words(args), message), command=command)


def suspend(args: argparse.Namespace) -> int:
    def act(engine: Engine, session: str) -> None:
        if engine.status(session).phase == "done":
            raise Stop(say("session {id} is over: there is nothing to suspend", id=session), FINDINGS)
        engine.suspend(session)

    return _do(args, act)


def wake(args: argparse.Namespace) -> int:
    return _do(args, lambda engine, session: engine.start(session))


def _do(args: argparse.Namespace, act: Callable[[Engine, str], None]) -> int:
    with opened(args) as store, _engine(store, args) as engine:
        session = find_session(store, args.session).id
        act(engine, session)
        _tell(args, engine.status(session))
    return CLEAN


def _tell(args: argparse.Namespace, found: Dispatch, delivery: str | None = None) -> None:
    data = {"session": found.session, "phase": found.phase, "place": found.place, "holder": found.holder}
    if delivery is not None:
        data["delivery"] = delivery
    lines = [
        say(
            "session {id}: {phase}; {standing}",
            id=found.session,
            phase=PHASES.get(found.phase, found.phase),
            standing=_standing(found),
        )
    ]
    if delivery == "duplicate":
        lines.insert(0, say("this answer was delivered before; nothing was written"))
    print_lines(args, data, lines)


def _standing(found: Dispatch) -> str:
    match found.place:
        case "running":
            return say("{holder} moves it on", holder=found.holder or "")
        case "queued":
            return say("a host will move it on")
        case "suspended":
            return say("it is suspended; `skillc session wake` lets it go on")
    return say("it has nothing to do before somebody acts") if found.phase != "done" else say("it is over")


@contextmanager
def _engine(store: Store, args: argparse.Namespace, accept_change: bool = False) -> Iterator[Engine]:
    desk = Desk(store, lambda _: NoModel(), accept_change=accept_change)
    with engine_of(desk, store_at(args)) as engine:
        yield engine


def _command(action: str, session: str, args: argparse.Namespace) -> str:
    return " ".join(["skillc session", action, session, *again(args)])

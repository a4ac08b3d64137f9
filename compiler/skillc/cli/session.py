"""`skillc session`: the sessions of a store. Listed, looked at, gone on with, forked, written out as Markdown."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from skillc.cli import run as running
from skillc.cli import session_spread as spread
from skillc.cli.build import write_one
from skillc.cli.epilog import Epilog, Listing, examples
from skillc.cli.errors import CLEAN, Stop
from skillc.cli.forms import add_form_options
from skillc.cli.language import add_language_option, language, note, words
from skillc.cli.output import emit, write_file
from skillc.cli.place import all_packages, find_place
from skillc.cli.session_export import session_markdown
from skillc.cli.session_view import list_data, list_lines, print_lines, show_data, show_lines
from skillc.cli.shelf import again, find_book, find_session, kept_plan, opened
from skillc.cli.storing import add_store_option
from skillc.execute.book import Book, books, fork_session, rows_of
from skillc.execute.rounds import can_play_on
from skillc.execute.store import Store
from skillc.wording import say, series


class Action(NamedTuple):
    """One verb: what it does in a few words, its options, what it does with them."""

    help: str
    fill: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    reads: bool = True
    """Whether the options of a report (`--json`) and of the store are added to its own."""


def _one(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="SESSION", help=say("its id, or the beginning of it"))


def _show_options(parser: argparse.ArgumentParser) -> None:
    _one(parser)
    parser.add_argument(
        "--text", action="store_true", help=say("what is asked, and what is to be accepted, in full")
    )


def _list_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--book", metavar="BOOK", help=say("only the sessions of this Book"))


def _resume_options(parser: argparse.ArgumentParser) -> None:
    _one(parser)
    running.playing_options(parser)


def _fork_options(parser: argparse.ArgumentParser) -> None:
    _one(parser)
    parser.add_argument(
        "--save", metavar="NAME", help=say("from this save of its Book instead of from its end")
    )


def _export_options(parser: argparse.ArgumentParser) -> None:
    _one(parser)
    parser.add_argument("--output", metavar="FILE", help=say("write it there instead of to standard output"))
    parser.add_argument(
        "--include-hidden",
        action="store_true",
        help=say("also texts that carry a label: hidden, user_only, role_private and others"),
    )


def _list(args: argparse.Namespace) -> int:
    with opened(args) as store:
        names = {one.id: one.name for one in books(store)}
        found = store.sessions()
        if args.book:
            wanted = find_book(store, args.book)[0].id
            found = tuple(one for one in found if one.book == wanted)
        lines = [] if args.format == "json" else list_lines(found, names)
        print_lines(args, list_data(found, names), lines)
    return CLEAN


def _show(args: argparse.Namespace) -> int:
    with opened(args) as store:
        summary = find_session(store, args.session)
        record, rows = store.load(summary.id), rows_of(store, summary.id)
        name = Book(store, summary.book).record.name if summary.book else None
        held = store.holder_of(summary.id)
        lines = show_lines(summary, record, rows, name, again(args), held, args.text)
        print_lines(args, show_data(summary, record, rows, name, held), lines)
    return CLEAN


def _resume(args: argparse.Namespace) -> int:
    """`run --resume`, the package found from the session: compiled from its sources, else the plan under build/."""
    with opened(args) as store:
        summary = find_session(store, args.session)
    place = find_place([])
    if summary.package in all_packages(place):
        write_one(place, running.compiled(place, summary.package, language(args, place)))
    elif not os.path.exists(place.path(f"{place.config.build}/{summary.package}/plan.json")):
        raise Stop(
            say(
                "package `{package}` of the session is neither below `{skills}` nor compiled below `{build}`",
                package=summary.package,
                skills=place.config.skills,
                build=place.config.build,
            )
        )
    args.resume, args.board, args.book, args.load, args.fresh = summary.id, None, None, None, False
    return running.play(place, summary.package, args)


def _fork(args: argparse.Namespace) -> int:
    with opened(args) as store:
        summary = find_session(store, args.session)
        if not args.save:
            forked = fork_session(store, summary.id)
        elif summary.book is None:
            raise Stop(say("session `{session}` is of no Book, so it has no saves", session=summary.id))
        else:
            book = Book(store, summary.book)
            save = book.record.save_named(args.save)
            if save is not None and save.session != summary.id:
                raise Stop(
                    say(
                        "`{save}` is a save of session `{other}`, not of `{session}`",
                        save=args.save,
                        other=save.session,
                        session=summary.id,
                    )
                )
            forked = book.restore(args.save)
        told_fork(args, store, forked.id, summary.id)
    return CLEAN


def told_fork(args: argparse.Namespace, store: Store, new: str, old: str) -> None:
    """That there is a new session, and how to go on with it; of one that was over already, whether anything does."""
    record = store.load(new)
    plan = kept_plan(store, record)
    lines = [say("session {id}, forked from {old}; that one stays as it is", id=new, old=old)]
    if record.progress.status.phase != "done":
        lines.append(say("go on with: {command}", command=_resuming(new, args)))
    elif plan is not None and can_play_on(plan, record):
        more = ["--rounds", str(record.progress.round + 1)]
        lines.append(
            say("it was played to its end; play on with: {command}", command=_resuming(new, args, *more))
        )
    else:
        lines.append(say("it was over there: its texts are all in it, and nothing is left to run"))
        if record.book:
            name = Book(store, record.book).record.name
            command = shlex.join(["skillc", "run", record.package, "--book", name, *again(args)])
            lines.append(say("a new session begins with what the Book has: {command}", command=command))
    print_lines(args, {"session": new, "forked_from": old}, lines)


def _resuming(session: str, args: argparse.Namespace, *more: str) -> str:
    return shlex.join(["skillc", "session", "resume", session, *more, *again(args)])


def _export(args: argparse.Namespace) -> int:
    with opened(args) as store:
        summary = find_session(store, args.session)
        rows, record = rows_of(store, summary.id), store.load(summary.id)
        name = Book(store, summary.book).record.name if summary.book else None
        plan = kept_plan(store, record)
    written = session_markdown(summary, record, rows, name, args.include_hidden, words(args), plan)
    if args.output:
        write_file(args.output, written.text)
    else:
        emit("markdown", written.text)
    tell_labelled(args, written.labelled)
    return CLEAN


def tell_labelled(args: argparse.Namespace, labelled: dict[str, tuple[str, ...]]) -> None:
    """On standard error, which labelled texts were left out, or are in what was written."""
    if not labelled:
        return
    tags = series(
        say("{tag} ({labels})", tag=tag, labels=", ".join(labels)) for tag, labels in labelled.items()
    )
    if args.include_hidden:
        note(args, None, say("skillc: warning: this holds what is kept from others: {tags}", tags=tags))
    else:
        note(args, None, say("skillc: left out: {tags}; --include-hidden takes them along", tags=tags))


ACTIONS: dict[str, Action] = {
    "list": Action(say("all sessions, oldest first"), _list_options, _list),
    "show": Action(say("where a session stands, who ran, and its texts"), _show_options, _show),
    "resume": Action(
        say("go on with a session; its package is known"), _resume_options, _resume, reads=False
    ),
    "fork": Action(say("a new session with all that this one has, or had at a save"), _fork_options, _fork),
    "export": Action(say("the conversation and the texts, as Markdown"), _export_options, _export),
    "start": Action(say("a new session for hosts to move on"), spread.start_options, spread.start),
    "answer": Action(say("what the user says to one that waits"), spread.answer_options, spread.answer),
    "suspend": Action(say("let no host move it on"), spread.one, spread.suspend),
    "wake": Action(say("let hosts move it on"), spread.one, spread.wake),
}

EPILOG = Epilog(
    Listing(say("actions:"), tuple((name, action.help) for name, action in ACTIONS.items())),
    say(
        "A session is named by its id or by the beginning of it. Nothing is ever deleted: rows are only appended, and each "
        "proves those before it. To try something else from some point on, fork."
    ),
    examples(
        "skillc session list --book 留真",
        ("skillc session resume 7f3a --profile local", say("go on; a model replies")),
        ("skillc session fork 7f3a", say("another way to go on from here")),
        ("skillc session export 7f3a --output story.md", say("to read; nothing hidden in it")),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_actions(parser, ACTIONS)


def add_actions(parser: argparse.ArgumentParser, actions: dict[str, Action]) -> None:
    """A parser for each of `actions`."""
    parsers: Any = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, action in actions.items():
        below = parsers.add_parser(name, help=action.help)
        below.description = action.help
        action.fill(below)
        if action.reads:
            add_form_options(below)
            add_store_option(below)
            add_language_option(below)


def run(args: argparse.Namespace) -> int:
    """One action; refusals go to standard error with exit code 2, a damaged store with 3."""
    sys.stdout.flush()
    return ACTIONS[args.action].run(args)

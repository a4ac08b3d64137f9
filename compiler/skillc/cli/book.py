"""`skillc book`: projects, and what their sessions confirmed (SPEC 14)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from skillc.cli.book_view import (
    assets_lines,
    book_line,
    fact_data,
    saves_lines,
    show_data,
    show_lines,
    trace_rows,
)
from skillc.cli.datafile import json_value
from skillc.cli.epilog import Epilog, Listing, examples
from skillc.cli.errors import CLEAN, FINDINGS, Stop
from skillc.cli.output import emit, write_file
from skillc.cli.place import find_package, find_place
from skillc.cli.session import Action, add_actions, tell_labelled, told_fork
from skillc.cli.session_view import print_lines
from skillc.cli.shelf import confirmed, find_book, find_session, opened
from skillc.cli.show import compile_one
from skillc.execute.book import KINDS, Book, books
from skillc.execute.bookrecords import BookRecord, Fact
from skillc.report.reasons import reason
from skillc.runtime import RunnablePlan, load_plan
from skillc.wording import say, series


def _named(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("book", metavar="BOOK", help=say("its name, its id, or the beginning of the id"))


def _create_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help=say("what it is called; no other Book is"))
    parser.add_argument(
        "--kind", choices=KINDS, required=True, help=say("which packages it is for; it never changes")
    )


def _list_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help=say("archived Books, too"))


def _traces_options(parser: argparse.ArgumentParser) -> None:
    _named(parser)
    parser.add_argument("--session", metavar="SESSION", help=say("only what happened in this session"))


def _assets_options(parser: argparse.ArgumentParser) -> None:
    _named(parser)
    parser.add_argument("tags", nargs="*", metavar="TAG", help=say("these tags only, their texts in full"))
    parser.add_argument("--include-hidden", action="store_true", help=say("show hidden texts, too"))


def _export_options(parser: argparse.ArgumentParser) -> None:
    _named(parser)
    parser.add_argument("tags", nargs="*", metavar="TAG", help=say("these tags (default: all)"))
    parser.add_argument("--output", metavar="FILE", help=say("write it there instead of to standard output"))
    parser.add_argument(
        "--include-hidden",
        action="store_true",
        help=say("also texts that carry a label: hidden, user_only, role_private and others"),
    )


def _import_options(parser: argparse.ArgumentParser) -> None:
    _named(parser)
    parser.add_argument("file", metavar="FILE", help=say("what `skillc book export` wrote"))
    parser.add_argument(
        "--package", metavar="PKG", help=say("refuse texts that nobody in this package reads")
    )


def _save_options(parser: argparse.ArgumentParser) -> None:
    _named(parser)
    parser.add_argument("name", metavar="NAME", help=say("what the position is called in the Book"))
    parser.add_argument("--session", metavar="SESSION", help=say("of this session (default: the newest)"))


def _restore_options(parser: argparse.ArgumentParser) -> None:
    _named(parser)
    parser.add_argument("name", metavar="NAME", help=say("the save to go back to"))


def _create(args: argparse.Namespace) -> int:
    with opened(args, makes=True) as store:
        book = Book.create(store, args.name, args.kind).record
    line = say("created the Book {name} ({kind}), id {id}", name=book.name, kind=book.kind, id=book.id)
    print_lines(args, {"id": book.id, "name": book.name, "kind": book.kind}, [line])
    return CLEAN


def _list(args: argparse.Namespace) -> int:
    with opened(args) as store:
        found = [one for one in books(store) if args.all or not one.archived]
        counted = {one.id: len(Book(store, one.id).sessions()) for one in found}
    data = [{"id": one.id, "name": one.name, "kind": one.kind, "archived": one.archived} for one in found]
    lines: list[object] = [[book_line(one, counted[one.id]) for one in found]] if found else [say("no Books")]
    print_lines(args, data, lines)
    return CLEAN


def _show(args: argparse.Namespace) -> int:
    with opened(args) as store:
        book, record = find_book(store, args.book)
        sessions, facts = book.sessions(), confirmed(store, book)
    print_lines(args, show_data(record, sessions, facts), show_lines(record, sessions, facts))
    return CLEAN


def _archive(args: argparse.Namespace) -> int:
    with opened(args) as store:
        book, record = find_book(store, args.book)
        book.archive()
    line = say("archived {name}; it keeps all it has, and takes no new sessions", name=record.name)
    print_lines(args, {"id": record.id, "archived": True}, [line])
    return CLEAN


def _unarchive(args: argparse.Namespace) -> int:
    with opened(args) as store:
        book, record = find_book(store, args.book)
        book.unarchive()
    print_lines(
        args, {"id": record.id, "archived": False}, [say("{name} takes sessions again", name=record.name)]
    )
    return CLEAN


def _traces(args: argparse.Namespace) -> int:
    with opened(args) as store:
        book, _ = find_book(store, args.book)
        wanted = find_session(store, args.session).id if args.session else None
        found = [one for one in book.traces() if wanted in (None, one.session)]
    print_lines(args, [one.model_dump() for one in found], [trace_rows(found)])
    return CLEAN


def _assets(args: argparse.Namespace) -> int:
    with opened(args) as store:
        book, record = find_book(store, args.book)
        facts = _chosen(record, confirmed(store, book), args.tags)
    shown = [fact for fact in facts if args.include_hidden or "hidden" not in fact.labels]
    print_lines(
        args,
        [fact_data(fact, fact in shown) for fact in facts],
        assets_lines(facts, shown, full=bool(args.tags)),
    )
    return CLEAN


def _chosen(record: BookRecord, facts: Sequence[Fact], tags: Sequence[str]) -> list[Fact]:
    """The facts under `tags`, in that order; all of them where none are named. Refuses a tag with nothing."""
    by_tag: dict[str, list[Fact]] = {}
    for fact in facts:
        by_tag.setdefault(fact.tag, []).append(fact)
    lost = next((tag for tag in tags if tag not in by_tag), None)
    if lost is not None:
        there = series(f"`{tag}`" for tag in by_tag) or say("none")
        raise Stop(
            say(
                "the Book `{book}` has nothing confirmed under `{tag}`; it has: {tags}",
                book=record.name,
                tag=lost,
                tags=there,
            )
        )
    return [fact for tag in tags for fact in by_tag[tag]] if tags else list(facts)


def _export(args: argparse.Namespace) -> int:
    """Texts without labels; one with a label that was asked for by its tag alone is refused (SPEC 8.4)."""
    with opened(args) as store:
        book, record = find_book(store, args.book)
        facts = _chosen(record, confirmed(store, book), args.tags)
        closed = next((fact for fact in facts if fact.labels), None)
        if args.tags and closed is not None and not args.include_hidden:
            raise Stop(
                say(
                    "`{tag}` carries {labels}: in a file nothing keeps it from anybody; give --include-hidden to "
                    "export it all the same",
                    tag=closed.tag,
                    labels=", ".join(closed.labels),
                ),
                FINDINGS,
            )
        taken = [fact for fact in facts if args.include_hidden or not fact.labels]
        text = book.export(taken)
    if args.output:
        write_file(args.output, text)
        tags = series(dict.fromkeys(fact.tag for fact in taken)) or say("nothing")
        line = say("wrote {path}: {tags}", path=args.output, tags=tags)
        print_lines(args, {"path": args.output, "tags": [fact.tag for fact in taken]}, [line])
    else:
        emit("json", text)
    tell_labelled(args, {fact.tag: fact.labels for fact in facts if fact.labels})
    return CLEAN


def _import(args: argparse.Namespace) -> int:
    value = _json_of(args.file)
    plan = _plan(args.package) if args.package else None
    with opened(args) as store:
        book, record = find_book(store, args.book)
        taken = book.take(value, plan)
    if taken:
        line = say("{name} took {tags}; its next session may load them", name=record.name, tags=series(taken))
    else:
        line = say("{name} has all of them already", name=record.name)
    print_lines(args, {"book": record.id, "tags": list(taken)}, [line])
    return CLEAN


def _json_of(path: str) -> object:
    """The file, read as JSON whatever it is called."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        why = reason(error)
        raise Stop(say("cannot read `{path}`: {reason}", path=path, reason=why)) from error
    return json_value(path, data, say("file of exported texts"))


def _plan(name: str) -> RunnablePlan:
    place = find_place([])
    path = find_package(place, name)
    return load_plan(compile_one(place, path).files["plan.json"])


def _save(args: argparse.Namespace) -> int:
    with opened(args) as store:
        book, record = find_book(store, args.book)
        if args.session:
            session = find_session(store, args.session).id
        else:
            there = book.sessions()
            if not there:
                raise Stop(say("the Book `{book}` has no session yet", book=record.name))
            session = there[-1].id
        book.save(args.name, session)
    line = say("saved session {id} as {name}", id=session, name=args.name)
    print_lines(args, {"save": args.name, "session": session}, [line])
    return CLEAN


def _saves(args: argparse.Namespace) -> int:
    with opened(args) as store:
        _, record = find_book(store, args.book)
    data = [
        {"name": one.row.name, "session": one.row.session, "at": one.at, "rows": one.row.at_entry}
        for one in record.saves
    ]
    print_lines(args, data, saves_lines(record))
    return CLEAN


def _restore(args: argparse.Namespace) -> int:
    with opened(args) as store:
        book, record = find_book(store, args.book)
        forked = book.restore(args.name)
        save = record.save_named(args.name)
        told_fork(args, store, forked.id, save.session if save else "")
    return CLEAN


ACTIONS: dict[str, Action] = {
    "create": Action(say("a new Book"), _create_options, _create),
    "list": Action(say("all Books that are not archived"), _list_options, _list),
    "show": Action(say("its sessions, confirmed texts and saves"), _named, _show),
    "traces": Action(say("what was asked, run, confirmed and rejected, by time"), _traces_options, _traces),
    "assets": Action(say("the confirmed texts: of each tag what counts now"), _assets_options, _assets),
    "export": Action(say("confirmed texts into a file, for another Book"), _export_options, _export),
    "import": Action(say("take the texts of such a file into the Book"), _import_options, _import),
    "save": Action(say("give the present position of a session a name"), _save_options, _save),
    "saves": Action(say("the named positions"), _named, _saves),
    "restore": Action(say("a new session as one was at a save"), _restore_options, _restore),
    "archive": Action(say("put the Book away: it takes no new sessions"), _named, _archive),
    "unarchive": Action(say("take the Book up again"), _named, _unarchive),
}

EPILOG = Epilog(
    say(
        "A Book is one project. What the user accepts in its sessions is confirmed in the Book at once; drafts are only "
        "traced, candidates never count. A new session loads the confirmed texts that its package reads, and skips its "
        "design where they make it ready: skillc run PACKAGE --book BOOK, with --fresh to begin anew."
    ),
    Listing(say("actions:"), tuple((name, action.help) for name, action in ACTIONS.items())),
    examples(
        "skillc book create 留真 --kind novel",
        ("skillc run basic --book 留真", say("a session of the Book")),
        "skillc book save 留真 大纲定稿",
        ("skillc book restore 留真 大纲定稿", say("go back there, in a new session")),
        "skillc book export 留真 大纲.确认稿 --output outline.json",
        "skillc book import 续篇 outline.json",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_actions(parser, ACTIONS)


def run(args: argparse.Namespace) -> int:
    """One action; refusals go to standard error with exit code 2, a damaged store with 3."""
    sys.stdout.flush()
    return ACTIONS[args.action].run(args)

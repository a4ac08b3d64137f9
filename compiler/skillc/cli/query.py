"""`skillc query EXPR`: which workers, tags and sources depend on which."""

from __future__ import annotations

import argparse

from skillc.cli.epilog import Epilog, Listing, examples
from skillc.cli.errors import CLEAN
from skillc.cli.language import add_language_option, note
from skillc.cli.output import emit
from skillc.cli.place import find_place
from skillc.cli.selecting import add_comparing_options, answered, since
from skillc.wording import say

EPILOG = Epilog(
    Listing(
        say("functions:"),
        (
            ("deps(x[, depth])", say("x and all that it depends on")),
            (
                "rdeps(universe, x[, depth])",
                say("x and all that depends on it, of what the universe depends on"),
            ),
            ("somepath(a, b)", say("a shortest way from a, along what it depends on, to b")),
            ("allpaths(a, b)", say("all that lies on any such way")),
            ("producers(tag)", say("who gives a tag, or what becomes it; of a worker: what it reads")),
            ("consumers(tag)", say("who receives a tag, or what it becomes; of a worker: what it writes")),
            ("kind(worker, x)", say("of x what is a worker, template, missing, tag, source or user")),
            ("attr(stage, play, x)", say("of x what has the attribute: see the selectors")),
        ),
    ),
    Listing(
        say("names and selectors:"),
        (
            ("...", say("everything; novel/... all packages of one kind")),
            ("basic, basic:outline", say("a package, a worker; `*` in an id stands for anything")),
            ("大纲.草稿, 大纲.*", say("tags, in all packages; basic:大纲.草稿 in one")),
            ("basic:(user)", say("the user, or a source: runtime, startup, ask, book, rag, pseudo")),
            ("+x, x+, 2+x, x+1", say("with what leads to x, with what follows from it, so many steps away")),
            ("stage:play", say("also isolation: actor: acceptance: kind: origin: label: of nodes")),
            ("package:, worker:, tag:, source:", say("a name that is only looked for among these")),
            (
                "state:modified, state:new",
                say("against --state or --changed-since; state:modified.body, .contract, .workspace"),
            ),
        ),
    ),
    say(
        "Operators are union or +, intersect or ^, except or -; they bind alike, from left to right. `+` with blanks on "
        "both sides joins. Names with other characters stand in quotes."
    ),
    examples(
        ("skillc query 'deps(basic:outline)'", say("all that the worker depends on")),
        ("skillc query 'kind(worker, rdeps(..., 规则.草稿))'", say("whom a change of the tag reaches")),
        (
            "skillc query 'somepath(review-infer, 核心.危险.隐藏)'",
            say("through whom it may come to know of it"),
        ),
        ("skillc query 'stage:play - isolation:none' --output json", ""),
        ("skillc query '2+basic:outline' --output dot | dot -Tsvg > outline.svg", ""),
        ("skillc query 'state:modified.contract+' --state build", say("what the edits since a build reach")),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("expression", metavar="EXPR", help=say("the query"))
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help=say("workspaces, packages, files or package names")
    )
    parser.add_argument(
        "--output",
        choices=("label", "json", "dot"),
        default="label",
        help=say("one label a line, or the nodes with the edges between them"),
    )
    add_comparing_options(parser)
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    from skillc.query import OUTPUTS

    place = since(find_place(args.paths), args.changed_since)
    answer = answered(place, args.expression, args)
    if answer.reverse:
        note(
            args,
            place,
            say("there is no such way, but one from the other end: swap the arguments of `somepath`"),
        )
    emit("json" if args.output == "json" else "text", OUTPUTS[args.output](answer))
    return CLEAN

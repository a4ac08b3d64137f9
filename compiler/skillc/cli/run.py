"""`skillc run PACKAGE`: a session from the compiled plan, with a script, a model, or a person alone."""

from __future__ import annotations

import argparse
import os
import sys

from skillc.cli.beginning import add_book_options, beginning_of
from skillc.cli.build import write_one, write_output
from skillc.cli.datafile import read_data, read_value
from skillc.cli.driving import DRIVERS
from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import Stop
from skillc.cli.language import add_language_option, language, words
from skillc.cli.modelling import Models
from skillc.cli.place import Place, find_package, find_place
from skillc.cli.playing import run_command
from skillc.cli.show import compile_one
from skillc.cli.storing import add_store_option, sessions_folder, store_of
from skillc.driver import Built
from skillc.execute.postgres import is_url, without_password
from skillc.runtime import PlanError, load_plan
from skillc.wording import say

EPILOG = Epilog(
    say(
        "The package is checked and compiled first; with errors it is not run. Everything that happens is kept in the "
        "session's store, so a session goes on where it stopped: after a question, a crash, or Ctrl-C. With --resume the "
        "same --script goes on where it was, too; a script that begins otherwise than the one that was played is taken "
        "for the rest."
    ),
    say(
        "At a terminal without --script and without model profiles you write the replies of the workers yourself: each "
        "prompt is put into a file, and your reply is checked as that of a model. Where standard input is no terminal it "
        "is not read: without a model or a script no session is begun (exit code 2); with a model it stops at the first "
        "question."
    ),
    examples(
        (
            "skillc run basic --script skills/novel/basic/scripts/demo.yaml",
            say("scripted replies, nobody is asked"),
        ),
        ("skillc run basic --profile local", say("a model of profiles.json; you answer")),
        ("skillc run basic --profile local --driver model", say("a model decides who runs; you answer")),
        ("skillc run basic", say("no model: you answer, and write each worker's reply")),
        ("skillc run basic --book 留真", say("a session of a Book; it loads what is confirmed there")),
        ("skillc run basic --resume SESSION --export story.md", say("the finished texts into a file")),
        ("skillc run basic --resume SESSION --profile local", say("go on with a session")),
        ("/vars · /set KEY VALUE · /help", say("typed in place of an answer: see and set variables")),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("package", metavar="PACKAGE", help=say("as in basic or novel/basic"))
    add_book_options(parser)
    parser.add_argument("--board", metavar="FILE", help=say("a board that the new session starts from"))
    parser.add_argument("--resume", metavar="SESSION", help=say("go on with this session"))
    playing_options(parser)


def playing_options(parser: argparse.ArgumentParser) -> None:
    """What a new session and one that goes on have in common."""
    models = parser.add_mutually_exclusive_group()
    models.add_argument("--script", metavar="FILE", help=say("scripted replies and answers (YAML or JSON)"))
    models.add_argument("--profile", metavar="ID", help=say("the session's model profile"))
    parser.add_argument("--profiles", metavar="FILE", help=say("model profiles (default: profiles.json)"))
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--record", metavar="DIR", help=say("keep the answers of models there"))
    kept.add_argument(
        "--replay", metavar="DIR", help=say("take the answers of models from there; no key, no network")
    )
    parser.add_argument(
        "--rounds", type=int, metavar="N", help=say("play rounds (default: 1, or the script's)")
    )
    parser.add_argument(
        "--driver",
        choices=DRIVERS,
        help=say("who decides what comes next: the built-in scheduler (default), or a model as orchestrator"),
    )
    parser.add_argument(
        "--accept-change",
        action="store_true",
        help=say("resume although the waiting worker was compiled anew"),
    )
    parser.add_argument(
        "--text", action="store_true", help=say("print what was delivered and confirmed in full")
    )
    parser.add_argument(
        "--export", metavar="FILE", help=say("write what was delivered and confirmed to FILE, as Markdown")
    )
    add_store_option(parser)
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    place = find_place([])
    path = find_package(place, args.package)
    write_one(place, compiled(place, path, language(args, place)))
    return play(place, path, args)


def play(place: Place, path: str, args: argparse.Namespace) -> int:
    """Run or resume as `args` say, by the plan of the package as it lies in the build folder."""
    try:
        plan = load_plan(place.path(f"{place.config.build}/{path}/plan.json"))
    except PlanError as error:
        raise Stop(str(error)) from error
    where = store_of(place, args.store)
    return run_command(
        plan,
        store_path=where,
        folder=sessions_folder(place) if is_url(where) else "",
        script=read_data(args.script, say("script")) if args.script else None,
        profiles=None if args.script else given_profiles(place, args),
        profile=args.profile,
        rounds=args.rounds,
        resume=args.resume,
        board=read_data(args.board, say("board")) if args.board else None,
        book=beginning_of(args),
        accept_change=args.accept_change,
        interactive=sys.stdin.isatty(),
        full=args.text,
        given=_given(args),
        export=args.export,
        driver=args.driver,
        models=_models(place, args),
        out=sys.stdout,
        prompt=input,
        words=words(args, place),
    )


def _given(args: argparse.Namespace) -> list[str]:
    """The options that hold for a session as long as it runs, as they were given."""
    names = ("script", "profile", "profiles", "record", "replay", "store", "export")
    named = {name: getattr(args, name) for name in names}
    named["store"] = without_password(args.store or "")
    return [word for name, value in named.items() if value for word in (f"--{name}", value)]


def compiled(place: Place, path: str, lang: str) -> Built:
    """The package, compiled now; one with errors leaves its older output marked stale."""
    try:
        return compile_one(place, path, lang)
    except Stop:
        write_output(place, path, None)
        raise


def _models(place: Place, args: argparse.Namespace) -> Models:
    """Where the models are from. Recordings are of models: a script needs none, and nobody may think that it made any."""
    if args.script and (args.record or args.replay):
        raise Stop(say("a script replies in place of a model: leave out --record and --replay"))
    path = args.profiles or place.path(place.config.profiles)
    return Models(path=path, record=args.record, replay=args.replay)


def given_profiles(place: Place, args: argparse.Namespace) -> object | None:
    """What the file of model profiles holds; None where nobody asked for it and there is none."""
    path = args.profiles or place.path(place.config.profiles)
    if not args.profiles and not args.profile and not os.path.exists(path):
        return None
    return read_value(path, say("file of model profiles"))

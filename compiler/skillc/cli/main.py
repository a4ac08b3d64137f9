"""The command line: arguments in, a command's exit code out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

import skillc
from skillc.cli.early import early_language, stopped
from skillc.cli.epilog import Epilog, Listing
from skillc.cli.errors import CLEAN, USAGE, Stop
from skillc.config import LANGUAGES
from skillc.report.language import words_of
from skillc.wording import say

if TYPE_CHECKING:
    from skillc.cli.helping import Parser
    from skillc.store.quick import Standing

COMMANDS = (
    "check",
    "build",
    "why",
    "show",
    "show-artifact",
    "snapshot",
    "order",
    "graph",
    "query",
    "knows",
    "leak",
    "cache-report",
    "cache",
    "diff",
    "compat",
    "run",
    "session",
    "book",
    "serve-sessions",
    "usage",
    "profile",
    "explain",
    "init",
)
"""Each is a module of this folder (`-` as `_`) with EPILOG, `arguments(parser)` and `run(args) -> exit code`."""

_DESCRIPTION = say("skillc checks, compiles and runs tag-driven LLM skill packages.")
_EPILOG = Epilog(
    Listing(
        say("a first day:"),
        (
            ("skillc init my-story", say("a new package that checks clean")),
            ("skillc check", say("everything that is wrong, with the place and the way out")),
            ("skillc explain G001", say("why a finding matters and how to fix it")),
            ("skillc show basic:outline", say("the exact messages that a worker's model will receive")),
            ("skillc build", say("compiled plans under build/")),
            (
                "skillc run basic",
                say("a session: you answer, accept or reject; without a model you write the replies, too"),
            ),
        ),
    ),
    say(
        "exit codes: 0 clean or warnings only, 1 findings (warnings too with --strict), 2 usage, 3 it could not be "
        "done (disk, permissions, a damaged store, or an internal error, which says so)"
    ),
)


def run(argv: Sequence[str], stood: Standing | None = None) -> int:
    """Run one command line; prints to the standard streams and returns the exit code (SPEC 16.3). `stood` is how the
    workspace stands of which a build without options has looked already whether there is anything to do."""
    if stood:
        from skillc.cli.build import again

        return _ended(lambda: again(list(argv[1:]), stood), argv)
    argv = _language_behind(argv)
    if list(argv) == ["--version"]:
        sys.stdout.write(f"skillc {skillc.__version__}\n")
        return CLEAN
    parser = _parser(argv)
    parser.tell(words_of(early_language(argv)))
    try:
        args = parser.parse_args(argv)
    except SystemExit as stop:
        return CLEAN if stop.code in (0, None) else USAGE
    if not args.command:
        parser.print_help()
        return USAGE
    return _ended(lambda: _module(args.command).run(args), argv)


def _ended(command: Callable[[], int], argv: Sequence[str]) -> int:
    """The exit code of a command, which says why where it stops."""
    try:
        return command()
    except Stop as stop:
        sys.stderr.write(f"skillc: {stopped(stop, argv)}\n")
        return stop.code


def _language_behind(argv: Sequence[str]) -> list[str]:
    """The command line with a `--lang` that stands before the command moved behind it, where it is an option.

    >>> _language_behind(["--lang", "zh", "check", "basic"])
    ['check', '--lang', 'zh', 'basic']
    """
    words = list(argv)
    taken = 2 if words[:1] == ["--lang"] else 1 if words and words[0].startswith("--lang=") else 0
    if taken and words[taken : taken + 1] and words[taken] in COMMANDS:
        return [words[taken], *words[:taken], *words[taken + 1 :]]
    return words


def _parser(argv: Sequence[str]) -> Parser:
    """Only the wanted command's module is loaded; where it stands first, no other command is told of."""
    from skillc.cli.helping import Parser

    parser = Parser("skillc", description=_DESCRIPTION)
    parser.below = _EPILOG
    version = f"skillc {skillc.__version__}"
    parser.add_argument(
        "--version", action="version", version=version, help=say("show program's version number and exit")
    )
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        help=say("the language of messages (default: SKILLC_LANG, `lang` in the settings, else the locale)"),
    )
    commands = parser.add_subparsers(prog=parser.prog, dest="command", metavar="COMMAND")
    wanted = next((word for word in argv if word in COMMANDS), None)
    for name in COMMANDS if wanted is None or argv[0] != wanted else (wanted,):
        command = commands.add_parser(name, help=_HELP[name])
        if name == wanted:
            _fill(command, name)
    return parser


def _fill(parser: Parser, name: str) -> None:
    module = _module(name)
    parser.description = _HELP[name]
    parser.below = module.EPILOG
    module.arguments(parser)


def _module(command: str) -> ModuleType:
    return import_module(f"skillc.cli.{command.replace('-', '_')}")


def parser_of(name: str, language: str = "en") -> Parser:
    """The parser of one command, as its help is written from."""
    from skillc.cli.helping import Parser

    parser = Parser(f"skillc {name}")
    _fill(parser, name)
    parser.tell(words_of(language))
    return parser


_HELP = {
    "check": say("report everything that is wrong in packages"),
    "build": say("compile packages into plans and readable prompts"),
    "why": say("tell which input made a package be compiled anew, and what came out otherwise"),
    "show": say("show the context that a worker receives on a board"),
    "show-artifact": say("show an artifact of a design as people read it, in the terminal or as a page"),
    "snapshot": say("hold the contexts of contexts/<case>.yaml against the files that keep them"),
    "order": say("show and edit which tags a slot of the play turn shows, and in which order"),
    "graph": say("print who writes and reads which tags"),
    "query": say("ask which workers, tags and sources depend on which"),
    "knows": say("list all that a worker may learn, directly and through whom"),
    "leak": say("show the shortest way of a tag to a worker"),
    "cache-report": say("show which write makes which context be read anew, and how large contexts get"),
    "cache": say("look after the build cache: how much it holds, what to throw out, whether it is whole"),
    "diff": say("show what changed between two states of a workspace, and what that costs"),
    "compat": say("tell whether suspended sessions survive a change"),
    "run": say("run a session of a package"),
    "session": say("list, show, resume, fork and export sessions"),
    "book": say("keep projects: what their sessions confirmed, named saves, texts from one to another"),
    "serve-sessions": say("move the sessions of a store on, as one of many hosts"),
    "usage": say("sum up what a session's calls of models came to"),
    "profile": say("see the model profiles, and probe what their servers can do"),
    "explain": say("explain a finding: why, how to fix it, a bad and a good example"),
    "init": say("make a new package that checks clean"),
}

"""The command line: arguments in, a command's exit code out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

import skillc
from skillc.cli.errors import CLEAN, USAGE, Stop

COMMANDS = (
    "check",
    "build",
    "show",
    "show-artifact",
    "snapshot",
    "order",
    "graph",
    "knows",
    "leak",
    "cache-report",
    "run",
    "explain",
    "init",
)
"""Each is a module of this folder (`-` as `_`) with EPILOG, `arguments(parser)` and `run(args) -> exit code`."""

_DESCRIPTION = "skillc checks, compiles and runs tag-driven LLM skill packages."
_EPILOG = """\
a first day:
  skillc init my-story          a new package that checks clean
  skillc check                  everything that is wrong, with the place and the way out
  skillc explain G001           why a finding matters and how to fix it
  skillc show basic:outline     the exact messages that a worker's model will receive
  skillc build                  compiled plans under build/
  skillc run basic              a session: you answer, accept or reject

exit codes: 0 clean or warnings only, 1 findings (warnings too with --strict), 2 usage, 3 internal error
"""


def run(argv: Sequence[str]) -> int:
    """Run one command line; prints to the standard streams and returns the exit code (SPEC 16.3)."""
    _tolerant_streams()
    if list(argv) == ["--version"]:
        sys.stdout.write(f"skillc {skillc.__version__}\n")
        return CLEAN
    parser = _parser(argv)
    try:
        args = parser.parse_args(argv)
    except SystemExit as stop:
        return CLEAN if stop.code in (0, None) else USAGE
    if not args.command:
        parser.print_help()
        return USAGE
    try:
        code: int = _module(args.command).run(args)
    except Stop as stop:
        from skillc.cli.language import stopped

        sys.stderr.write(f"skillc: {stopped(args, stop)}\n")
        return stop.code
    return code


def _tolerant_streams() -> None:
    """A terminal that cannot show a character gets an escape for it instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    """Only the wanted command's module is loaded; the others cost their one line of help."""
    parser = argparse.ArgumentParser(
        "skillc",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"skillc {skillc.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = next((word for word in argv if word in COMMANDS), None)
    for name in COMMANDS:
        command = commands.add_parser(
            name, help=_HELP[name], formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name == wanted:
            _fill(command, name)
    return parser


def _fill(parser: argparse.ArgumentParser, name: str) -> None:
    module = _module(name)
    parser.description = _HELP[name]
    parser.epilog = module.EPILOG
    module.arguments(parser)


def _module(command: str) -> ModuleType:
    return import_module(f"skillc.cli.{command.replace('-', '_')}")


def parser_of(name: str) -> argparse.ArgumentParser:
    """The parser of one command, as its help is written from."""
    parser = argparse.ArgumentParser(f"skillc {name}", formatter_class=argparse.RawDescriptionHelpFormatter)
    _fill(parser, name)
    return parser


_HELP = {
    "check": "report everything that is wrong in packages",
    "build": "compile packages into plans and readable prompts",
    "show": "show the context that a worker receives on a board",
    "show-artifact": "show an artifact of a design as people read it, in the terminal or as a page",
    "snapshot": "hold the contexts of contexts/<case>.yaml against the files that keep them",
    "order": "show and edit which tags a slot of the play turn shows, and in which order",
    "graph": "print who writes and reads which tags",
    "knows": "list all that a worker may learn, directly and through whom",
    "leak": "show the shortest way of a tag to a worker",
    "cache-report": "show which write makes which context be read anew, and how large contexts get",
    "run": "run a session of a package",
    "explain": "explain a finding: why, how to fix it, a bad and a good example",
    "init": "make a new package that checks clean",
}

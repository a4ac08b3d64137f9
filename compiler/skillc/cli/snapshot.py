"""`skillc snapshot`: the contexts of `contexts/<case>.yaml`, held against the files that keep them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from skillc.cli.epilog import Epilog, Verbatim, examples
from skillc.cli.errors import CLEAN, FINDINGS, INTERNAL, Stop
from skillc.cli.language import add_language_option, note, words
from skillc.cli.place import Place, all_packages, find_place
from skillc.cli.selecting import add_selection_options, narrowed
from skillc.cli.terminal import has_color
from skillc.report.language import Words
from skillc.snapshot.account import account, plain, summary
from skillc.snapshot.assembling import Assembler
from skillc.snapshot.cases import kept_of
from skillc.snapshot.comparing import Outcome, accept, blocked, outcome_of, refusal, unused, unwritable
from skillc.source.names import CONTEXTS, SNAPSHOTS
from skillc.wording import said_in, say

EPILOG = Epilog(
    say(
        "A case is a board that says whose context it is about, skills/<kind>/<package>/contexts/<case>.yaml:"
    ),
    Verbatim(
        """
  worker: outline
  items:
    - tag: 需求.核心要点
      content: 夜班便利店，十条规则，员工手册体
      source: user
"""
    ),
    say(
        "Its snapshot is contexts/__snapshots__/<case>.md, a file to read and to commit. A case fails when its context "
        "is another one, when it has no snapshot, and when it cannot be assembled; a snapshot without a case fails too. "
        "Under pytest the plugin of `skillc[snapshot]` does the same."
    ),
    examples(
        ("skillc snapshot", say("compare all cases of the workspace; writes nothing")),
        (
            "skillc snapshot basic --update",
            say("write what differs, remove what belongs to no case (not where CI is set)"),
        ),
        "skillc snapshot skills/novel/basic/contexts/first.yaml",
    ),
)
_COLORS = {"!": "\x1b[1m", "@": "\x1b[36m", "-": "\x1b[31m", "+": "\x1b[32m", "?": "\x1b[33m"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help=say("workspaces, packages, cases or package names")
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--update", action="store_true", help=say("make the snapshots what the contexts are now")
    )
    mode.add_argument(
        "--check", action="store_true", help=say("compare and write nothing; this is the default")
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    add_selection_options(parser)
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    refused = refusal(os.environ) if args.update else None
    if refused:
        raise Stop(refused)
    place = narrowed(find_place(args.paths), args)
    outcomes = list(_outcomes(place, _named(place, args.paths)))
    color, language = has_color(sys.stdout, args.color), words(args, place)
    for outcome in outcomes:
        if not (args.update and _settle(outcome, place)):
            sys.stdout.write(_told(outcome, color, language))
    note(args, place, summary([outcome.kind for outcome in outcomes], args.update))
    done = ("same", "changed", "missing", "unused") if args.update else ("same",)
    return CLEAN if all(outcome.kind in done for outcome in outcomes) else FINDINGS


def _outcomes(place: Place, named: frozenset[str] | None) -> Iterator[Outcome]:
    """What became of the cases, and of snapshots that belong to none; of those at the paths `named`, if they are."""
    assembler = Assembler(place.reader, place.config)
    packages = all_packages(place) if place.only is None else sorted(place.only)
    found = [kept_of(place.reader, place.config.skills, package) for package in packages]
    for kept in found:
        if kept.cases and not kept.blocked:
            assembler.want(kept.cases[0].package)
    for kept in found:
        if kept.blocked:
            yield blocked(kept.blocked)
            continue
        for case in kept.cases:
            if named is None or {case.path, case.snapshot} & named:
                yield outcome_of(case, assembler, place.root)
        yield from (unused(path) for path in kept.unused if named is None or path in named)


def _named(place: Place, paths: list[str]) -> frozenset[str] | None:
    """The cases and snapshots that the user named one by one; None where a whole package is meant."""
    found = set()
    for path in paths:
        relative = os.path.relpath(os.path.realpath(path), place.root).replace(os.sep, "/")
        steps = relative.removeprefix(f"{place.config.skills}/").split("/")
        inside = os.path.isfile(path) and relative != "/".join(steps) and len(steps) > 3
        if not (inside and steps[2] == CONTEXTS and (len(steps) == 4 or steps[3] == SNAPSHOTS)):
            return None
        found.add(relative)
    return frozenset(found) if found else None


def _settle(outcome: Outcome, place: Place) -> bool:
    """Write or remove the snapshot; whether all is well now."""
    if outcome.kind == "failed":
        return False
    try:
        accept(outcome, place.root)
    except OSError as error:
        raise Stop(unwritable(outcome.snapshot, error), INTERNAL) from error
    return True


def _told(outcome: Outcome, color: bool, language: Words) -> str:
    """The account of one outcome; the way out that is the same for many stands in the summary only."""
    brief = outcome.kind in ("missing", "unused")
    lines = (
        (mark, plain(mark, said_in(language, text)))
        for mark, text in account(outcome)
        if not (brief and mark == "=")
    )
    return "".join(f"{_colored(mark, line) if color else line}\n" for mark, line in lines)


def _colored(mark: str, line: str) -> str:
    return f"{_COLORS[mark]}{line}\x1b[0m" if mark in _COLORS else line

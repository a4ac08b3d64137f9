"""`skillc check`: all findings, in the format that the reader wants."""

from __future__ import annotations

import argparse
import sys

from skillc import driver
from skillc.cli.errors import CLEAN, FINDINGS, USAGE, Stop
from skillc.cli.place import Place, all_packages, find_place
from skillc.cli.terminal import PROGRESS_FROM, has_color, waiting
from skillc.report import FORMATS, Counts, render
from skillc.report.counts import count

EPILOG = """\
examples:
  skillc check                             all packages of the workspace around this folder
  skillc check skills/novel/basic          one package (a file of it means the same)
  skillc check basic --strict              warnings fail too: for CI
  skillc check --format json > report.json for tools; columns count characters from 1
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="workspaces, packages, files or package names"
    )
    add_report_options(parser)


def add_report_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that reports findings."""
    parser.add_argument("--format", choices=FORMATS, help="how findings are printed (default: text)")
    parser.add_argument("--strict", action="store_true", default=None, help="warnings fail as errors do")
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="default: in a terminal, unless NO_COLOR",
    )


def run(args: argparse.Namespace) -> int:
    place = find_place(args.paths)
    checked = check(place)
    sys.stdout.write(report(checked, place, args, args.color))
    return exit_code(counts(checked), strict(args, place))


def check(place: Place) -> driver.Checked:
    """The workspace of `place`, read and checked."""
    many = (len(place.only) if place.only is not None else len(all_packages(place))) >= PROGRESS_FROM
    with waiting("checking packages", many):
        return driver.check(place.reader, place.config.skills, place.only, place.config.profiles)


def counts(checked: driver.Checked) -> Counts:
    packages = checked.workspace.packages
    return count(checked.diagnostics, len(packages), sum(len(package.workers) for package in packages))


def report(checked: driver.Checked, place: Place, args: argparse.Namespace, color: str) -> str:
    form = args.format or place.config.format
    if form not in FORMATS:
        raise Stop(f"unknown format `{form}` in the settings: choose one of {', '.join(FORMATS)}", USAGE)
    return render(form, checked.diagnostics, counts(checked), has_color(sys.stdout, color))


def strict(args: argparse.Namespace, place: Place) -> bool:
    return place.config.strict if args.strict is None else bool(args.strict)


def exit_code(numbers: Counts, strict: bool) -> int:
    failed = numbers.errors or (strict and numbers.warnings)
    return FINDINGS if failed else CLEAN

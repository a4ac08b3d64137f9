"""`skillc build`: plans and readable prompts under `build/`, written whole or not at all."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from skillc import driver
from skillc.cli.check import add_report_options, check, counts, exit_code, strict, wanted_format
from skillc.cli.control import add_control_options, control_of
from skillc.cli.errors import INTERNAL, Stop
from skillc.cli.helping import Epilog, examples
from skillc.cli.language import language, note
from skillc.cli.output import emit
from skillc.cli.place import Place, find_place
from skillc.cli.terminal import has_color, progress
from skillc.control import Control
from skillc.diagnostic import Diagnostic, Severity, in_order
from skillc.report import render
from skillc.report.counts import plural
from skillc.report.reasons import reason
from skillc.store.output import mark_stale, remove_others, write_index, write_package
from skillc.wording import say

EPILOG = Epilog(
    say("Writes build/<kind>/<package>/plan.json and <worker>.prompt.md, and build/index.json."),
    say("A package with errors keeps its previous output, marked stale in the index; the others are built."),
    examples(
        ("skillc build", say("everything")),
        ("skillc build basic", say("one package; the rest of build/ stays as it is")),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help=say("workspaces, packages, files or package names")
    )
    add_report_options(parser)
    add_control_options(parser)


def run(args: argparse.Namespace) -> int:
    place = find_place(args.paths)
    form = wanted_format(args, place)
    checked = check(place)
    found = _shown(checked, control_of(place, args))
    if any(d.severity > Severity.INFO for d in found):
        color, lang = has_color(sys.stdout, args.color), language(args, place, form)
        emit(form, render(form, found, counts(found, checked), color, lang, strict(args, place)))
    with progress(len(checked.workspace.packages)) as bar:
        built = driver.build(checked, bar)
    written = write(place, built, everything=place.only is None)
    good = [one for one in built if one.plan]
    broken = len(built) - len(good)
    said = say(
        "{packages} compiled, {current} up to date{broken} → {build}/",
        packages=plural(written, "package"),
        current=len(good) - written,
        broken=say(", {n} with errors", n=broken) if broken else "",
        build=place.config.build,
    )
    note(args, place, said)
    return exit_code(counts(found, checked), strict(args, place))


def _shown(checked: driver.Checked, control: Control) -> tuple[Diagnostic, ...]:
    """What is reported, and every error: one that is suppressed keeps its package from being built all the same."""
    errors = [d for d in checked.diagnostics if d.severity is Severity.ERROR]
    stopping = {d.sort_key for d in errors}
    return in_order([*errors, *(d for d in driver.reported(checked, control) if d.sort_key not in stopping)])


def write(place: Place, built: Sequence[driver.Built], everything: bool) -> int:
    """Bring the build folder up to date; gives the number of packages whose files changed.

    With `everything`, `built` are all packages there are, and the output of others is removed.
    """
    build = place.path(place.config.build)
    try:
        written = 0
        for one in built:
            if one.plan:
                written += write_package(build, one.package.path, one.files)
            else:
                mark_stale(build, one.package.path)
        if everything:
            remove_others(build, {one.package.path for one in built})
        write_index(build)
    except OSError as error:
        name = os.path.relpath(error.filename or build, place.root).replace(os.sep, "/")
        raise Stop(
            say(
                "cannot write `{name}`: {reason}; what was there before is intact",
                name=name,
                reason=reason(error),
            ),
            INTERNAL,
        ) from error
    return written

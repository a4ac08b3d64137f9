"""`skillc check`: all findings, in the format that the reader wants."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from skillc import driver
from skillc.cli.control import add_control_options, baseline_path, control_of, load_baseline, shown_settings
from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN, FINDINGS, USAGE, Stop
from skillc.cli.language import add_language_option, language, note, words
from skillc.cli.looking import Seen, looked, seen_in, seen_of
from skillc.cli.modes import refuse_idle_options
from skillc.cli.output import deliver, write_file
from skillc.cli.place import Place, all_packages, find_place, no_package, place_of_buffer
from skillc.cli.selecting import add_selection_options, is_narrowing, narrowed
from skillc.cli.terminal import PROGRESS_FROM, has_color, progress, waiting
from skillc.control import Control, Scope, in_scope, is_looked_for
from skillc.diagnostic import Diagnostic
from skillc.engine.run import Run
from skillc.report import FORMATS, Counts, render
from skillc.report.counts import count, plural
from skillc.source.reader import DiskReader, OverlayReader, Reader
from skillc.value import replace
from skillc.wording import said_in, say

if TYPE_CHECKING:
    import argparse

    from skillc.engine.checks import Checks
    from skillc.fixes import Fixed

EPILOG = Epilog(
    examples(
        ("skillc check", say("all packages of the workspace around this folder")),
        ("skillc check skills/novel/basic", say("one package (a file of it means the same)")),
        ("skillc check basic --strict", say("warnings fail too: for CI")),
        ("skillc check --fix", say("write what is safe to fix; --diff shows it only")),
        ("skillc check --select G,I --ignore G041", say("two families, without one of their codes")),
        ("skillc check --format json > report.json", say("for tools; columns count characters from 1")),
        ("skillc check --format sarif --output-file report.sarif", ""),
        (
            "skillc check --explain-ready basic",
            say("how the package becomes ready to play, worker by worker"),
        ),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help=say(
            "workspaces, packages, files or package names; - reads --stdin-filename from standard input"
        ),
    )
    add_report_options(parser)
    add_watch_option(parser)
    parser.add_argument("--output-file", metavar="FILE", help=say("write the report there"))
    parser.add_argument(
        "--statistics", action="store_true", help=say("count the findings of each code instead")
    )
    parser.add_argument("--stdin-filename", metavar="PATH", help=say("where the text given as - belongs"))
    parser.add_argument("--show-settings", action="store_true", help=say("print the settings in force"))
    parser.add_argument(
        "--response-schema", action="store_true", help=say("print the JSON Schema of --format json")
    )
    parser.add_argument(
        "--explain-ready",
        metavar="PKG",
        help=say("prove whether a package can become ready to play: a shortest schedule, or what is missing"),
    )
    add_control_options(parser)
    add_selection_options(parser)
    parser.add_argument(
        "--write-baseline", action="store_true", help=say("write all that is found now to the baseline")
    )
    group = parser.add_argument_group(say("fixing"))
    group.add_argument("--fix", action="store_true", help=say("write the fixes that change no meaning"))
    group.add_argument(
        "--unsafe-fixes", action="store_true", help=say("with --fix or --diff: those that may change it too")
    )
    group.add_argument("--diff", action="store_true", help=say("show what --fix would do; writes nothing"))


def add_report_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that reports findings."""
    parser.add_argument(
        "--format", choices=FORMATS, help=say("how findings are printed (default: SKILLC_FORMAT, else text)")
    )
    add_language_option(parser)
    parser.add_argument("--strict", action="store_true", default=None, help=say("warnings fail as errors do"))
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help=say("default: in a terminal, unless NO_COLOR"),
    )


def add_watch_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--watch",
        action="store_true",
        help=say("stay, and do it again whenever something changed that was looked at"),
    )


def run(args: argparse.Namespace) -> int:
    refuse_idle_options(args)
    if args.response_schema:
        from skillc.report.json_schema import response_schema

        sys.stdout.write(response_schema())
        return CLEAN
    if args.explain_ready:
        from skillc.cli.ready import tell

        return tell(args)
    if args.watch:
        from skillc.cli.watching import watch

        return watch(args, lambda place: _once(narrowed(place, args), args))
    place, reader = _opened(args)
    if args.show_settings:
        sys.stdout.write(shown_settings(place))
        return CLEAN
    control = control_of(place, args)
    if args.fix or args.diff or args.unsafe_fixes:
        fixed = _fixed(place, reader, control, args)
        if args.diff:
            return _show_diff(fixed, place, args)
    seen = _seen(place, reader, args)
    found = seen.reported(control)
    if args.write_baseline:
        return _write_baseline(place, seen.scope, found, args)
    numbers = count(found, seen.packages, seen.workers)
    _report(args, place, found, numbers)
    return exit_code(numbers, strict(args, place))


def _once(place: Place, args: argparse.Namespace) -> Run:
    """One round of `--watch`."""
    done = _looked(place, args)
    seen = seen_in(done)
    found = seen.reported(control_of(place, args))
    _report(args, place, found, count(found, seen.packages, seen.workers))
    return done


def _opened(args: argparse.Namespace) -> tuple[Place, Reader]:
    """The workspace, and its files; with `-` one of them as standard input has it."""
    if (args.paths == ["-"]) != bool(args.stdin_filename):
        raise Stop(
            say("`-` and `--stdin-filename PATH` belong together, and no other path stands beside them")
        )
    if not args.stdin_filename:
        place = narrowed(find_place(args.paths), args)
        return place, place.reader
    if is_narrowing(args):
        raise Stop(
            say("standard input is one file: `--select-packages` and `--changed-since` have no choice there")
        )
    if args.fix:
        raise Stop(
            say(
                "what comes from standard input is not written: take `--diff`, or the fixes in `--format json`"
            )
        )
    place, path = place_of_buffer(args.stdin_filename)
    return place, OverlayReader(place.reader, {path: sys.stdin.buffer.read()})


def _seen(place: Place, reader: Reader, args: argparse.Namespace) -> Seen:
    """The workspace as it lies on the disk, or as an editor has it."""
    return seen_in(_looked(place, args)) if isinstance(reader, DiskReader) else seen_of(check(place, reader))


def _looked(place: Place, args: argparse.Namespace) -> Run:
    with progress(said_in(words(args, place), say("checking"))) as bar:
        return looked(place, False, bar)


def check(place: Place, reader: Reader | None = None, checks: Checks | None = None) -> driver.Checked:
    """The workspace of `place`, read and checked; with `checks`, of packages that it has seen nothing is checked twice."""
    many = (len(place.only) if place.only is not None else len(all_packages(place))) >= PROGRESS_FROM
    with waiting("checking packages", many):
        checked = (checks.check if checks else driver.check)(
            reader or place.reader, place.config.skills, place.only, place.config.profiles, place.config.flow
        )
    if place.only and not checked.workspace.packages and not checked.diagnostics:
        raise no_package(place)
    return checked


def _fixed(place: Place, reader: Reader, control: Control, args: argparse.Namespace) -> Fixed:
    """The fixes worked out, and written unless a diff is wanted."""
    from skillc.cli.fixing import tell_refused, write
    from skillc.engine.checks import Checks
    from skillc.fixes import Findings, fix

    if not (args.fix or args.diff):
        raise Stop(
            say("`--unsafe-fixes` says which fixes: add `--fix` to write them, or `--diff` to see them")
        )
    whole: list[Place] = []
    checks = Checks()

    def findings(files: Reader) -> Findings:
        checked = check(place, files, checks)
        found = driver.reported(checked, control)
        if not whole and _reaches_out(found, place):
            whole.append(replace(place, only=None))
        return Findings(check(whole[0], files, checks).diagnostics if whole else checked.diagnostics, found)

    fixed = fix(reader, findings, args.unsafe_fixes)
    tell_refused(fixed, words(args, place))
    if not args.diff:
        write(place, fixed, words(args, place))
    return fixed


def _reaches_out(found: Iterable[Diagnostic], place: Place) -> bool:
    """Whether a fix changes what other packages use as well: then all of them say whether it does harm."""
    folders = tuple(f"{place.config.skills}/{path}/" for path in place.only or ())
    edits = (edit for d in found if d.fix for edit in d.fix.edits)
    return place.only is not None and any(not edit.span.path.startswith(folders) for edit in edits)


def _show_diff(fixed: Fixed, place: Place, args: argparse.Namespace) -> int:
    from skillc.cli.fixing import diff

    deliver(place, args.output_file, "diff", diff(fixed))
    return FINDINGS if fixed.new else CLEAN


def _write_baseline(place: Place, scope: Scope, found: Sequence[Diagnostic], args: argparse.Namespace) -> int:
    from skillc.control.baseline import write_baseline

    path = baseline_path(place, args)
    if path is None:
        raise Stop(say("`--write-baseline` needs a file: name it with `--baseline FILE`, or in the settings"))
    old = load_baseline(place, args) if os.path.exists(path) else None
    control = control_of(place, args)
    stays = [
        entry
        for entry in (old.entries if old else ())
        if not (in_scope(entry, scope) and is_looked_for(entry, control))
    ]
    write_file(path, write_baseline(found, stays))
    note(args, place, say("{findings} written to {path}", findings=plural(len(found), "finding"), path=path))
    return CLEAN


def _report(args: argparse.Namespace, place: Place, found: Sequence[Diagnostic], numbers: Counts) -> None:
    """The report, or the statistics, to where they are wanted."""
    color = has_color(sys.stdout, args.color) and (not args.output_file or args.color == "always")
    form = wanted_format(args, place)
    if args.statistics:
        text = _statistics(form, found, numbers, color, language(args, place, form))
    else:
        text = render(form, found, numbers, color, language(args, place, form), strict(args, place))
    deliver(place, args.output_file, form, text)


def _statistics(form: str, found: Sequence[Diagnostic], numbers: Counts, color: bool, lang: str) -> str:
    from skillc.report import statistics

    if form not in statistics.FORMATS:
        raise Stop(
            say("`--statistics` is {formats}, not {form}", formats=" or ".join(statistics.FORMATS), form=form)
        )
    return statistics.render(form, found, numbers, color, lang)


def counts(found: Sequence[Diagnostic], checked: driver.Checked) -> Counts:
    packages = checked.workspace.packages
    return count(found, len(packages), sum(len(package.workers) for package in packages))


def wanted_format(args: argparse.Namespace, place: Place) -> str:
    """The format that the option, the environment or the settings name, in this order."""
    named = (
        (args.format, ""),
        (os.environ.get("SKILLC_FORMAT"), "SKILLC_FORMAT"),
        (place.config.format, say("the settings")),
    )
    form, where = next((form, where) for form, where in named if form)
    if form not in FORMATS:
        raise Stop(
            say(
                "unknown format `{form}` in {where}: choose one of {formats}",
                form=form,
                where=where,
                formats=", ".join(FORMATS),
            ),
            USAGE,
        )
    return form


def strict(args: argparse.Namespace, place: Place) -> bool:
    return place.config.strict if args.strict is None else bool(args.strict)


def exit_code(numbers: Counts, strict: bool) -> int:
    failed = numbers.errors or (strict and numbers.warnings)
    return FINDINGS if failed else CLEAN

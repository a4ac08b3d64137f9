"""`skillc build`: plans and readable prompts under `build/`, written whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from skillc import driver
from skillc.cli.check import add_report_options, add_watch_option, exit_code, strict, wanted_format
from skillc.cli.control import add_control_options, control_of
from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN, FINDINGS, INTERNAL, Stop
from skillc.cli.language import language, note, words
from skillc.cli.looking import Seen, looked, options_of, seen_in, watched
from skillc.cli.modes import refuse_idle_options
from skillc.cli.output import emit
from skillc.cli.place import Place, find_place
from skillc.cli.selecting import add_selection_options, narrowed
from skillc.cli.terminal import has_color, progress
from skillc.control import Control
from skillc.diagnostic import Diagnostic, Severity, in_order
from skillc.engine.look import MADE
from skillc.engine.run import CACHED, Run
from skillc.engine.writing import write, write_single
from skillc.report import render
from skillc.report.counts import Counts, count, plural
from skillc.report.reasons import reason
from skillc.store.cache import open_cache
from skillc.store.output import built_packages
from skillc.store.quick import Standing, variables
from skillc.wording import Said, said_in, say

if TYPE_CHECKING:
    import argparse

EPILOG = Epilog(
    say("Writes build/<kind>/<package>/plan.json and <worker>.prompt.md, and build/index.json."),
    say("A package with errors keeps its previous output, marked stale in the index; the others are built."),
    examples(
        ("skillc build", say("everything")),
        ("skillc build basic", say("one package; the rest of build/ stays as it is")),
        ("skillc build --check", say("fails when build/ is not what the sources say: for CI")),
        ("skillc build --watch", say("again whenever something changes; Ctrl-C ends it")),
        ("skillc build --explain", say("with the input that made each package be compiled")),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help=say("workspaces, packages, files or package names")
    )
    add_report_options(parser)
    add_control_options(parser)
    add_selection_options(parser)
    add_watch_option(parser)
    ways = parser.add_argument_group(say("what is done")).add_mutually_exclusive_group()
    ways.add_argument("--explain", action="store_true", help=say("tell of each package why it was compiled"))
    ways.add_argument(
        "--dry-run", action="store_true", help=say("tell what would be compiled, and why; writes nothing")
    )
    ways.add_argument(
        "--check",
        action="store_true",
        help=say("fail when the build folder is not what the sources say; writes nothing"),
    )
    ways.add_argument(
        "--verify-incremental",
        action="store_true",
        help=say("build, compile all of it once more as if nothing were known, and compare the bytes"),
    )


PLAIN = {
    "command": "build",
    "color": "auto",
    **dict.fromkeys(("format", "lang", "strict", "select", "ignore", "extend_select", "baseline")),
    **dict.fromkeys(("select_packages", "changed_since", "state")),
    **dict.fromkeys(("ignore_inline_suppressions", "watch"), False),
    **dict.fromkeys(("explain", "dry_run", "check", "verify_incremental"), False),
}
"""What a command line without options comes to, paths apart: no parser has to be made for it."""


def again(paths: list[str], stood: Standing) -> int:
    """A build without options of a workspace that was looked at already: `stood` is how it stands."""
    args: Any = SimpleNamespace(**PLAIN, paths=paths)
    place = find_place(paths)
    return _once(place, args, stood if place.root == stood.folder else None)[1]


def run(args: argparse.Namespace) -> int:
    """One build."""
    refuse_idle_options(args)
    if args.watch:
        from skillc.cli.watching import watch

        return watch(args, lambda place: _once(narrowed(place, args), args)[0])
    place = narrowed(find_place(args.paths), args)
    return _dry_run(place, args) if args.dry_run else _once(place, args)[1]


def _once(place: Place, args: argparse.Namespace, stood: Standing | None = None) -> tuple[Run, int]:
    """One build, and its exit code."""
    done = _looked(place, args, forgetting=args.check, stood=stood)
    found, numbers = _told(done, control_of(place, args), args)
    _report(args, place, found, numbers)
    broken = _broken(place, done)
    code = exit_code(numbers, strict(args, place))
    if args.check:
        return done, _check(place, args, done, broken) or code
    quiet = _is_plain(place, args) and not _is_worth_telling(found)
    _write(place, args, done, broken, quiet)
    if args.verify_incremental:
        return done, _verify(place, args, done, broken) or code
    return done, code


def _told(done: Run, control: Control, args: argparse.Namespace) -> tuple[Sequence[Diagnostic], Counts]:
    """What is to be reported. Where nothing can be worth it, no finding is looked at."""
    raises = control.severities or control.file_rules or control.baseline
    if done.is_quiet and not raises and not args.watch:
        return (), count((), len(done.outcomes), done.workers)
    seen = seen_in(done)
    found = _shown(seen, control)
    return found, count(found, seen.packages, seen.workers)


def _report(args: argparse.Namespace, place: Place, found: Sequence[Diagnostic], numbers: Counts) -> None:
    """What was found, if it is worth telling; who reads JSON round after round gets it each time."""
    form = wanted_format(args, place)
    if _is_worth_telling(found) or (args.watch and form == "json"):
        color, lang = has_color(sys.stdout, args.color), language(args, place, form)
        emit(form, render(form, found, numbers, color, lang, strict(args, place)))


def _is_worth_telling(found: Sequence[Diagnostic]) -> bool:
    return any(d.severity > Severity.INFO for d in found)


def _looked(
    place: Place, args: argparse.Namespace, forgetting: bool = False, stood: Standing | None = None
) -> Run:
    def warn(text: str) -> None:
        note(args, place, text)

    config = place.config
    cache = (
        None
        if forgetting or args.check
        else open_cache(place.root, os.environ, warn, config.cache_url, config.cache_write)
    )
    with progress(said_in(words(args, place), say("compiling"))) as bar:
        return looked(place, True, bar, forgetting, cache, stood)


def _broken(place: Place, done: Run) -> frozenset[str]:
    """The packages of which nothing can be built."""
    found = () if done.is_quiet else done.found
    spoilt = driver.spoilt(found, place.config.skills, sorted(done.outcomes))
    unseen = done.unseen(lambda: built_packages(place.path(place.config.build)))
    return spoilt | unseen | {path for path, outcome in done.outcomes.items() if not outcome.is_built}


def _write(place: Place, args: argparse.Namespace, done: Run, broken: frozenset[str], quiet: bool) -> None:
    """Bring the build folder up to date, and say what that took."""
    said = said_in(words(args, place), _summary(place, 0, len(done.outcomes), 0)) + "\n"
    with _writing(place):
        written = write(
            place.root,
            place.path(place.config.build),
            done,
            broken,
            everything=place.only is None,
            words=(said if quiet else "", variables(os.environ), place.config.build),
            waiting=lambda owner: note(
                args, place, say("another build is at work (process {owner})", owner=owner)
            ),
            without=lambda error: note(args, place, _without(place, error)),
        )
    if args.explain:
        from skillc.cli.reasons import reason_line

        for decision in done.decisions:
            if decision.did in (MADE, CACHED):
                line = reason_line(decision.path, decision.reasons, decision.changed, decision.path in broken)
                note(
                    args, place, say("{line} (from the cache)", line=line) if decision.did == CACHED else line
                )
    note(args, place, _summary(place, written.changed, written.current, len(broken)))


def _dry_run(place: Place, args: argparse.Namespace) -> int:
    from skillc.cli.reasons import reason_line
    from skillc.engine.survey import survey

    stands = survey(place.root, options_of(place), True, place.only, watched(place))
    todo = [one for one in stands.looks if one.did == MADE]
    for one in todo:
        sys.stdout.write(said_in(words(args, place), reason_line(one.path, one.reasons, None)) + "\n")
    broken = sum(outcome.has_errors for outcome in stands.outcomes.values())
    told = say(
        "{packages} to compile, {left} up to date{broken}",
        packages=plural(len(todo), "package"),
        left=len(stands.looks) - len(todo) - broken,
        broken=_with_errors(broken),
    )
    note(args, place, told)
    return CLEAN


def _differs(place: Place, args: argparse.Namespace, made: Run, broken: frozenset[str]) -> bool:
    """Whether the build folder holds something else than what was `made`; each file that does is told."""
    from skillc.engine.verify import differences

    found = list(differences(place.path(place.config.build), made, broken, place.only is None))
    for difference in found:
        path = f"{place.config.build}/{difference.path}"
        sys.stdout.write(said_in(words(args, place), _DIFFERENCES[difference.kind](path)) + "\n")
    return bool(found)


def _check(place: Place, args: argparse.Namespace, done: Run, broken: frozenset[str]) -> int:
    """Whether the build folder is what the sources say; 1 when it is not."""
    if _differs(place, args, done, broken):
        note(
            args,
            place,
            say("{build}/ is not what the sources say: run `skillc build`", build=place.config.build),
        )
        return FINDINGS
    told = say("{build}/ is what the sources say", build=place.config.build)
    if broken:
        told = say(
            "{build}/ is as a build leaves it: of {packages} with errors nothing is compiled, and older output is marked stale",
            build=place.config.build,
            packages=plural(len(broken), "package"),
        )
    note(args, place, told)
    return CLEAN


def _verify(place: Place, args: argparse.Namespace, done: Run, broken: frozenset[str]) -> int:
    """Hold the build against one that knows nothing; 1 when they differ, which is a bug of skillc, and is mended."""
    afresh = _looked(place, args, forgetting=True)
    differs = _differs(place, args, afresh, broken)
    same = [d.sort_key for d in afresh.found] == [d.sort_key for d in done.found]
    if differs or not same:
        note(args, place, say("the build differs from one that knows nothing: this is a bug in skillc"))
        _write(place, args, afresh, _broken(place, afresh), quiet=False)
        return FINDINGS
    number = plural(len(afresh.outcomes), "package")
    note(args, place, say("{packages} compiled afresh: the same bytes", packages=number))
    return CLEAN


_DIFFERENCES: Mapping[str, Callable[[str], Said]] = {
    "missing": lambda path: say("{path} is missing", path=path),
    "changed": lambda path: say("{path} has other bytes", path=path),
    "extra": lambda path: say("{path} is left over", path=path),
}


def _summary(place: Place, changed: int, current: int, broken: int) -> str:
    return say(
        "{packages} compiled, {current} up to date{broken} → {build}/",
        packages=plural(changed, "package"),
        current=current,
        broken=_with_errors(broken),
        build=place.config.build,
    )


def _with_errors(number: int) -> str:
    return say(", {n} with errors", n=number) if number else ""


def _is_plain(place: Place, args: argparse.Namespace) -> bool:
    """Whether the command was `skillc build` without options for a whole workspace, once or again and again."""
    return place.only is None and {**vars(args), "watch": False} == {**PLAIN, "paths": args.paths}


def _shown(seen: Seen, control: Control) -> tuple[Diagnostic, ...]:
    """What is reported, and every error: one that is suppressed keeps its package from being built all the same."""
    errors = [d for d in seen.diagnostics if d.severity is Severity.ERROR]
    stopping = {d.sort_key for d in errors}
    return in_order([*errors, *(d for d in seen.reported(control) if d.sort_key not in stopping)])


def _without(place: Place, error: OSError) -> str:
    return say(
        "`{name}` cannot be written, so nothing is kept of this build, and the next one looks at everything again: {reason}",
        name=_name(place, error),
        reason=reason(error),
    )


def _name(place: Place, error: OSError) -> str:
    name = error.filename or place.path(place.config.build)
    return os.path.relpath(name, place.root).replace(os.sep, "/")


@contextmanager
def _writing(place: Place) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Stop(
            say(
                "cannot write `{name}`: {reason}; each file is whole, and the next build does the rest",
                name=_name(place, error),
                reason=reason(error),
            ),
            INTERNAL,
        ) from error


def write_one(place: Place, built: driver.Built) -> None:
    """Bring the output of one package up to date; the older one of a package with errors is marked stale."""
    write_output(place, built.package.path, built.files if built.plan else None)


def write_output(place: Place, path: str, files: Mapping[str, bytes] | None) -> None:
    """The same for the package `path` by its `files`; it has errors where there are none."""
    with _writing(place):
        write_single(place.root, place.path(place.config.build), path, files)

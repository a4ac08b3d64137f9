"""`skillc build`: plans and readable prompts under `build/`, written whole or not at all."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Sequence

from skillc import driver
from skillc.artifact.codec import digest
from skillc.artifact.index import index
from skillc.cli.check import add_report_options, check, counts, emit, exit_code, strict, wanted_format
from skillc.cli.control import add_control_options, control_of
from skillc.cli.errors import INTERNAL, Stop
from skillc.cli.place import Place, find_place
from skillc.cli.terminal import has_color, progress
from skillc.control import Control
from skillc.diagnostic import Diagnostic, Severity, in_order
from skillc.report import render
from skillc.report.counts import plural
from skillc.store.files import write_atomic

EPILOG = """\
Writes build/<kind>/<package>/plan.json and <worker>.prompt.md, and build/index.json.
A package with errors keeps its previous output, marked stale in the index; the others are built.

examples:
  skillc build                   everything
  skillc build basic             one package; the rest of build/ stays as it is
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="workspaces, packages, files or package names"
    )
    add_report_options(parser)
    add_control_options(parser)


def run(args: argparse.Namespace) -> int:
    place = find_place(args.paths)
    form = wanted_format(args, place)
    checked = check(place)
    found = _shown(checked, control_of(place, args))
    if any(d.severity > Severity.INFO for d in found):
        emit(form, render(form, found, counts(found, checked), has_color(sys.stdout, args.color)))
    with progress(len(checked.workspace.packages)) as bar:
        built = driver.build(checked, bar)
    written = write(place, built, everything=place.only is None)
    good = [one for one in built if one.plan]
    sys.stderr.write(
        f"{plural(written, 'package')} compiled, {len(good) - written} up to date"
        + (f", {len(built) - len(good)} with errors" if len(good) < len(built) else "")
        + f" → {place.config.build}/\n"
    )
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
    try:
        written = sum(_write_package(place, one) for one in built if one.plan)
        rows = {} if everything else _previous(place)
        entries = _entries(place, built, rows)
        if everything:
            _remove_ghosts(place, entries)
        write_atomic(_path(place, "index.json"), index(list(entries.values())))
    except OSError as error:
        raise Stop(
            f"cannot write `{error.filename or place.config.build}`: {error.strerror or error}; "
            "what was there before is intact",
            INTERNAL,
        ) from error
    return written


def _path(place: Place, relative: str) -> str:
    return place.path(f"{place.config.build}/{relative}")


def _write_package(place: Place, one: driver.Built) -> bool:
    folder = _path(place, one.package.path)
    changed = False
    # The plan goes last: whoever finds a new plan finds its prompts too.
    for name in sorted(one.files, key=lambda name: (name == "plan.json", name)):
        changed |= write_atomic(os.path.join(folder, name), one.files[name])
    for name in sorted(os.listdir(folder)):
        if name.endswith(".prompt.md") and name not in one.files:
            os.unlink(os.path.join(folder, name))
            changed = True
    return changed


def _entries(
    place: Place, built: Sequence[driver.Built], rows: dict[str, dict[str, str]]
) -> dict[str, dict[str, str]]:
    """The rows of the new index: `rows` with what was built now."""
    for one in built:
        path = one.package.path
        if one.plan:
            rows[path] = _row(path, digest(one.files["plan.json"]), "ok")
        else:
            rows.pop(path, None)
            stale = _stale(place, path)
            if stale:
                rows[path] = _row(path, stale, "stale")
    return dict(sorted(rows.items()))


def _row(path: str, plan_digest: str, status: str) -> dict[str, str]:
    return {"path": path, "plan": f"{path}/plan.json", "digest": plan_digest, "status": status}


def _stale(place: Place, path: str) -> str | None:
    try:
        with open(_path(place, f"{path}/plan.json"), "rb") as file:
            return digest(file.read())
    except OSError:
        return None


def _previous(place: Place) -> dict[str, dict[str, str]]:
    """The rows of the index that is there; none when there is none or it is not ours."""
    try:
        with open(_path(place, "index.json"), encoding="utf-8") as file:
            rows = json.load(file)["packages"]
        return {row["path"]: {key: row[key] for key in ("path", "plan", "digest", "status")} for row in rows}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _remove_ghosts(place: Place, rows: dict[str, dict[str, str]]) -> None:
    """Remove the output of packages that are gone: only folders that the last index lists as ours."""
    for path in _previous(place):
        plain = len(path.split("/")) == 2 and ".." not in path
        if plain and path not in rows:
            shutil.rmtree(_path(place, path), ignore_errors=True)

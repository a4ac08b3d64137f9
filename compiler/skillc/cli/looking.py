"""A look at a workspace that takes from the last one what still holds."""

from __future__ import annotations

import os

from skillc import driver
from skillc.cli.place import Place, no_package
from skillc.config import FILE, PYPROJECT
from skillc.control import Control, Scope, controlled
from skillc.diagnostic import Diagnostic
from skillc.driver import Progress
from skillc.engine.run import Run
from skillc.engine.run import run as look
from skillc.engine.setting import Options
from skillc.engine.writing import keep
from skillc.store.cache import Cache
from skillc.store.quick import Standing
from skillc.value import value


@value
class Seen:
    """What is wrong in a workspace, what was read for it, and how much that is."""

    diagnostics: tuple[Diagnostic, ...]
    scope: Scope
    packages: int
    workers: int

    def reported(self, control: Control) -> tuple[Diagnostic, ...]:
        return controlled(self.diagnostics, self.scope, control)


def seen_in(done: Run) -> Seen:
    return Seen(done.found, done.scope, len(done.outcomes), done.workers)


def seen_of(checked: driver.Checked) -> Seen:
    packages = checked.workspace.packages
    workers = sum(len(package.workers) for package in packages)
    return Seen(checked.diagnostics, checked.scope, len(packages), workers)


def looked(
    place: Place,
    compiling: bool,
    progress: Progress | None = None,
    forgetting: bool = False,
    cache: Cache | None = None,
    stood: Standing | None = None,
) -> Run:
    """The workspace of `place`, looked at; what was found out is kept for the next time where nothing is compiled."""
    beside = watched(place)
    options = options_of(place)
    done = look(place.root, options, compiling, place.only, progress, beside, forgetting, cache, stood)
    if place.only and not done.outcomes and not done.found:
        raise no_package(place)
    if not compiling:
        keep(place.root, done)
    return done


def options_of(place: Place) -> Options:
    """What of the settings decides what comes out."""
    config = place.config
    return Options(config.skills, config.profiles, config.flow, config.build)


def watched(place: Place) -> list[str]:
    """The files beside the sources that decide what a build says, there or not: settings and baseline."""
    folders = [place.root]
    while place.settings is None and os.path.dirname(folders[-1]) != folders[-1]:
        folders.append(os.path.dirname(folders[-1]))
    settings = [os.path.join(folder, name) for folder in folders for name in (FILE, PYPROJECT)]
    return [*settings, *([place.path(place.config.baseline)] if place.config.baseline else [])]

"""`--watch`: a command that is run again whenever something changed that it had looked at."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable

from skillc.cli.check import wanted_format
from skillc.cli.control import baseline_path
from skillc.cli.errors import Stop
from skillc.cli.events import events_in, require_watchfiles
from skillc.cli.language import note, words
from skillc.cli.looking import watched
from skillc.cli.place import Place, find_place
from skillc.engine.look import MADE
from skillc.engine.picture import Change, Picture, Scene, changes, picture
from skillc.engine.run import CACHED, Run
from skillc.engine.settling import next_change
from skillc.report.counts import plural
from skillc.value import value
from skillc.wording import said_in, say, series

FORMATS = ("text", "concise", "github", "json")
"""Formats of which several may follow one another: the others are whole documents."""
NAMED = 3
"""Changes that are named; of more there is a number."""
Round = Callable[[Place], Run]


@value
class _Stand:
    """The workspace as a round finds it: what it looks at, and how that stood before it did."""

    place: Place
    scene: Scene
    before: Picture


def watch(args: argparse.Namespace, once: Round) -> int:
    """Run `once`, then again after each change, until somebody interrupts. What stops a later round is said, and its
    end is waited for; what stops the first one ends it all."""
    require_watchfiles()
    stand = _stand(args)
    _account(args, stand.place, once(stand.place))
    paths = args.paths or [stand.place.root]
    args = argparse.Namespace(**{**vars(args), "paths": [_absolute(path) for path in paths]})
    while True:
        stand = _next(args, stand)
        try:
            stand = _stand(args, stand.place.root)
            _account(args, stand.place, once(stand.place))
        except Stop as stop:
            sys.stderr.write(f"skillc: {said_in(words(args, stand.place), stop.message)}\n")
            _wait(args, stand.place)


def _absolute(path: str) -> str:
    return os.path.abspath(path) if os.path.exists(path) else path


def _stand(args: argparse.Namespace, root: str | None = None) -> _Stand:
    """The settings are read before and after the picture: they are those that stand in it."""
    place = _found(args, root)
    while True:
        scene = _scene(args, place)
        before, again = picture(scene), _found(args, root)
        if (again.root, again.config, again.only) == (place.root, place.config, place.only):
            return _Stand(place, scene, before)
        place = again


def _found(args: argparse.Namespace, root: str | None) -> Place:
    """The workspace. Stops where it is not at `root`: it is gone, and another one above would be taken for it."""
    place = find_place(args.paths)
    if root is not None and place.root != root:
        raise Stop(say("the workspace `{root}` is not there", root=root))
    form = wanted_format(args, place)
    if form not in FORMATS:
        raise Stop(
            say("`--watch` prints one report behind the other, and {form} is for a single one", form=form)
        )
    return place


def _scene(args: argparse.Namespace, place: Place) -> Scene:
    baseline = baseline_path(place, args)
    files = [*watched(place), place.path(place.config.profiles), *([baseline] if baseline else [])]
    absolute = dict.fromkeys(os.path.abspath(file) for file in files)
    return Scene(place.root, place.path(place.config.skills), place.path(place.config.build), tuple(absolute))


def _next(args: argparse.Namespace, stand: _Stand) -> _Stand:
    """Wait until the workspace stands otherwise and has come to rest, and say what changed."""
    scene = stand.scene
    now = next_change(
        stand.before, lambda: picture(scene), lambda here: events_in(scene, here), time.monotonic
    )
    found = changes(stand.before, now)
    told = [_told(change, scene.root) for change in found[:NAMED]]
    if len(found) > NAMED:
        told.append(say("{n} more", n=len(found) - NAMED))
    note(args, stand.place, say("--- {changes}", changes=series(told)))
    return _Stand(stand.place, scene, now)


def _told(change: Change, root: str) -> str:
    inside = change.path.startswith(os.path.join(root, ""))
    path = os.path.relpath(change.path, root).replace(os.sep, "/") if inside else change.path
    if change.kind == "new":
        return say("{path} is new", path=path)
    return say("{path} is gone", path=path) if change.kind == "gone" else say("{path} changed", path=path)


def _account(args: argparse.Namespace, place: Place, done: Run) -> None:
    """How much a round took."""
    sys.stdout.flush()
    anew = sum(decision.did in (MADE, CACHED) for decision in done.decisions)
    note(
        args,
        place,
        say("{packages} looked at, {anew} anew", packages=plural(len(done.outcomes), "package"), anew=anew),
    )
    _wait(args, place)


def _wait(args: argparse.Namespace, place: Place) -> None:
    note(args, place, say("--- waiting for changes (Ctrl-C ends)"))
    sys.stderr.flush()

"""`--select-packages EXPR`, `--changed-since REV`, `--state DIR`: which packages a command is about.

Whatever an expression selects selects its package; both options together select what both do.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import skillc
from skillc.cli.epilog import cells
from skillc.cli.errors import Stop
from skillc.cli.place import Place
from skillc.value import replace
from skillc.wording import say

if TYPE_CHECKING:
    import argparse

    from skillc.artifact.plan import Plan
    from skillc.compare import Side
    from skillc.engine.checks import Checks
    from skillc.graph import TagGraph
    from skillc.query import Answer, Fault, PackageState


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that can be about some of the packages only."""
    group = parser.add_argument_group(
        say("which packages"),
        say("EXPR is a query, as in `skillc query`; what it selects selects its package"),
    )
    group.add_argument(
        "--select-packages", metavar="EXPR", help=say("only packages of which something is in the query")
    )
    add_comparing_options(group)


def add_comparing_options(group: argparse._ArgumentGroup | argparse.ArgumentParser) -> None:
    """What packages are held against."""
    group.add_argument(
        "--changed-since",
        metavar="REV",
        help=say("only packages that differ from this git revision; `state:` compares with it"),
    )
    group.add_argument(
        "--state",
        metavar="DIR",
        help=say("an earlier build folder or workspace, for `state:modified` in a query"),
    )


def narrowed(place: Place, args: argparse.Namespace) -> Place:
    """The place with those packages only that the options select; perhaps none."""
    text = args.select_packages
    if args.state and text is None:
        raise Stop(say("`--state` is for `state:` in a query: add `--select-packages EXPR`"))
    place = since(place, args.changed_since)
    if text is None:
        return place
    answer = answered(place, text, args)
    inside = answer.packages
    return replace(place, only=inside if place.only is None else place.only & inside)


def is_narrowing(args: argparse.Namespace) -> bool:
    """Whether any of the options is given."""
    return any(getattr(args, name) is not None for name in ("select_packages", "changed_since", "state"))


def since(place: Place, revision: str | None) -> Place:
    """The place with those packages only that differ from the revision, where one is named."""
    if revision is None:
        return place
    from skillc.cli.changed import changed_packages

    changed = changed_packages(place, revision)
    return replace(place, only=changed if place.only is None else place.only & changed)


def answered(place: Place, text: str, args: argparse.Namespace) -> Answer:
    """The answer to a query about the packages of `place`. Stops where it is none, with a caret under the place."""
    from skillc.query import Fault, build_network, compares, evaluate, parse_query

    expression = parse_query(text)
    if isinstance(expression, Fault):
        raise _refused(text, expression)
    compared = compares(expression)
    if args.state and not compared:
        raise Stop(say("`--state` is for `state:` in a query, and the query has none"))
    graphs, states = _states(place, args) if compared and _has_state(args) else (_graphs(place), None)
    found = evaluate(expression, build_network(graphs), states)
    if isinstance(found, Fault):
        raise _refused(text, found)
    return found


def _has_state(args: argparse.Namespace) -> bool:
    return bool(args.state or args.changed_since)


def _graphs(place: Place) -> Mapping[str, TagGraph]:
    """The graphs of the packages, by path; nothing is checked."""
    from skillc.graph import build_graph
    from skillc.model.workspace import build_package, read_surroundings
    from skillc.source.discover import read_workspace

    files, _ = read_workspace(place.reader, place.config.skills, place.only, place.config.profiles)
    around, _ = read_surroundings(files)
    return {each.path: build_graph(build_package(each, around.catalogue)[0]) for each in files.packages}


def _states(
    place: Place, args: argparse.Namespace
) -> tuple[Mapping[str, TagGraph], Mapping[str, PackageState]]:
    """The graphs, and how each package stands against the earlier state."""
    from skillc import driver
    from skillc.cli.check import check
    from skillc.engine.checks import Checks

    checks = Checks()
    side = _side(place, args, checks)
    checked = check(place, checks=checks)
    broken = driver.failed(checked)
    states = {
        path: _state(side, path, None if path in broken else graph) for path, graph in checked.graphs.items()
    }
    return checked.graphs, states


def _state(side: Side, path: str, graph: TagGraph | None) -> PackageState:
    """How one package stands; what follows from the same files is not compiled."""
    from skillc.plan import compile_package
    from skillc.plan.fingerprint import fingerprint
    from skillc.query import PackageState, state_of

    bundle = side.packages.get(path)
    if graph is not None and bundle is not None:
        mark = fingerprint(graph.package, skillc.__version__)
        if bundle.mark == mark or (bundle.mark is None and bundle.plan().fingerprint == mark):
            return PackageState()
    old: Plan | None = bundle.plan() if bundle else None
    if old is None and path in side.left_out:
        old = side.left_out[path].plan
        if old is None:
            return PackageState(whole=True, differs=True)
    return state_of(old, compile_package(graph)[0] if graph is not None else None)


def _side(place: Place, args: argparse.Namespace, checks: Checks) -> Side:
    """The earlier state: the folder of `--state`, else the revision of `--changed-since`."""
    from skillc.cli.sides import open_side

    if args.state:
        if not os.path.isdir(args.state):
            raise Stop(say("`{path}` is no folder: name a build folder or a workspace", path=args.state))
        return open_side(os.path.abspath(args.state), checks)
    from skillc.cli.changed import revision_at

    _, revision = revision_at(place, args.changed_since)
    with contextlib.chdir(place.root):
        return open_side(revision.id, checks)


def _refused(text: str, fault: Fault) -> Stop:
    """What is wrong with a query: the line of it that is at fault, with carets below."""
    start = text.rfind("\n", 0, fault.start) + 1
    line = text[start:].split("\n", 1)[0]
    before = line[: fault.start - start]
    marked = line[fault.start - start : fault.end - start]
    return Stop(
        say(
            "{message}\n  {line}\n  {carets}\n  {help}",
            message=fault.message,
            line="".join(char if char.isprintable() else " " for char in line),
            carets=" " * cells(before) + "^" * max(1, cells(marked)),
            help=fault.help,
        )
    )

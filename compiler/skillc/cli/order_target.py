"""What `skillc order` works on: a file with an order, a package, or both."""

from __future__ import annotations

import os
import shlex

from skillc.artifact.codec import encode
from skillc.cli.check import check
from skillc.cli.datafile import read_data, text_of
from skillc.cli.errors import Stop
from skillc.cli.order_file import OrderFile, read_order_file
from skillc.cli.place import Place, find_package, find_place
from skillc.plan import compile_package
from skillc.runtime import Board, RunnablePlan, load_plan
from skillc.value import replace, value
from skillc.wording import say

NAMES = ("context-order.json", "context-order.yaml", "context-order.yml")


@value
class Target:
    """`name` is what the user calls it; without a plan nothing is known of the workers."""

    name: str
    file: OrderFile | None
    plan: RunnablePlan | None

    def need_plan(self) -> RunnablePlan:
        if self.plan is None:
            raise Stop(say("say which package `{name}` is for: --package PKG", name=self.name))
        return self.plan


def find_target(word: str, package: str | None, want_file: bool = False) -> Target:
    """The file or package that `word` is; `want_file`: of a package its context-order file is wanted.

    Refuses what is neither, a file without an order, and a package without such a file where one is wanted.
    """
    if os.path.isfile(word):
        return Target(word, read_order_file(word), plan_for(word, package))
    place = find_place([word])
    paths = sorted(place.only or ())
    if len(paths) != 1:
        raise Stop(say("`{word}` is neither a file nor a package", word=word))
    path = paths[0]
    plan = plan_of(place, path)
    if not want_file:
        return Target(path, None, plan)
    folder = place.path(f"{place.config.skills}/{path}")
    file = next((name for name in NAMES if os.path.isfile(os.path.join(folder, name))), None)
    if file is None:
        raise Stop(
            say(
                "`{package}` has no context-order file to edit: `skillc order show {package} --format yaml > {file}` "
                "makes one of what its workers declare",
                package=path,
                file=shlex.quote(os.path.relpath(os.path.join(folder, NAMES[1]))),
            )
        )
    shown = os.path.relpath(os.path.join(folder, file))
    return Target(shown, read_order_file(shown), plan)


def plan_for(file: str, package: str | None) -> RunnablePlan | None:
    if package is not None:
        place = find_place([])
        return plan_of(place, find_package(place, package))
    try:
        place = find_place([file])
    except Stop:
        return None
    paths = sorted(place.only or ())
    return plan_of(place, paths[0]) if len(paths) == 1 else None


def plan_of(place: Place, path: str) -> RunnablePlan:
    """The plan of a package as far as it can be read: its order may be what is being mended."""
    checked = check(replace(place, only=frozenset([path])))
    plan, _ = compile_package(checked.graphs[path])
    return load_plan(encode(plan))


def read_board(path: str | None, role: str | None, target: Target) -> tuple[Board, str | None]:
    """The board in a file with the role that it names, or an empty one."""
    if path is None:
        return Board(), role
    plan = target.need_plan()
    data = read_data(path, say("board"))
    try:
        return Board.from_data(data, plan.moved), role or text_of(data, "role", path)
    except ValueError as error:
        raise Stop(str(error)) from error

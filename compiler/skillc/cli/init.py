"""`skillc init`: a package that checks clean, to be changed by its author. Nothing is ever overwritten."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from jinja2 import Environment, PackageLoader, StrictUndefined

from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN, INTERNAL, Stop
from skillc.cli.language import add_language_option, words
from skillc.cli.place import KINDS, Place, home_for
from skillc.config import FILE, PYPROJECT
from skillc.report.reasons import reason
from skillc.source.names import id_problems
from skillc.store.files import write_atomic
from skillc.text import Source
from skillc.value import value
from skillc.wording import said_in, say

EPILOG = Epilog(
    say(
        "Makes the package in the workspace around this folder, or a new workspace here when there is none. A novel "
        "starts as one worker whose product the user confirms; a dialogue as two roles and a narrator that play in rounds."
    ),
    say(
        "Names are ASCII, since they become folders and addresses; a title in Chinese belongs into the manifest's "
        "description."
    ),
    examples("skillc init my-story", "skillc init tea-house --kind dialogue --directory ~/writing"),
)


@value(slots=False)
class _Scaffold:
    """What a kind of package starts as: one worker and the user, or two roles and a narrator in rounds."""

    description: str
    workers: tuple[str, ...]
    shown: str
    """What to give to `skillc show` first."""

    def files(self) -> Iterator[tuple[str, str]]:
        """Paths below the package, and the template of each."""
        yield "orchestrator.md", "orchestrator.md.j2"
        for id in self.workers:
            yield f"workers/{id}/SKILL.md", f"{id}.md.j2"
        yield "scripts/demo.yaml", "demo.yaml.j2"


_SCAFFOLDS = {
    "novel": _Scaffold("收集需求，写出一篇短文，由用户确认", ("write",), "write"),
    "dialogue": _Scaffold(
        "两个角色同时出手，一个旁观者把它写成一场戏，一回合接一回合",
        ("role-act", "narrate"),
        "role-act --role A",
    ),
}

_ENVIRONMENT = Environment(
    loader=PackageLoader("skillc.cli", "scaffold"),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    autoescape=False,
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help=say("the package's name: 1-64 of a-z, 0-9 and single hyphens"))
    parser.add_argument("--kind", choices=KINDS, default="novel", help=say("default: novel"))
    parser.add_argument("--directory", default=".", help=say("the workspace (default: here)"))
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    for problem in id_problems(args.name, "package", Source("", args.name).span()):
        raise Stop(say("{before}; {part}", before=problem.message, part=problem.help))
    scaffold, place = _SCAFFOLDS[args.kind], home_for(args.directory)
    skills = place.config.skills
    package = f"{skills}/{args.kind}/{args.name}"
    if os.path.exists(place.path(package)):
        raise Stop(say("`{package}` is there already; nothing was changed", package=package))
    values = {
        "name": args.name,
        "kind": args.kind,
        "skills": skills,
        "description": scaffold.description,
    }
    files = {f"{package}/{path}": f"{args.kind}/{template}" for path, template in scaffold.files()}
    if not any(os.path.exists(place.path(name)) for name in (FILE, PYPROJECT)):
        files[FILE] = "skillc.toml.j2"
    for path, template in files.items():
        _write(place, path, _render(template, values))
    _register(place, _render("registry.yaml.j2", values))
    said = _next_steps(place, args.name, package, scaffold)
    sys.stdout.write(said_in(words(args, place), said))
    return CLEAN


def _render(template: str, values: dict[str, str]) -> str:
    return _ENVIRONMENT.get_template(template).render(values)


def _register(place: Place, row: str) -> None:
    """Add the package's row at the end of registry.yaml, leaving what is there byte for byte."""
    path = f"{place.config.skills}/registry.yaml"
    try:
        with open(place.path(path), encoding="utf-8", newline="") as file:
            before = file.read()
    except FileNotFoundError:
        before = "packages:\n"
    if before and not before.endswith("\n"):
        before += "\n"
    _write(place, path, before + _indented(row, before))


def _indented(row: str, before: str) -> str:
    """`row` with the indentation that the list in `before` has."""
    items = [line for line in before.splitlines() if line.lstrip().startswith("- ")]
    depth = len(items[0]) - len(items[0].lstrip()) if items else 2
    return "".join(" " * depth + line for line in row.splitlines(keepends=True))


def _write(place: Place, path: str, text: str) -> None:
    target = place.path(path)
    try:
        write_atomic(target, text.encode())
    except OSError as error:
        why = reason(error)
        raise Stop(say("cannot write `{path}`: {reason}", path=target, reason=why), INTERNAL) from error
    sys.stdout.write(f"  {path}\n")


def _next_steps(place: Place, name: str, package: str, scaffold: _Scaffold) -> str:
    here = os.path.realpath(os.curdir) == place.root
    steps = (
        f"  skillc check {name}\n  skillc show {name}:{scaffold.shown}\n"
        f"  skillc run {name} --script {package}/scripts/demo.yaml\n"
    )
    if here:
        return say("\nnext:\n{steps}", steps=steps)
    return say("\nnext in `{root}`:\n{steps}", root=place.root, steps=steps)

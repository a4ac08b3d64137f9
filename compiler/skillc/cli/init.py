"""`skillc init`: a package that checks clean, to be changed by its author. Nothing is ever overwritten."""

from __future__ import annotations

import argparse
import os
import sys

from jinja2 import Environment, PackageLoader, StrictUndefined

from skillc.cli.errors import CLEAN, INTERNAL, Stop
from skillc.cli.place import KINDS
from skillc.config import FILE, PYPROJECT
from skillc.source.names import id_problems
from skillc.store.files import write_atomic
from skillc.text import Source

EPILOG = """\
Makes the package in the workspace around this folder, or a new workspace here when there is none.

examples:
  skillc init my-story
  skillc init tea-house --kind dialogue --directory ~/writing
"""

_ENVIRONMENT = Environment(
    loader=PackageLoader("skillc.cli", "scaffold"),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    autoescape=False,
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="the package's name: 1-64 of a-z, 0-9 and single hyphens")
    parser.add_argument("--kind", choices=KINDS, default="novel", help="default: novel")
    parser.add_argument("--directory", default=".", help="the workspace (default: here)")


def run(args: argparse.Namespace) -> int:
    for problem in id_problems(args.name, "package", Source("", args.name).span()):
        raise Stop(f"{problem.message}; {problem.help}")
    values = {"name": args.name, "kind": args.kind, "skills": "skills"}
    package = f"skills/{args.kind}/{args.name}"
    if os.path.exists(os.path.join(args.directory, package)):
        raise Stop(f"`{package}` is there already; nothing was changed")
    files = {
        f"{package}/orchestrator.md": "orchestrator.md.j2",
        f"{package}/workers/write/SKILL.md": "write.md.j2",
        f"{package}/scripts/demo.yaml": "demo.yaml.j2",
    }
    if not any(os.path.exists(os.path.join(args.directory, name)) for name in (FILE, PYPROJECT)):
        files[FILE] = "skillc.toml.j2"
    for path, template in files.items():
        _write(args.directory, path, _render(template, values))
    _register(args.directory, _render("registry.yaml.j2", values))
    sys.stdout.write(_next_steps(args.name, package, args.kind))
    return CLEAN


def _render(template: str, values: dict[str, str]) -> str:
    return _ENVIRONMENT.get_template(template).render(values)


def _register(directory: str, row: str) -> None:
    """Add the package's row at the end of registry.yaml, leaving what is there byte for byte."""
    path = os.path.join(directory, "skills", "registry.yaml")
    try:
        with open(path, encoding="utf-8", newline="") as file:
            before = file.read()
    except FileNotFoundError:
        before = "packages:\n"
    if before and not before.endswith("\n"):
        before += "\n"
    _write(directory, "skills/registry.yaml", before + _indented(row, before))


def _indented(row: str, before: str) -> str:
    """`row` with the indentation that the list in `before` has."""
    items = [line for line in before.splitlines() if line.lstrip().startswith("- ")]
    depth = len(items[0]) - len(items[0].lstrip()) if items else 2
    return "".join(" " * depth + line for line in row.splitlines(keepends=True))


def _write(directory: str, path: str, text: str) -> None:
    target = os.path.join(directory, *path.split("/"))
    try:
        write_atomic(target, text.encode())
    except OSError as error:
        raise Stop(f"cannot write `{target}`: {error.strerror or error}", INTERNAL) from error
    sys.stdout.write(f"  {path}\n")


def _next_steps(name: str, package: str, kind: str) -> str:
    return (
        f"\nnext:\n  skillc check {name}\n  skillc show {name}:write\n"
        f"  skillc run {name} --script {package}/scripts/demo.yaml\n"
    )

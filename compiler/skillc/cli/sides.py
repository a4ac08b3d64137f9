"""From what a user names (a git revision, a workspace, a build output) to one side of a comparison."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping
from functools import cache, partial

import skillc
from skillc import driver
from skillc.artifact.codec import PlanError, decode, digest
from skillc.artifact.index import INDEX_SCHEMA
from skillc.artifact.plan import Plan
from skillc.cli.check import check
from skillc.cli.control import control_of
from skillc.cli.errors import Stop
from skillc.cli.place import Place, find_place
from skillc.cli.revision import (
    Repository,
    Revision,
    Tree,
    files_of,
    find_revision,
    read_tree,
    repository_at,
)
from skillc.compare import Bundle, LeftOut, Side
from skillc.config import FILE, PYPROJECT, Config, ConfigError, load_config
from skillc.diagnostic import Diagnostic, Severity, in_order
from skillc.engine.checks import Checks
from skillc.graph import TagGraph
from skillc.plan import compile_package
from skillc.plan.fingerprint import fingerprint
from skillc.report.reasons import reason
from skillc.source.reader import DiskReader, Reader
from skillc.store.output import INDEX
from skillc.text import Source
from skillc.value import replace
from skillc.wording import say


def open_side(name: str | None, checks: Checks | None = None) -> Side:
    """The side that `name` means: the workspace around the working folder as it lies there (None), a folder that is
    a workspace or a build output, or a git revision of that workspace.

    What `checks` has seen of another side is not checked again. Refuses what is none of them, and what is a folder and a revision alike, unless a `/` says which is meant.
    """
    if name is None:
        return _workspace(None, find_place([]), checks)
    is_folder = os.path.isdir(name)
    if is_folder and (name in (".", "..") or name.startswith(("./", "../")) or os.path.isabs(name)):
        return _folder(name, checks)
    if os.path.isfile(name):
        raise Stop(say("`{name}` is a file: name a revision, a workspace or a build output", name=name))
    repository = repository_at(os.getcwd())
    revision = find_revision(repository, name) if repository else None
    if is_folder and revision:
        raise Stop(
            say("`{name}` is a folder and a revision: write `./{name}`, or `{id}`", name=name, id=revision.id)
        )
    if is_folder:
        return _folder(name, checks)
    if repository is None or revision is None:
        raise Stop(_unknown(name, repository))
    return _revision(name, repository, revision, checks)


def _unknown(name: str, repository: Repository | None) -> str:
    if repository is None:
        return say(
            "`{name}` is no folder, and no revision either, since `{folder}` lies in no git repository",
            name=name,
            folder=os.getcwd(),
        )
    if ".." in name:
        one, _, other = name.partition("..")
        return say(
            "`{name}` is a range: name its two ends, `{one} {other}`",
            name=name,
            one=one or "HEAD",
            other=other.lstrip(".") or "HEAD",
        )
    return say(
        "`{name}` is neither a folder nor a revision of the git repository here; a branch that was never fetched has "
        "to be fetched first",
        name=name,
    )


def _folder(name: str, checks: Checks | None) -> Side:
    """A build output when it has an index, else a workspace: its root, or its folder of packages."""
    if os.path.isfile(os.path.join(name, INDEX)):
        return _build(name)
    place = find_place([name])
    ends = (place.root, os.path.realpath(place.path(place.config.skills)))
    if os.path.realpath(name) not in ends:
        raise Stop(
            say(
                "`{name}` is neither a workspace nor a build output: it has no {index}",
                name=name,
                index=INDEX,
            )
        )
    return _workspace(name, replace(place, only=None), checks)


def _workspace(name: str | None, place: Place, checks: Checks | None) -> Side:
    return compiled(place, place.reader, Side(name, "workspace", {}), checks)


def compiled(place: Place, reader: Reader, side: Side, checks: Checks | None = None) -> Side:
    """`side` with what the workspace compiles to. Plans are made when they are asked for, once."""
    checked = check(place, reader, checks)
    broken = driver.failed(checked)
    marks = {one.path: fingerprint(one, skillc.__version__) for one in checked.workspace.packages}
    graphs = {path: graph for path, graph in checked.graphs.items() if path not in broken}
    return replace(
        side,
        packages={path: Bundle(cache(partial(_plan, graph)), marks[path]) for path, graph in graphs.items()},
        left_out={path: LeftOut("errors", mark=marks.get(path)) for path in broken},
        findings=_reported(place, checked),
        skills=place.config.skills,
        profiles=checked.workspace.profiles,
    )


def _plan(graph: TagGraph) -> Plan:
    return compile_package(graph)[0]


def _reported(place: Place, checked: driver.Checked) -> tuple[Diagnostic, ...]:
    """What `skillc check` reports with the settings of this side, and every error. A baseline does not count: what is
    new is new, whether or not somebody has put it there since."""
    wishes = argparse.Namespace(
        select=None, ignore=None, extend_select=None, ignore_inline_suppressions=False, write_baseline=True
    )
    errors = [d for d in checked.diagnostics if d.severity is Severity.ERROR]
    stopping = {d.sort_key for d in errors}
    found = driver.reported(checked, control_of(place, wishes))
    return in_order([*errors, *(d for d in found if d.sort_key not in stopping)])


def _revision(name: str, repository: Repository, revision: Revision, checks: Checks | None) -> Side:
    """The workspace around the working folder as a revision has it, with the settings of that revision."""
    folder = _workspace_folder(repository, revision)
    tree = read_tree(repository, revision, folder)
    config, settings = _settings(name, tree)
    reader = files_of(tree, (config.skills, config.profiles))
    side = Side(name, "revision", {}, revision=revision.id)
    lost = [path for path in tree.modules if f"{path}/".startswith(f"{config.skills}/")]
    if lost:
        raise Stop(
            say(
                "`{path}` is a submodule in `{name}`, and what is in it is not read: compare workspaces instead",
                path=lost[0],
                name=name,
            )
        )
    return compiled(Place(repository.folder, config, None, settings), reader, side, checks)


def _workspace_folder(repository: Repository, revision: Revision) -> str:
    """Where the workspace lies in the repository: where it lies on the disk, else the nearest folder upward that has
    settings or packages in the revision."""
    try:
        place = find_place([])
    except Stop:
        return _nearest(repository, revision)
    found = repository_at(place.root)
    is_same = found is not None and found.home == repository.home
    return found.prefix if found and is_same else _nearest(repository, revision)


def _nearest(repository: Repository, revision: Revision) -> str:
    tree = read_tree(repository, revision, "")
    folder = repository.prefix
    while folder:
        below = f"{folder}/"
        if f"{below}{FILE}" in tree.files or any(path.startswith(f"{below}skills/") for path in tree.files):
            return folder
        folder = folder.rpartition("/")[0]
    return ""


def _settings(name: str, tree: Tree) -> tuple[Config, Source | None]:
    reader = files_of(tree, (FILE, PYPROJECT))
    for path in (FILE, PYPROJECT):
        try:
            text = reader.read(path).decode("utf-8")
        except FileNotFoundError:
            continue
        except UnicodeDecodeError as error:
            raise Stop(
                say("cannot read `{path}`: {reason}", path=f"{name}:{path}", reason=error.reason)
            ) from error
        config = load_config(path, text)
        if isinstance(config, ConfigError):
            raise Stop(say("{path}: {problem}", path=name, problem=config.message))
        if config is not None:
            return config, Source(path, text)
    return Config(), None


def _build(name: str) -> Side:
    """The plans that an index names. One that is stale is of an earlier text; one that is not what the index says, or
    cannot be read, is damaged."""
    reader = DiskReader(name)
    packages: dict[str, Bundle] = {}
    left_out: dict[str, LeftOut] = {}
    compiler, rows = _index(name, reader)
    for row in rows:
        plan = _read_plan(reader, row)
        if isinstance(plan, str):
            left_out[row["path"]] = LeftOut("damaged", plan)
        elif row["status"] == "stale":
            left_out[row["path"]] = LeftOut("stale", plan=plan)
        else:
            packages[row["path"]] = Bundle(partial(_itself, plan))
    return Side(name, "build", packages, left_out, compiler=compiler)


def _itself(plan: Plan) -> Plan:
    return plan


def _index(name: str, reader: DiskReader) -> tuple[str, list[Mapping[str, str]]]:
    """The compiler and the rows of the index of a build."""
    try:
        data = json.loads(_whole(reader, INDEX))
        compiler, rows = data["compiler"], data["packages"]
        fine = data["schema"] == INDEX_SCHEMA and isinstance(compiler, str)
        fine &= all(isinstance(row[key], str) for row in rows for key in ("path", "plan", "digest", "status"))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        fine = False
    if not fine:
        raise Stop(
            say(
                "`{name}/{index}` is no index of a build: name a whole build folder, or build again",
                name=name,
                index=INDEX,
            )
        )
    return compiler, rows


def _read_plan(reader: DiskReader, row: Mapping[str, str]) -> Plan | str:
    try:
        if ".." in row["plan"].split("/"):
            return say("it lies outside of the build output")
        data = _whole(reader, row["plan"])
        if digest(data) != row["digest"]:
            return say("it is not the one that the index names")
        return decode(data)
    except OSError as error:
        return reason(error)
    except PlanError as error:
        return str(error)


def _whole(reader: DiskReader, path: str) -> bytes:
    with open(os.path.join(reader.root, *path.split("/")), "rb") as file:
        return file.read()

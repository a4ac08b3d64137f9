"""The build folder: what a package's build leaves there, and the index as a function of what is there.

Whoever writes a package takes the lock of the workspace. Where there can be none, builds that run at once do no harm
either: each writes its packages, then the index of what it finds, and looks again until the two agree.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Mapping

from skillc.store.files import is_temporary, write_atomic

INDEX = "index.json"
PLAN = "plan.json"
STALE = "plan.stale"
"""Stands beside a plan whose package has errors now."""
HERE = "."
"""The name of the folder of an output among the rows of its files in a log."""
_PROMPT = ".prompt.md"
Plans = Mapping[str, tuple[str, bool]]
"""Of packages by path: the digest of the plan, and whether it is stale."""


def write_package(build: str, path: str, files: Mapping[str, bytes]) -> bool:
    """Make the output of the package `path` hold `files` and nothing older; whether bytes changed."""
    folder = output_folder(build, path)
    # The plan goes last: whoever finds a new plan finds its prompts too.
    names = sorted(files, key=lambda name: (name == PLAN, name))
    changed = [write_atomic(os.path.join(folder, name), files[name]) for name in names]
    old = [name for name in output_names(folder) if name not in files]
    for name in old:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))
    return any(changed) or any(name != STALE for name in old)


def mark_stale(build: str, path: str) -> None:
    """Say that the package `path` has errors now: what was built of it before stays."""
    if is_unmarked(build, path):
        write_atomic(os.path.join(output_folder(build, path), STALE), b"")


def is_unmarked(build: str, path: str) -> bool:
    """Whether the package `path` has a plan that nothing says to be stale."""
    folder = output_folder(build, path)
    return os.path.exists(os.path.join(folder, PLAN)) and not os.path.exists(os.path.join(folder, STALE))


def remove_others(build: str, packages: Collection[str], ours: Collection[str] = ()) -> None:
    """Remove the output of packages that are not among `packages`: of whatever has a plan of ours, or the index names it;
    and of those that are `ours`, however damaged it is. Other files of such folders stay."""
    others = [path for path in _package_folders(build) if path not in packages]
    ours = {*ours, *indexed(build)} if others else ()
    for path in others:
        folder = output_folder(build, path)
        if path in ours or _is_plan(os.path.join(folder, PLAN)):
            # The plan goes last: as long as it is there, the rest is known to be ours.
            for name in sorted(output_names(folder), key=lambda name: name == PLAN):
                os.unlink(os.path.join(folder, name))
            with contextlib.suppress(OSError):
                os.rmdir(folder)


def write_index(build: str, known: Plans | None = None) -> None:
    """Write the index of the plans that are there, until it is the index of what is there. Those of which it is `known`
    how they stand are not read."""
    written = None
    while (plans := _plans(build, known or {})) != written:
        write_atomic(os.path.join(build, INDEX), _index(plans))
        written = plans


def index_of(build: str) -> bytes:
    """The index of the plans that are there."""
    return _index(_plans(build, {}))


def plans_of(index: bytes) -> Plans:
    """The plans as an index of ours has them."""
    import json  # The quick look asks for the names in a folder alone.

    return {one["path"]: (one["digest"], one["status"] != "ok") for one in json.loads(index)["packages"]}


def indexed(build: str) -> Collection[str]:
    """The packages that the index names; none where it is not ours."""
    try:
        with open(os.path.join(build, INDEX), "rb") as file:
            return plans_of(file.read())
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ()


def _index(plans: Plans) -> bytes:
    from skillc.artifact.index import index

    return index(
        {"path": path, "plan": f"{path}/{PLAN}", "digest": digest, "status": "stale" if is_stale else "ok"}
        for path, (digest, is_stale) in plans.items()
    )


def _plans(build: str, known: Plans) -> Plans:
    """The plans of ours that are there."""
    found = {path: known.get(path) or _plan(build, path) for path in _package_folders(build)}
    return {path: plan for path, plan in found.items() if plan}


def _plan(build: str, path: str) -> tuple[str, bool] | None:
    """The digest of the plan of ours that a package has, and whether it is stale."""
    digest = _plan_digest(build, path)
    return (digest, os.path.exists(os.path.join(output_folder(build, path), STALE))) if digest else None


def _plan_digest(build: str, path: str) -> str | None:
    """The digest of the plan of ours that a package has."""
    from skillc.artifact.encoding import digest

    plan = os.path.join(output_folder(build, path), PLAN)
    if _is_plan(plan):
        with contextlib.suppress(FileNotFoundError), open(plan, "rb") as file:
            return digest(file.read())
    return None


def built_packages(build: str) -> list[str]:
    """Paths of the packages that have a plan of ours, sorted."""
    return [
        path for path in _package_folders(build) if _is_plan(os.path.join(output_folder(build, path), PLAN))
    ]


def _package_folders(build: str) -> list[str]:
    """Paths of what stands where the output of packages stands, sorted."""
    return sorted(
        f"{kind}/{name}" for kind in _folders(build) for name in _folders(os.path.join(build, kind))
    )


def _folders(path: str) -> list[str]:
    try:
        with os.scandir(path) as entries:
            return [entry.name for entry in entries if entry.is_dir()]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _is_plan(path: str) -> bool:
    """Whether a file begins as a plan does; a plan that was damaged later is still ours."""
    try:
        with open(path, "rb") as file:
            head = file.read(64)
    except OSError:
        return False
    return b'"skillc.plan/' in head


def output_names(folder: str) -> list[str]:
    """The names of the files in the folder of a package's output that a build writes, sorted: with those that it had not
    written to the end when it was killed."""
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(
        name for name in names if name in (PLAN, STALE) or name.endswith(_PROMPT) or is_temporary(name)
    )


def output_folder(build: str, path: str) -> str:
    """Where the output of the package `path` is."""
    return os.path.join(build, *path.split("/"))

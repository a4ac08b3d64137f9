"""Which cases a package has, and which snapshot belongs to which: `contexts/first.yaml` has
`contexts/__snapshots__/first.md`."""

from __future__ import annotations

from collections.abc import Iterable

from skillc.source.folder import Item, Walk, items
from skillc.source.names import CONTEXTS, DATA_SUFFIXES, SNAPSHOT_SUFFIX, SNAPSHOTS, folded
from skillc.source.reader import Reader
from skillc.value import value


@value
class Case:
    """One board of a package and the file that keeps its context; paths are workspace-relative. `twin` is another
    case that would have the same snapshot, if there is one: then neither can be kept."""

    package: str
    name: str
    path: str
    snapshot: str
    twin: str | None = None


@value
class Kept:
    """What stands in `contexts` of one package: its cases, and the snapshots that belong to none of them, both by
    name. `blocked` is the snapshot folder where it is a link, or no folder: nothing is read or written there."""

    cases: tuple[Case, ...] = ()
    unused: tuple[str, ...] = ()
    blocked: str | None = None


def kept_of(reader: Reader, skills: str, package: str) -> Kept:
    """The cases and snapshots of `package`. Links that lead out of the package are not followed; what is wrong
    with them is `skillc check`'s to tell."""
    walk = Walk(reader)
    contexts, root = _contexts(walk, skills, package)
    if contexts is None:
        return Kept()
    found = items(walk, contexts.path, root)
    files = [item for item in found if not item.is_folder and item.name.endswith(DATA_SUFFIXES)]
    home = next((item for item in found if item.name == SNAPSHOTS), None)
    refused = f"{contexts.path}/{SNAPSHOTS}"
    if refused in walk.refused or (home is not None and (home.real != home.path or not home.is_folder)):
        return Kept(_cases(package, contexts, files), (), refused)
    cases = _cases(package, contexts, files)
    wanted = {folded(case.snapshot) for case in cases}
    there = [item for item in items(walk, home.path, root) if _is_snapshot(item)] if home else []
    return Kept(cases, tuple(item.path for item in there if folded(item.path) not in wanted))


def _contexts(walk: Walk, skills: str, package: str) -> tuple[Item | None, str]:
    """The folder of the cases, and where the package really is."""
    kind, name = package.split("/")
    outer = _folder(walk, skills, kind, "")
    home = _folder(walk, outer.path, name, "") if outer else None
    return (_folder(walk, home.path, CONTEXTS, home.real), home.real) if home else (None, "")


def _folder(walk: Walk, path: str, name: str, root: str) -> Item | None:
    return next((item for item in items(walk, path, root) if item.name == name and item.is_folder), None)


def _is_snapshot(item: Item) -> bool:
    return not item.is_folder and item.name.endswith(SNAPSHOT_SUFFIX)


def _cases(package: str, contexts: Item, files: Iterable[Item]) -> tuple[Case, ...]:
    cases: list[Case] = []
    by_snapshot: dict[str, list[str]] = {}
    for item in files:
        snapshot = f"{contexts.path}/{SNAPSHOTS}/{case_name(item.name)}{SNAPSHOT_SUFFIX}"
        by_snapshot.setdefault(folded(snapshot), []).append(item.path)
        cases.append(Case(package, case_name(item.name), item.path, snapshot))
    return tuple(_with_twin(case, by_snapshot[folded(case.snapshot)]) for case in cases)


def _with_twin(case: Case, same: list[str]) -> Case:
    twin = next((path for path in same if path != case.path), None)
    return Case(case.package, case.name, case.path, case.snapshot, twin)


def case_name(file: str) -> str:
    """The name of the case in the file `file`.

    >>> case_name("third.a.yaml")
    'third.a'
    """
    return file.rpartition(".")[0]

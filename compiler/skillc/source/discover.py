"""From the skills folder to the files of every package (SPEC 1)."""

from __future__ import annotations

from skillc.diagnostic import Diagnostic
from skillc.source.document import PackageFiles, PackageFolder, WorkspaceFiles, YamlFile
from skillc.source.folder import (
    Item,
    Walk,
    almost,
    check_id,
    clashes,
    entries,
    items,
    read_source,
    report_lost,
    stray,
)
from skillc.source.names import KINDS, MANIFEST, WORKSPACE_FILES, near
from skillc.source.package import is_package, read_package
from skillc.source.reader import Reader
from skillc.source.yamlfile import read_yaml
from skillc.wording import say, series


def read_workspace(
    reader: Reader, skills: str = "skills", only: frozenset[str] | None = None, profiles: str | None = None
) -> tuple[WorkspaceFiles, list[Diagnostic]]:
    """Everything below the skills folder that the format knows, and the P family of what was read.

    `only` names the packages to read (`novel/basic`); None means all. Nothing is dropped silently:
    what is neither used nor ignored by a named rule is a finding (SPEC 1.2). `profiles` is where the model
    profiles are, if there are any.
    """
    walk = Walk(reader)
    files: dict[str, YamlFile | None] = {}
    packages: list[PackageFiles] = []
    for item in items(walk, skills, ""):
        if item.is_folder:
            packages.extend(_kind(walk, item, only))
        elif item.name in WORKSPACE_FILES:
            files[item.name] = _yaml(walk, item.path)
        else:
            _loose_file(walk, item)
    report_lost(walk)
    found = WorkspaceFiles(
        skills,
        tuple(packages),
        files.get("registry.yaml"),
        files.get("tags.yaml"),
        _profiles(walk, profiles),
        tuple(sorted(walk.packages)),
    )
    return found, walk.found


def read_one(reader: Reader, package: PackageFolder) -> tuple[PackageFiles, list[Diagnostic]]:
    """One package, and the P family of what is inside its folder."""
    walk = Walk(reader)
    item = Item(package.folder.rpartition("/")[2], package.folder, True, package.real)
    check_id(walk, item, say("package"))
    files = read_package(walk, item, package.path)
    report_lost(walk)
    return files, walk.found


def is_still_package(reader: Reader, folder: str) -> bool:
    """Whether a folder that stands where packages stand is one."""
    return is_package(Walk(reader), folder, unseen=True)


def package_folders(reader: Reader, skills: str) -> frozenset[str]:
    """Every folder that stands where packages stand, workspace-relative; nothing in them is read."""
    kinds = (f"{skills}/{entry.name}" for entry in reader.entries(skills) if entry.kind == "dir")
    return frozenset(
        f"{kind}/{entry.name}" for kind in kinds for entry in reader.entries(kind) if entry.kind == "dir"
    )


def _profiles(walk: Walk, path: str | None) -> YamlFile | None:
    """The file of model profiles; None when there is none, which is no finding: many packages need no model."""
    folder, _, name = (path or "").rpartition("/")
    there = path and any(e.name == name and e.kind == "file" for e in entries(walk, folder))
    return _yaml(walk, path) if path and there else None


def _yaml(walk: Walk, path: str) -> YamlFile | None:
    source = read_source(walk, path)
    if source is None:
        return None
    file, found = read_yaml(source)
    walk.found.extend(found)
    return file


def _loose_file(walk: Walk, item: Item) -> None:
    known = near(item.name, WORKSPACE_FILES)
    if known:
        almost(walk, item, known, False)
    else:
        stray(walk, item)


def _kind(walk: Walk, folder: Item, only: frozenset[str] | None) -> list[PackageFiles]:
    found = items(walk, folder.path, "")
    if folder.name in KINDS:
        return _packages(walk, folder, found, only)
    if is_package(walk, folder.path):
        message = say(
            "the package `{name}` stands directly below the skills folder and is not read", name=folder.name
        )
        walk.report("misnamed-file", folder.path, message, say("move it into {kinds}", kinds=_kinds()))
        return []
    if not _holds_packages(walk, found):
        if found:
            stray(walk, folder, say("packages stand below {kinds}", kinds=_kinds()))
        return []
    known = near(folder.name, KINDS)
    help = (
        say("did you mean `{known}`? rename the folder", known=known)
        if known
        else say("move its packages into {kinds}", kinds=_kinds())
    )
    walk.report("misnamed-file", folder.path, say("`{name}` is no kind of book", name=folder.name), help)
    return _packages(walk, folder, found, only) if known else []


def _kinds() -> str:
    *names, last = (f"`{kind}`" for kind in KINDS)
    return say("{names} or {last}", names=series(names), last=last)


def _holds_packages(walk: Walk, found: list[Item]) -> bool:
    return any(item.is_folder and is_package(walk, item.path) for item in found)


def _packages(walk: Walk, kind: Item, found: list[Item], only: frozenset[str] | None) -> list[PackageFiles]:
    folders: list[Item] = []
    for item in found:
        if not item.is_folder:
            _misplaced_file(walk, item)
        elif _is_package_folder(walk, item):
            folders.append(item)
    clashes(walk, folders, say("package"))
    packages = []
    for item in folders:
        path = f"{kind.name}/{item.name}"
        walk.packages.append(PackageFolder(path, item.path, item.real))
        if only is None or path in only:
            check_id(walk, item, say("package"))
            packages.append(read_package(walk, item, path))
    return packages


def _misplaced_file(walk: Walk, item: Item) -> None:
    if item.name == MANIFEST or near(item.name, (MANIFEST,)):
        message = say("`{name}` stands in the folder of a kind and is not read", name=item.name)
        walk.report("misnamed-file", item.path, message, say("put the package into a folder of its own"))
    else:
        stray(walk, item)


def _is_package_folder(walk: Walk, folder: Item) -> bool:
    # One that cannot be opened counts, too: nobody knows that it is none, and as a package it has its finding.
    if is_package(walk, folder.path, unseen=True):
        return True
    inside = items(Walk(walk.reader), folder.path, "")
    if _holds_packages(walk, inside):
        message = say("`{name}` holds packages one level too deep, and they are not read", name=folder.name)
        walk.report("misnamed-file", folder.path, message, say("move the packages up by one level"))
    elif inside:
        stray(walk, folder, say("a package is a folder with an `{file}`", file=MANIFEST))
    return False

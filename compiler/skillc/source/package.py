"""The files of one package: each is used, read over by rule, or a finding (SPEC 1.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from skillc.diagnostic import Diagnostic, Label
from skillc.later import later
from skillc.source.document import Document, PackageFiles, WorkerFiles, YamlFile
from skillc.source.folder import (
    Item,
    Walk,
    almost,
    check_id,
    clashes,
    entries,
    items,
    nearest,
    read_source,
    stray,
)
from skillc.source.markdown import read_document
from skillc.source.names import (
    CONTEXTS,
    DATA_SUFFIXES,
    MANIFEST,
    PACKAGE_FILES,
    PACKAGE_FOLDERS,
    SHARED,
    SKILL,
    SNAPSHOT_SUFFIX,
    SNAPSHOTS,
    WORKERS,
    near,
    place,
)
from skillc.source.node import Scalar
from skillc.source.paths import safe_relative
from skillc.source.yamlfile import read_yaml
from skillc.text import Source
from skillc.wording import say

WORKER_LIMIT = 2000
_REQUIRED = (MANIFEST, WORKERS)
_LINK = later(r"(?:\.{1,2}/|/)\S+\s*")
_Read = TypeVar("_Read")


def is_package(walk: Walk, path: str, unseen: bool = False) -> bool:
    """Whether a folder is a package: it has an orchestrator.md or a workers folder, or nearly so. Where it cannot be
    opened, the answer is `unseen`."""
    apart = Walk(walk.reader)
    found = entries(apart, path)
    return (unseen and bool(apart.unopened)) or any(
        entry.name in _REQUIRED or near(entry.name, (WORKERS,) if entry.kind == "dir" else (MANIFEST,))
        for entry in found
    )


def read_package(walk: Walk, folder: Item, path: str) -> PackageFiles:
    """All files of the package at `folder`, `path` below the skills folder; what is wrong goes to the walk."""
    reading = _Reading(walk)
    found = items(walk, folder.path, folder.real)
    manifest = _manifest(reading, folder, found)
    steps = _shared_path(manifest)
    taken = _taken(walk, found, steps)
    shared = _shared(reading, folder, found, steps)
    workers = _workers(reading, taken.get(WORKERS), folder.real, say("worker"))
    templates = _workers(reading, taken.get("templates"), folder.real, say("template"))
    _data_folder(reading, taken.get("scripts"), folder.real, Walk(walk.reader))
    boards = [_yaml(walk, s) for s in _data_folder(reading, taken.get(CONTEXTS), folder.real, walk)]
    return PackageFiles(
        path,
        folder.path,
        manifest,
        workers,
        shared,
        reading.take(taken.get("llm-bindings.yaml"), read_yaml),
        reading.take(taken.get("tags.yaml"), read_yaml),
        reading.take(taken.get("context-order.json") or taken.get("context-order.yaml"), read_yaml),
        tuple(sorted(reading.used, key=_path)),
        templates,
        tuple(sorted(reading.sources, key=_path)),
        tuple(boards),
    )


class _Reading:
    """Reads files of one package and keeps the text of each, and of each that is used."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.used: list[Source] = []
        self.sources: list[Source] = []

    def take(
        self, item: Item | None, read: Callable[[Source], tuple[_Read, list[Diagnostic]]]
    ) -> _Read | None:
        source = read_source(self.walk, item.path) if item else None
        if source is None:
            return None
        self.used.append(source)
        self.sources.append(source)
        value, found = read(source)
        self.walk.found.extend(found)
        return value


def _path(source: Source) -> str:
    return source.path


def _shared_path(manifest: Document | None) -> list[str]:
    """The steps to the shared context inside the package: what `sharedContext` names, else shared-context.md."""
    named = manifest.front.get("sharedContext") if manifest and manifest.front else None
    if isinstance(named, Scalar) and not named.is_null and not safe_relative(named.value):
        steps = [step for step in named.value.split("/") if step not in ("", ".")]
        return steps or [SHARED]
    return [SHARED]


def _shared(reading: _Reading, folder: Item, found: list[Item], steps: list[str]) -> Document | None:
    """The shared context; a broken document for a file that cannot be read, None when there is none."""
    item = next((item for item in found if item.name == steps[0]), None)
    if item is None:
        first = items(Walk(reading.walk.reader), folder.path, folder.real, steps[0])
        item = next((item for item in first if item.name == steps[0]), None)
    for step in steps[1:]:
        inside = items(reading.walk, item.path, folder.real, step) if item and item.is_folder else []
        item = next((inner for inner in inside if inner.name == step), None)
    if item is None or item.is_folder:
        return None
    return reading.take(item, lambda source: read_document(source, head=False)) or _unread(item.path)


def _taken(walk: Walk, found: list[Item], shared: list[str]) -> dict[str, Item]:
    """The files and folders of a package by the name of the format that each one has or is meant to have.

    The first of the `shared` steps is used under its own name: the shared context, or the folder that it lies in.
    """
    taken = {item.name: item for item in found if _is_known(item)}
    for item in found:
        if item.name == shared[0] or (_is_known(item) and item.name != SHARED):
            continue
        known = nearest(item, PACKAGE_FILES, PACKAGE_FOLDERS) or _other_kind(item)
        if known is None or _is_known(item):
            stray(walk, item)
        elif known in _REQUIRED and known not in taken and _fits(item, known):
            almost(walk, item, known, True)
            taken[known] = item
        else:
            almost(walk, item, known, known == WORKERS or item.name == known == MANIFEST)
    _one_order(walk, taken)
    return taken


def _is_known(item: Item) -> bool:
    return item.name in (PACKAGE_FOLDERS if item.is_folder else PACKAGE_FILES)


def _other_kind(item: Item) -> str | None:
    """A known name on the wrong kind of thing: a file `workers`, a folder `orchestrator.md`."""
    return item.name if item.name in (*PACKAGE_FILES, *PACKAGE_FOLDERS) else None


def _fits(item: Item, known: str) -> bool:
    return item.is_folder == (known in PACKAGE_FOLDERS)


def _one_order(walk: Walk, taken: dict[str, Item]) -> None:
    used, other = taken.get("context-order.json"), taken.get("context-order.yaml")
    if used and other:
        label = Label(place(used.path), say("the other order"))
        message = say("the package has `context-order.json` and `context-order.yaml`")
        walk.report("name-clash", other.path, message, say("keep one of them"), label)


def _manifest(reading: _Reading, folder: Item, found: list[Item]) -> Document | None:
    """The manifest, under a misnamed file's name if need be; None, with a finding, when there is none."""
    files = [item for item in found if not item.is_folder]
    exact = [item for item in files if item.name == MANIFEST]
    item = next(iter(exact or [item for item in files if near(item.name, (MANIFEST,))]), None)
    if item is not None:
        return reading.take(item, read_document) or _unread(item.path)
    walk, path = reading.walk, f"{folder.path}/{MANIFEST}"
    if path in walk.refused or folder.path in walk.unopened or any(item.path == path for item in found):
        return _unread(path)
    message = say("the package `{name}` has no `{file}`", name=folder.name, file=MANIFEST)
    walk.report(
        "misnamed-file", folder.path, message, say("write `{file}`, the package's manifest", file=MANIFEST)
    )
    return None


def _unread(path: str) -> Document:
    """What stands for a file that exists and cannot be read: broken, so that nobody reports it missing."""
    source = Source(path, "")
    return Document(source, None, source.span(), source.span(), broken=True)


def _workers(reading: _Reading, folder: Item | None, root: str, what: str) -> tuple[WorkerFiles, ...]:
    if folder is None:
        return ()
    walk = reading.walk
    found = items(walk, folder.path, root)
    folders = [item for item in found if item.is_folder]
    for item in found:
        if not item.is_folder:
            _loose_file(walk, item, what)
    if len(folders) > WORKER_LIMIT:
        message = say(
            "the package has {size:,} {what}s, more than {limit:,}",
            size=len(folders),
            what=what,
            limit=WORKER_LIMIT,
        )
        walk.report("too-large", folder.path, message, say("split the package"))
    unread = [WorkerFiles(item.name, item.path, None, True) for item in folders[WORKER_LIMIT:]]
    folders = folders[:WORKER_LIMIT]
    clashes(walk, folders, what)
    repeated = _same_folder(walk, folders, what)
    read = [_worker(reading, item, root, what, item.path in repeated) for item in folders]
    return tuple(sorted([*read, *unread, *_refused(walk, folder.path)], key=lambda worker: worker.id))


def _refused(walk: Walk, folder: str) -> list[WorkerFiles]:
    """Workers whose folder is a link or a thing that was refused: they exist, and are blocked."""
    paths = [path for path in walk.refused if path.rpartition("/")[0] == folder]
    names = [path.rpartition("/")[2] for path in paths]
    return [WorkerFiles(name, f"{folder}/{name}", None, True) for name in names if "." not in name]


def _loose_file(walk: Walk, item: Item, what: str) -> None:
    if near(item.name, (SKILL,)) or item.name == SKILL:
        help = say("put it into a folder named by the {what}'s id", what=what)
        walk.report(
            "misnamed-file", item.path, say("`{name}` belongs to no {what}", name=item.name, what=what), help
        )
    elif "." not in item.name and _is_link_text(walk, item):
        help = say("a checked-out symlink? put the folder itself here")
        walk.report(
            "misnamed-file",
            item.path,
            say("`{name}` is a file that holds nothing but a path", name=item.name),
            help,
        )
    else:
        stray(walk, item, say("a {what} is a folder with a `{file}`", what=what, file=SKILL))


def _is_link_text(walk: Walk, item: Item) -> bool:
    try:
        data = walk.reader.read(item.path)
    except OSError:
        return False
    return len(data) < 1024 and _LINK.fullmatch(data.decode("utf-8", "replace")) is not None


def _same_folder(walk: Walk, folders: list[Item], what: str) -> set[str]:
    """Paths of links to a folder that is a worker already; name-clash for each."""
    owners = {item.real: item for item in folders if item.real == item.path}
    repeated: set[str] = set()
    for item in folders:
        owner = owners.setdefault(item.real, item)
        if owner is not item:
            repeated.add(item.path)
            label = Label(
                place(owner.path),
                say("the folder itself") if owner.real == owner.path else say("the other link"),
            )
            message = say(
                "the {what}s `{name}` and `{owner}` are one folder",
                what=what,
                name=item.name,
                owner=owner.name,
            )
            walk.report("name-clash", item.path, message, say("remove the link, or copy the folder"), label)
    return repeated


def _worker(reading: _Reading, folder: Item, root: str, what: str, blocked: bool) -> WorkerFiles:
    walk = reading.walk
    check_id(walk, folder, what)
    if blocked:
        return WorkerFiles(folder.name, folder.path, None, True)
    skill = _skill(walk, items(walk, folder.path, root))
    refused = f"{folder.path}/{SKILL}" in walk.refused or folder.path in walk.unopened
    if skill is None and not refused:
        message = say("the {what} `{name}` has no `{file}`", what=what, name=folder.name, file=SKILL)
        walk.report(
            "misnamed-file", folder.path, message, say("write its `{file}`, or remove the folder", file=SKILL)
        )
    document = reading.take(skill, read_document)
    return WorkerFiles(folder.name, folder.path, document, document is None)


def _skill(walk: Walk, found: list[Item]) -> Item | None:
    skill = next((item for item in found if item.name == SKILL and not item.is_folder), None)
    for item in found:
        if item is skill:
            continue
        if item.name == SKILL or near(item.name, (SKILL,)) is None:
            stray(walk, item)
        elif skill is None and not item.is_folder:
            almost(walk, item, SKILL, True)
            skill = item
        else:
            almost(walk, item, SKILL, False)
    return skill


def _data_folder(reading: _Reading, folder: Item | None, root: str, told: Walk) -> list[Source]:
    """Boards or scripts: known by where they stand. What is wrong with their bytes goes to `told`: of scripts,
    the command that runs them says it."""
    walk = reading.walk
    found = []
    for item in items(walk, folder.path, root) if folder else ():
        if item.is_folder and item.name == SNAPSHOTS and folder and folder.name == CONTEXTS:
            _snapshots(walk, item, root)
        elif item.is_folder or not item.name.endswith(DATA_SUFFIXES):
            stray(walk, item)
        elif source := read_source(told, item.path):
            found.append(source)
    reading.sources.extend(found)
    return found


def _snapshots(walk: Walk, folder: Item, root: str) -> None:
    """Snapshots are compared where they are asked for; anything else beside them is unknown."""
    for item in items(walk, folder.path, root):
        if item.is_folder or not item.name.endswith(SNAPSHOT_SUFFIX):
            stray(walk, item)


def _yaml(walk: Walk, source: Source) -> YamlFile:
    file, found = read_yaml(source)
    walk.found.extend(found)
    return file

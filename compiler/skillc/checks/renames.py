"""Renames that only one package knows of, where another package uses the old name too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from skillc.diagnostic import Diagnostic
from skillc.graph.brief import Brief
from skillc.source.discover import package_folders
from skillc.source.reader import Reader
from skillc.value import replace

_TEXTS = (".md", ".yaml", ".yml", ".json")


def with_others(
    found: Iterable[Diagnostic], packages: Iterable[Brief], reader: Reader, skills: str
) -> tuple[Diagnostic, ...]:
    """The findings; the fix of a legacy-tag-names is unsafe where the package's own `moved` renames a tag that another
    package names as well: to that one, the new name is another tag (a Book may carry it from one to the other).

    Other packages are read for such a finding alone, and only for whether the name stands in them.
    """
    told, moved = tuple(found), {package.folder: package.moved for package in packages}
    asked = {at: names for at, d in enumerate(told) if (names := _local_name(d, moved))}
    if not asked:
        return told
    named: dict[str, set[str]] = {old: set() for _, old in asked.values()}
    for folder in sorted(package_folders(reader, skills)):
        for data in _texts(reader, folder):
            for old in named:
                if old.encode() in data:
                    named[old].add(folder)
    unsafe = {at for at, (folder, old) in asked.items() if named[old] - {folder}}
    return tuple(
        replace(d, fix=replace(d.fix, safe=False)) if at in unsafe and d.fix else d
        for at, d in enumerate(told)
    )


def _local_name(diagnostic: Diagnostic, moved: Mapping[str, Iterable[str]]) -> tuple[str, str] | None:
    """The package and the old name of a safe rename by its own `moved`."""
    if diagnostic.code.slug != "legacy-tag-names" or not (diagnostic.fix and diagnostic.fix.safe):
        return None
    for folder, own in moved.items():
        if diagnostic.span.path.startswith(folder + "/"):
            names = {edit.span.text for edit in diagnostic.fix.edits}
            return next(((folder, old) for old in own if old in names), None)
    return None


def _texts(reader: Reader, folder: str) -> Iterator[bytes]:
    """The texts of a package; links to folders are left out, since they may lead back."""
    try:
        for entry in reader.entries(folder):
            path = f"{folder}/{entry.name}"
            if entry.kind == "dir" and entry.target is None:
                yield from _texts(reader, path)
            elif entry.kind == "file" and entry.name.endswith(_TEXTS):
                yield reader.read(path)
    except OSError:
        return

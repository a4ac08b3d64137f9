"""`registry.yaml`: the index of packages (SPEC 6.5). Whether it agrees with them is a matter of rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import ClassVar

from skillc.diagnostic import Diagnostic, Label, Severity, finding
from skillc.model.fields import read_fields
from skillc.model.package import RegistryRow
from skillc.model.scalars import Word
from skillc.model.schema import Fields
from skillc.source.document import YamlFile
from skillc.source.node import Mapping, Sequence
from skillc.source.paths import safe_relative
from skillc.text import Text
from skillc.value import value
from skillc.wording import say

_MANIFEST = "orchestrator.md"


class RowFields(Fields):
    """One package in the index."""

    noun: ClassVar[str] = say("a registry row")
    name: Word
    description: Word | None = None
    category: Word | None = None
    book_kind: Word | None = None
    path: Word


class RegistryFields(Fields):
    """A registry.yaml: its rows under `packages` (or `skills`)."""

    noun: ClassVar[str] = say("a registry.yaml")
    version: Word | None = None
    packages: list[RowFields] | None = None
    skills: list[RowFields] | None = None


@value
class RegistryRead:
    """The rows in written order; None without a file. `broken` when some of it cannot be read."""

    rows: tuple[RegistryRow, ...] | None = None
    broken: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()


def read_registry(file: YamlFile | None, packages: Collection[str]) -> RegistryRead:
    """The rows of a registry.yaml, each with the package that it points at.

    `packages` are the package paths that exist. Codes: those of fields, unsafe-path, name-clash.
    """
    if file is None:
        return RegistryRead()
    root = file.root
    if isinstance(root, Sequence):
        key = Text("packages", root.span)
        root = Mapping(((key, root),), root.span)
    if root is None:
        return RegistryRead((), file.broken)
    reading = read_fields(RegistryFields, root, None)
    written = (*(reading.value.packages or ()), *(reading.value.skills or ()))
    rows = tuple(_row(fields, packages) for fields in written)
    broken = file.broken or not reading.faults.isdisjoint(("packages", "skills"))
    return RegistryRead(rows, broken, (*reading.diagnostics, *_wrong_paths(rows)))


def _row(fields: RowFields, packages: Collection[str]) -> RegistryRow:
    refused = safe_relative(fields.path.value) is not None
    return RegistryRow(
        fields.name,
        fields.path,
        None if refused else _package(fields.path.value, packages),
        fields.description,
        fields.category,
        fields.book_kind,
        refused,
    )


def _wrong_paths(rows: tuple[RegistryRow, ...]) -> Iterator[Diagnostic]:
    """unsafe-path, and name-clash for a second row of one package."""
    first: dict[str, RegistryRow] = {}
    for row in rows:
        reason = safe_relative(row.path.value)
        if reason:
            yield _unsafe(row.path, reason)
        other = first.setdefault(row.package, row) if row.package else row
        if other is not row:
            yield finding(
                "name-clash",
                row.path.span,
                say("the registry lists package `{package}` a second time", package=row.package),
                say("remove one of the two rows"),
                [Label(other.path.span, say("the first row"))],
                severity=Severity.WARNING,
            )


def _package(path: str, packages: Collection[str]) -> str | None:
    """The package that a row's path means: its folder, or the manifest in it."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if parts and parts[-1] == _MANIFEST:
        parts.pop()
    named = "/".join(parts)
    return named if named in packages else None


def _unsafe(path: Text, reason: str) -> Diagnostic:
    return finding(
        "unsafe-path",
        path.span,
        say("`{path}` is no path below the skills folder: {reason}", path=path.value, reason=reason),
        say("write the package's folder or its orchestrator.md, relative to registry.yaml"),
    )

"""`registry.yaml`: the index of packages (SPEC 6.5). Whether it agrees with them is a matter of rules."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from skillc.diagnostic import Diagnostic, finding
from skillc.model.fields import Fields, read_fields
from skillc.model.package import RegistryRow
from skillc.model.scalars import Word
from skillc.source.document import YamlFile
from skillc.source.node import Mapping, Sequence
from skillc.source.paths import safe_relative
from skillc.text import Text
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


def read_registry(
    file: YamlFile | None, packages: Collection[str]
) -> tuple[tuple[RegistryRow, ...] | None, list[Diagnostic]]:
    """The rows in written order, each with the package that it points at; None without a file.

    `packages` are the package paths that exist. Codes: those of fields, unsafe-path.
    """
    if file is None:
        return None, []
    root = file.root
    if isinstance(root, Sequence):
        key = Text("packages", root.span)
        root = Mapping(((key, root),), root.span)
    if root is None:
        return (), []
    reading = read_fields(RegistryFields, root, None)
    found = list(reading.diagnostics)
    rows = []
    for fields in (*(reading.value.packages or ()), *(reading.value.skills or ())):
        reason = safe_relative(fields.path.value)
        if reason:
            found.append(_unsafe(fields.path, reason))
        package = None if reason else _package(fields.path.value, packages)
        rows.append(
            RegistryRow(
                fields.name, fields.path, package, fields.description, fields.category, fields.book_kind
            )
        )
    return tuple(rows), found


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

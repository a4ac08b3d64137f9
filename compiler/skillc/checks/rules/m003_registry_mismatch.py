"""A row of registry.yaml that says something else than the manifest."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph.brief import Brief, Overview
from skillc.model.package import RegistryRow
from skillc.text import Text
from skillc.wording import say


def check(workspace: Overview) -> Iterator[Diagnostic]:
    """name, category, bookKind and path agree with the manifest (SPEC 6.5); the description is free. bookKind agrees
    with the folder, too, whether there is a registry or not: who has them disagree hears of it there alone."""
    packages = {package.path: package for package in workspace.packages}
    for package in workspace.packages:
        if package.fields and package.field("bookKind").value not in ("", _folder(package)):
            yield _misplaced(package)
    for row in workspace.registry or ():
        listed = packages.get(row.package or "")
        if listed and listed.fields:
            yield from _compared(row, listed)


def _folder(package: Brief) -> str:
    return package.path.split("/")[0]


def _misplaced(package: Brief) -> Diagnostic:
    kind = package.field("bookKind")
    return finding(
        "registry-mismatch",
        kind.span,
        say(
            "`{package}` lies below `{folder}`, its manifest says bookKind `{kind}`",
            package=package.path,
            folder=_folder(package),
            kind=kind.value,
        ),
        say("move the package below `{kind}`, or correct bookKind", kind=kind.value),
    )


def _compared(row: RegistryRow, package: Brief) -> Iterator[Diagnostic]:
    kinds = {package.field("bookKind").value, _folder(package)}
    fields: tuple[tuple[str, Text | None], ...] = (
        ("name", row.name),
        ("category", row.category),
        ("bookKind", row.kind if row.kind and row.kind.value not in kinds else None),
    )
    for field, said in fields:
        meant = package.field(field)
        if said is not None and meant.value and said.value != meant.value:
            yield _mismatch(field, said, meant, package)


def _mismatch(field: str, said: Text, meant: Text, package: Brief) -> Diagnostic:
    return finding(
        "registry-mismatch",
        said.span,
        say(
            "the registry gives `{package}` the {field} `{said}`, its manifest says `{meant}`",
            package=package.path,
            field=field,
            said=said.value,
            meant=meant.value,
        ),
        say("make the two agree; the manifest is what runs"),
        [Label(meant.span, say("the manifest says so here"))],
    )


RULE = Rule("registry-mismatch", "registry.yaml or the folder and a manifest disagree.", workspace=check)

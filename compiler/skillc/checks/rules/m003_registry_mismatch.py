"""A row of registry.yaml that says something else than the manifest."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import front_value
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.model.package import Manifest, Package, RegistryRow, Workspace
from skillc.text import Text
from skillc.wording import say


def check(workspace: Workspace) -> Iterator[Diagnostic]:
    """name, category, bookKind and path agree with the manifest (SPEC 6.5); the description is free. bookKind agrees
    with the folder, too, whether there is a registry or not: who has them disagree hears of it there alone."""
    packages = {package.path: package for package in workspace.packages}
    for package in workspace.packages:
        manifest = package.manifest
        if manifest and not manifest.broken and manifest.kind not in ("", _folder(package)):
            yield _misplaced(package, manifest)
    for row in workspace.registry or ():
        listed = packages.get(row.package or "")
        if listed and listed.manifest and not listed.manifest.broken:
            yield from _compared(row, listed, listed.manifest)


def _folder(package: Package) -> str:
    return package.path.split("/")[0]


def _misplaced(package: Package, manifest: Manifest) -> Diagnostic:
    return finding(
        "registry-mismatch",
        front_value(manifest, "bookKind"),
        say(
            "`{package}` lies below `{folder}`, its manifest says bookKind `{kind}`",
            package=package.path,
            folder=_folder(package),
            kind=manifest.kind,
        ),
        say("move the package below `{kind}`, or correct bookKind", kind=manifest.kind),
    )


def _compared(row: RegistryRow, package: Package, manifest: Manifest) -> Iterator[Diagnostic]:
    kinds = {manifest.kind, _folder(package)}
    fields: tuple[tuple[str, Text | None, str], ...] = (
        ("name", row.name, manifest.name),
        ("category", row.category, manifest.category),
        ("bookKind", row.kind if row.kind and row.kind.value not in kinds else None, manifest.kind),
    )
    for field, said, meant in fields:
        if said is not None and meant and said.value != meant:
            yield _mismatch(field, said, meant, package, manifest)


def _mismatch(field: str, said: Text, meant: str, package: Package, manifest: Manifest) -> Diagnostic:
    return finding(
        "registry-mismatch",
        said.span,
        say(
            "the registry gives `{package}` the {field} `{said}`, its manifest says `{meant}`",
            package=package.path,
            field=field,
            said=said.value,
            meant=meant,
        ),
        say("make the two agree; the manifest is what runs"),
        [Label(front_value(manifest, field), say("the manifest says so here"))],
    )


RULE = Rule("registry-mismatch", "registry.yaml or the folder and a manifest disagree.", workspace=check)

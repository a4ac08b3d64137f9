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
    """name, category, bookKind and path agree with the manifest (SPEC 6.5); the description is free."""
    packages = {package.path: package for package in workspace.packages}
    for row in workspace.registry or ():
        package = packages.get(row.package or "")
        if package and package.manifest and not package.manifest.broken:
            yield from _compared(row, package, package.manifest)


def _compared(row: RegistryRow, package: Package, manifest: Manifest) -> Iterator[Diagnostic]:
    fields: tuple[tuple[str, Text | None, str], ...] = (
        ("name", row.name, manifest.name),
        ("category", row.category, manifest.category),
        ("bookKind", row.kind, manifest.kind),
    )
    for field, said, meant in fields:
        if said is not None and meant and said.value != meant:
            yield _mismatch(field, said, meant, package, manifest)
    folder = package.path.split("/")[0]
    if manifest.kind and manifest.kind != folder and not (row.kind and row.kind.value != manifest.kind):
        yield finding(
            "registry-mismatch",
            row.path.span,
            say(
                "the registry has `{name}` below `{folder}`, its manifest says bookKind `{kind}`",
                name=package.name,
                folder=folder,
                kind=manifest.kind,
            ),
            say("move the package below `{kind}`, or correct bookKind", kind=manifest.kind),
            [Label(front_value(manifest, "bookKind"), say("the manifest says so here"))],
        )


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


RULE = Rule("registry-mismatch", "registry.yaml and a manifest disagree.", workspace=check)

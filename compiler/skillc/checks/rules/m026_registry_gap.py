"""A package that only the registry has, or only the folders."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.model.package import Package, RegistryRow, Workspace
from skillc.text import Span
from skillc.wording import say


def check(workspace: Workspace) -> Iterator[Diagnostic]:
    """Only where there is a registry.yaml (SPEC 1.1)."""
    if workspace.registry is None:
        return
    listed = {row.package for row in workspace.registry}
    for row in workspace.registry:
        if row.package is None:
            yield _no_package(workspace, row)
    for package in workspace.packages:
        place = _place(package)
        if package.path not in listed and place:
            yield _not_listed(workspace, package, place)


def _no_package(workspace: Workspace, row: RegistryRow) -> Diagnostic:
    return finding(
        "registry-gap",
        row.path.span,
        say(
            "the registry lists `{name}` at `{path}`, where there is no package",
            name=row.name.value,
            path=row.path.value,
        ),
        say(
            "correct the path (relative to registry.yaml: the orchestrator.md or its folder), or remove the row"
        ),
    )


def _not_listed(workspace: Workspace, package: Package, place: Span) -> Diagnostic:
    source = workspace.registry_source
    return finding(
        "registry-gap",
        place,
        say("package `{package}` is not listed in registry.yaml", package=package.path),
        say("add a row with `name: {name}` and `path: {package}`", name=package.name, package=package.path),
        [Label(source.span(), say("the registry"))] if source else (),
    )


def _place(package: Package) -> Span | None:
    if package.manifest:
        return package.manifest.span
    return package.workers[0].span if package.workers else None


RULE = Rule(
    "registry-gap", "A package is found only in the registry, or only in the folders.", workspace=check
)

"""A package that only the registry has, or only the folders."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph.brief import Brief, Overview
from skillc.model.package import RegistryRow
from skillc.resemblance import Known
from skillc.text import Span
from skillc.wording import say


def check(workspace: Overview) -> Iterator[Diagnostic]:
    """Only where there is a registry.yaml (SPEC 1.1). A row that nearly names a package that no other row lists
    is one finding with it; what a registry that cannot be read does not list, proves nothing."""
    if workspace.registry is None:
        return
    listed = {row.package for row in workspace.registry}
    meant = _Unlisted([package.path for package in workspace.packages if package.path not in listed])
    for row in workspace.registry:
        if row.package is None:
            near = meant.package(row)
            listed.add(near)
            if not row.refused:
                yield _no_package(row, near)
    for package in workspace.packages:
        if package.path not in listed and package.place and not workspace.registry_broken:
            yield _not_listed(workspace, package, package.place)


class _Unlisted:
    """The packages that no row points at, and which of them a row was meant for: each for one row."""

    def __init__(self, paths: list[str]) -> None:
        self._paths = {path.casefold(): path for path in paths}
        self._known = Known(self._paths, 0.7)

    def package(self, row: RegistryRow) -> str | None:
        steps = [step for step in row.path.value.replace("\\", "/").split("/") if step not in ("", ".", "..")]
        steps = steps[:-1] if steps[-1:] == ["orchestrator.md"] else steps
        written = "/".join(steps[-2:]).casefold()
        named = [path for path in self._paths if path.rpartition("/")[2] == row.name.value.casefold()]
        near = written if written in self._paths else self._known.nearest(written)
        found = near or (named[0] if len(named) == 1 else "")
        return self._paths.pop(found, None)


def _no_package(row: RegistryRow, near: str | None) -> Diagnostic:
    return finding(
        "registry-gap",
        row.path.span,
        say(
            "the registry lists `{name}` at `{path}`, where there is no package",
            name=row.name.value,
            path=row.path.value,
        ),
        say("did you mean `{package}`? A path is relative to registry.yaml", package=near)
        if near
        else say(
            "correct the path (relative to registry.yaml: the orchestrator.md or its folder), or remove the row"
        ),
    )


def _not_listed(workspace: Overview, package: Brief, place: Span) -> Diagnostic:
    source = workspace.registry_source
    return finding(
        "registry-gap",
        place,
        say("package `{package}` is not listed in registry.yaml", package=package.path),
        say("add a row with `name: {name}` and `path: {package}`", name=package.name, package=package.path),
        [Label(source.span(), say("the registry"))] if source else (),
    )


RULE = Rule(
    "registry-gap", "A package is found only in the registry, or only in the folders.", workspace=check
)

"""The stages in order: source, model, graph, checks, plan. Reading this file explains the program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from skillc.artifact.encoding import encode
from skillc.artifact.plan import Plan
from skillc.checks.flows import strictly
from skillc.checks.run import check_together, run_checks
from skillc.control import Control, Scope, controlled, scope_of
from skillc.diagnostic import Diagnostic, Severity, in_order
from skillc.graph import TagGraph, build_graph
from skillc.graph.brief import overview
from skillc.model.package import Package, Workspace
from skillc.model.workspace import Surroundings, build_frame, build_package, read_surroundings
from skillc.plan import compile_package, render_prompt
from skillc.source.discover import package_folders, read_workspace
from skillc.source.document import PackageFiles, WorkspaceFiles
from skillc.source.reader import Reader
from skillc.value import replace, value

if TYPE_CHECKING:
    from skillc.model.profiles import Profiles

Progress = Callable[[str, int, int], None]
"""Told what is worked on, how many are done and how many there are."""


@value
class Checked:
    """A workspace with its graphs (by package path) and all findings, in order, reported or not."""

    workspace: Workspace
    graphs: Mapping[str, TagGraph]
    diagnostics: tuple[Diagnostic, ...]
    files: WorkspaceFiles
    scope: Scope


@value
class Built:
    """The files of one package, by name; none when it has errors."""

    package: Package
    plan: Plan | None
    files: Mapping[str, bytes]


def check(
    reader: Reader,
    skills: str = "skills",
    only: frozenset[str] | None = None,
    profiles: str = "profiles.json",
    flow: str = "normal",
) -> Checked:
    """All findings about the packages below `skills`, or about those in `only`. Where `flow` is `strict`, what
    secrets reach is an error until it is declared."""
    files, found = read_workspace(reader, skills, only, profiles)
    around, said = read_surroundings(files)
    found += said
    graphs = {}
    for package in files.packages:
        graphs[package.path], said = check_package(package, around, flow)
        found += said
    return assembled(reader, files, around, graphs, found, only)


def assembled(
    reader: Reader,
    files: WorkspaceFiles,
    around: Surroundings,
    graphs: Mapping[str, TagGraph],
    found: list[Diagnostic],
    only: frozenset[str] | None,
) -> Checked:
    """A workspace of packages that are checked each for itself, with what was `found` in them and around them: what is
    wrong with how they fit together comes to it here."""
    from skillc.checks.renames import with_others

    workspace, said = build_frame(files, around, frozenset(graphs))
    workspace = replace(workspace, packages=tuple(graphs[path].package for path in sorted(graphs)))
    view = overview(workspace, graphs.values())
    everything = [*found, *said, *check_together(view)]
    concerned = tuple(d for d in in_order(everything) if only is None or concerns(d, files.skills, only))
    folders = package_folders(reader, files.skills) if only is not None else frozenset()
    concerned = with_others(concerned, view.packages, reader, files.skills)
    return Checked(workspace, graphs, concerned, files, scope_of(files, only is None, folders))


def reported(checked: Checked, control: Control | None = None) -> tuple[Diagnostic, ...]:
    """The findings that are not suppressed; what a build refuses does not depend on it."""
    return controlled(checked.diagnostics, checked.scope, control or Control())


def check_package(
    files: PackageFiles, around: Surroundings, flow: str = "normal"
) -> tuple[TagGraph, list[Diagnostic]]:
    """The graph of one package and all that is wrong with what its files mean; it depends on nothing else."""
    package, meaning = build_package(files, around.catalogue)
    graph = build_graph(package)
    meant = run_checks(graph)
    limits = _limits(graph, around.profiles) if around.profiles else ()
    return graph, [*meaning, *(strictly(meant) if flow == "strict" else meant), *limits]


def _limits(graph: TagGraph, profiles: Profiles) -> Iterable[Diagnostic]:
    from skillc.plan.limits import limit_findings
    from skillc.tokens import counter_for

    return limit_findings(graph, profiles, counter_for)


def concerns(diagnostic: Diagnostic, skills: str, only: frozenset[str]) -> bool:
    """Whether a finding touches one of the packages `only`: inside it, above it, in the catalogue that it uses, or
    outside of all skills, as the model profiles are."""
    places = [diagnostic.span.path, *(label.span.path for label in diagnostic.related)]
    folders = [f"{skills}/{path}/" for path in only]
    inside = any(f"{place}/".startswith(tuple(folders)) for place in places)
    place = diagnostic.span.path
    above = any(folder.startswith(f"{place}/") for folder in folders)
    return inside or above or place == f"{skills}/tags.yaml" or not place.startswith(f"{skills}/")


def failed(checked: Checked) -> frozenset[str]:
    """Paths of the packages of which nothing can be built."""
    packages = checked.workspace.packages
    broken = spoilt(checked.diagnostics, checked.workspace.skills, [package.path for package in packages])
    return broken | {package.path for package in packages if package.manifest is None}


def spoilt(found: Iterable[Diagnostic], skills: str, paths: Sequence[str]) -> frozenset[str]:
    """Those of the packages `paths` that have errors: in them, in a folder above, in the catalogue of the workspace."""
    errors = {d.span.path for d in found if d.severity is Severity.ERROR}
    if f"{skills}/tags.yaml" in errors:
        return frozenset(paths)
    # A package stands two levels below the skills folder.
    depth = skills.count("/") + 3
    inside = {"/".join(path.split("/")[:depth]) for path in errors}
    above = tuple(f"{path}/" for path in errors if path.count("/") < depth - 1)
    folders = ((path, f"{skills}/{path}") for path in paths)
    return frozenset(path for path, folder in folders if folder in inside or folder.startswith(above))


def build(checked: Checked, progress: Progress | None = None) -> tuple[Built, ...]:
    """The plans of all packages, in order; a package with errors gives no files."""
    broken = failed(checked)
    packages = checked.workspace.packages
    built = []
    for done, package in enumerate(packages):
        if progress:
            progress(package.path, done, len(packages))
        graph = None if package.path in broken else checked.graphs[package.path]
        built.append(_built(package, graph))
    return tuple(built)


def _built(package: Package, graph: TagGraph | None) -> Built:
    if graph is None:
        return Built(package, None, {})
    return Built(package, *compile_one(graph))


def compile_one(graph: TagGraph) -> tuple[Plan, dict[str, bytes]]:
    """The plan of a package without errors, and the files that a build writes for it."""
    plan, _ = compile_package(graph)
    prompts = {f"{id}.prompt.md": render_prompt(plan, id).encode() for id in plan.order}
    return plan, {"plan.json": encode(plan), **prompts}

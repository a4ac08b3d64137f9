"""Documents to a Workspace: every package as its author means it, whatever is wrong with another file.

What reads the files that few packages have (orders, boards, bindings) is loaded where there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillc.diagnostic import Diagnostic
from skillc.model.catalogue import builtin_catalogue, read_catalogue, tags_named
from skillc.model.manifest import build_manifest
from skillc.model.manifest_front import missing_shared
from skillc.model.package import Bindings, Catalogue, Manifest, Package, Worker, Workspace
from skillc.model.worker import build_worker, settle_worker
from skillc.source.document import PackageFiles, WorkspaceFiles, YamlFile
from skillc.source.node import Scalar
from skillc.value import replace, value

if TYPE_CHECKING:
    from skillc.model.boards import BoardCase
    from skillc.model.order import Order
    from skillc.model.profiles import Profiles


@value
class Surroundings:
    """What packages get from their workspace: its catalogue on top of the built-in one, and the model profiles."""

    catalogue: Catalogue
    profiles: Profiles | None


def build_workspace(files: WorkspaceFiles) -> tuple[Workspace, list[Diagnostic]]:
    """The workspace that `files` mean, and what is wrong with their fields.

    Nothing is refused: a file that cannot be read leaves a broken worker or manifest, or an empty
    catalogue, and the rest stands. Packages are in order of their paths, whatever order they come in.
    """
    around, found = read_surroundings(files)
    packages: list[Package] = []
    for package_files in sorted(files.packages, key=lambda package: package.path):
        package, said = build_package(package_files, around.catalogue)
        packages.append(package)
        found += said
    frame, said = build_frame(files, around, frozenset(package.path for package in packages))
    return replace(frame, packages=tuple(packages)), [*found, *said]


def read_surroundings(files: WorkspaceFiles) -> tuple[Surroundings, list[Diagnostic]]:
    """What all packages get from the workspace, and what is wrong with it."""
    catalogue, found = read_catalogue(builtin_catalogue(), files.catalogue)
    catalogue = replace(catalogue, above=tags_named(catalogue))
    profiles, said = _profiles(files.profiles)
    return Surroundings(catalogue, profiles), [*found, *said]


def build_frame(
    files: WorkspaceFiles, around: Surroundings, paths: frozenset[str]
) -> tuple[Workspace, list[Diagnostic]]:
    """The workspace without its packages, whose `paths` the registry is compared with."""
    frame = Workspace(files.skills, (), profiles=around.profiles)
    if files.registry is None:
        return frame, []
    from skillc.model.registry import read_registry

    read = read_registry(files.registry, paths)
    source = files.registry.source
    frame = replace(frame, registry=read.rows, registry_source=source, registry_broken=read.broken)
    return frame, list(read.diagnostics)


def build_package(files: PackageFiles, shared: Catalogue) -> tuple[Package, list[Diagnostic]]:
    """The package that `files` mean in a workspace with the catalogue `shared`, and what is wrong with its fields."""
    folder = files.path.rpartition("/")[2]
    found: list[Diagnostic] = []
    workers: list[Worker] = []
    names = (folder, *_stated_name(files))
    for worker_files in files.workers:
        worker, said = build_worker(worker_files, names)
        workers.append(worker)
        found += said
    templates = [build_worker(template_files, names) for template_files in files.templates]
    found += [d for _, said in templates for d in said]
    manifest = None
    if files.manifest is not None:
        manifest, said = build_manifest(files.manifest, folder, workers)
        found += said
        if files.shared_context is None:
            found += missing_shared(manifest.shared_context)
    settled = [settle_worker(worker, manifest) for worker in _ordered(workers, manifest)]
    catalogue, wrong_tags = read_catalogue(shared, files.catalogue)
    bindings, wrong_bindings = _bindings(files.bindings)
    order, wrong_order = _order(files.order)
    boards, wrong_boards = _boards(files, workers, manifest)
    found += [*(d for _, said in settled for d in said), *wrong_tags, *wrong_bindings]
    found += [*wrong_order, *wrong_boards]
    package = Package(
        path=files.path,
        folder=files.folder,
        name=folder,
        manifest=manifest,
        workers=tuple(worker for worker, _ in settled),
        catalogue=catalogue,
        bindings=bindings,
        shared_context=files.shared_context,
        order=order,
        boards=boards,
        used=files.used,
        templates=tuple(template for template, _ in templates),
        sources=files.sources,
    )
    return package, found


def _profiles(file: YamlFile | None) -> tuple[Profiles | None, list[Diagnostic]]:
    if file is None:
        return None, []
    from skillc.model.profiles import read_profiles

    return read_profiles(file)


def _bindings(file: YamlFile | None) -> tuple[Bindings, list[Diagnostic]]:
    if file is None:
        return Bindings(), []
    from skillc.model.bindings import read_bindings

    return read_bindings(file)


def _order(file: YamlFile | None) -> tuple[Order | None, list[Diagnostic]]:
    if file is None:
        return None, []
    from skillc.model.order import read_order

    return read_order(file)


def _boards(
    files: PackageFiles, workers: list[Worker], manifest: Manifest | None
) -> tuple[tuple[BoardCase, ...], list[Diagnostic]]:
    if not files.boards:
        return (), []
    from skillc.model.boards import read_board
    from skillc.model.cases import case_findings

    read = [read_board(file) for file in files.boards]
    found = [d for case, said in read for d in (*said, *case_findings(case, workers, manifest))]
    return tuple(case for case, _ in read), found


def _stated_name(files: PackageFiles) -> tuple[str, ...]:
    """The name in the manifest: where it is not the folder's, that is one finding, not one a worker."""
    front = files.manifest.front if files.manifest else None
    name = front.get("name") if front else None
    return (name.value,) if isinstance(name, Scalar) else ()


def _ordered(workers: list[Worker], manifest: Manifest | None) -> list[Worker]:
    """Manifest order, then by id."""
    order = {row.worker.value: number for number, row in enumerate(manifest.registered)} if manifest else {}
    return sorted(workers, key=lambda worker: (order.get(worker.id, len(order)), worker.id))

"""What is known of a package from outside: enough for what is checked of all packages together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from skillc.graph.flow import flows_of
from skillc.graph.types import TagGraph
from skillc.model.package import Declassify, Manifest, Package, RegistryRow, Workspace
from skillc.source.node import Scalar
from skillc.text import Source, Span, Text
from skillc.value import value

if TYPE_CHECKING:
    from skillc.model.profiles import Profiles


@value
class Brief:
    """A package as others see it: small, and a function of the package alone.

    `fields` are name, category and bookKind of a manifest that can be read, each where it is written; `workers` those
    that can be read, with their places, in order; `profiles` every model profile that it names; `place` is the
    manifest's, else the first worker's. `shared` are the declassify entries of the workspace's own catalogue, each with
    whether it cuts something here; `unknown` tells that this cannot be known.
    """

    path: str
    folder: str
    name: str
    place: Span | None
    fields: tuple[Text, ...] | None
    workers: tuple[Text, ...]
    profiles: tuple[Text, ...]
    shared: tuple[tuple[Declassify, bool], ...] = ()
    unknown: bool = False
    moved: tuple[str, ...] = ()
    """The old names that its own catalogue gives new ones."""

    def field(self, name: str) -> Text:
        """One of name, category, bookKind; ask only where there are fields."""
        return (self.fields or ())[_FIELDS.index(name)]


_FIELDS = ("name", "category", "bookKind")


@value
class Overview:
    """All packages by path, and what the workspace says of them. `registry` is None without a registry.yaml."""

    packages: tuple[Brief, ...]
    registry: tuple[RegistryRow, ...] | None = None
    registry_source: Source | None = None
    registry_broken: bool = False
    profiles: Profiles | None = None


def overview(workspace: Workspace, graphs: Iterable[TagGraph]) -> Overview:
    """The view of `workspace` from outside its packages, of which `graphs` are all."""
    return Overview(
        tuple(sorted((brief_of(graph) for graph in graphs), key=lambda brief: brief.path)),
        workspace.registry,
        workspace.registry_source,
        workspace.registry_broken,
        workspace.profiles,
    )


def brief_of(graph: TagGraph) -> Brief:
    """What others see of the package of `graph`."""
    package = graph.package
    manifest = package.manifest
    named = [worker.profile for worker in package.workers if worker.profile]
    return Brief(
        package.path,
        package.folder,
        package.name,
        _place(package),
        _fields(manifest) if manifest and not manifest.broken else None,
        tuple(Text(worker.id, worker.span) for worker in package.workers if not worker.broken),
        (*package.bindings.profiles, *named),
        tuple(_shared(graph)),
        graph.unknowns.feed or package.catalogue.labels_broken,
        tuple(old.value for old, _ in package.catalogue.moved if _is_inside(package, old.span)),
    )


def _shared(graph: TagGraph) -> Iterable[tuple[Declassify, bool]]:
    package = graph.package
    idle = flows_of(graph).idle if package.catalogue.declassify else ()
    for number, entry in enumerate(package.catalogue.declassify):
        if not _is_inside(package, entry.span):
            yield entry, sum(of == number for of, _ in idle) < len(entry.tags)


def _is_inside(package: Package, span: Span) -> bool:
    return span.path.startswith(package.folder + "/")


def _place(package: Package) -> Span | None:
    if package.manifest:
        return package.manifest.span
    return package.workers[0].span if package.workers else None


def _fields(manifest: Manifest) -> tuple[Text, ...]:
    meant = (manifest.name, manifest.category, manifest.kind)
    return tuple(Text(value, _span(manifest, name)) for value, name in zip(meant, _FIELDS, strict=True))


def _span(manifest: Manifest, name: str) -> Span:
    """Where a frontmatter field is written, else the manifest's own place."""
    front = manifest.document.front
    node = front.get(name) if front else None
    return node.span if isinstance(node, Scalar) else manifest.span

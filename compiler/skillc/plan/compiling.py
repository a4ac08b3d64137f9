"""A package's plan from its graph (SPEC 15.1): a pure function of the package, the rows it uses, the
options and the compiler's version."""

from __future__ import annotations

import skillc
from skillc.artifact.plan import (
    SCHEMA,
    Acceptance,
    Flows,
    LabelRule,
    PackageInfo,
    Plan,
    Ready,
    Roles,
    Startup,
)
from skillc.diagnostic import Diagnostic
from skillc.graph import TagGraph
from skillc.model.package import Catalogue, Manifest, Package
from skillc.plan.deliverables import deliverables
from skillc.plan.fingerprint import fingerprint
from skillc.plan.flows import declassified, disclosures
from skillc.plan.orchestrator import orchestrator_of
from skillc.plan.play import with_play
from skillc.plan.worker import compile_worker
from skillc.tags import Pattern

ORIGINS = ("user", "runtime", "book", "rag")


def compile_package(
    graph: TagGraph,
    compiler: str = skillc.__version__,
) -> tuple[Plan, list[Diagnostic]]:
    """The plan of a package without errors.

    Workers that could not be read are left out; a driver builds no package that has any.
    """
    package = graph.package
    workers = [worker for worker in package.workers if not worker.broken]
    catalogue = package.catalogue
    plan = Plan(
        schema=SCHEMA,
        compiler=compiler,
        package=_info(package),
        fingerprint=fingerprint(package, compiler),
        startup=_startup(package.manifest),
        asks=tuple(ref.pattern for ref in package.manifest.asks) if package.manifest else (),
        ready=_ready(package.manifest),
        roles=_roles(package.manifest),
        labels=_labels(catalogue),
        sources=_sources(catalogue),
        deliverables=deliverables(graph),
        moved=dict(sorted(graph.names.items())),
        order=tuple(worker.id for worker in workers),
        acceptance={worker.id: _acceptance(graph, worker.id) for worker in workers},
        workers={worker.id: compile_worker(graph, worker) for worker in workers},
        flows=Flows(disclosures=disclosures(graph), declassified=declassified(graph)),
        play=None,
        orchestrator=orchestrator_of(graph),
    )
    return with_play(plan, package), []


def _info(package: Package) -> PackageInfo:
    manifest = package.manifest
    return PackageInfo(
        path=package.path,
        name=package.name,
        kind=manifest.kind if manifest and manifest.kind else package.path.split("/")[0],
        language=manifest.language if manifest else "zh",
        description=manifest.description if manifest else "",
        version=manifest.version if manifest else "1",
    )


def _startup(manifest: Manifest | None) -> Startup | None:
    startup = manifest.startup if manifest else None
    if manifest is None or startup is None:
        return None
    return Startup(
        prompt=startup.prompt,
        mode=manifest.startup_mode,
        targets=tuple(ref.text for ref in startup.targets),
        required=startup.required,
        optional=startup.optional,
    )


def _ready(manifest: Manifest | None) -> Ready:
    """The machine form wins; else the conditions of the body that parse, all of them to hold (SPEC 6.4)."""
    if manifest is None:
        return Ready(prerequisites=(), condition=None)
    front = [entry for entry in manifest.ready if entry.in_front]
    conditions = [entry.condition for entry in front or manifest.ready if entry.condition is not None]
    condition = conditions[0] if len(conditions) == 1 else ("and", *conditions) if conditions else None
    return Ready(prerequisites=tuple(ref.pattern for ref in manifest.prerequisites), condition=condition)


def _roles(manifest: Manifest | None) -> Roles:
    ids = tuple(role.value for role in manifest.roles) if manifest else ()
    source = manifest.roles_from.text if manifest and manifest.roles_from else None
    return Roles(ids=ids, source=source)


def _labels(catalogue: Catalogue) -> tuple[LabelRule, ...]:
    return tuple(
        LabelRule(label=rule.label, pattern=rule.pattern, segment=rule.segment, exceptions=rule.exceptions)
        for rule in catalogue.labels
    )


def _sources(catalogue: Catalogue) -> dict[str, tuple[Pattern, ...]]:
    return {
        origin: tuple(dict.fromkeys(s.pattern for s in catalogue.sources if s.origin == origin))
        for origin in ORIGINS
    }


def _acceptance(graph: TagGraph, worker_id: str) -> Acceptance:
    entry = graph.acceptance_of(worker_id)
    return Acceptance(
        mode=entry.mode,
        requires_approval=entry.requires_approval,
        reviews=tuple(review.value for review in entry.reviews),
    )

"""Where a package cannot be known in whole, and what that keeps us from saying (SPEC 1.4, 5)."""

from __future__ import annotations

from functools import lru_cache

from skillc.graph.types import Producer, Unknowns
from skillc.model.package import Manifest, Package, Worker
from skillc.tags import WHOLE, Pattern, stage

ANYTHING = Pattern((WHOLE,))


def unknowns_of(package: Package) -> Unknowns:
    """Who may write or read what nobody can know. A worker that the manifest registers and that has no
    folder counts: the finding is that it is missing, not what it would have written. So does a template that
    cannot be read: the workers made of it read and write beside the others."""
    missing = _missing(package)
    made = (*package.workers, *package.templates)
    injected = tuple(worker.id for worker in package.workers if worker.injected and not worker.outputs_unread)
    return Unknowns(
        writers=(*(w.id for w in made if w.outputs_unread or _outputs_unknown(w)), *missing),
        readers=(*(w.id for w in made if _inputs_unknown(w)), *missing),
        injected=injected,
        heads=_heads(package) if injected else frozenset(),
        sources=package.manifest is None or package.manifest.broken or package.catalogue.broken,
    )


def unknown_producers(pattern: Pattern, unknowns: Unknowns) -> tuple[Producer, ...]:
    """The producers that tags of `pattern` may have when no known one has them; shared by patterns alike."""
    asked = unknowns.sources and _user_may_give(pattern)
    return _unknown(unknowns, asked, not unknowns.heads or pattern.parts[0] in unknowns.heads)


@lru_cache(maxsize=8)
def _unknown(unknowns: Unknowns, asked: bool, injected: bool) -> tuple[Producer, ...]:
    found = [Producer("unknown", ANYTHING, worker) for worker in unknowns.writers]
    if asked:
        found.append(Producer("unknown", ANYTHING, None, "manifest"))
    if injected:
        found += [Producer("unknown", ANYTHING, worker, "injected") for worker in unknowns.injected]
    return tuple(found)


def _user_may_give(pattern: Pattern) -> bool:
    """Users are asked for demands and settings, never for candidates and drafts."""
    return stage(pattern.text) not in ("候选", "草稿")


def _outputs_unknown(worker: Worker) -> bool:
    return worker.outputs_missing and not worker.injected


def _inputs_unknown(worker: Worker) -> bool:
    return worker.inputs_unread or worker.inputs_missing or (worker.injected and not worker.inputs)


def _missing(package: Package) -> tuple[str, ...]:
    if package.manifest is None:
        return ()
    known = {*(worker.id for worker in package.workers), *template_ids(package)}
    rows = (row.worker.value for row in package.manifest.registered)
    return tuple(sorted({id for id in rows if id not in known}))


def template_ids(package: Package) -> tuple[str, ...]:
    """The worker templates of a package."""
    return tuple(template.id for template in package.templates)


def _heads(package: Package) -> frozenset[str]:
    """The first segments that the package writes, or is to have written before it plays; 设计 always, since
    declaring an instance ready writes there."""
    written = {ref.pattern.parts[0] for worker in package.workers for ref in worker.outputs} | {"设计"}
    return frozenset(written | _heads_of_manifest(package.manifest))


def _heads_of_manifest(manifest: Manifest | None) -> set[str]:
    if manifest is None:
        return set()
    targets = manifest.startup.targets if manifest.startup else ()
    refs = (*manifest.prerequisites, *manifest.asks, *targets)
    ready = (tag for readiness in manifest.ready for tag in patterns_of(readiness.condition))
    return {ref.pattern.parts[0] for ref in refs} | {pattern.parts[0] for pattern in ready}


def patterns_of(condition: object) -> tuple[Pattern, ...]:
    """The patterns that a condition asks about, in written order."""
    if isinstance(condition, Pattern):
        return (condition,)
    if isinstance(condition, tuple):
        return tuple(pattern for part in condition for pattern in patterns_of(part))
    return ()

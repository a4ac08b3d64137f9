"""What the plan says to a model that decides who runs, and the templates that it may make workers of (SPEC 12.6)."""

from __future__ import annotations

from types import MappingProxyType

from skillc.artifact.plan import Acceptance, Orchestrator, WorkerPlan
from skillc.graph import TagGraph
from skillc.graph.terms import role_bound, stages
from skillc.model.package import Manifest, Package, TagRef, Worker
from skillc.plan.layout import BREAK, words_of
from skillc.plan.worker import compile_worker
from skillc.source.directives import spoken
from skillc.tags import overlaps
from skillc.value import replace


def orchestrator_of(graph: TagGraph) -> Orchestrator | None:
    """The manifest's body and the rules as one literal system message, and the templates compiled as workers are; None
    where the package has no manifest."""
    package = graph.package
    manifest = package.manifest
    if manifest is None:
        return None
    templates = [template for template in package.templates if not template.broken]
    words = words_of(manifest.language)
    rules = words.orchestrator(package.name, bool(templates))
    body = _body(manifest)
    return Orchestrator(
        system=BREAK.join([body, rules] if body else [rules]),
        task=words.TASK + "\n\n",
        templates={template.id: _template(graph, template) for template in templates},
        acceptance={template.id: _acceptance(graph, template.id) for template in templates},
    )


def _body(manifest: Manifest) -> str:
    """What stands below the frontmatter, without what is said to the compiler."""
    document = manifest.document
    return spoken(document, document.body.start, document.body.end).strip("\n")


def _template(graph: TagGraph, template: Worker) -> WorkerPlan:
    """The template as a worker of the package: nobody else's contract changes by it."""
    alone = replace(graph.package, workers=(template,))
    with_it = replace(
        graph,
        workers=MappingProxyType({**graph.workers, template.id: template}),
        needed=frozenset(
            (template.id, at) for at, ref in enumerate(template.inputs) if _is_needed(alone, ref)
        ),
        stages=MappingProxyType(stages(alone)),
        bound=role_bound(alone),
    )
    return compile_worker(with_it, template)


def _is_needed(package: Package, ref: TagRef) -> bool:
    """A worker that is made in mid-session waits for all that it declares, but for what is marked, what the runtime
    gives, and what the user may never say."""
    if ref.optional or any(
        source.origin in ("runtime", "pseudo") and overlaps(source.pattern, ref.pattern)
        for source in package.catalogue.sources
    ):
        return False
    startup = package.manifest.startup if package.manifest else None
    targets = startup.targets if startup else ()
    return ref.pattern.parts[0] != "用户" or any(overlaps(ref.pattern, target.pattern) for target in targets)


def _acceptance(graph: TagGraph, template: str) -> Acceptance:
    """What the manifest says of the template, else user_confirmed."""
    entry = graph.acceptance.get(template)
    if entry is None:
        return Acceptance(mode="user_confirmed", requires_approval=False, reviews=())
    return Acceptance(
        mode=entry.mode,
        requires_approval=entry.requires_approval,
        reviews=tuple(review.value for review in entry.reviews),
    )

"""One worker's part of the plan."""

from __future__ import annotations

from collections.abc import Iterable

from skillc.artifact.encoding import worker_data, worker_digest
from skillc.artifact.plan import Input, Profiles, WorkerPlan
from skillc.graph import TagGraph, under_new_name
from skillc.model.package import Bindings, TagRef, Worker
from skillc.plan.layout import system_message, words_of
from skillc.plan.persona import persona_of
from skillc.plan.reply import reply_schema
from skillc.plan.segments import inserts_persona, profile_of, segments_of, variants_of
from skillc.tags import Pattern
from skillc.value import replace


def compile_worker(graph: TagGraph, worker: Worker) -> WorkerPlan:
    """Everything that an invocation of `worker` needs, and a digest over it. A tag that a list names twice is in it
    once: to repeat it would tell the model nothing."""
    inputs = _inputs(graph, worker)
    worker = replace(worker, outputs=_once(worker.outputs))
    manifest = graph.package.manifest
    language = manifest.language if manifest else "zh"
    profile = profile_of(manifest, worker.id)
    segments = segments_of(worker, profile)
    variants = variants_of(worker, profile)
    persona = persona_of(worker, all(map(inserts_persona, (segments, *variants.values()))))
    plan = WorkerPlan(
        id=worker.id,
        name=worker.name,
        description=worker.description,
        version=worker.version,
        stage=graph.stage_of(worker.id),
        actor=worker.actor,
        isolation=worker.isolation,
        role_bound=graph.role_bound(worker.id),
        inputs=inputs,
        outputs=tuple(ref.pattern for ref in worker.outputs),
        denied=_denied(graph, worker.id),
        merge=worker.merge,
        aliases=dict(worker.aliases),
        profiles=_profiles(graph.package.bindings, worker),
        persona=persona.text,
        system=system_message(graph.package, worker, persona.body, language),
        segments=segments,
        instruction=words_of(language).INSTRUCTION,
        variants=variants,
        variant=profile.variant if profile.variant in variants else None,
        reply=reply_schema(worker),
        digest="",
    )
    return plan.but(digest=worker_digest(worker_data(plan)))


def _inputs(graph: TagGraph, worker: Worker) -> tuple[Input, ...]:
    needed: dict[Pattern, bool] = {}
    for at, ref in enumerate(worker.inputs):
        needed[ref.pattern] = needed.get(ref.pattern, False) or (worker.id, at) in graph.needed
    return tuple(Input(pattern=pattern, needed=is_needed) for pattern, is_needed in needed.items())


def _once(refs: Iterable[TagRef]) -> tuple[TagRef, ...]:
    first: dict[Pattern, TagRef] = {}
    for ref in refs:
        first.setdefault(ref.pattern, ref)
    return tuple(first.values())


def _denied(graph: TagGraph, worker_id: str) -> tuple[Pattern, ...]:
    """What the manifest forbids to this worker (SPEC 4.3): hidden from it, whatever its isolation.

    A tag that the manifest forbids under an old name is forbidden under its new one as well.
    """
    manifest = graph.package.manifest
    rows = manifest.forbidden if manifest else ()
    patterns = [ref.pattern for who, ref in rows if who.value == worker_id]
    return tuple(dict.fromkeys(p for old in patterns for p in (old, under_new_name(old, graph.names))))


def _profiles(bindings: Bindings, worker: Worker) -> Profiles:
    """llmProfileId, else byRole, else the binding's profile, else the package's default (SPEC 13)."""
    if worker.profile and worker.profile.value:
        return Profiles(default=worker.profile.value, by_role={})
    binding = next((b for b in bindings.workers if b.worker.value == worker.id), None)
    by_role = {role.value: profile for role, profile in binding.by_role} if binding else {}
    profile = (binding.profile if binding else None) or bindings.default_profile
    return Profiles(default=profile, by_role=by_role)

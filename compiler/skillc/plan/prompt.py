"""`<worker>.prompt.md`: what a model will receive, for people to read. Slots stand as ⟦tag⟧."""

from __future__ import annotations

from collections.abc import Iterable

from skillc.artifact.plan import Plan, SegmentPlan, WorkerPlan
from skillc.plan.layout import BREAK, GAP, fallback
from skillc.plan.segments import PERSONA
from skillc.runtime.estimate import ESTIMATOR, estimate_tokens
from skillc.runtime.history import amount, takes_history


def render_prompt(plan: Plan, worker_id: str) -> str:
    """The readable form of one worker of `plan`: the system message, then each segment with its slots.

    Marks where the fixed prefix and the static part end; the layouts of variants follow.
    """
    worker = plan.workers[worker_id]
    system = worker.system
    size = f"{len(system.encode())} bytes, about {estimate_tokens(system)} tokens ({ESTIMATOR})"
    parts = [
        _head(plan.package.path, worker),
        _note(f"system message: {size}"),
        system,
        _note("the fixed prefix ends here"),
    ]
    for name, segments in [("", worker.segments), *worker.variants.items()]:
        parts += [_note(f"user message, variant {name}" if name else "user message")]
        parts += _layout(worker, segments)
    return GAP.join(parts) + "\n"


def _note(text: str) -> str:
    """What stands in the file about the prompt and is no part of it."""
    return f"<!-- {text} -->"


def _head(package: str, worker: WorkerPlan) -> str:
    """Who this is, and what it may see and say."""
    once = " · one role a run" if worker.role_bound else ""
    reads = [ref.pattern.text if ref.needed else f"{ref.pattern.text}?" for ref in worker.inputs]
    lines = [
        f"{package}:{worker.id} · {worker.stage} · {worker.actor} · isolation {worker.isolation}{once}",
        f"reads: {_listed(reads)}",
        f"writes: {_listed(tag.text for tag in worker.outputs)}",
    ]
    if worker.denied:
        lines.append(f"never receives: {_listed(tag.text for tag in worker.denied)}")
    return "\n".join(map(_note, lines))


def _listed(tags: Iterable[str]) -> str:
    return ", ".join(tags) or "nothing"


def _layout(worker: WorkerPlan, segments: tuple[SegmentPlan, ...] | None) -> list[str]:
    """The user message, part by part."""
    if segments is None:
        return [fallback(worker, {ref.pattern.text: f"⟦{ref.pattern.text}⟧" for ref in worker.inputs})]
    static = _leading_static(segments)
    parts = []
    for number, segment in enumerate(segments, 1):
        parts += [_note(f"{segment.id}: {_about(worker, segment)}"), _slots(worker, segment)]
        if number == static:
            parts.append(_note("the static part ends here"))
        if number < len(segments):
            parts.append(BREAK.strip("\n"))
    return parts


def _leading_static(segments: tuple[SegmentPlan, ...]) -> int:
    dynamic = (at for at, segment in enumerate(segments) if segment.tier != "static")
    return next(dynamic, len(segments))


def _about(worker: WorkerPlan, segment: SegmentPlan) -> str:
    """Its tier, how much of it is shown and in which projection; the dialogue stands as turns, not as text."""
    if takes_history(segment.tags):
        if segment.projection == "fixed":
            return f"{segment.tier} · nothing of the dialogue"
        kind, n = amount(segment.policy, segment.projection)
        return f"{segment.tier} · {_measure(kind, None if kind == 'concat' else n)} · turns of the dialogue"
    policy = segment.policy
    measure = _measure(policy.kind, policy.n) if policy else worker.merge
    return " · ".join([segment.tier, measure, segment.projection or "full"])


def _measure(kind: str, n: int | None) -> str:
    return kind if n is None else f"{kind} {n}"


def _slots(worker: WorkerPlan, segment: SegmentPlan) -> str:
    """The segment as it will stand, a slot for each pattern; persona and inline text are known already."""
    texts = [text for text in (segment.label, segment.inline) if text is not None]
    for pattern in segment.tags:
        if pattern == PERSONA:
            texts += [worker.persona] if worker.persona else []
        else:
            texts.append(f"⟦{pattern.text}⟧")
    return GAP.join(texts)

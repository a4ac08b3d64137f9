"""`<worker>.prompt.md`: what a model will receive, for people to read. Slots stand as ⟦tag⟧."""

from __future__ import annotations

from skillc.artifact.plan import Plan, SegmentPlan, WorkerPlan
from skillc.plan.layout import BREAK, GAP, fallback, render
from skillc.plan.segments import PERSONA
from skillc.runtime.estimate import ESTIMATOR, estimate_tokens
from skillc.runtime.history import amount, takes_history
from skillc.value import value


@value
class SegmentView:
    """One segment as the readable file shows it."""

    id: str
    about: str
    text: str
    ends_static: bool
    last: bool


def render_prompt(plan: Plan, worker_id: str) -> str:
    """The readable form of one worker of `plan`: the system message, then each segment with its slots.

    Marks where the fixed prefix and the static part end; the layouts of variants follow.
    """
    worker = plan.workers[worker_id]
    layouts = [("", worker.segments), *worker.variants.items()]
    return render(
        "prompt.md.j2",
        package=plan.package,
        worker=worker,
        estimator=ESTIMATOR,
        fixed_bytes=len(worker.system.encode()),
        fixed_tokens=estimate_tokens(worker.system),
        fallback=fallback(worker, {ref.pattern.text: f"⟦{ref.pattern.text}⟧" for ref in worker.inputs}),
        layouts=[(name, None if s is None else _views(worker, s)) for name, s in layouts],
        separator=BREAK.strip("\n"),
    )


def _views(worker: WorkerPlan, segments: tuple[SegmentPlan, ...]) -> list[SegmentView]:
    static = _leading_static(segments)
    return [
        SegmentView(
            id=segment.id,
            about=_about(worker, segment),
            text=_slots(worker, segment),
            ends_static=at + 1 == static,
            last=at + 1 == len(segments),
        )
        for at, segment in enumerate(segments)
    ]


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

"""Contexts against the models that they are bound to: over-budget and below-cache-minimum (SPEC 13, 16.5).

Only what is known is judged: a profile must be there and say its window, and a provider must be one whose
minimum is known. Segments that nothing bounds count as empty here; `skillc cache-report` names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from skillc.artifact.plan import SegmentPlan, WorkerPlan
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import Segment, Worker
from skillc.model.profiles import Profile, Profiles
from skillc.plan.budget import Layout, layouts
from skillc.plan.providers import Caching, caching_of
from skillc.plan.sending import sent_segments
from skillc.plan.worker import compile_worker
from skillc.text import Span
from skillc.tokens import Counter
from skillc.value import value
from skillc.wording import Said, say

RESERVE = 1024
"""Tokens kept for the reply where the profile does not say, but never more than a quarter of its window."""
Counters = Callable[[str | None], Counter]
"""From a model's name to what counts its tokens."""


@value
class _Case:
    """A worker, one of its layouts, and a profile that it runs on."""

    worker: Worker
    layout: Layout
    profile: Profile
    counter: Counter
    window: int

    @property
    def reserve(self) -> int:
        return reserve(self.profile)


def limit_findings(graph: TagGraph, profiles: Profiles, counters: Counters) -> Iterator[Diagnostic]:
    """At most one finding of each code for a worker: the one with the least room."""
    if not any(profile.context_window or caching_of(profile) for profile in profiles.by_id.values()):
        return
    sent = sent_segments(graph)
    for worker in graph.package.workers:
        if worker.actor == "llm" and not worker.broken:
            plan = compile_worker(graph, worker)
            bound = bound_profiles(plan, profiles)
            slot = sent.get(worker.id)
            yield from _over_budget(worker, plan, slot.segments if slot else None, bound, counters)
            if graph.stage_of(worker.id) == "play":
                yield from _below_minimum(worker, plan, bound, counters)


def bound_profiles(worker: WorkerPlan, profiles: Profiles) -> list[Profile]:
    """The profiles that runs of a worker use, as far as they are known (SPEC 13): its own, else the session's
    default; and those of single roles."""
    ids = [worker.profiles.default or profiles.default, *worker.profiles.by_role.values()]
    return [profiles.by_id[id] for id in dict.fromkeys(ids) if id is not None and id in profiles.by_id]


def reserve(profile: Profile) -> int:
    """The tokens that must stay free for the reply."""
    if profile.max_output_tokens is not None:
        return profile.max_output_tokens
    return min(RESERVE, (profile.context_window or 0) // 4)


def _over_budget(
    worker: Worker,
    plan: WorkerPlan,
    sent: tuple[SegmentPlan, ...] | None,
    bound: list[Profile],
    counters: Counters,
) -> Iterator[Diagnostic]:
    cases = [
        _Case(worker, layout, profile, counters(profile.model or None), profile.context_window)
        for profile in bound
        if profile.context_window
        for layout in layouts(plan, sent)
    ]
    for measure, told in ((Layout.constant, _too_much_text), (Layout.worst, _may_grow)):
        room, at = min(
            ((c.window - c.reserve - measure(c.layout, c.counter), n) for n, c in enumerate(cases)),
            default=(0, 0),
        )
        if room < 0:
            yield told(cases[at], cases[at].window - cases[at].reserve - room)
            return


def _too_much_text(case: _Case, tokens: int) -> Diagnostic:
    message = say(
        "the constant text of `{worker}` is {tokens} tokens ({counter}), and with {reserve} for the reply it does "
        "not fit the window of profile `{profile}`, {window}",
        **_values(case, tokens),
    )
    advice = say("shorten the shared context or the body, or bind the worker to a model with a larger window")
    return finding("over-budget", case.worker.span, message, _advice(case, advice), _window(case))


def _may_grow(case: _Case, tokens: int) -> Diagnostic:
    message = say(
        "the policies let the context of `{worker}` grow to {tokens} tokens ({counter}), and with {reserve} for the "
        "reply it does not fit the window of profile `{profile}`, {window}",
        **_values(case, tokens),
    )
    advice = say("lower the numbers of its policies, or bind the worker to a model with a larger window")
    return finding("over-budget", _largest(case), message, _advice(case, advice), _window(case))


def _values(case: _Case, tokens: int) -> dict[str, object]:
    return {
        "worker": case.worker.id,
        "tokens": f"{tokens:,}",
        "counter": _counted(case.counter),
        "reserve": f"{case.reserve:,}",
        "profile": case.profile.id,
        "window": f"{case.window:,}",
    }


def _counted(counter: Counter) -> Said:
    if counter.exact:
        return say("counted with {name}", name=counter.name)
    return say("estimated by {name}", name=counter.name)


def _advice(case: _Case, advice: Said) -> Said:
    if case.counter.exact:
        return advice
    return say("{advice}; the estimate rather says too much: {why}", advice=advice, why=case.counter.why)


def _window(case: _Case) -> list[Label]:
    span = case.profile.window_span
    return [Label(span, say("the window of `{profile}`", profile=case.profile.id))] if span else []


def _largest(case: _Case) -> Span:
    """The policy of the segment that may grow most, else the worker."""
    part = max(case.layout.parts, key=lambda part: part.bound or 0)
    for segment in _segments(case):
        if segment.id.value == part.id and segment.policy:
            return segment.policy.span
    return case.worker.span


def _segments(case: _Case) -> tuple[Segment, ...]:
    variant = case.layout.variant
    return (case.worker.segments or ()) if variant is None else case.worker.variants[variant]


def _below_minimum(
    worker: Worker, plan: WorkerPlan, bound: list[Profile], counters: Counters
) -> Iterator[Diagnostic]:
    """The profile that lacks most; a prefix that one of its models can cache is still noted for another."""
    known = [(profile, caching) for profile in bound if (caching := caching_of(profile))]
    rows = [_lack(profile, caching, plan, counters) for profile, caching in known]
    lack, tokens, profile, caching, counter = max(
        rows, key=lambda row: row[0], default=(0, 0, None, None, None)
    )
    if lack > 0 and profile and caching and counter:
        message = say(
            "the fixed prefix of `{worker}` is {tokens} tokens ({counter}); {provider} caches `{model}` from {minimum} "
            "on, so by itself it is never cached",
            worker=worker.id,
            tokens=f"{tokens:,}",
            counter=_counted(counter),
            provider=caching.provider,
            model=profile.model,
            minimum=f"{caching.minimum:,}",
        )
        help = say(
            "put more of what never changes into the shared context or the body, and static segments next to it; the "
            "minimum is the one known as of {as_of}",
            as_of=caching.as_of,
        )
        yield finding("below-cache-minimum", worker.span, message, help)


def _lack(
    profile: Profile, caching: Caching, plan: WorkerPlan, counters: Counters
) -> tuple[int, int, Profile | None, Caching | None, Counter | None]:
    counter = counters(profile.model or None)
    tokens = counter.count(plan.system)
    return caching.minimum - tokens, tokens, profile, caching, counter

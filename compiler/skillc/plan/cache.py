"""What each write costs each reader in its provider's cache, and what bounds its context: facts for a report.

Counted is what the compiler knows: the system message, labels and constant text of segments. What the
board fills in is known by its segments' names only, so a number here is never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from skillc.artifact.plan import WorkerPlan
from skillc.graph import TagGraph
from skillc.graph.sliding import Slide, slides
from skillc.graph.stability import Cut, cuts
from skillc.model.package import Stage
from skillc.model.profiles import Profile, Profiles
from skillc.plan.budget import Layout, layouts
from skillc.plan.limits import bound_profiles, reserve
from skillc.plan.providers import Caching, caching_of
from skillc.plan.sending import as_declared, sent_segments
from skillc.plan.worker import compile_worker
from skillc.tokens import Counter
from skillc.value import value

Key = tuple[str, str | None]
"""A worker's id and a variant."""


@value
class Loss:
    """What `cut` leaves of the cached beginning, and what it makes the provider read anew, in constant bytes
    and tokens; `behind` are the segments from there on that the board fills and that are read anew with it."""

    cut: Cut
    segment: str
    kept_bytes: int
    kept_tokens: int
    lost_bytes: int
    lost_tokens: int
    behind: tuple[str, ...]


@value
class LayoutReport:
    """One layout of a worker. `tokens`: of all constant text; `worst`: with what the policies allow."""

    layout: Layout
    tokens: int
    worst: int
    losses: tuple[Loss, ...]
    slides: tuple[Slide, ...]


@value
class Model:
    """A profile that a worker runs on, with what is known of its limits."""

    profile: Profile
    reserve: int
    caching: Caching | None


@value
class WorkerReport:
    """One worker that a model reads; `counter` counts for the first of its models; `slot`: the slot that shows other
    segments than the worker declares, which are those of its one layout."""

    id: str
    stage: Stage
    counter: Counter
    models: tuple[Model, ...]
    fixed_bytes: int
    fixed_tokens: int
    layouts: tuple[LayoutReport, ...]
    slot: str | None = None


def cache_report(
    graph: TagGraph, profiles: Profiles | None, counters: Callable[[str | None], Counter]
) -> Iterator[WorkerReport]:
    """The report of each worker of a package that a model reads, in package order."""
    sent = sent_segments(graph)
    found: dict[Key, list[Cut]] = {}
    for cut in cuts(graph, {id: as_declared(graph.workers[id], slot) for id, slot in sent.items()}):
        found.setdefault((cut.reader, cut.variant), []).append(cut)
    sliding: dict[Key, list[Slide]] = {}
    for slide in slides(graph):
        sliding.setdefault((slide.worker.id, slide.variant), []).append(slide)
    for worker in graph.package.workers:
        if worker.actor == "llm" and not worker.broken:
            plan = compile_worker(graph, worker)
            models = tuple(_models(plan, profiles))
            counter = counters((models[0].profile.model or None) if models else None)
            slot = sent.get(worker.id)
            shown = layouts(plan, slot.segments if slot else None)
            rows = tuple(_layout(layout, counter, found, sliding) for layout in shown)
            yield WorkerReport(
                id=worker.id,
                stage=graph.stage_of(worker.id),
                counter=counter,
                models=models,
                fixed_bytes=len(plan.system.encode()),
                fixed_tokens=counter.count(plan.system),
                layouts=rows,
                slot=slot.key if slot else None,
            )


def _models(plan: WorkerPlan, profiles: Profiles | None) -> Iterator[Model]:
    for profile in bound_profiles(plan, profiles) if profiles else ():
        yield Model(profile, reserve(profile), caching_of(profile))


def _layout(
    layout: Layout, counter: Counter, found: dict[Key, list[Cut]], sliding: dict[Key, list[Slide]]
) -> LayoutReport:
    key = (layout.worker, layout.variant)
    tokens, sizes = layout.tokens(counter), layout.sizes()
    there = {part.id for part in layout.parts}
    return LayoutReport(
        layout=layout,
        tokens=tokens[-1],
        worst=tokens[-1] + sum(part.bound or 0 for part in layout.parts),
        losses=tuple(_loss(layout, cut, tokens, sizes) for cut in found.get(key, ())),
        slides=tuple(slide for slide in sliding.get(key, ()) if slide.segment.id.value in there),
    )


def _loss(layout: Layout, cut: Cut, tokens: list[int], sizes: list[int]) -> Loss:
    at = cut.position
    return Loss(
        cut=cut,
        segment=layout.parts[at].id,
        kept_bytes=sizes[at],
        kept_tokens=tokens[at],
        lost_bytes=sizes[-1] - sizes[at],
        lost_tokens=tokens[-1] - tokens[at],
        behind=tuple(part.id for part in layout.parts[at:] if part.fills),
    )

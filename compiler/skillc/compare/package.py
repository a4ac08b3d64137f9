"""What of a package as a whole differs: what it is given, when it is ready, what is secret, in which order it runs."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.artifact.plan import Plan, Startup
from skillc.compare.conditions import condition_text, label_text
from skillc.compare.difference import Change
from skillc.compare.worker import Names, changed, listed, mapped
from skillc.wording import say

_NO_STARTUP = Startup(prompt="", mode="", targets=(), required=(), optional=())


def package_changes(base: Plan, head: Plan, names: Names) -> tuple[Change, ...]:
    """All fields of the two plans of one package that belong to no single worker, contracts first."""
    return (
        *_given(base, head),
        *_asked(base, head),
        *_ready(base, head),
        *listed(
            "isolation", "labels", *([label_text(rule) for rule in plan.labels] for plan in (base, head))
        ),
        *_order(base, head, names),
        *_play(base, head),
        *_orchestrator(base, head),
        *_words(base, head),
    )


def _given(base: Plan, head: Plan) -> Iterator[Change]:
    for origin in dict.fromkeys((*base.sources, *head.sources)):
        patterns = ([p.text for p in plan.sources.get(origin, ())] for plan in (base, head))
        yield from listed("interface", f"sources.{origin}", *patterns)
    yield from listed("interface", "asks", *([p.text for p in plan.asks] for plan in (base, head)))
    yield from listed("interface", "roles", base.roles.ids, head.roles.ids)
    yield from changed("interface", "rolesFrom", base.roles.source, head.roles.source)
    patterns = ([p.text for p in plan.deliverables] for plan in (base, head))
    yield from listed("interface", "deliverables", *patterns)
    yield from mapped("interface", "moved", base.moved, head.moved)


def _asked(base: Plan, head: Plan) -> Iterator[Change]:
    """The startup inquiry."""
    was, now = base.startup or _NO_STARTUP, head.startup or _NO_STARTUP
    yield from listed("interface", "demandTag", was.targets, now.targets)
    yield from changed("interface", "startupMode", was.mode or None, now.mode or None)
    yield from listed("interface", "startup.required", was.required, now.required)
    yield from listed("interface", "startup.optional", was.optional, now.optional)
    if was.prompt != now.prompt:
        yield Change("prose", "startup.prompt")


def _ready(base: Plan, head: Plan) -> Iterator[Change]:
    patterns = ([p.text for p in plan.ready.prerequisites] for plan in (base, head))
    yield from listed("readiness", "prerequisiteTags", *patterns)
    conditions = (condition_text(plan.ready.condition) for plan in (base, head))
    yield from changed("readiness", "instanceReadyWhen", *conditions)


def _order(base: Plan, head: Plan, names: Names) -> Iterator[Change]:
    """The order of the workers that are there on both sides."""
    was = [names(id) for id in base.order if names(id) in head.workers]
    there = set(was)
    now = [id for id in head.order if id in there]
    if was != now:
        yield Change("scheduling", say("order of workers"), was=", ".join(was), now=", ".join(now))


def _play(base: Plan, head: Plan) -> Iterator[Change]:
    """Whether the package plays in slots, and by which order; what a worker shows in its slot is the worker's."""
    was, now = base.play, head.play
    played = (", ".join(slot.key for slot in play.slots) if play else None for play in (was, now))
    yield from changed("slots", "slots", *played)
    yield from changed("slots", say("origin of the order"), was and was.origin, now and now.origin)
    if (was and was.order) != (now and now.order):
        yield Change("slots", "context-order")


def _orchestrator(base: Plan, head: Plan) -> Iterator[Change]:
    """What a model that decides who runs is told, and what it may make workers of."""
    was, now = base.orchestrator, head.orchestrator
    before, after = (plan.templates if plan else {} for plan in (was, now))
    yield from listed("interface", "templates", tuple(before), tuple(after))
    for name in (name for name in before if name in after):
        rules = (was.acceptance[name] if was else None, now.acceptance[name] if now else None)
        if before[name] != after[name] or rules[0] != rules[1]:
            yield Change("interface", f"templates.{name}")
    told = ((plan.system, plan.task) if plan else None for plan in (was, now))
    if len(set(told)) > 1:
        yield Change("prose", "orchestrator")


def _words(base: Plan, head: Plan) -> Iterator[Change]:
    was, now = base.package, head.package
    yield from changed("prose", "name", was.name, now.name)
    yield from changed("prose", "bookKind", was.kind, now.kind)
    yield from changed("prose", "language", was.language, now.language)
    yield from changed("prose", "version", was.version, now.version)
    if was.description != now.description:
        yield Change("prose", "description")

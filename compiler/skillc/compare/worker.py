"""What of a worker's contract and texts differs, field by field, and in which kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from skillc.artifact.plan import Acceptance, Plan, WorkerPlan
from skillc.compare.difference import Change, Kind
from skillc.compare.layers import Segments
from skillc.compare.segments import segment_changes
from skillc.plan.layout import authored
from skillc.wording import say

_NEEDED, _OPTIONAL = say("needed"), say("optional")
Pair = tuple[WorkerPlan, WorkerPlan]
Names = Callable[[str], str]
"""From an id of the base to what it is called in the head."""


def worker_changes(base: Plan, head: Plan, pair: Pair, names: Names) -> tuple[Change, ...]:
    """All fields that differ between the two plans of one worker, contracts first."""
    return (
        *_interface(pair),
        *_isolation(pair),
        *_acceptance(base, head, pair, names),
        *_slots(base, head, pair),
        *_values("scheduling", pair, stage="stage", actor="actor"),
        *_model(pair),
        *_context(pair),
        *_words(base, head, pair),
    )


def changed(kind: Kind, field: str, was: object, now: object) -> Iterator[Change]:
    """The change of a value, where it is one."""
    if was != now:
        yield Change(kind, field, was=_shown(was), now=_shown(now))


def listed(kind: Kind, field: str, was: Iterable[str], now: Iterable[str]) -> Iterator[Change]:
    """The change of a list: what came and what went; of the order alone, where that is all."""
    before, after = list(was), list(now)
    added = _beside(after, before)
    removed = _beside(before, after)
    if added or removed:
        yield Change(kind, field, added, removed)
    elif before != after:
        yield Change(kind, field, was=", ".join(before), now=", ".join(after))


def _beside(texts: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    known = set(others)
    return tuple(text for text in texts if text not in known)


def mapped(kind: Kind, field: str, was: Mapping[str, str], now: Mapping[str, str]) -> Iterator[Change]:
    """The change of a mapping, a row each."""
    yield from listed(kind, field, *([f"{key}: {rows[key]}" for key in sorted(rows)] for rows in (was, now)))


def _shown(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if value is None or isinstance(value, str) else str(value)


def _values(kind: Kind, pair: Pair, **fields: str) -> Iterator[Change]:
    """Plain values of the plan, each under the name that authors know it by."""
    for name, field in fields.items():
        yield from changed(kind, field, *(getattr(worker, name) for worker in pair))


def _interface(pair: Pair) -> Iterator[Change]:
    inputs = [{entry.pattern.text: entry.needed for entry in worker.inputs} for worker in pair]
    kind: Kind = "interface" if set(inputs[0]) != set(inputs[1]) else "dynamic"
    yield from listed(kind, "inputTags", *inputs)
    for tag in inputs[1]:
        was, now = ((_NEEDED if one[tag] else _OPTIONAL) if tag in one else None for one in inputs)
        if was:
            yield from changed("interface", f"inputTags: {tag}", was, now)
    yield from listed("interface", "outputTags", *([p.text for p in worker.outputs] for worker in pair))
    yield from mapped("interface", "aliases", *(worker.aliases for worker in pair))
    if pair[0].reply != pair[1].reply and all(
        getattr(pair[0], name) == getattr(pair[1], name) for name in ("outputs", "aliases")
    ):
        yield Change("interface", "reply")


def _isolation(pair: Pair) -> Iterator[Change]:
    yield from _values("isolation", pair, isolation="contextIsolation", role_bound=say("runs for a role"))
    yield from listed("isolation", "denied", *([p.text for p in worker.denied] for worker in pair))


def _acceptance(base: Plan, head: Plan, pair: Pair, names: Names) -> Iterator[Change]:
    default = Acceptance(mode="user_confirmed", requires_approval=False, reviews=())
    was, now = (
        plan.acceptance.get(worker.id, default) for plan, worker in zip((base, head), pair, strict=True)
    )
    yield from changed("acceptance", "acceptance.mode", was.mode, now.mode)
    yield from changed(
        "acceptance", "acceptance.requiresApproval", was.requires_approval, now.requires_approval
    )
    yield from listed("acceptance", "acceptance.reviews", map(names, was.reviews), now.reviews)


def _slots(base: Plan, head: Plan, pair: Pair) -> Iterator[Change]:
    was, now = (_played(plan, worker) for plan, worker in zip((base, head), pair, strict=True))
    yield from listed("slots", "slots", was, now)
    before, after = (_shows(plan, worker) for plan, worker in zip((base, head), pair, strict=True))
    if before != after and pair[0].segments == pair[1].segments:
        yield from segment_changes("slots: ", before, after, "slots")


def _played(plan: Plan, worker: WorkerPlan) -> list[str]:
    slots = plan.play.slots if plan.play else ()
    return [f"{slot.key} ({'on' if slot.on else 'off'})" for slot in slots if slot.worker == worker.id]


def _shows(plan: Plan, worker: WorkerPlan) -> Segments:
    return plan.play.segments.get(worker.id) if plan.play else None


def _model(pair: Pair) -> Iterator[Change]:
    was, now = (worker.profiles for worker in pair)
    yield from changed("model", "llmProfileId", was.default, now.default)
    yield from mapped("model", "byRole", was.by_role, now.by_role)


def _context(pair: Pair) -> Iterator[Change]:
    """What the layouts say; whether it is in the prefix, the kinds of the worker tell."""
    was, now = pair
    yield from changed("dynamic", "inputMerge", was.merge, now.merge)
    yield from segment_changes("", was.segments, now.segments)
    yield from listed("dynamic", "contextVariants", sorted(was.variants), sorted(now.variants))
    for name in sorted(was.variants.keys() & now.variants.keys()):
        yield from segment_changes(f"contextVariants.{name}: ", was.variants[name], now.variants[name])
    yield from changed("dynamic", "contextProfile.variant", was.variant, now.variant)
    if was.instruction != now.instruction:
        yield Change("dynamic", "instruction")


def _words(base: Plan, head: Plan, pair: Pair) -> Iterator[Change]:
    was, now = pair
    yield from _values("prose", pair, name="name", version="version")
    if was.description != now.description:
        yield Change("prose", "description")
    if was.persona != now.persona:
        yield Change("prose", "persona")
    said = (authored(was, base.package.language), authored(now, head.package.language))
    if said[0] != said[1]:
        yield Change("prose", say("body or shared context"))
    elif was.system != now.system:
        yield Change("fixed_prefix", say("output protocol"))

"""The segments of a slot: from the rows of an order, or from what its worker declares (SPEC 11.2, 11.5)."""

from __future__ import annotations

from skillc.artifact.plan import SegmentPlan
from skillc.runtime.order import HISTORY, PERSONA, is_history
from skillc.runtime.reference import read_ref
from skillc.runtime.slots import slot_named
from skillc.runtime.tagnames import LATEST_INPUT, VARIABLES
from skillc.tags import Pattern, literal, overlaps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from skillc.artifact.plan import Plan, WorkerPlan

_HISTORY, _PERSONA = literal(HISTORY), literal(PERSONA)


def shown(plan: Plan, rows: Sequence[Mapping[str, Any]]) -> tuple[SegmentPlan, ...]:
    """The segments of `rows` in normal form, one a row: its ref is the segment's id, its label the label.

    Static is what stands before the dialogue and nothing in play rewrites.
    """
    segments: list[SegmentPlan] = []
    taken: set[str] = set()
    moving, static = moving_tags(plan), True
    for row in rows:
        pattern, _ = read_ref(row["ref"])
        if pattern is None:
            continue
        static = static and not is_history(row["ref"])
        segments.append(
            SegmentPlan(
                id=_unique(row["ref"], taken),
                tier="static" if static and not moves(plan, pattern, moving) else "dynamic",
                label=row.get("label"),
                tags=(pattern,),
                policy=None,
                projection=row.get("projection"),
                inline=None,
            )
        )
    return tuple(segments)


def declared(plan: Plan, worker: WorkerPlan, key: str) -> tuple[SegmentPlan, ...]:
    """What `worker` shows in slot `key` where no order has rows for it: its own segments (of the variant that the
    package chose), without the dialogue in a slot that gets none by default; without segments, its inputs."""
    own = worker.variants[worker.variant] if worker.variant is not None else worker.segments
    if own is None:
        return shown(plan, input_rows(plan, worker, key))
    return own if takes_history(key) else tuple(_without_history(own))


def input_rows(plan: Plan, worker: WorkerPlan, key: str) -> list[dict[str, Any]]:
    """The inputs of `worker` as rows: the persona, what stays, the dialogue, what moves, variables and the latest
    input at the end. Each has its name as label, since nothing else would say what a text is."""
    patterns = list(dict.fromkeys(i.pattern for i in worker.inputs if i.pattern != _PERSONA))
    moving = moving_tags(plan)
    late = {LATEST_INPUT: 4, VARIABLES: 3, HISTORY: 1}
    found = [p for p in patterns if p != _HISTORY or takes_history(key)]
    found.sort(key=lambda p: late.get(p.text, 2 if moves(plan, p, moving) else 0))
    rows = [input_row(pattern) for pattern in found]
    persona = [{"ref": PERSONA, "projection": "fixed"}] if worker.persona else []
    return [{"order": at, **row} for at, row in enumerate([*persona, *rows])]


def input_row(pattern: Pattern) -> dict[str, Any]:
    """An input as a row: the dialogue as its summary, variables as fields, all else in full."""
    if pattern == _HISTORY:
        return {"ref": HISTORY, "projection": "summary"}
    projection = "fields" if pattern.text == VARIABLES else "full"
    return {"ref": pattern.text, "projection": projection, "label": f"## {pattern.text}"}


def takes_history(key: str) -> bool:
    """Whether a slot gets the dialogue where no order says so; a worker that is no slot does."""
    slot = slot_named(key)
    return slot is None or slot.history


def moving_tags(plan: Plan) -> list[Pattern]:
    """What may change from turn to turn: what workers of the play stage write, the runtime, and the user beside the
    startup's answer."""
    written = [p for worker in plan.workers.values() if worker.stage == "play" for p in worker.outputs]
    given = [p for origin in ("user", "runtime") for p in plan.sources.get(origin, ())]
    return [*written, *given, *(literal(tag) for tag in (HISTORY, VARIABLES, LATEST_INPUT))]


def moves(plan: Plan, pattern: Pattern, moving: Sequence[Pattern]) -> bool:
    """Whether `pattern` takes something that moves; the answer to the startup inquiry does not."""
    told = plan.startup.targets if plan.startup else ()
    if pattern == _PERSONA or pattern.text in told:
        return False
    return any(overlaps(pattern, other) for other in moving)


def _without_history(segments: Sequence[SegmentPlan]) -> Iterator[SegmentPlan]:
    for segment in segments:
        tags = tuple(tag for tag in segment.tags if tag != _HISTORY)
        if len(tags) == len(segment.tags):
            yield segment
        elif tags or segment.inline:
            yield segment.but(tags=tags)


def _unique(ref: str, taken: set[str]) -> str:
    """`ref`, or where a row has it already, with a number: the index of a context names segments by id."""
    at, id = 1, ref
    while id in taken:
        at += 1
        id = f"{ref} ({at})"
    taken.add(id)
    return id

"""Which segments a package really sends: those of its slots, where they are not what a worker declares (SPEC 11)."""

from __future__ import annotations

from skillc.artifact.plan import SegmentPlan, WorkerPlan
from skillc.graph import TagGraph
from skillc.model.package import Segment, TagRef, Worker
from skillc.plan.compiling import compile_package
from skillc.runtime.slotplan import SlotPlan, slot_plans
from skillc.runtime.slots import SLOTS
from skillc.text import Text


def sent_segments(graph: TagGraph) -> dict[str, SlotPlan]:
    """By their workers, the slots of a package that send other segments than the worker declares: the rows of the
    package's order, the inputs of a worker without segments, segments without the dialogue where a slot gets none.
    A slot that is off sends nothing; rows of an order count all the same, since they replace what is declared."""
    if graph.package.order is None and not any(slot.worker in graph.workers for slot in SLOTS):
        return {}
    plan, _ = compile_package(graph)
    slots = slot_plans(plan) if plan.play else ()
    shown = (slot for slot in slots if slot.on or slot.origin != "declared")
    return {slot.worker: slot for slot in shown if slot.segments != _declared(plan.workers[slot.worker])}


def _declared(worker: WorkerPlan) -> tuple[SegmentPlan, ...] | None:
    return worker.segments if worker.variant is None else worker.variants[worker.variant]


def as_declared(worker: Worker, slot: SlotPlan) -> tuple[Segment, ...]:
    """The segments of `slot` as if `worker` had declared them; they stand where the worker does."""
    return tuple(
        Segment(
            id=Text(segment.id, worker.span),
            tier="static" if segment.tier == "static" else "dynamic",
            tags=tuple(TagRef(tag, worker.span) for tag in segment.tags),
        )
        for segment in slot.segments
    )

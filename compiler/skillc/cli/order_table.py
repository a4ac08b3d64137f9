"""An order as a flat table a slot: what stands where, how much of it, and where the static part ends."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from skillc.artifact.plan import SegmentPlan, WorkerPlan
from skillc.plan.budget import constant
from skillc.report.counts import plural
from skillc.report.language import ENGLISH, Words, retold
from skillc.report.visible import visible
from skillc.runtime import AssemblyRefused, Board, RunnablePlan
from skillc.runtime.estimate import estimate_tokens
from skillc.runtime.order import HISTORY, normal_order
from skillc.runtime.orderdocument import with_segments
from skillc.runtime.orderfault import OrderFault
from skillc.runtime.slotplan import SlotPlan, compile_order
from skillc.runtime.slots import slot_named, worker_named
from skillc.value import value
from skillc.wording import said_in, say

COLUMNS = (say("row"), say("shows"), say("projection"), say("tier"), say("tokens"))


@value
class Row:
    """`tokens`: on the board, or of the constant text alone; None where nothing is known of it. `tier` is None where
    the package is not known."""

    shows: str
    projection: str
    tier: str | None
    label: str | None
    tokens: int | None
    history: bool


@value
class SlotView:
    """A slot with its rows. `on` is None where it runs on demand or nothing is said; `note`: why it has no tokens."""

    key: str
    worker: str
    on: bool | None
    origin: str
    rows: tuple[Row, ...]
    note: str = ""

    @property
    def static(self) -> int | None:
        """How many rows come before the first that may change; None where the package is not known."""
        if any(row.tier is None for row in self.rows):
            return None
        return next((at for at, row in enumerate(self.rows) if row.tier != "static"), len(self.rows))


@value
class Shown:
    title: str
    slots: tuple[SlotView, ...]
    note: str = ""


def view(
    plan: RunnablePlan | None,
    of: Sequence[SlotPlan] | Mapping[str, Any],
    board: Board | None = None,
    role: str | None = None,
    only: str | None = None,
) -> tuple[SlotView, ...]:
    """The slots of slot plans, or of an order; of an order without a plan its rows as they stand."""
    if isinstance(of, Mapping):
        plans = compile_order(plan, of)[0] if plan else ()
        shown = [_of_plan(plan, slot) for slot in plans if plan] or list(_of_rows(normal_order(of)))
    else:
        assert plan is not None
        shown = [_of_plan(plan, slot, board, role) for slot in of]
    wanted = only and (slot_named(only) or worker_named(only))
    return tuple(slot for slot in shown if not wanted or _is(slot, wanted))


def _is(slot: SlotView, wanted: Any) -> bool:
    return bool({getattr(wanted, "key", wanted), getattr(wanted, "worker", wanted)} & {slot.key, slot.worker})


def _of_plan(
    plan: RunnablePlan, slot: SlotPlan, board: Board | None = None, role: str | None = None
) -> SlotView:
    worker = plan.workers[slot.worker]
    counts: dict[str, int] | None = None
    note = ""
    if board is not None:
        try:
            context = with_segments(plan, slot).assemble(
                slot.worker, board, role if _by_role(worker) else None
            )
            counts = {segment["id"]: segment["tokens"] for segment in context.segments}
        except AssemblyRefused as refused:
            note = str(refused)
    rows = tuple(_row(segment, _tokens(worker, segment, counts, bool(note))) for segment in slot.segments)
    on = slot.on if slot_named(slot.key) else None
    return SlotView(slot.key, slot.worker, on, slot.origin, rows, note)


def _by_role(worker: WorkerPlan) -> bool:
    patterns = [*(i.pattern for i in worker.inputs), *worker.outputs]
    return worker.role_bound or worker.isolation == "role_pov" or any(p.has_role for p in patterns)


def _tokens(
    worker: WorkerPlan, segment: SegmentPlan, counts: Mapping[str, int] | None, unknown: bool
) -> int | None:
    if counts is not None:
        return counts.get(segment.id, 0)
    text = constant(worker, segment)
    return None if unknown or not text else estimate_tokens(text)


def _row(segment: SegmentPlan, tokens: int | None) -> Row:
    tags = [pattern.text for pattern in segment.tags]
    policy = ""
    if segment.policy:
        policy = segment.policy.kind + ("" if segment.policy.n is None else f"_{segment.policy.n}")
    how = " ".join(part for part in (segment.projection, policy) if part)
    return Row(", ".join(tags) or segment.id, how, segment.tier, segment.label, tokens, HISTORY in tags)


def _of_rows(order: Mapping[str, Any]) -> Iterator[SlotView]:
    for entry in order["slots"]:
        fixed = slot_named(entry.get("id", entry["ref"]))
        rows = tuple(
            Row(
                row["ref"],
                row.get("projection", ""),
                None,
                row.get("label"),
                None,
                row["ref"] == HISTORY,
            )
            for row in entry["inserts"]
        )
        on = order["play_slots"].get(fixed.key) if fixed else None
        yield SlotView(fixed.key if fixed else entry["ref"], entry["ref"], on, "order", rows)


def as_json(shown: Shown, faults: Iterable[OrderFault]) -> str:
    """For programs: slots with their rows, and all faults."""
    data = {
        "title": shown.title,
        "slots": [
            {
                "slot": slot.key,
                "worker": slot.worker,
                "on": slot.on,
                "origin": slot.origin,
                "static_rows": slot.static,
                "rows": [
                    {
                        "order": at,
                        "ref": row.shows,
                        "projection": row.projection,
                        "tier": row.tier,
                        "label": row.label,
                        "tokens": row.tokens,
                    }
                    for at, row in enumerate(slot.rows)
                ],
            }
            for slot in shown.slots
        ],
        "faults": [{"kind": f.kind, "slot": f.slot, "index": f.index, "text": f.text} for f in faults],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def as_text(shown: Shown, color: bool, words: Words = ENGLISH) -> str:
    """For people: a table a slot. The row of the dialogue is marked with », in colour inverted."""
    lines = [visible(said_in(words, shown.title))]
    for slot in shown.slots:
        lines += ["", _heading(slot, words), *_lines(slot, color, words)]
    lines += ["", said_in(words, shown.note)] if shown.note else []
    return "\n".join(lines) + "\n"


def _heading(slot: SlotView, words: Words) -> str:
    fixed = slot_named(slot.key)
    name = f"{slot.key} {fixed.name}" if fixed else slot.key
    on = say("on demand") if fixed is None else {True: say("on"), False: say("off"), None: ""}[slot.on]
    parts = [name, slot.worker, said_in(words, on), "" if slot.origin == "order" else slot.origin]
    note = f"\n  ({visible(retold(words, slot.note))})" if slot.note else ""
    return " · ".join(part for part in parts if part) + note


def _lines(slot: SlotView, color: bool, words: Words) -> Iterator[str]:
    if not slot.rows:
        yield said_in(words, say("  shows nothing"))
        return
    columns = [said_in(words, column) for column in COLUMNS]
    cells = [
        (
            str(at),
            visible(row.shows),
            row.projection or "-",
            row.tier or "-",
            "-" if row.tokens is None else f"{row.tokens:,}",
        )
        for at, row in enumerate(slot.rows)
    ]
    widths = [max(cell_len(line[at]) for line in [columns, *cells]) for at in range(len(COLUMNS))]
    yield "  " + _line(columns, widths)
    for at, row in enumerate(slot.rows):
        if at == slot.static:
            yield _end(slot, sum(widths) + 2 * len(widths) - 2, words)
        line = _line(cells[at], widths)
        mark = f"» {line}" if row.history else f"  {line}"
        yield f"\x1b[7m{mark}\x1b[0m" if row.history and color else mark.rstrip()
    if slot.static == len(slot.rows):
        yield _end(slot, sum(widths) + 2 * len(widths) - 2, words)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True)]
    first, last = cells[0].rjust(widths[0]), cells[-1].rjust(widths[-1])
    return "  ".join([first, *padded[1:-1], last])


def _end(slot: SlotView, width: int, words: Words) -> str:
    count = slot.static or 0
    counts = [row.tokens for row in slot.rows[:count]]
    tokens = say(", {n:,} tokens", n=sum(tokens or 0 for tokens in counts)) if any(counts) else ""
    rows = plural(count, "row")
    head = f"──── {said_in(words, say('static part ends: {rows}{tokens}', rows=rows, tokens=tokens))} "
    return f"  {head}{'─' * max(width - cell_len(head), 1)}"

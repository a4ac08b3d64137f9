"""Plan + board + options -> Context. The same three always give the same bytes (SPEC 9, 12.2).

The compiler has decided everything; here slots are filled. Text is inserted verbatim: there is no
template, and nothing in an item is looked at but where a projection asks for fields.
"""

from __future__ import annotations

from skillc.runtime.context import GAP, Context, Piece
from skillc.runtime.history import HISTORY, ROLES, history_texts
from skillc.runtime.policy import TURNS, choose, cut
from skillc.runtime.projection import project
from skillc.runtime.refusal import AssemblyRefused
from skillc.runtime.role import is_role
from skillc.runtime.selection import bound, visible
from skillc.tags import WHOLE, Pattern, family, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from skillc.artifact.plan import Plan, SegmentPlan, SegmentPolicy, WorkerPlan
    from skillc.runtime.board import Board, Item
    from skillc.runtime.selection import Read
    from skillc.runtime.slotplan import SlotPlan

PERSONA = "worker.persona"
LATEST_INPUT = "用户.最新输入"
_PERSONA_PATTERN = Pattern(("worker", "persona"))


def assemble(
    plan: Plan,
    worker: str,
    board: Board,
    role: str | None = None,
    variant: str | None = None,
    history: Sequence[Mapping[str, str]] | None = None,
    slot: str | None = None,
) -> Context:
    """The context of one invocation of `worker` on `board`.

    `history` replaces the board's own dialogue. With `slot` the segments of that slot stand in place of the
    worker's (SPEC 11); `worker` is then the one that fills it, or the slot's own name.

    Refuses (AssemblyRefused) an unknown worker, slot or variant, a variant of a slot, an order on the board that
    cannot be followed, a role that is no plain segment, a role-bound worker without a role, and a block of the
    dialogue that is neither the user's nor the assistant's nor the system's.
    """
    place = _place(plan, worker, slot, variant, board) if slot is not None else None
    worker_plan = plan.workers.get(place.worker if place else worker)
    if worker_plan is None:
        raise AssemblyRefused(
            f"`{plan.package.path}` has no worker `{worker}`; it has {_names(plan.workers)}"
        )
    _check_role(worker_plan, role)
    segments = place.segments if place else _segments(worker_plan, variant)
    blocks = board.history if history is None else history
    _check_history(blocks)
    return _Run(plan, worker_plan, board, role, blocks).context(segments)


def _place(plan: Plan, worker: str, slot: str, variant: str | None, board: Board) -> SlotPlan:
    """The plan of the slot; what does not go with it is refused."""
    from skillc.runtime.slotplan import slot_plan

    found = slot_plan(plan, slot, board)
    if worker not in (found.worker, found.key, slot):
        raise AssemblyRefused(f"slot `{found.key}` is played by `{found.worker}`, not by `{worker}`")
    if variant is not None:
        raise AssemblyRefused(f"slot `{found.key}` shows what its order says; there is no variant of it")
    return found


def _check_role(worker: WorkerPlan, role: str | None) -> None:
    """Fail closed: what is bound to a role runs with one plain segment as role, or not at all."""
    if role is not None and not is_role(role):
        raise AssemblyRefused(f"`{role}` is no role: a role is one plain segment of a tag")
    patterns = (*(i.pattern for i in worker.inputs), *worker.outputs)
    bound_to_role = worker.role_bound or worker.isolation == "role_pov"
    if role is None and (bound_to_role or any(pattern.has_role for pattern in patterns)):
        raise AssemblyRefused(f"worker `{worker.id}` runs for one role, and no role was given")


def _check_history(blocks: Sequence[Mapping[str, str]]) -> None:
    """What a tool said, say, is no part of the dialogue: the host writes it under a tag."""
    for number, block in enumerate(blocks, 1):
        if block.get("role") not in ROLES or not isinstance(block.get("content"), str):
            raise AssemblyRefused(
                f"block {number} of the history is no text of one of the roles {', '.join(ROLES)}"
            )


def _segments(worker: WorkerPlan, variant: str | None) -> tuple[SegmentPlan, ...] | None:
    name = worker.variant if variant is None else variant
    if name is None:
        return worker.segments
    if name not in worker.variants:
        there = f"it has {_names(worker.variants)}" if worker.variants else "it has none"
        raise AssemblyRefused(f"worker `{worker.id}` has no variant `{name}`; {there}")
    return worker.variants[name]


def _names(names: Mapping[str, object]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)) or "none"


class _Run:
    """The inputs of one assembly, so that its steps need not pass them on."""

    def __init__(
        self,
        plan: Plan,
        worker: WorkerPlan,
        board: Board,
        role: str | None,
        history: Sequence[Mapping[str, str]],
    ) -> None:
        self.plan = plan
        self.worker = worker
        self.role = role
        self.history = history
        self.reads = visible(plan, worker, board, role, bool(history))
        self.families: dict[str, list[Read]] = {}
        for read in self.reads:
            for name in {family(read.tag), family(read.found)}:
                self.families.setdefault(name, []).append(read)

    def context(self, segments: tuple[SegmentPlan, ...] | None) -> Context:
        if segments is None:
            pieces = [self._inputs_object()]
        else:
            bags = _bags([self._bound(segment.tags) for segment in segments])
            made = [self._piece(segment, bag) for segment, bag in zip(segments, bags, strict=True)]
            pieces = [piece for piece in made if piece is not None]
        return Context(self.worker.system, pieces, list(dict.fromkeys(read.tag for read in self.reads)))

    def _bound(self, patterns: Sequence[Pattern]) -> list[Pattern]:
        return bound(patterns, self.worker, self.role)

    def _piece(self, segment: SegmentPlan, bag: str) -> Piece | None:
        """The segment's text, or None when it has nothing to say: then its label goes too."""
        texts = [segment.inline] if segment.inline else []
        tags: list[str] = []
        used: list[Item] = []
        for tag, items in self._filled(segment):
            more = self._texts(tag, items, segment.policy, segment.projection, used)
            if more:
                tags.append(tag)
                texts.extend(more)
        if not texts:
            return None
        label = [] if segment.label is None else [segment.label]
        return Piece(segment.id, segment.tier, tags, GAP.join(label + texts), used, bag)

    def _filled(self, segment: SegmentPlan) -> list[tuple[str, list[Item]]]:
        """Tags in the order of the segment's patterns, then by name; each once."""
        filled: dict[str, list[Item]] = {}
        for pattern in self._bound(segment.tags):
            if pattern == _PERSONA_PATTERN:
                filled.setdefault(PERSONA, [])
                continue
            near = self.reads if pattern.exact is None else self.families.get(family(pattern.exact), [])
            hits = [read for read in near if read.matched_by(pattern)]
            by_tag = _by_tag(hits)
            for tag in sorted(by_tag.keys() - filled.keys()):
                filled[tag] = _items(by_tag[tag])
        return list(filled.items())

    def _texts(
        self,
        tag: str,
        items: list[Item],
        policy: SegmentPolicy | None,
        projection: str | None,
        used: list[Item],
    ) -> list[str]:
        """What is shown of one tag; the items that were taken are added to `used`."""
        if tag == PERSONA and not items:
            return [self.worker.persona] if self.worker.persona else []
        kind, n = (policy.kind, policy.n or 1) if policy else (self.worker.merge, 1)
        taken = choose(items, kind, n)
        texts = [text for text in (project(item.content, projection) for item in taken) if text]
        if kind not in TURNS:
            texts = list(cut(texts, kind, n))
        used.extend(taken)
        if tag == HISTORY:
            texts += history_texts(self.history, policy, projection, self.plan.package.language)
        return texts

    def _inputs_object(self) -> Piece:
        """The whole user message of a worker without segments: one JSON object (SPEC 9.5)."""
        import json

        used: list[Item] = []
        inputs: dict[str, str] = {}
        for tag, reads in _by_tag(self.reads).items():
            inputs[tag] = GAP.join(self._texts(tag, _items(reads), None, None, used))
        data = {
            "workerId": self.worker.id,
            "workerName": self.worker.name,
            "outputTags": [pattern.text for pattern in self._bound(self.worker.outputs)],
            "inputs": inputs,
            "instruction": self.worker.instruction,
        }
        text = json.dumps(data, ensure_ascii=False)
        return Piece("inputs", "dynamic", list(inputs), text, used, "turn")


def _by_tag(reads: Iterable[Read]) -> dict[str, list[Read]]:
    """`reads` by their real tags, in the order of their first."""
    found: dict[str, list[Read]] = {}
    for read in reads:
        found.setdefault(read.tag, []).append(read)
    return found


def _items(reads: Sequence[Read]) -> list[Item]:
    """All that `reads`, which are of one tag, hold, each once, oldest first."""
    if len(reads) == 1:
        return list(reads[0].items)
    found = {item.seq: item for read in reads for item in read.items}
    return [found[seq] for seq in sorted(found)]


def _bags(segments: list[list[Pattern]]) -> list[str]:
    """Which bag each segment belongs to, by the places of the history and the latest input (SPEC 9.7)."""
    history = _first(segments, HISTORY)
    turn = _first(segments, LATEST_INPUT)
    return [_bag(at, history, turn) for at in range(len(segments))]


def _bag(at: int, history: int | None, turn: int | None) -> str:
    if at == history:
        return "history"
    if at == turn:
        return "turn"
    if turn is not None and at > turn:
        return "postTurn"
    return "after" if history is not None and at > history else "before"


def _first(segments: list[list[Pattern]], tag: str) -> int | None:
    for at, patterns in enumerate(segments):
        if any(pattern.parts[0] != WHOLE and matches(pattern, tag) for pattern in patterns):
            return at
    return None

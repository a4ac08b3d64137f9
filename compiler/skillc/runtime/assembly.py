"""Plan + board + options -> Context. The same three always give the same bytes (SPEC 9, 12.2).

The compiler has decided everything; here slots are filled. Text is inserted verbatim: there is no
template, and nothing in an item is looked at but where a projection asks for fields.
"""

from __future__ import annotations

from skillc.runtime.context import GAP, Context, Piece, merged
from skillc.runtime.history import HISTORY, ROLES, amount, conversation, kept_blocks, named
from skillc.runtime.jsontext import is_encodable
from skillc.runtime.policy import TURNS, choose, cut
from skillc.runtime.prepared import PERSONA, access_of, bound, layout_of
from skillc.runtime.projection import VERBATIM, project
from skillc.runtime.refusal import AssemblyRefused
from skillc.runtime.role import is_role
from skillc.runtime.selection import Read, visible
from skillc.runtime.tagnames import LATEST_INPUT
from skillc.tags import family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from skillc.artifact.plan import Plan, SegmentPlan, WorkerPlan
    from skillc.runtime.board import Board, Item
    from skillc.runtime.history import Spoken
    from skillc.runtime.prepared import Filled, Layout, Place
    from skillc.runtime.slotplan import SlotPlan


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
    worker's (SPEC 11); `worker` is then the one that fills it, or the slot's own name. Refuses (AssemblyRefused)
    an unknown worker or variant, a role that is no plain segment, a role-bound worker without a role, and a block
    of the dialogue that is neither the user's nor the assistant's nor the system's.
    """
    place = _place(plan, worker, slot, variant, board) if slot is not None else None
    worker_plan = plan.workers.get(place.worker if place else worker)
    if worker_plan is None:
        raise AssemblyRefused(
            f"`{plan.package.path}` has no worker `{worker}`; it has {_names(plan.workers)}"
        )
    _check_role(plan, worker_plan, role)
    segments = place.segments if place else _segments(worker_plan, variant)
    blocks = board.history if history is None else history
    _check_history(blocks)
    _check_handed(history or ())
    run = _Run(plan, worker_plan, board, role, blocks)
    pieces = [run.object()] if segments is None else run.pieces(segments)
    return Context(worker_plan.system, pieces, run.read_tags(), worker_plan.instruction, run.leading)


def _place(plan: Plan, worker: str, slot: str, variant: str | None, board: Board) -> SlotPlan:
    """The plan of the slot; what does not go with it is refused."""
    from skillc.runtime.slotplan import slot_plan

    found = slot_plan(plan, slot, board)
    if worker not in (found.worker, found.key, slot):
        raise AssemblyRefused(f"slot `{found.key}` is played by `{found.worker}`, not by `{worker}`")
    if variant is not None:
        raise AssemblyRefused(f"slot `{found.key}` shows what its order says; there is no variant of it")
    return found


def _check_role(plan: Plan, worker: WorkerPlan, role: str | None) -> None:
    """Fail closed: what is bound to a role runs with one plain segment as role, or not at all."""
    if role is not None and not is_role(role):
        raise AssemblyRefused(f"`{role}` is no role: a role is one plain segment of a tag")
    if role is None and access_of(plan, worker, role).needs_role:
        raise AssemblyRefused(f"worker `{worker.id}` runs for one role, and no role was given")


def _check_history(blocks: Sequence[Mapping[str, str]]) -> None:
    """What a tool said, say, is no part of the dialogue: the host writes it under a tag."""
    for number, block in enumerate(blocks, 1):
        if block.get("role") not in ROLES or not isinstance(block.get("content"), str):
            raise AssemblyRefused(
                f"block {number} of the history is no text of one of the roles {', '.join(ROLES)}"
            )


def _check_handed(history: Sequence[Mapping[str, str]]) -> None:
    """A dialogue that a host hands over may hold what no board takes: text that UTF-8 cannot carry."""
    for number, block in enumerate(history, 1):
        if not is_encodable(block["content"]):
            raise AssemblyRefused(
                f"block {number} of the history holds half a surrogate pair, which is no character"
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
        self.leading = 0
        """How many of the pieces stand before the first segment that is declared dynamic."""
        self.reads = visible(plan, worker, board, role, bool(history))
        self.families: dict[str, list[Read]] = {}
        for read in self.reads:
            own = family(read.tag)
            self.families.setdefault(own, []).append(read)
            if read.found is not read.tag and family(read.found) != own:
                self.families.setdefault(family(read.found), []).append(read)

    def read_tags(self) -> list[str]:
        """The real tags that the worker may see, each once."""
        return list(dict.fromkeys([read.tag for read in self.reads]))

    def pieces(self, segments: Sequence[SegmentPlan]) -> list[Piece]:
        """Each segment that has something to say."""
        layout = layout_of(self.plan, self.worker, self.role, segments)
        made = [
            self._dialogue_piece(place, layout) if place.bag == "history" else self._piece(place)
            for place in layout.places
        ]
        self.leading = sum(piece is not None for piece in made[: layout.leading])
        return [piece for piece in made if piece is not None]

    def _piece(self, place: Place) -> Piece | None:
        """The segment as it was last time where it shows the same items: most of a context stays from turn to turn."""
        near = self.families.get(place.single) if place.single is not None else None
        if near is not None and len(near) == 1 and near[0].tag == place.single:
            return _newest_piece(place, near[0].items[-1])
        filled = self._filled(place)
        if place.last is not None and place.last[0] == filled:
            return place.last[1]
        piece = self._new_piece(place, filled)
        if place.lasting:
            place.last = (filled, piece)
        return piece

    def _new_piece(self, place: Place, filled: Filled) -> Piece | None:
        """The segment's text, or None when it has nothing to say: then its label goes too."""
        segment = place.segment
        texts = [segment.inline] if segment.inline else []
        tags: list[str] = []
        used: list[Item] = []
        for tag, items in filled:
            more = self._texts(tag, items, place.kind, place.n, segment.projection, used)
            if tag == HISTORY:
                more += named(self._blocks(segment), self.plan.package.language)
            if more:
                tags.append(tag)
                texts += more
        if not texts:
            return None
        if segment.label is not None:
            texts.insert(0, segment.label)
        return Piece(segment.id, segment.tier, tags, GAP.join(texts), used, place.bag)

    def _dialogue_piece(self, place: Place, layout: Layout) -> Piece | None:
        """The segment in which the dialogue stands: its blocks are turns, all else is the user's text."""
        segment, language = place.segment, self.plan.package.language
        texts = [segment.inline] if segment.inline else []
        said: list[Spoken] = [("user", text) for text in texts]
        tags: list[str] = []
        used: list[Item] = []
        for tag, more in self._dialogue_texts(segment, place, layout, used):
            blocks = self._blocks(segment) if tag == HISTORY else []
            tags += [tag] if more or blocks else []
            said += [*(("user", text) for text in more), *conversation(blocks, language)]
            texts += [*more, *named(blocks, language)]
        if not texts:
            return None
        label = [] if segment.label is None else [segment.label]
        turns = merged([*(("user", text) for text in label), *said])
        return Piece(segment.id, segment.tier, tags, GAP.join(label + texts), used, place.bag, turns)

    def _dialogue_texts(
        self, segment: SegmentPlan, place: Place, layout: Layout, used: list[Item]
    ) -> Iterator[tuple[str, list[str]]]:
        """The texts of items, tag by tag; behind them what stands for a dialogue that has not begun."""
        shown = self._filled(place)
        for tag, items in shown:
            yield tag, self._texts(tag, items, place.kind, place.n, segment.projection, used)
        begun = self.history or segment.projection == "fixed" or any(tag == HISTORY for tag, _ in shown)
        if not begun and access_of(self.plan, self.worker, self.role).may_read_history():
            kind, n = amount(segment.policy, segment.projection)
            for tag in layout.fallback:
                items = _items(self.families.get(tag, ()))
                items = items[-1:] if tag == LATEST_INPUT else items
                yield tag, self._texts(tag, items, kind, n, None, used)

    def _blocks(self, segment: SegmentPlan) -> list[Spoken]:
        return kept_blocks(self.history, segment.policy, segment.projection)

    def _filled(self, place: Place) -> Filled:
        """The items of each tag, tags in the order of the segment's patterns, then by name; each once."""
        if len(place.named) == 1:
            pattern, name = place.named[0]
            near = self.families.get(name, ()) if name else ()
            if len(near) == 1 and near[0].tag == pattern.exact != PERSONA:
                return ((near[0].tag, near[0].items),)
        filled: dict[str, Sequence[Item]] = {}
        for pattern, name in place.named:
            if pattern.exact == PERSONA:
                filled.setdefault(PERSONA, ())
                continue
            near = self.reads if name is None else self.families.get(name, ())
            by_tag = _by_tag([read for read in near if read.matched_by(pattern)])
            for tag in sorted(by_tag.keys() - filled.keys()):
                filled[tag] = _items(by_tag[tag])
        return tuple(filled.items())

    def _texts(
        self, tag: str, items: Sequence[Item], kind: str, n: int, projection: str | None, used: list[Item]
    ) -> list[str]:
        """What is shown of the items of one tag; those that were taken are added to `used`."""
        if not items:
            return [self.worker.persona] if tag == PERSONA and self.worker.persona else []
        taken = choose(items, kind, n)
        used += taken
        if projection in VERBATIM:
            texts = [item.content for item in taken if item.content]
        else:
            texts = [text for text in [project(item.content, projection) for item in taken] if text]
        return texts if kind in TURNS else list(cut(texts, kind, n))

    def object(self) -> Piece:
        """The whole user message of a worker without segments: one JSON object (SPEC 9.5)."""
        import json

        used: list[Item] = []
        inputs: dict[str, str] = {}
        for tag, reads in _by_tag(self.reads).items():
            texts = self._texts(tag, _items(reads), self.worker.merge, 1, None, used)
            if tag == HISTORY:
                texts += named(kept_blocks(self.history, None, None), self.plan.package.language)
            inputs[tag] = GAP.join(texts)
        outputs = bound(self.worker.outputs, self.worker, self.role)
        data = {
            "workerId": self.worker.id,
            "workerName": self.worker.name,
            "outputTags": [pattern.text for pattern in outputs],
            "inputs": inputs,
            "instruction": self.worker.instruction,
        }
        text = json.dumps(data, ensure_ascii=False)
        return Piece("inputs", "dynamic", list(inputs), text, used, "turn")


def _newest_piece(place: Place, item: Item) -> Piece | None:
    """The piece of a place with a single tag whose newest item is `item`; nothing where that is empty."""
    if place.newest is not None and place.newest[0] is item:
        return place.newest[1]
    segment, text = place.segment, item.content
    piece = (
        Piece(segment.id, segment.tier, [item.tag], place.head + text, [item], place.bag) if text else None
    )
    place.newest = (item, piece)
    return piece


def _by_tag(reads: Iterable[Read]) -> dict[str, list[Read]]:
    """`reads` by their real tags, in the order of their first."""
    found: dict[str, list[Read]] = {}
    for read in reads:
        found.setdefault(read.tag, []).append(read)
    return found


def _items(reads: Sequence[Read]) -> Sequence[Item]:
    """All that `reads`, which are of one tag, hold, each once, oldest first."""
    if len(reads) == 1:
        return reads[0].items
    found = {item.seq: item for read in reads for item in read.items}
    return [found[seq] for seq in sorted(found)]

"""What of an assembly is the same on every board: patterns bound to the role, bags, denials.

A loaded plan keeps it (`memo`), so that a session works it out once for each worker and role.
"""

from __future__ import annotations

from skillc.runtime.context import GAP
from skillc.runtime.history import FALLBACK, HISTORY, takes_history
from skillc.runtime.isolation import denial, is_open
from skillc.runtime.projection import VERBATIM
from skillc.runtime.tagnames import CURRENT_ROLE, LATEST_INPUT, VARIABLES
from skillc.tags import WHOLE, Pattern, bind, family, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from skillc.artifact.plan import Plan, SegmentPlan, WorkerPlan
    from skillc.runtime.board import Item
    from skillc.runtime.context import Piece

    Filled = tuple[tuple[str, Sequence[Item]], ...]
    """Tags, each with its items; the persona has none."""

PERSONA = "worker.persona"
_MOST = 512
"""Prepared things that a plan keeps, and tags that one of them knows; then it begins anew."""


def bound(patterns: Iterable[Pattern], worker: WorkerPlan, role: str | None) -> list[Pattern]:
    """`patterns` for a run of `role`; as they are without one."""
    if role is None:
        return list(patterns)
    return [bind(pattern, role, worker.isolation == "role_pov") for pattern in patterns]


class Wanted:
    """One input, and which of the tags it matches that are no items of the board; `settles`: it is one family, so
    that nothing but writing that changes what it finds there."""

    __slots__ = ("history", "pattern", "plain", "role", "settles", "text", "variables")

    def __init__(self, pattern: Pattern, role: str | None) -> None:
        self.pattern = pattern
        self.text = pattern.text
        self.role = role is not None and matches(pattern, CURRENT_ROLE)
        self.history = matches(pattern, HISTORY)
        self.variables = matches(pattern, VARIABLES)
        self.plain = not (self.role or self.history or self.variables)
        self.settles = pattern.exact is not None and "#" not in pattern.exact


class Access:
    """What a worker, run for a role, asks for, and what it never receives: nothing where it is `open`. `apart`:
    no two of its inputs can give the same."""

    __slots__ = ("_known", "_plan", "apart", "needs_role", "open", "role", "wanted", "worker")

    def __init__(self, plan: Plan, worker: WorkerPlan, role: str | None) -> None:
        self._plan = plan
        self.worker = worker
        self.role = role
        inputs = [i.pattern for i in worker.inputs]
        self.wanted = [Wanted(pattern, role) for pattern in bound(inputs, worker, role)]
        families = {family(wanted.pattern.exact) for wanted in self.wanted if wanted.pattern.exact}
        self.apart = len(families) == len(self.wanted)
        bound_to_role = worker.role_bound or worker.isolation == "role_pov"
        self.needs_role = bound_to_role or any(p.has_role for p in (*inputs, *worker.outputs))
        self.open = is_open(worker)
        self._known: dict[str, bool] = {}

    def denied(self, tag: str) -> bool:
        """Whether isolation or the manifest keeps `tag` from the worker."""
        if self.open:
            return False
        known = self._known.get(tag)
        if known is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            known = self._known[tag] = denial(self._plan, self.worker, self.role, tag) is not None
        return known

    def may_read_history(self) -> bool:
        """Whether the dialogue is an input that the worker receives."""
        return any(wanted.history for wanted in self.wanted) and not self.denied(HISTORY)


class Place:
    """One segment of a layout: the bag that it belongs to, and its patterns for this role, each with the family
    of tags that it names (None: any); `kind` and `n` say how items of a tag are taken. `single`: the one tag of
    which it shows the newest text as it is, behind `head`, as most do; None where it does anything else."""

    __slots__ = ("bag", "head", "kind", "last", "lasting", "n", "named", "newest", "segment", "single")

    def __init__(self, segment: SegmentPlan, patterns: list[Pattern], merge: str) -> None:
        self.segment = segment
        self.named = [(p, None if p.exact is None else family(p.exact)) for p in patterns]
        policy = segment.policy
        self.kind, self.n = (policy.kind, policy.n or 1) if policy else (merge, 1)
        self.bag = "before"
        self.lasting = not any(matches(pattern, HISTORY) for pattern in patterns)
        as_it_is = self.kind == "latest" and segment.projection in VERBATIM and not segment.inline
        tag = patterns[0].exact if len(patterns) == 1 and self.lasting else None
        self.single = tag if as_it_is and tag != PERSONA else None
        self.head = "" if segment.label is None else segment.label + GAP
        self.newest: tuple[Item, Piece | None] | None = None
        """The same as `last`, of a single tag."""
        self.last: tuple[Filled, Piece | None] | None = None
        """What it showed in the last run, and of which items; kept where it shows nothing but items."""


class Layout:
    """The segments of a run, each in its place; `leading`: how many come before the first dynamic one; `fallback`:
    the tags that stand for a dialogue which has not begun, as far as no segment shows them anyway (SPEC 11.4)."""

    __slots__ = ("fallback", "leading", "places", "segments")

    def __init__(self, segments: Sequence[SegmentPlan], worker: WorkerPlan, role: str | None) -> None:
        self.segments = segments
        dynamic = (at for at, segment in enumerate(segments) if segment.tier != "static")
        self.leading = next(dynamic, len(segments))
        patterns = [bound(segment.tags, worker, role) for segment in segments]
        self.places = [Place(segment, p, worker.merge) for segment, p in zip(segments, patterns, strict=True)]
        history = next((at for at, taken in enumerate(patterns) if takes_history(taken)), None)
        turn = next((at for at, taken in enumerate(patterns) if _takes(taken, LATEST_INPUT)), None)
        for at, place in enumerate(self.places):
            place.bag = _bag(at, history, turn)
        shown = [pattern for taken in patterns for pattern in taken]
        self.fallback = [tag for tag in FALLBACK if not any(matches(p, tag) for p in shown)]


def _takes(patterns: list[Pattern], tag: str) -> bool:
    return any(pattern.parts[0] != WHOLE and matches(pattern, tag) for pattern in patterns)


def _bag(at: int, history: int | None, turn: int | None) -> str:
    """Which bag a segment belongs to, by the places of the history and the latest input (SPEC 9.7)."""
    if at == history:
        return "history"
    if at == turn:
        return "turn"
    if turn is not None and at > turn:
        return "postTurn"
    return "after" if history is not None and at > history else "before"


def access_of(plan: Plan, worker: WorkerPlan, role: str | None) -> Access:
    """What `worker` may read in a run for `role`."""
    memo, key = _memo(plan), ("access", worker.id, role)
    found: Access | None = memo.get(key)
    if found is None or found.worker is not worker:
        found = memo[key] = Access(plan, worker, role)
    return found


def layout_of(plan: Plan, worker: WorkerPlan, role: str | None, segments: Sequence[SegmentPlan]) -> Layout:
    """`segments` as they stand in a run of `worker` for `role`."""
    memo, key = _memo(plan), ("layout", worker.id, role, id(segments))
    found: Layout | None = memo.get(key)
    if found is None or found.segments is not segments:
        found = memo[key] = Layout(segments, worker, role)
    return found


def _memo(plan: Plan) -> dict[Any, Any]:
    """What a loaded plan keeps; any other plan keeps nothing."""
    memo: dict[Any, Any] = getattr(plan, "memo", {})
    if len(memo) > _MOST:
        memo.clear()
    return memo

"""What one invocation may read: select by the declared inputs, then isolate (SPEC 8, 9.3).

Nothing is merged here, so what isolation removes can influence nothing that comes later.
"""

from __future__ import annotations

from skillc.artifact.labels import labels_of, names_of, owned
from skillc.runtime.board import Item
from skillc.runtime.history import HISTORY
from skillc.tags import WHOLE, Pattern, bind, family, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from skillc.artifact.plan import Plan, WorkerPlan
    from skillc.runtime.board import Board

VARIABLES = "变量.当前"
CURRENT_ROLE = "世界.当前角色.id"
ROLE_PRIVATE_ROOT = "角色"


class Read:
    """Live items of the real `tag`, oldest first, that the tag `found` led to; the two differ
    where an item superseded one of another tag (a 确认稿 its 草稿)."""

    __slots__ = ("found", "items", "tag")

    def __init__(self, found: str, tag: str, items: tuple[Item, ...]) -> None:
        self.found = found
        self.tag = tag
        self.items = items

    def matched_by(self, pattern: Pattern) -> bool:
        return matches(pattern, self.tag) or (self.found != self.tag and matches(pattern, self.found))


def bound(patterns: Iterable[Pattern], worker: WorkerPlan, role: str | None) -> list[Pattern]:
    """`patterns` for a run of `role`; as they are without one."""
    if role is None:
        return list(patterns)
    return [bind(pattern, role, worker.isolation == "role_pov") for pattern in patterns]


def visible(plan: Plan, worker: WorkerPlan, board: Board, role: str | None, has_history: bool) -> list[Read]:
    """All that `worker` may read of `board`, inputs in declared order, tags of each by name."""
    reads: list[Read] = []
    seen: set[tuple[str, str]] = set()
    for pattern in bound((i.pattern for i in worker.inputs), worker, role):
        for read in _selected(pattern, board, role, has_history):
            key = (read.found, read.tag)
            if key not in seen and not any(_denied(plan, worker, role, tag) for tag in key):
                reads.append(read)
            seen.add(key)
    return reads


def missing(plan: Plan, worker: WorkerPlan, board: Board, role: str | None) -> list[Pattern]:
    """The needed inputs of `worker`, bound to `role`, that nothing live is there for."""
    reads = visible(plan, worker, board, role, bool(board.history))
    needed = bound((i.pattern for i in worker.inputs if i.needed), worker, role)
    return [p for p in needed if not any(read.matched_by(p) and read.items for read in reads)]


def _selected(pattern: Pattern, board: Board, role: str | None, has_history: bool) -> list[Read]:
    reads = [read for tag in board.tags(pattern) for read in _of_tag(tag, board)]
    if role is not None and matches(pattern, CURRENT_ROLE):
        others = [read for read in reads if CURRENT_ROLE not in (read.tag, read.found)]
        if len(others) < len(reads) or pattern.parts[0] != WHOLE:
            others.append(Read(CURRENT_ROLE, CURRENT_ROLE, (_own_role(board, role),)))
        reads = others
    tags = {read.tag for read in reads}
    if has_history and HISTORY not in tags and matches(pattern, HISTORY):
        reads.append(Read(HISTORY, HISTORY, ()))
    if board.variables and VARIABLES not in tags and matches(pattern, VARIABLES):
        reads.append(Read(VARIABLES, VARIABLES, (_variables(board),)))
    return sorted(reads, key=lambda read: (read.tag, read.found))


def _of_tag(tag: str, board: Board) -> list[Read]:
    """The live items of `tag`; when it has none, what superseded its items, under their own tags."""
    alive = board.alive(tag)
    if alive:
        return [Read(tag, tag, tuple(alive))]
    heirs: dict[str, list[Item]] = {}
    for heir in board.heirs(tag):
        heirs.setdefault(heir.tag, []).append(heir)
    return [Read(tag, real, tuple(found)) for real, found in heirs.items()]


def _own_role(board: Board, role: str) -> Item:
    """The role of the run as the text of 世界.当前角色.id, whoever is the role on the board."""
    item = board.newest(CURRENT_ROLE)
    if item is not None and item.content == role:
        return item
    return Item("role", CURRENT_ROLE, role, "runtime", 0)


def _variables(board: Board) -> Item:
    """The board's variables as the text of 变量.当前, where nobody wrote an item of that tag."""
    import json

    return Item("variables", VARIABLES, json.dumps(board.variables, ensure_ascii=False), "runtime", 0)


def filtered(
    plan: Plan, worker: WorkerPlan, board: Board, role: str | None, pattern: Pattern
) -> list[tuple[str, str]]:
    """Live tags of the bound input `pattern` that `worker` does not receive, each with the reason."""
    reads = _selected(pattern, board, role, False)
    pairs = {
        read.tag: _why_denied(plan, worker, role, (read.found, read.tag)) for read in reads if read.items
    }
    return [(tag, why) for tag, why in pairs.items() if why]


def _why_denied(plan: Plan, worker: WorkerPlan, role: str | None, tags: Iterable[str]) -> str | None:
    return next((why for tag in tags if (why := _denial(plan, worker, role, tag))), None)


def _denied(plan: Plan, worker: WorkerPlan, role: str | None, tag: str) -> bool:
    return _denial(plan, worker, role, tag) is not None


def _denial(plan: Plan, worker: WorkerPlan, role: str | None, tag: str) -> str | None:
    """Why `worker` never receives `tag`; None when it may."""
    names = names_of(tag, plan.moved)
    if any(matches(pattern, name) for pattern in worker.denied for name in names):
        return "禁止注入"
    if worker.isolation == "none":
        return None
    labels = labels_of(tag, plan.labels, plan.moved)
    if "hidden" in labels:
        return f"hidden under {worker.isolation}"
    if worker.isolation != "role_pov" or role is None:
        return None
    if "user_only" in labels:
        return "user_only under role_pov"
    if any(_of_other_role(name, role) for name in names):
        return "another role's under role_pov"
    owner = "role_private" not in labels or all(owned(name, role, plan.labels) for name in names)
    return None if owner else "role_private under role_pov"


def _of_other_role(tag: str, role: str) -> bool:
    """Whether `tag` is 角色.X or below it, X another role: public or not, it is not for this one."""
    segments = family(tag).split(".")
    return segments[0] == ROLE_PRIVATE_ROOT and len(segments) > 1 and segments[1] != role

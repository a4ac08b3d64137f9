"""What one invocation may read: select by the declared inputs, then isolate (SPEC 8, 9.3).

Nothing is merged here, so what isolation removes can influence nothing that comes later.
"""

from __future__ import annotations

from skillc.runtime.board import Item
from skillc.runtime.history import HISTORY
from skillc.runtime.isolation import denial
from skillc.runtime.prepared import Wanted, access_of, bound
from skillc.runtime.tagnames import CURRENT_ROLE, VARIABLES
from skillc.runtime.variables import table_text
from skillc.tags import WHOLE, Pattern, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from skillc.artifact.plan import Plan, WorkerPlan
    from skillc.runtime.board import Board

__all__ = ["Read", "bound", "filtered", "missing", "visible"]


class Read:
    """Live items of the real `tag`, oldest first, that the tag `found` led to; the two differ
    where an item superseded one of another tag (a 确认稿 its 草稿)."""

    __slots__ = ("found", "items", "tag")

    def __init__(self, found: str, tag: str, items: Sequence[Item]) -> None:
        self.found = found
        self.tag = tag
        self.items = items

    def matched_by(self, pattern: Pattern) -> bool:
        return matches(pattern, self.tag) or (self.found != self.tag and matches(pattern, self.found))


def visible(plan: Plan, worker: WorkerPlan, board: Board, role: str | None, has_history: bool) -> list[Read]:
    """All that `worker` may read of `board`, inputs in declared order, tags of each by name."""
    access = access_of(plan, worker, role)
    reads: list[Read] = []
    for wanted in access.wanted:
        found = _selected(wanted, board)
        reads += found if wanted.plain else _with_given(found, wanted, worker, board, role, has_history)
    if not access.apart:
        first: dict[tuple[str, str], Read] = {}
        for read in reads:
            first.setdefault((read.found, read.tag), read)
        reads = list(first.values())
    if access.open:
        return reads
    return [read for read in reads if not (access.denied(read.found) or access.denied(read.tag))]


def missing(plan: Plan, worker: WorkerPlan, board: Board, role: str | None) -> list[Pattern]:
    """The needed inputs of `worker`, bound to `role`, that nothing live is there for."""
    reads = visible(plan, worker, board, role, bool(board.history))
    needed = bound((i.pattern for i in worker.inputs if i.needed), worker, role)
    return [p for p in needed if not any(read.matched_by(p) and read.items for read in reads)]


def _selected(wanted: Wanted, board: Board) -> list[Read]:
    """The items under the pattern by real tag; of a tag that has no live ones, what superseded them. The board keeps
    it: of a family that has nothing but live items, until that is written."""
    found: list[Read] | None = board.found.get(wanted.text)
    if found is not None:
        return found
    settled, reads = wanted.settles, []
    for tag in board.tags(wanted.pattern):
        alive = board.alive(tag)
        if alive:
            reads.append(Read(tag, tag, alive))
        else:
            settled = False
            reads += _heirs(tag, board)
    if len(reads) > 1:
        reads.sort(key=_by_name)
    if not settled:
        board.loose.append(wanted.text)
    board.found[wanted.text] = reads
    return reads


def _by_name(read: Read) -> tuple[str, str]:
    return read.tag, read.found


def _with_given(
    reads: list[Read], wanted: Wanted, worker: WorkerPlan, board: Board, role: str | None, has_history: bool
) -> list[Read]:
    """`reads` with what the runtime gives beside the items: the role of the run, the dialogue, the variables."""
    reads = list(reads)
    if wanted.role and role is not None:
        others = [read for read in reads if CURRENT_ROLE not in (read.tag, read.found)]
        if len(others) < len(reads) or wanted.pattern.parts[0] != WHOLE:
            others.append(Read(CURRENT_ROLE, CURRENT_ROLE, (_own_role(board, role),)))
        reads = others
    tags = {read.tag for read in reads}
    if has_history and wanted.history and HISTORY not in tags:
        reads.append(Read(HISTORY, HISTORY, ()))
    if board.variables and wanted.variables and VARIABLES not in tags:
        table = table_text(board.variables, worker.isolation, role)
        reads += [Read(VARIABLES, VARIABLES, (_variables(table),))] if table else []
    return sorted(reads, key=_by_name)


def _heirs(tag: str, board: Board) -> list[Read]:
    """What superseded the items of `tag`, under their own tags."""
    heirs: dict[str, list[Item]] = {}
    for heir in board.heirs(tag):
        heirs.setdefault(heir.tag, []).append(heir)
    return [Read(tag, real, found) for real, found in heirs.items()]


def _own_role(board: Board, role: str) -> Item:
    """The role of the run as the text of 世界.当前角色.id, whoever is the role on the board."""
    item = board.newest(CURRENT_ROLE)
    if item is not None and item.content == role:
        return item
    return Item("role", CURRENT_ROLE, role, "runtime", 0)


def _variables(table: str) -> Item:
    """What a worker may see of the variables, as the text of 变量.当前 where nobody wrote an item of that tag."""
    return Item("variables", VARIABLES, table, "runtime", 0)


def filtered(
    plan: Plan, worker: WorkerPlan, board: Board, role: str | None, pattern: Pattern
) -> list[tuple[str, str]]:
    """Live tags of the bound input `pattern` that `worker` does not receive, each with the reason."""
    wanted = Wanted(pattern, role)
    reads = _with_given(_selected(wanted, board), wanted, worker, board, role, False)
    pairs = {
        read.tag: _why_denied(plan, worker, role, (read.found, read.tag)) for read in reads if read.items
    }
    return [(tag, why) for tag, why in pairs.items() if why]


def _why_denied(plan: Plan, worker: WorkerPlan, role: str | None, tags: Iterable[str]) -> str | None:
    return next((why for tag in tags if (why := denial(plan, worker, role, tag))), None)

"""Whether a package may go from design to play, and what is missing when it may not (SPEC 6.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from skillc.artifact.plan import Condition, Plan
from skillc.runtime import Board, Item
from skillc.tags import Pattern


def is_ready(plan: Plan, board: Board) -> bool:
    """Every prerequisite is live, and the condition holds."""
    condition = plan.ready.condition
    return not missing_prerequisites(plan, board) and (condition is None or holds(condition, plan, board))


def missing_prerequisites(plan: Plan, board: Board) -> list[Pattern]:
    """The prerequisites under which nothing live stands."""
    return [pattern for pattern in plan.ready.prerequisites if not _found(board, pattern)]


def _found(board: Board, pattern: Pattern) -> list[Item]:
    """Live items of `pattern`; where a tag has none, what superseded its items."""
    found: dict[int, Item] = {}
    for tag in board.tags(pattern):
        for item in board.alive(tag) or board.heirs(tag):
            found[item.seq] = item
    return list(found.values())


def holds(condition: Condition, plan: Plan, board: Board) -> bool:
    """Whether `condition` is true of `board`."""
    kind, *rest = condition
    match kind:
        case "has":
            return bool(_found(board, cast(Pattern, rest[0])))
        case "accepted":
            return any(item.status == "accepted" for item in _found(board, cast(Pattern, rest[0])))
        case "count":
            return len(_found(board, cast(Pattern, rest[0]))) >= cast(int, rest[1])
        case "startupCompleted":
            targets = plan.startup.targets if plan.startup else ()
            return all(_found(board, Pattern(tuple(tag.split(".")))) for tag in targets)
        case "and":
            return all(holds(part, plan, board) for part in _parts(rest))
        case "or":
            return any(holds(part, plan, board) for part in _parts(rest))
        case "not":
            return not holds(_parts(rest)[0], plan, board)
    raise ValueError(f"a plan has no condition `{kind}`")


def _parts(rest: Iterable[object]) -> list[Condition]:
    return [cast(Condition, part) for part in rest]


def unready_reason(plan: Plan, board: Board) -> str:
    """Why the package cannot become ready, in one sentence that names the missing tags."""
    missing = [f"nothing is there under `{p.text}`" for p in missing_prerequisites(plan, board)]
    condition = plan.ready.condition
    if condition is not None and not holds(condition, plan, board):
        missing.append(f"`{condition_text(condition)}` does not hold")
    return f"the package cannot become ready: {', '.join(missing)}, and no design worker is left to run"


def condition_text(condition: Condition) -> str:
    """A condition as authors write it."""
    kind, *rest = condition
    match kind:
        case "has" | "accepted":
            return f"{kind}({cast(Pattern, rest[0]).text})"
        case "count":
            return f"count({cast(Pattern, rest[0]).text}) >= {rest[1]}"
        case "and" | "or":
            return "(" + f" {kind} ".join(condition_text(part) for part in _parts(rest)) + ")"
        case "not":
            return f"not {condition_text(_parts(rest)[0])}"
    return str(kind)

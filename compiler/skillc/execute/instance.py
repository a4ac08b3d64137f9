"""What may run now and what the package lacks to be ready, each in a sentence that says who could help (SPEC 12.6)."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.artifact.plan import Plan
from skillc.execute.decision import names
from skillc.execute.firing import begin_play
from skillc.execute.playturn import in_slots
from skillc.execute.readiness import condition_text, holds, missing_prerequisites
from skillc.execute.records import Turn
from skillc.execute.reply import nearest
from skillc.execute.roles import needs_role, role_ids, roles_problem
from skillc.execute.rounds import next_round
from skillc.execute.schedule import View, fits, missing_inputs
from skillc.execute.work import Work
from skillc.runtime.role import is_role
from skillc.runtime.selection import filtered
from skillc.tags import STAGES, Pattern, literal, overlaps

READY_LIST = "设计.run_skill清单"
"""Where the workers that may run from now on are written when the package is declared ready."""


def turn_fault(view: View, worker_id: str, role: str | None) -> str | None:
    """Why `worker_id` cannot run for `role` now; None when it can. Whatever is not certain is refused."""
    plan = view.plan
    if worker_id not in plan.workers:
        return _unknown(plan, worker_id)
    turn = Turn(worker=worker_id, role=role)
    if not fits(view, turn):
        stage, now = plan.workers[worker_id].stage, view.progress.status.stage
        return f"worker `{worker_id}` runs in {stage}, and the session is in {now}"
    return _role_fault(view, worker_id, role) or _lacking(view, turn)


def _unknown(plan: Plan, worker_id: str) -> str:
    shown = worker_id[:60].encode("utf-8", "replace").decode()
    if plan.orchestrator is not None and worker_id in plan.orchestrator.templates:
        return f"`{shown}` is a template: create_temp_worker makes a worker of it, and that one runs"
    if not plan.workers:
        return f"there is no worker `{shown}`; the package has none"
    return f"there is no worker `{shown}`; the nearest is `{nearest(worker_id, plan.workers)}`"


def _role_fault(view: View, worker_id: str, role: str | None) -> str | None:
    worker = view.plan.workers[worker_id]
    if not needs_role(worker):
        return None if role is None else f"worker `{worker_id}` runs for no role"
    ids = role_ids(view.plan, view.board)
    if role is None:
        return f"worker `{worker_id}` runs for one role: say which; there are {names(ids)}"
    shown = role[:40].encode("utf-8", "replace").decode()
    if not is_role(role):
        return f"`{shown}` is no name of a role: it is one plain segment of a tag"
    problem = roles_problem(view.plan, view.board)
    if problem is not None:
        return problem
    listed = bool(view.plan.roles.ids) or view.plan.roles.source is not None
    return f"there is no role `{shown}`; there are {names(ids)}" if listed and role not in ids else None


def _lacking(view: View, turn: Turn) -> str | None:
    """The needed inputs that nothing is there for, each with who writes it, or why it is never given."""
    lacking = [_who_helps(view, turn, pattern) for pattern in missing_inputs(view, turn)]
    return f"worker `{turn.worker}` lacks {', '.join(lacking)}" if lacking else None


def _who_helps(view: View, turn: Turn, pattern: Pattern) -> str:
    kept = filtered(view.plan, view.plan.workers[turn.worker], view.board, turn.role, pattern)
    if kept:
        return f"`{kept[0][0]}`, which is there and never given to it"
    return f"`{pattern.text}` ({writers_text(view.plan, pattern)})"


def writers_text(plan: Plan, pattern: Pattern) -> str:
    """Who gives what `pattern` names: workers, what accepting their drafts makes, the user."""
    found = dict.fromkeys(_writers(plan, pattern))
    if not found and any(overlaps(ask, pattern) for ask in askable(plan)):
        return "the user gives it"
    return f"written by {names(found)}" if found else "nobody writes it"


def _writers(plan: Plan, pattern: Pattern) -> Iterator[str]:
    for worker_id in plan.order:
        promotes = plan.acceptance[worker_id].mode != "no_confirmation"
        for output in plan.workers[worker_id].outputs:
            confirmed = _confirmed(output) if promotes else None
            if overlaps(output, pattern) or (confirmed is not None and overlaps(confirmed, pattern)):
                yield worker_id


def _confirmed(output: Pattern) -> Pattern | None:
    """What accepting a draft of `output` makes."""
    name, mark, slot = output.parts[-1].partition("#")
    return Pattern((*output.parts[:-1], STAGES[2] + mark + slot)) if name == STAGES[1] else None


def askable(plan: Plan) -> tuple[Pattern, ...]:
    """What the user may be asked for: what the manifest says, the startup targets, the list of roles, his own tags."""
    startup = plan.startup.targets if plan.startup else ()
    roles = (plan.roles.source,) if plan.roles.source else ()
    return (*plan.asks, *map(literal, (*startup, *roles)), *plan.sources.get("user", ()))


def unready(view: View) -> list[str]:
    """What keeps the package from being ready, each part in words (SPEC 6.4); nothing when it is."""
    plan = view.plan
    found = [
        f"nothing is there under `{pattern.text}` ({writers_text(plan, pattern)})"
        for pattern in missing_prerequisites(plan, view.board)
    ]
    condition = plan.ready.condition
    if condition is not None and not holds(condition, plan, view.board):
        found.append(f"`{condition_text(condition)}` does not hold")
    return found


def declare_ready(work: Work) -> str | None:
    """Go from design to play; a sentence that names what is missing when that cannot be, and nothing changed."""
    if work.progress.status.phase != "running" or work.progress.status.stage != "design":
        return f"the package is declared ready while it is designed; the session is in {work.progress.status.stage}"
    missing = unready(work.view)
    if missing:
        return f"the package is not ready: {', '.join(missing)}"
    enter_play(work)
    write_ready_list(work)
    if not in_slots(work.view):
        next_round(work)
    return None


def enter_play(work: Work) -> None:
    """Design is over: the table, the opening and the rounds of play begin."""
    work.move("ready")
    begin_play(work)
    work.set(round=0, ran=(), block_mark=len(work.board.items))


def write_ready_list(work: Work) -> None:
    """Who may run from now on, one a line (SPEC 12.6)."""
    players = [work.plan.workers[id] for id in work.plan.order if work.plan.workers[id].stage == "play"]
    lines = [f"{worker.id}：{worker.name}。{worker.description}".rstrip("。") for worker in players]
    item = work.board.write(READY_LIST, "\n".join(lines) or "无", "runtime")
    work.board.set_status(item.id, "accepted")
    work.tell("declared", tag=READY_LIST, workers=[worker.id for worker in players])

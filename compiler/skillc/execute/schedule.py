"""What a session does next: decided from the plan, the board, the runs so far and the round (SPEC 12.7).

Pure: the same view gives the same step. Nothing here looks at a text, only at what is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from skillc.artifact.plan import Plan, WorkerPlan
from skillc.execute.readiness import is_ready, missing_prerequisites, unready_reason
from skillc.execute.records import Progress, RunRow, Turn
from skillc.execute.reviews import due_reviewers, reviewers_of
from skillc.execute.roles import needs_role, roles_problem, turns_of
from skillc.runtime import Board, Item
from skillc.runtime.selection import Read, bound, missing, visible
from skillc.runtime.tagnames import CURRENT_ROLE, LATEST_INPUT
from skillc.tags import WHOLE, Pattern, literal, matches

TO_ONE = ("用户.worker答复", "用户.修改说明", "用户.修订说明")
"""What the user says to the one worker that asked, or whose text he sent back: that one runs again anyway."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a decision is made from."""

    plan: Plan
    board: Board
    runs: tuple[RunRow, ...]
    progress: Progress


@dataclass(frozen=True, slots=True)
class AskIntake:
    """Ask the user for `targets`, tags that must be there before the package runs."""

    targets: tuple[str, ...]
    prompt: str


@dataclass(frozen=True, slots=True)
class AskInput:
    """Ask for the user's input before a play round; it may be empty."""


@dataclass(frozen=True, slots=True)
class AskApproval:
    """Ask whether `turn` may run."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class RunTurn:
    """Run `turn`; a revision does not count in the round."""

    turn: Turn
    revision: bool = False


@dataclass(frozen=True, slots=True)
class SkipTurn:
    """A slot, or who was queued, cannot play in this turn: `missing` says for want of what."""

    turn: Turn
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LookAtEffects:
    """All slots of the turn played: look which side effects fire (SPEC 12.9)."""


@dataclass(frozen=True, slots=True)
class EnterPlay:
    """The package is ready: design is over."""


@dataclass(frozen=True, slots=True)
class NextRound:
    """Nothing is left in this round, and another one is allowed."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Nothing is left to do."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """The package can never become ready; the message names what is missing."""

    message: str


Step = (
    AskIntake
    | AskInput
    | AskApproval
    | RunTurn
    | SkipTurn
    | LookAtEffects
    | EnterPlay
    | NextRound
    | Finish
    | Stuck
)


def next_step(view: View) -> Step:
    """The next step of a running session."""
    resumed = view.progress.resume
    if resumed is not None and resumed.worker in view.plan.workers:
        return RunTurn(resumed, revision=resumed in view.progress.revisions)
    if view.progress.status.stage == "design":
        return _design_step(view)
    return _play_step(view)


def _design_step(view: View) -> Step:
    startup = view.plan.startup
    wanted = tuple(tag for tag in startup.targets if not is_there(view, tag)) if startup else ()
    if startup and wanted:
        return AskIntake(wanted, startup.prompt)
    conditions = view.plan.ready.prerequisites or view.plan.ready.condition
    to_design = any(worker.stage == "design" for worker in view.plan.workers.values())
    if is_ready(view.plan, view.board) and (conditions or not to_design):
        return EnterPlay()
    if view.progress.round == 0:
        return NextRound()
    turn = _next_turn(view)
    if turn is not None:
        return turn
    problem = ask_for_roles(view)
    if problem is not None:
        return problem
    if not conditions:
        return EnterPlay()
    if may_go_on(view):
        return NextRound()
    return _ask_or_stop(view)


def _ask_or_stop(view: View) -> Step:
    """What is missing and the user may be asked for is asked for; otherwise this is the end."""
    askable = (*view.plan.asks, *view.plan.sources.get("user", ()))
    lacking = [p for p in missing_prerequisites(view.plan, view.board) if p.is_tag]
    wanted = tuple(p.text for p in lacking if any(matches(ask, p.text) for ask in askable))
    if wanted:
        return AskIntake(wanted, "")
    return Stuck(unready_reason(view.plan, view.board))


def _play_step(view: View) -> Step:
    if view.progress.round == 0:
        return NextRound()
    if view.progress.input_round < view.progress.round and reads_input(view.plan):
        return AskInput()
    turn = _next_turn(view)
    if turn is not None:
        return turn
    return ask_for_roles(view) or (NextRound() if may_go_on(view) else Finish())


def ask_for_roles(view: View) -> AskIntake | None:
    """A list of roles that cannot be used is put to the user: nobody else could ever mend it."""
    stage = view.progress.status.stage
    wanted = any(worker.stage == stage and needs_role(worker) for worker in view.plan.workers.values())
    problem = roles_problem(view.plan, view.board) if wanted else None
    return AskIntake((str(view.plan.roles.source),), problem) if problem else None


def may_go_on(view: View) -> bool:
    """Another round is allowed, and something may be different in it."""
    if view.progress.round >= view.progress.rounds:
        return False
    return bool(view.progress.ran) or (view.progress.status.stage == "play" and reads_input(view.plan))


def reads_input(plan: Plan) -> bool:
    """Whether a play worker declares the user's latest input; reading the whole board asks for nothing."""
    return any(
        matches(entry.pattern, LATEST_INPUT) and entry.pattern.parts[0] != WHOLE
        for worker in plan.workers.values()
        if worker.stage == "play"
        for entry in worker.inputs
    )


def _next_turn(view: View) -> RunTurn | AskApproval | None:
    for turn in view.progress.revisions:
        if fits(view, turn) and has_inputs(view, turn):
            return approved(view, RunTurn(turn, revision=True))
    open_turns = [turn for turn in _open_turns(view) if has_inputs(view, turn) and _has_news(view, turn)]
    reviewers = due_reviewers(view.plan, view.runs, view.progress)
    chosen = [turn for turn in open_turns if turn.worker in reviewers] or open_turns
    return approved(view, RunTurn(chosen[0])) if chosen else None


def approved(view: View, step: RunTurn) -> RunTurn | AskApproval:
    needs = view.plan.acceptance[step.turn.worker].requires_approval
    return AskApproval(step.turn) if needs and view.progress.approved != step.turn else step


def _open_turns(view: View) -> Iterator[Turn]:
    """Turns of this stage that did not run in this round, in manifest order."""
    for worker_id in view.plan.order:
        for turn in turns_of(view.plan, view.board, worker_id):
            if fits(view, turn) and turn not in view.progress.ran:
                yield turn


def fits(view: View, turn: Turn) -> bool:
    worker = view.plan.workers.get(turn.worker)
    return worker is not None and worker.stage == view.progress.status.stage


def has_inputs(view: View, turn: Turn) -> bool:
    """Whether every needed input of `turn` has a live item."""
    return not missing_inputs(view, turn)


def missing_inputs(view: View, turn: Turn) -> list[Pattern]:
    """The needed inputs of `turn` that nothing live is there for."""
    return missing(view.plan, view.plan.workers[turn.worker], view.board, turn.role)


def _reads(view: View, worker: WorkerPlan, role: str | None) -> list[Read]:
    return visible(view.plan, worker, view.board, role, bool(view.board.history))


def is_there(view: View, tag: str) -> bool:
    """Whether a live item stands under `tag`, or what superseded one."""
    return bool(view.board.heirs(tag) or view.board.live(literal(tag)))


def _has_news(view: View, turn: Turn) -> bool:
    """Whether `turn` never ran, or may read something that came after its last run, is not its own, and was not
    said to one worker. What its reviewers say is no news: when it is to change anything, the turn is sent back."""
    mine = [run for run in view.runs if run.turn == turn and not run.asked]
    if not mine:
        return True
    worker = view.plan.workers[turn.worker]
    inputs = bound((entry.pattern for entry in worker.inputs), worker, turn.role)
    own = {item for run in mine for item in run.items}
    later = (
        item
        for read in _reads(view, worker, turn.role)
        for item in read.items
        if item.seq > mine[-1].seen and item.tag not in (CURRENT_ROLE, *TO_ONE)
    )
    reviewers = reviewers_of(view.plan, turn.worker)
    return any(
        item.id not in own
        and item.source not in reviewers
        and own.isdisjoint(item.dependencies)
        and not _seen_as_draft(view.board, item, inputs, mine[-1].seen)
        for item in later
    )


def _seen_as_draft(board: Board, item: Item, inputs: Iterable[Pattern], seen: int) -> bool:
    """A confirmed item is no news to who could read its draft: the text is the same."""
    drafts = [draft for draft in map(board.get, item.dependencies) if draft is not None]
    return any(
        draft.superseded_by == item.id
        and draft.seq <= seen
        and any(matches(pattern, draft.tag) for pattern in inputs)
        for draft in drafts
    )

"""One turn of a worker: context, then the model, the host's program or the user, then its items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from skillc.artifact.plan import WorkerPlan
from skillc.execute import acceptance
from skillc.execute.acceptance import Verdict
from skillc.execute.calling import Calls
from skillc.execute.cards import cards_on, once
from skillc.execute.documents import document_fault, source_of
from skillc.execute.envelope import ReplyError
from skillc.execute.happening import Happening, Listener, silent
from skillc.execute.invoke import Answered, Failure, ask_model
from skillc.execute.models.protocol import ModelClient, NoModel
from skillc.execute.playback import Playback
from skillc.execute.playturn import slot_of
from skillc.execute.profiles import profile_of
from skillc.execute.records import RunRow, Turn
from skillc.execute.reply import Reply, bound_outputs, read_reply
from skillc.execute.schedule import RunTurn
from skillc.execute.settle import settle
from skillc.execute.variables import take_changes
from skillc.execute.work import Work
from skillc.runtime import AssemblyRefused, Context, Item, RunnablePlan
from skillc.runtime.tagnames import CURRENT_ROLE
from skillc.tags import Pattern

Program = Callable[[Context, str | None], Mapping[str, object]]
"""A host's program for a worker with `actor: program`: context and role in, texts by tag out."""


@dataclass(frozen=True)
class Host:
    """What the surroundings give a session: the plan, a model, programs, somebody who listens, a script
    that is played."""

    plan: RunnablePlan
    client: ModelClient = field(default_factory=NoModel)
    programs: Mapping[str, Program] = field(default_factory=dict)
    listener: Listener = silent
    accept_change: bool = False
    playback: Playback | None = None

    def tell(self, kind: str, /, **data: object) -> None:
        """Something to show at once."""
        self.listener(Happening(kind, data))


def take_turn(work: Work, host: Host, step: RunTurn) -> Failure | None:
    """Run `step` on `work`. After a Failure the work is worthless and must be dropped."""
    worker = host.plan.workers[step.turn.worker]
    _announce_role(work, step.turn)
    try:
        slot = slot_of(work.view, worker.id)
        context = host.plan.assemble(worker.id, work.board, role=step.turn.role, slot=slot)
    except AssemblyRefused as problem:
        return Failure(str(problem))
    _tell_run(host, worker, step, context, slot)
    if worker.actor == "user":
        _ask_user(work, worker, step.turn, context)
        return None
    answered = _answer(work, host, worker, step.turn, context)
    if isinstance(answered, Failure):
        return answered
    finish_turn(work, worker, step, context, answered)
    return None


def _announce_role(work: Work, turn: Turn) -> None:
    """The role of the run stands on the board; the one before it no longer does (SPEC 8.3)."""
    if turn.role is None:
        return
    old = work.board.newest(CURRENT_ROLE)
    if old is not None and old.content == turn.role:
        return
    new = work.board.write(CURRENT_ROLE, turn.role, "runtime")
    for item in work.board.alive(CURRENT_ROLE):
        if item.id != new.id:
            work.board.set_status(item.id, "superseded", new.id)


def _tell_run(host: Host, worker: WorkerPlan, step: RunTurn, context: Context, slot: str | None) -> None:
    host.tell(
        "run",
        worker=worker.id,
        name=worker.name,
        actor=worker.actor,
        role=step.turn.role,
        reads=list(context.reads),
        revision=step.revision,
        slot=slot,
    )


def _answer(work: Work, host: Host, worker: WorkerPlan, turn: Turn, context: Context) -> Answered | Failure:
    if worker.actor == "program":
        return _run_program(work, host, worker, turn, context)

    def retried(error: ReplyError) -> None:
        host.tell("retry", worker=worker.id, role=turn.role, kind=error.kind, message=error.message)

    return ask_model(
        Calls(host.client, worker.id, turn.role, work.add_call, host.tell, work.calls),
        worker,
        context,
        turn.role,
        profile_of(worker, turn.role),
        host.plan.package.language,
        retried,
        lambda reply: document_fault(work, worker, reply.outputs),
    )


def _run_program(
    work: Work, host: Host, worker: WorkerPlan, turn: Turn, context: Context
) -> Answered | Failure:
    program = host.programs.get(worker.id)
    if program is None:
        return Failure(f"worker `{worker.id}` is a program of the host, and the host registered none for it")
    try:
        outputs = program(context, turn.role)
    except Exception as problem:  # noqa: BLE001 - the border to the host's own code
        return Failure(f"the program of worker `{worker.id}` failed: {type(problem).__name__}: {problem}")
    try:
        reply = read_reply({"outputs": outputs}, worker, turn.role)
        if not isinstance(reply, ReplyError):
            "".join(reply.outputs.values()).encode()
    except (TypeError, ValueError, RecursionError):
        return Failure(f"the program of worker `{worker.id}` gave what is neither text nor JSON")
    fault = reply if isinstance(reply, ReplyError) else document_fault(work, worker, reply.outputs)
    return (
        Answered(reply)
        if isinstance(reply, Reply) and fault is None
        else Failure(fault.message if fault else "")
    )


def _ask_user(work: Work, worker: WorkerPlan, turn: Turn, context: Context) -> None:
    """A user's turn never calls a model: the inputs are shown, and the answer is the output."""
    if worker.segments is None:
        prompt = "\n\n".join(f"{item.tag}\n{item.content}" for item in context.items)
    else:
        prompt = context.text
    outputs = tuple(pattern.text for pattern in user_outputs(worker, turn.role))
    work.wait(
        "worker_questions",
        turn=turn,
        prompt=prompt,
        targets=outputs,
        plan_digest=worker.digest,
    )


def user_outputs(worker: WorkerPlan, role: str | None) -> list[Pattern]:
    """What a user's turn may write: never a thought (SPEC 12.8)."""
    return [pattern for pattern in bound_outputs(worker, role) if "思考" not in pattern.parts]


def finish_turn(work: Work, worker: WorkerPlan, step: RunTurn, context: Context, answered: Answered) -> None:
    """Write what the turn gave, keep the run, and accept, suspend or send back as the plan says."""
    answered = once(answered)
    reply = answered.reply
    asked = bool(reply.questions) and not reply.outputs
    seen = len(work.board.items)
    items = [work.board.write(tag, text, worker.id) for tag, text in reply.outputs.items()]
    rule = work.plan.acceptance[worker.id]
    judged = rule.mode == acceptance.PROGRAMMATIC and not asked
    verdict = acceptance.verdict_of(items) if judged else None
    run = _run_row(work, worker, step, context, answered, seen, items, verdict)
    work.add_run(run)
    _tell_reply(work, run, items, verdict)
    take_changes(work, items, source_of(worker))
    if asked:
        work.set(resume=None)
        work.wait(
            "worker_questions",
            turn=step.turn,
            run=run.number,
            questions=reply.questions,
            plan_digest=worker.digest,
        )
        return
    work.mark_run(step.turn, step.revision)
    settle(work, worker, run, items, verdict)


def _run_row(
    work: Work,
    worker: WorkerPlan,
    step: RunTurn,
    context: Context,
    answered: Answered,
    seen: int,
    items: list[Item],
    verdict: Verdict | None,
) -> RunRow:
    reply = answered.reply
    return RunRow(
        number=len(work.runs) + 1,
        worker=worker.id,
        role=step.turn.role,
        stage=work.progress.status.stage,
        round=work.progress.round,
        revision=step.revision,
        seen=seen,
        used=tuple(item.id for item in context.items),
        reads=tuple(context.reads),
        items=tuple(item.id for item in items),
        asked=bool(reply.questions) and not reply.outputs,
        summary=reply.summary,
        questions=reply.questions,
        notes=reply.notes,
        verdict=None if verdict is None else ("pass" if verdict.passed else "fail"),
        verdict_reason=verdict.reason if verdict else "",
        plan_digest=worker.digest,
        profile=profile_of(worker, step.turn.role) if worker.actor == "llm" else None,
        way=answered.way,
        attempts=answered.attempts,
        prompt_tokens=answered.prompt_tokens,
        completion_tokens=answered.completion_tokens,
        cached_tokens=answered.cached_tokens,
    )


def _tell_reply(work: Work, run: RunRow, items: list[Item], verdict: Verdict | None) -> None:
    who = {"worker": run.worker, "role": run.role}
    written = [{"tag": item.tag, "content": item.content} for item in items]
    if written or not run.asked:
        work.tell("written", **who, items=written)
    if run.summary:
        work.tell("summary", **who, text=run.summary)
    for note in run.notes:
        work.tell("note", text=note)
    if run.questions:
        work.tell("question", **who, questions=list(run.questions))
    for card in cards_on(items):
        work.tell("card", **who, **card.data())
    if verdict is not None:
        work.tell("verdict", **who, verdict=verdict.word, reason=verdict.reason)

"""A session: one run of a compiled package, stored after every step, moved on until it waits.

store = open_store("sessions.db")
session = Session.open(store, plan, client)
session.advance()                      # until the user is needed
session.answer("夜班便利店，十条规则")
session.advance()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from skillc.execute.acceptance import CONFIRMED
from skillc.execute.bookfacts import is_loaded
from skillc.execute.border import fresh_session_id
from skillc.execute.delivery import (
    Delivery,
    Said,
    answer_fault,
    answer_row,
    deliver,
    edit_variables,
    open_actions,
)
from skillc.execute.driving import AskModel, next_step
from skillc.execute.firing import look_at_effects, queue_worker
from skillc.execute.happening import Listener, silent
from skillc.execute.hosting import Hosted
from skillc.execute.instance import enter_play
from skillc.execute.invoke import Failure
from skillc.execute.labelling import rules_of
from skillc.execute.lease import Lease
from skillc.execute.models.protocol import ModelClient, NoModel
from skillc.execute.orchestrator.loop import take_call
from skillc.execute.phase import SessionState
from skillc.execute.playback import Playback
from skillc.execute.records import Changes, Driver, Pending, Progress, SessionRecord
from skillc.execute.rounds import can_play_on, close_round, next_round, skip_turn, tell_never_ran
from skillc.execute.schedule import (
    AskApproval,
    AskInput,
    AskIntake,
    EnterPlay,
    Finish,
    LookAtEffects,
    NextRound,
    RunTurn,
    SkipTurn,
    Step,
    Stuck,
)
from skillc.execute.store import Store, StoreConflict
from skillc.execute.turn import Host, Program, take_turn
from skillc.execute.work import Work, board_of, board_rows
from skillc.runtime import Board, Item, RunnablePlan
from skillc.runtime.tagnames import LATEST_INPUT
from skillc.runtime.variables import revision_of, table_data
from skillc.tags import stage


class SessionRefused(Exception):
    """The session cannot be opened like this; one sentence."""


class Session(Hosted):
    """The one door to a session. It decides nothing: the plan does, and who drives: the built-in scheduler, a model as
    orchestrator, or the host's program."""

    def __init__(self, store: Store, host: Host, record: SessionRecord, lease: Lease | None = None) -> None:
        self.lease = lease
        self._store = store
        self._host = host
        self._plan = host.plan
        self._record = record
        self._kept: Board | None = None

    @classmethod
    def open(
        cls,
        store: Store,
        plan: RunnablePlan,
        client: ModelClient | None = None,
        *,
        session_id: str | None = None,
        board: Mapping[str, object] | None = None,
        rounds: int = 1,
        programs: Mapping[str, Program] | None = None,
        on_event: Listener = silent,
        playback: Playback | None = None,
        driver: Driver = "scheduler",
        book: str | None = None,
    ) -> Session:
        """A new session; `board` (SPEC 17.1) seeds it, `driver` says who decides what comes next, `book` is the id
        of the Book that it belongs to. Refuses a board that cannot be read, a model as driver of a plan that tells it
        nothing, and (BookRefused) a Book that takes no session of this package."""
        host = Host(plan, client or NoModel(), programs or {}, on_event, playback=playback)
        try:
            seed = Board.from_data({**(board or {"items": []})}, plan.moved)
        except ValueError as problem:
            raise SessionRefused(f"the board cannot be used: {problem}") from None
        _check_driver(plan, driver)
        progress = Progress(
            driver=driver,
            status=SessionState(phase="running"),
            package=plan.package.path,
            fingerprint=plan.fingerprint,
            workers={worker.id: worker.digest for worker in plan.workers.values()},
            rounds=rounds,
            variables=table_data(seed.variables),
            table_rev=revision_of(seed.variables),
        )
        blocks = tuple({**block} for block in seed.history)
        rows = Changes(**board_rows(seed, "open"), blocks=blocks, rules=(rules_of(plan),))
        record = store.create(session_id or fresh_session_id(), plan.package.path, progress, rows, book)
        host.tell("session", id=record.id, package=record.package, resumed=False)
        return cls(store, host, record)

    @classmethod
    def resume(
        cls,
        store: Store,
        session_id: str,
        plan: RunnablePlan,
        client: ModelClient | None = None,
        *,
        rounds: int | None = None,
        programs: Mapping[str, Program] | None = None,
        on_event: Listener = silent,
        accept_change: bool = False,
        playback: Playback | None = None,
        driver: Driver | None = None,
        lease: Lease | None = None,
    ) -> Session:
        """A stored session, ready to go on. One that an error stopped tries its last step again, one that was played to
        its end goes on when `rounds` are more than that; a script that it played goes on where it was. Under a `lease` nothing is written once somebody else took the session over."""
        record = store.load(session_id)
        if record.package != plan.package.path:
            raise SessionRefused(
                f"session `{session_id}` is of package `{record.package}`, not of `{plan.package.path}`"
            )
        host = Host(plan, client or NoModel(), programs or {}, on_event, accept_change, playback)
        _check_driver(plan, driver or record.progress.driver)
        if playback is not None:
            playback.take_up(record.progress.script)
        session = cls(store, host, record, lease)
        host.tell("session", id=record.id, package=record.package, resumed=True)
        session._take_up(rounds, driver)
        session._with_made()
        return session

    @property
    def id(self) -> str:
        return self._record.id

    @property
    def status(self) -> SessionState:
        """Phase, reason, stage and error."""
        return self._record.progress.status

    @property
    def pending(self) -> Pending | None:
        """What the session waits for."""
        return self._record.progress.pending

    @property
    def actions(self) -> tuple[str, ...]:
        """What the user can do now. What is shown for review can be answered where it asks something."""
        return open_actions(self._record.progress)

    @property
    def record(self) -> SessionRecord:
        """The session as it is stored."""
        return self._record

    @property
    def board(self) -> Board:
        """A copy of the board as it is stored."""
        return board_of(self._record, self._host.plan)

    @property
    def can_play_on(self) -> bool:
        """Whether the session is done, and `resume` with more `rounds` than were played would go on with it."""
        return can_play_on(self._host.plan, self._record)

    @property
    def resume_context(self) -> dict[str, object] | None:
        """Who asked what, while a worker waits for answers (SPEC 12.8)."""
        pending = self.pending
        if pending is None or pending.turn is None or pending.reason != "worker_questions":
            return None
        rule = self._host.plan.acceptance.get(pending.turn.worker)
        return {
            "workerId": pending.turn.worker,
            "roleId": pending.turn.role,
            "questions": list(pending.questions),
            "acceptance": rule.mode if rule else None,
        }

    def changed_worker(self) -> str | None:
        """The worker that asked and was compiled anew since, when its change was not accepted."""
        pending = self.pending
        if pending is None or pending.turn is None or pending.plan_digest is None or self._host.accept_change:
            return None
        worker = self._host.plan.workers.get(pending.turn.worker)
        return None if worker and worker.digest == pending.plan_digest else pending.turn.worker

    def deliverables(self) -> list[Item]:
        """What people read, in the order of the plan's patterns: the newest live item of every tag; of a 确认稿 all,
        since each was confirmed and none in place of another (the chapters of a novel). Not what was loaded from a Book:
        other sessions delivered that."""
        board = self._kept or self.board
        found: dict[str, list[Item]] = {}
        for pattern in self._host.plan.deliverables:
            for tag in dict.fromkeys(item.tag for item in board.live(pattern)):
                items = [item for item in board.alive(tag) if not is_loaded(item)]
                found[tag] = items if stage(tag) == CONFIRMED else items[-1:]
        return [item for items in found.values() for item in items]

    def advance(self) -> SessionState:
        """Take steps until the session waits, is done or stopped by an error, or until its host is to decide.
        Idempotent (SPEC 14)."""
        before = -1
        while self.status.phase == "running" and self._record.revision != before:
            before = self._record.revision
            self.step()
        return self.status

    def step(self) -> SessionState:
        """Take the next step: one transaction. Nothing happens unless the session is running, nor where its host is to
        say what comes next."""
        if self.status.phase != "running":
            return self.status
        work = self._work(f"step/{self._record.revision}")
        step = next_step(work.view)
        if step is None:
            self._kept = work.board
            return self.status
        try:
            failure = self._perform(work, step)
        except KeyboardInterrupt:
            self._keep_calls(work)
            raise
        if failure is not None:
            dropped, work = work, self._work(f"step/{self._record.revision}")
            work.keep_calls(dropped)
            work.move("fail", message=failure.message)
        self._commit(work, failed=failure is not None)
        return self.status

    def answer(self, said: Said, answer_id: str | None = None) -> Delivery:
        """Answer what the session asks: a text, or texts by tag."""
        return self._deliver("answer", said, answer_id)

    def input(self, text: str, answer_id: str | None = None) -> Delivery:
        """The user's input for this round (may be blank), or the turn of a user worker."""
        pending = self.pending
        wanted = pending is not None and (pending.reason == "input" or self._is_user_turn(pending))
        if self._duplicate(answer_id) is None and not wanted:
            return Delivery("refused", "the session does not wait for input")
        return self._deliver("answer", text, answer_id)

    def accept(self, answer_id: str | None = None) -> Delivery:
        """Accept what is shown, or let the step that needs approval run."""
        return self._deliver("accept", "", answer_id)

    def reject(self, notes: str = "", answer_id: str | None = None) -> Delivery:
        """Refuse what is shown; the notes go to its worker, which runs again."""
        return self._deliver("reject", notes, answer_id)

    def edit(self, values: Mapping[str, object] | Sequence[object], answer_id: str | None = None) -> Delivery:
        """The user sets variables (SPEC 12.9), at any time before the end: values by key, or rows {key, value, rev?,
        visibility?}. His value stays until the next turn, whatever workers write in this one. All of it or nothing;
        what the session waits for does not change."""
        return self._once("edit", "variables", answer_id, lambda work: edit_variables(work, values))

    def queue(self, worker: str, role: str | None = None, answer_id: str | None = None) -> Delivery:
        """Call a play worker that is no slot into the turn that is being played, or the next one: it runs once, behind
        the slots and side effects, for `role` or for every role. Called twice before it ran, it runs once. What the
        session waits for does not change; refused where the package does not play by slots."""
        return self._once("queue", worker, answer_id, lambda work: queue_worker(work, worker, role))

    def _is_user_turn(self, pending: Pending) -> bool:
        worker = self._host.plan.workers.get(pending.turn.worker) if pending.turn else None
        return worker is not None and worker.actor == "user" and pending.reason == "worker_questions"

    def _duplicate(self, answer_id: str | None) -> Delivery | None:
        if answer_id is None or all(row.id != answer_id for row in self._record.answers):
            return None
        return Delivery("duplicate", f"answer `{answer_id}` was delivered before; nothing was written")

    def _deliver(self, action: str, said: Said, answer_id: str | None) -> Delivery:
        return self._once(action, said, answer_id, lambda work: deliver(work, self._host, action, said))

    def _once(
        self, action: str, said: Said, answer_id: str | None, apply: Callable[[Work], str | None]
    ) -> Delivery:
        """Apply a user's action once: its id is stored with what it wrote, in one transaction (C63)."""
        fault = answer_fault(answer_id, said)
        if fault is not None:
            return Delivery("refused", fault)
        name = answer_id or f"a{len(self._record.answers) + 1}-{self._record.revision}"
        duplicate = self._duplicate(answer_id)
        if duplicate is not None:
            return duplicate
        work = self._work(f"answer/{name}")
        work.add_answer(answer_row(name, action, self.pending, said))
        refusal = apply(work)
        if refusal is not None:
            return Delivery("refused", refusal)
        try:
            self._commit(work)
        except StoreConflict as problem:
            self._catch_up(problem)
            return self._duplicate(answer_id) or Delivery("refused", str(problem))
        return Delivery("written")

    def _work(self, op: str) -> Work:
        """A step in the making. It takes the board along, which comes back when the step is stored: a step that
        is dropped takes its board with it, and the next one is made from the record."""
        board, self._kept = self._kept, None
        return Work(self._host.plan, self._record, op, board)

    def _commit(self, work: Work, failed: bool = False) -> None:
        if self._host.playback is not None:
            work.set(script=self._host.playback.mark(failed))
        self._record = self._store.commit(self._record, work.progress, work.changes(), self.lease)
        self._kept = work.board
        if work.has_made:
            self._with_made()
        for happening in work.happenings:
            self._host.listener(happening)

    def _keep_calls(self, dropped: Work) -> None:
        """What was called in a step that was interrupted is kept; the step itself never was."""
        work = self._work(f"interrupted/{self._record.revision}")
        work.keep_calls(dropped)
        if work.changes().calls:
            self._commit(work)

    def _perform(self, work: Work, step: Step | AskModel) -> Failure | None:
        match step:
            case AskModel():
                return take_call(work, self._host)
            case AskIntake():
                work.wait("intake", prompt=step.prompt, targets=step.targets)
            case AskInput():
                work.wait("input", targets=(LATEST_INPUT,))
            case AskApproval():
                work.wait("approve_step", turn=step.turn)
            case RunTurn():
                work.set(chosen=None)
                return take_turn(work, self._host, step)
            case SkipTurn():
                skip_turn(work, step)
            case LookAtEffects():
                look_at_effects(work)
            case EnterPlay():
                enter_play(work)
            case NextRound():
                close_round(work)
                next_round(work)
            case Finish():
                close_round(work)
                tell_never_ran(work)
                work.move("finish")
            case Stuck():
                return Failure(step.message)
        return None

    def _take_up(self, rounds: int | None, driver: Driver | None) -> None:
        """Note what changed in the plan, and try again after an error."""
        work = self._work(f"resume/{self._record.revision}")
        digests = {worker.id: worker.digest for worker in self._host.plan.workers.values()}
        before = work.progress.workers
        changed = sorted(id for id in {*before, *digests} if before.get(id) != digests.get(id))
        if changed:
            names = ", ".join(f"`{id}`" for id in changed)
            work.note("plan-changed", f"compiled anew since this session last ran: {names}")
            work.set(workers=digests, fingerprint=self._host.plan.fingerprint)
        work.keep_rules()
        if rounds is not None and rounds != work.progress.rounds:
            work.set(rounds=rounds)
        if rounds is not None and rounds > work.progress.round and self.can_play_on:
            work.move("more")
        if driver is not None:
            work.set(driver=driver)
        if work.progress.status.phase == "error":
            work.move("retry")
        if work.progress != self._record.progress or work.changes().rules:
            self._commit(work)


def _check_driver(plan: RunnablePlan, driver: Driver) -> None:
    if driver == "model" and plan.orchestrator is None:
        raise SessionRefused("the plan says nothing to a model that decides who runs; build it again")

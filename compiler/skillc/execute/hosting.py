"""What a host's program, or a model for it, may decide in a session: each decision by one door (SPEC 12.6)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from skillc.execute.deciding import NOTHING, Beside, decide
from skillc.execute.decision import Decision, read_decision
from skillc.execute.delivery import Delivery
from skillc.execute.instance import declare_ready
from skillc.execute.orchestrator.looking import review
from skillc.execute.phase import SessionState
from skillc.execute.records import Driver, SessionRecord
from skillc.execute.store import LeaseLost, Store, StoreConflict
from skillc.execute.temporary import with_made
from skillc.execute.turn import Host
from skillc.execute.work import Work
from skillc.runtime import RunnablePlan


class Hosted(ABC):
    """A session as its host decides in it. A decision that is refused changes nothing, in the store either."""

    _store: Store
    _host: Host
    _plan: RunnablePlan
    _record: SessionRecord

    @abstractmethod
    def _work(self, op: str) -> Work: ...

    @abstractmethod
    def _commit(self, work: Work, failed: bool = False) -> None: ...

    @abstractmethod
    def step(self) -> SessionState: ...

    @property
    def plan(self) -> RunnablePlan:
        """The plan, with the workers that were made of templates in this session."""
        return self._host.plan

    @property
    def driver(self) -> Driver:
        """Who decides what comes next."""
        return self._record.progress.driver

    def run_worker(
        self,
        worker: str,
        role: str | None = None,
        reason: str = "",
        *,
        requires_approval: bool = False,
        decision_id: str | None = None,
    ) -> Delivery:
        """Decide that `worker` runs, and run it: two transactions, so that what was decided is never lost. Where the
        user has to agree it runs when he did. Refuses a worker that is unknown, outside its stage, without a role that
        it needs or with one that it does not, or without an input that it needs. A run that fails leaves the session
        stopped by an error; resumed, it is tried again."""
        data = {"workerId": worker, "roleId": role, "requiresApproval": requires_approval}
        done = self._decided("run_worker", reason, data, NOTHING, decision_id)
        if done.status == "written":
            self.step()
        return done

    def create_temp_worker(
        self, template: str, instructions: str = "", reason: str = "", *, decision_id: str | None = None
    ) -> Delivery:
        """Make a worker of a declared template: its contract, under the name that `decision.worker` of the result has.
        It runs by `run_worker`. Where the template is closed to what the orchestrator knows it takes no instructions."""
        beside = Beside(instructions=instructions)
        return self._decided("create_temp_worker", reason, {"workerId": template}, beside, decision_id)

    def review_blackboard(self, reason: str = "", *, decision_id: str | None = None) -> Delivery:
        """Look at the whole board as an orchestrator may: `found` of the result has items, artifacts and workers."""
        done = self._decided("review_blackboard", reason, {}, NOTHING, decision_id)
        return replace(done, found=review(self._work("review"))) if done.status == "written" else done

    def ask_user(
        self,
        questions: Sequence[str],
        targets: Sequence[str] = (),
        reason: str = "",
        *,
        decision_id: str | None = None,
    ) -> Delivery:
        """Ask the user; the session waits. The answers stand under `targets`, of which the package must let him be
        asked; without them the answer is his latest input, which begins a round of play."""
        texts = (questions,) if isinstance(questions, str) else tuple(questions)
        beside = Beside(questions=texts, targets=tuple(targets))
        return self._decided("ask_user", reason, {}, beside, decision_id)

    def finish(self, reason: str = "", *, decision_id: str | None = None) -> Delivery:
        """The session is over."""
        return self._decided("finish", reason, {}, NOTHING, decision_id)

    def decide(self, decision: Mapping[str, object]) -> Delivery:
        """A decision as data, `{id, action, reason, workerId?, roleId?, requiresApproval, statePatchAllowed: false}`;
        any other key is refused. `run_worker` is decided only: the turn is the next step."""
        read = read_decision(decision)
        return Delivery("refused", read) if isinstance(read, str) else self._decide(read, NOTHING)

    def declare_instance_ready(self) -> Delivery:
        """Go from design to play, and write 设计.run_skill清单; refused with what is missing (SPEC 6.4)."""
        work = self._work(f"ready/{self._record.revision}")
        refusal = declare_ready(work)
        if refusal is not None:
            return Delivery("refused", refusal)
        try:
            self._commit(work)
        except StoreConflict as problem:
            self._catch_up(problem)
            return Delivery("refused", str(problem))
        return Delivery("written")

    def _decided(
        self, action: str, reason: str, data: Mapping[str, object], beside: Beside, decision_id: str | None
    ) -> Delivery:
        name = decision_id or self._free_id()
        read = read_decision({"id": name, "action": action, "reason": reason, **data})
        if isinstance(read, str):
            return Delivery("refused", read)
        return self._decide(read, beside, named=decision_id is not None)

    def _free_id(self) -> str:
        """An id for a decision that the host gave none: none of those that stand there."""
        taken = {row.id for row in self._record.decisions}
        return next(name for number in count(len(taken) + 1) if (name := f"d{number}") not in taken)

    def _decide(self, decision: Decision, beside: Beside, named: bool = True) -> Delivery:
        """The one door: a decision is kept with what it changes, in one transaction, and once. What somebody else
        decided meanwhile is the same only where the host named it."""
        if self._repeated(decision):
            return _duplicate(decision)
        work = self._work(f"decision/{decision.id}")
        row = decide(work, decision, beside)
        if isinstance(row, str):
            return Delivery("refused", row)
        try:
            self._commit(work)
        except StoreConflict as problem:
            self._catch_up(problem)
            again = named and self._repeated(decision)
            return _duplicate(decision) if again else Delivery("refused", str(problem))
        return Delivery("written", decision=row)

    def _catch_up(self, problem: StoreConflict) -> None:
        """The session as somebody else wrote it meanwhile. Who lost the lease that it ran under has no business in it
        any more: that goes on to the caller."""
        if isinstance(problem, LeaseLost):
            raise problem
        self._record = self._store.load(self._record.id)
        self._with_made()

    def _repeated(self, decision: Decision) -> bool:
        return any(row.id == decision.id for row in self._record.decisions)

    def _with_made(self) -> None:
        """Workers that were made of templates are workers from now on."""
        self._host = replace(self._host, plan=with_made(self._plan, self._record.decisions))


def _duplicate(decision: Decision) -> Delivery:
    return Delivery("duplicate", f"decision `{decision.id}` was made before; nothing was written")

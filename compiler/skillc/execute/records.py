"""What a session remembers: rows that are only ever appended, and one small record of where it stands."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from skillc.execute.phase import SessionState

Driver = Literal["scheduler", "model", "host"]
"""Who decides what comes next: the built-in scheduler, a model as orchestrator, or the host's program."""


class Record(BaseModel):
    """A frozen value, written and read back as JSON; a key that it does not know is a corrupt record."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Turn(Record):
    """One worker, for one role where it is role-bound."""

    worker: str
    role: str | None = None


class ItemRow(Record):
    """One text on the board (SPEC 12.1). `op` names the write: the same one never lands twice."""

    id: str
    op: str
    seq: int
    tag: str
    content: str
    source: str
    digest: str
    scope: str | None = None
    dependencies: tuple[str, ...] = ()
    metadata: dict[str, object] = {}


class StatusRow(Record):
    """A status that an item took when the board had `after` items; the item itself never changes."""

    item: str
    status: str
    superseded_by: str | None
    after: int


class RunRow(Record):
    """One finished invocation: who, what it saw, what it wrote, what it cost.

    `seen` is the highest seq on the board when the context was assembled, `used` are the items in it.
    A run with `questions` and no items is suspended: it has asked, and runs again when answered.
    """

    number: int
    worker: str
    role: str | None
    stage: str
    round: int
    revision: bool
    seen: int
    used: tuple[str, ...]
    reads: tuple[str, ...]
    items: tuple[str, ...]
    asked: bool
    summary: str
    questions: tuple[str, ...]
    notes: tuple[str, ...]
    verdict: Literal["pass", "fail"] | None
    verdict_reason: str
    plan_digest: str
    profile: str | None
    way: str
    attempts: int
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0

    @property
    def turn(self) -> Turn:
        return Turn(worker=self.worker, role=self.role)


class AnswerRow(Record):
    """Something the user did, under the id that makes delivering it twice harmless."""

    id: str
    action: str
    reason: str
    text: str


class BlockRow(Record):
    """One role block of the conversation history (SPEC 11.4)."""

    role: str
    content: str


class NoteRow(Record):
    """Something worth keeping that is no item: an accepted change of the plan, say."""

    kind: str
    text: str


class LabelRow(Record):
    """A rule of a plan as data; patterns by their parts."""

    label: str
    pattern: tuple[str, ...] | None
    segment: str | None
    exceptions: tuple[tuple[str, ...], ...]


class RulesRow(Record):
    """How the package of the session labels tags, from here on: what may be handed out later is decided by it,
    whatever became of the package (SPEC 8.4). `labels` are rules, `moved` new names by old ones."""

    fingerprint: str
    labels: tuple[LabelRow, ...]
    moved: dict[str, str]


class DecisionRow(Record):
    """What the orchestrator or the host decided (SPEC 12.6), and what became of it: `taken`, `waits` (for the user) or
    `refused` with the reason in `message`. `detail` is what was said beside the decision: questions and their
    targets, or the template and what a worker made of it is told; never a text to write."""

    id: str
    action: str
    reason: str
    worker: str | None = None
    role: str | None = None
    requires_approval: bool = False
    driver: Literal["model", "host"]
    outcome: Literal["taken", "waits", "refused"]
    message: str = ""
    detail: dict[str, object] = {}


class TalkRow(Record):
    """One message of the orchestrator's loop: a `call` of the model, or what it was told, its `result`, a `refusal` or
    `news` of the session."""

    role: Literal["user", "assistant"]
    kind: Literal["call", "result", "refusal", "news"]
    content: str


class CallRow(Record):
    """One call of a model, also one that failed: `outcome` is `ok`, or the kind of what went wrong.

    `run` is the invocation that it led to, None where there is none; `attempt` counts all calls of one turn. `parts`
    are what was sent, digest and estimated tokens each; `predicted_tokens` how much of it the server was expected to
    have cached: what begins like the last call of the same profile and worker, in tokens of the server.
    """

    run: int | None = None
    worker: str
    role: str | None
    profile: str | None
    model: str | None
    way: str
    attempt: int
    outcome: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0
    predicted_tokens: int = 0
    parts: tuple[tuple[str, int], ...] = ()


class Pending(Record):
    """What the session waits for.

    `targets` are tags that the answer is written to, `items` what is to be reviewed, `run` the number
    of the invocation, `plan_digest` the worker's compiled plan when it asked (SPEC 12.8).
    """

    id: str
    reason: str
    prompt: str = ""
    turn: Turn | None = None
    run: int | None = None
    questions: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    plan_digest: str | None = None


class ScriptMark(Record):
    """How much of a script a session consumed: replies (`sure` of them in steps that did not fail) and user
    entries, each with the digest of what was consumed."""

    replies: int
    replies_digest: str
    sure: int
    sure_digest: str
    user: int
    user_digest: str


class EffectState(Record):
    """A side effect as it was at the last look: whether its condition held, and how often it fired."""

    held: bool
    fired: int = 0


class LoopMark(Record):
    """How far the orchestrator's loop is: `burst` model turns since the user last did something, `faults` calls in a
    row that were refused, and how many runs, answers and items it was told of."""

    burst: int = 0
    faults: int = 0
    runs: int = 0
    answers: int = 0
    items: int = 0


class Progress(Record):
    """Where a session stands, apart from its rows. Small: it is written whole with every step.

    `variables` is the table in the form of a board file, `table_rev` its present revision. Of a play turn:
    `effects` by the id of the side effect, `effects_round` the last round whose side effects were looked at, `queued`
    who runs on demand. `driver` says who decides what comes next, `chosen` the turn that was decided and did not run.
    """

    status: SessionState = SessionState()
    package: str
    fingerprint: str
    workers: dict[str, str]
    rounds: int = 1
    round: int = 0
    input_round: int = 0
    block_mark: int = 0
    ran: tuple[Turn, ...] = ()
    revisions: tuple[Turn, ...] = ()
    resume: Turn | None = None
    approved: Turn | None = None
    pending: Pending | None = None
    failures: dict[str, int] = {}
    waived: dict[str, int] = {}
    waits: int = 0
    variables: dict[str, object] | list[dict[str, object]] = {}
    table_rev: int = 0
    effects: dict[str, EffectState] = {}
    effects_round: int = 0
    queued: tuple[Turn, ...] = ()
    driver: Driver = "scheduler"
    chosen: Turn | None = None
    loop: LoopMark = LoopMark()
    script: ScriptMark | None = None


class Changes(Record):
    """What one step adds. Written in one transaction, or not at all."""

    items: tuple[ItemRow, ...] = ()
    statuses: tuple[StatusRow, ...] = ()
    runs: tuple[RunRow, ...] = ()
    answers: tuple[AnswerRow, ...] = ()
    blocks: tuple[BlockRow, ...] = ()
    notes: tuple[NoteRow, ...] = ()
    calls: tuple[CallRow, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    talk: tuple[TalkRow, ...] = ()
    rules: tuple[RulesRow, ...] = ()


class SessionRecord(Record):
    """A session as it is stored, rows in the order they were written."""

    id: str
    package: str
    created_at: str
    revision: int
    progress: Progress
    book: str | None = None
    forked_from: str | None = None
    items: tuple[ItemRow, ...] = ()
    statuses: tuple[StatusRow, ...] = ()
    runs: tuple[RunRow, ...] = ()
    answers: tuple[AnswerRow, ...] = ()
    blocks: tuple[BlockRow, ...] = ()
    notes: tuple[NoteRow, ...] = ()
    calls: tuple[CallRow, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    talk: tuple[TalkRow, ...] = ()
    rules: tuple[RulesRow, ...] = ()

    def after(self, progress: Progress, changes: Changes) -> SessionRecord:
        """This session when `changes` were written."""
        grown = {name: getattr(self, name) + getattr(changes, name) for name in Changes.model_fields}
        return self.model_copy(update={**grown, "progress": progress, "revision": self.revision + 1})


class SessionSummary(Record):
    """One line of the list of sessions."""

    id: str
    package: str
    created_at: str
    phase: str
    reason: str | None
    stage: str
    book: str | None = None
    forked_from: str | None = None
    revision: int = 0

"""One step of a session while it is being made: its board, and what is new since.

Nothing of it counts before the store has taken it; a step that fails is simply dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from skillc.artifact.plan import Plan
from skillc.execute.acceptance import Promotion
from skillc.execute.happening import Happening
from skillc.execute.labelling import rules_of
from skillc.execute.overtaken import overtaken
from skillc.execute.phase import Event, Refused, apply_event
from skillc.execute.playturn import before_slot, in_slots
from skillc.execute.records import (
    AnswerRow,
    BlockRow,
    CallRow,
    Changes,
    DecisionRow,
    ItemRow,
    NoteRow,
    Pending,
    Progress,
    RulesRow,
    RunRow,
    SessionRecord,
    StatusRow,
    TalkRow,
    Turn,
)
from skillc.execute.schedule import View
from skillc.runtime import Board, Item
from skillc.runtime.variables import read_table, table_data


class Work:
    """What one step changes. `op` names the step: its writes carry it, so none lands twice.

    `board` is that of the record where somebody has it at hand; the step changes it.
    """

    def __init__(self, plan: Plan, record: SessionRecord, op: str, board: Board | None = None) -> None:
        self.plan = plan
        self.board = board_of(record, plan) if board is None else board
        self.progress: Progress = record.progress
        self.happenings: list[Happening] = []
        self._record = record
        self._op = op
        self._mark = (len(self.board.items), len(self.board.events))
        self._runs: list[RunRow] = []
        self._answers: list[AnswerRow] = []
        self._blocks: list[BlockRow] = []
        self._notes: list[NoteRow] = []
        self._rules: tuple[RulesRow, ...] = ()
        self._calls: list[CallRow] = []
        self._decisions: list[DecisionRow] = []
        self._talk: list[TalkRow] = []

    @property
    def runs(self) -> tuple[RunRow, ...]:
        """All invocations, those of this step included."""
        return (*self._record.runs, *self._runs)

    @property
    def answers(self) -> tuple[AnswerRow, ...]:
        """All that the user did, this step included."""
        return (*self._record.answers, *self._answers)

    @property
    def decisions(self) -> tuple[DecisionRow, ...]:
        """All decisions, those of this step included."""
        return (*self._record.decisions, *self._decisions)

    @property
    def talk(self) -> tuple[TalkRow, ...]:
        """All messages of the orchestrator's loop, those of this step included."""
        return (*self._record.talk, *self._talk)

    @property
    def view(self) -> View:
        return View(self.plan, self.board, self.runs, self.progress)

    @property
    def calls(self) -> tuple[CallRow, ...]:
        """All calls of models, those of this step included."""
        return (*self._record.calls, *self._calls)

    def set(self, **fields: object) -> None:
        """Change fields of the progress."""
        self.progress = self.progress.model_copy(update=fields)

    def move(self, kind: str, reason: str | None = None, message: str | None = None) -> None:
        """Apply an event that the caller knows to be allowed."""
        status = apply_event(self.progress.status, Event(kind=kind, reason=reason, message=message))
        if isinstance(status, Refused):
            raise AssertionError(status.message)
        self.set(status=status)
        self.tell("phase", phase=status.phase, reason=status.reason, stage=status.stage, message=status.error)

    def wait(self, reason: str, **fields: Any) -> None:
        """Suspend until the user acts; `fields` are those of Pending."""
        number = self.progress.waits + 1
        self.set(waits=number, pending=Pending(id=f"w{number}", reason=reason, **fields))
        self.move("wait", reason=reason)

    def tell(self, kind: str, /, **data: object) -> None:
        """Something to show once the step is stored."""
        self.happenings.append(Happening(kind, data))

    def note(self, kind: str, text: str) -> None:
        """Something to keep and to show that is no item."""
        self._notes.append(NoteRow(kind=kind, text=text))
        self.tell("note", text=text)

    def note_once(self, kind: str, text: str) -> None:
        """`note`, unless the last one of its kind says the same."""
        kept = [row for row in (*self._record.notes, *self._notes) if row.kind == kind]
        if not kept or kept[-1].text != text:
            self.note(kind, text)

    def keep_rules(self) -> None:
        """Keep how the plan labels tags, where that is not what the session knows."""
        rules, known = rules_of(self.plan), self._record.rules
        if not known or (known[-1].labels, known[-1].moved) != (rules.labels, rules.moved):
            self._rules = (rules,)

    def set_variables(self, variables: Mapping[str, Any]) -> None:
        """The table of variables from now on."""
        self.board.variables = dict(variables)
        self.set(variables=table_data(variables))

    def add_run(self, run: RunRow) -> None:
        """A finished invocation, and that the calls since the last one were made for it."""
        self._runs.append(run)
        number = run.number
        self._calls = [
            row if row.run or row.worker != run.worker else row.model_copy(update={"run": number})
            for row in self._calls
        ]

    def add_call(self, call: CallRow) -> None:
        self._calls.append(call)

    def keep_calls(self, other: Work) -> None:
        """The calls of a step that is dropped: they were made, and cost what they cost."""
        self._calls += other._calls

    def add_answer(self, answer: AnswerRow) -> None:
        self._answers.append(answer)

    @property
    def has_made(self) -> bool:
        """Whether this step made a worker of a template."""
        return any(row.action == "create_temp_worker" and row.outcome == "taken" for row in self._decisions)

    def add_decision(self, decision: DecisionRow) -> None:
        self._decisions.append(decision)

    def add_talk(self, row: TalkRow) -> None:
        self._talk.append(row)

    def add_block(self, role: str, content: str) -> None:
        """Append to the conversation history."""
        self._blocks.append(BlockRow(role=role, content=content))
        self.board.history.append({"role": role, "content": content})

    def items(self, ids: Iterable[str]) -> list[Item]:
        """The items of these ids that are on the board."""
        return [item for item in map(self.board.get, ids) if item is not None]

    def tell_accepted(self, items: Iterable[Item], promotions: list[Promotion]) -> None:
        """Show what acceptance did to `items`."""
        promoted = {promotion.draft: promotion.tag for promotion in promotions}
        known = list(items)
        pairs = [(item.tag, promoted[item.id]) for item in known if item.id in promoted]
        plain = [item.tag for item in known if item.id not in promoted and item.status == "accepted"]
        if pairs:
            self.tell("promoted", pairs=pairs)
        if plain:
            self.tell("accepted", tags=plain)

    def mark_run(self, turn: Turn, revision: bool) -> None:
        """`turn` ran. A revision does not count, and gives their turn again to those whose work it overtakes; in a
        play turn to the slots behind it."""
        if revision and in_slots(self.view):
            ran = before_slot(self.view, turn)
        elif revision:
            again = overtaken(self.plan, self.board, self.runs, self.progress, turn)
            ran = tuple(other for other in self.progress.ran if other not in again)
        else:
            ran = (*self.progress.ran, turn)
        revisions = tuple(other for other in self.progress.revisions if other != turn)
        queued = tuple(other for other in self.progress.queued if other != turn)
        self.set(ran=ran, revisions=revisions, queued=queued, resume=None, approved=None)

    def schedule_revision(self, turn: Turn) -> None:
        """`turn` runs again before anything else."""
        if turn not in self.progress.revisions:
            self.set(revisions=(*self.progress.revisions, turn))

    def changes(self) -> Changes:
        """What the step adds to the session."""
        return Changes(
            **board_rows(self.board, self._op, *self._mark),
            runs=tuple(self._runs),
            answers=tuple(self._answers),
            blocks=tuple(self._blocks),
            notes=tuple(self._notes),
            rules=self._rules,
            calls=tuple(self._calls),
            decisions=tuple(self._decisions),
            talk=tuple(self._talk),
        )


def board_of(record: SessionRecord, plan: Plan) -> Board:
    """The board that the rows of a session make."""
    board = Board(plan.moved)
    for row in record.items:
        board.write(
            row.tag,
            row.content,
            row.source,
            id=row.id,
            dependencies=row.dependencies,
            metadata=row.metadata,
            scope=row.scope,
        )
    last = {row.item: row for row in record.statuses}
    for item in board.items:
        final = last.get(item.id)
        wanted = (final.status, final.superseded_by) if final else ("live", None)
        if (item.status, item.superseded_by) != wanted:
            board.set_status(item.id, *wanted)
    board.history.extend({"role": block.role, "content": block.content} for block in record.blocks)
    board.variables.update(read_table(record.progress.variables))
    return board


def board_rows(board: Board, op: str, items: int = 0, events: int = 0) -> dict[str, Any]:
    """The rows of what is on the board behind its first `items` items and `events` events."""
    return {
        "items": tuple(_item_row(item, f"{op}/{at}") for at, item in enumerate(board.items[items:], 1)),
        "statuses": tuple(
            StatusRow(
                item=event.item_id,
                status=event.status,
                superseded_by=event.superseded_by,
                after=len(board.items),
            )
            for event in board.events[events:]
        ),
    }


def _item_row(item: Item, op: str) -> ItemRow:
    return ItemRow(
        id=item.id,
        op=op,
        seq=item.seq,
        tag=item.tag,
        content=item.content,
        source=item.source,
        digest=item.digest,
        scope=item.scope,
        dependencies=item.dependencies,
        metadata=item.metadata,
    )

"""What the user does to a waiting session. Each action changes a step in the making, or says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from skillc.artifact.codec import canonical
from skillc.execute import reviews
from skillc.execute.acceptance import reject as reject_items
from skillc.execute.acceptance import send_back
from skillc.execute.documents import document_fault
from skillc.execute.envelope import ReplyError
from skillc.execute.invoke import Answered
from skillc.execute.legal import choice_fault, legal_choices
from skillc.execute.phase import Event, Refused, allowed_actions, apply_event
from skillc.execute.playturn import slot_of
from skillc.execute.records import AnswerRow, DecisionRow, LoopMark, Pending, Progress, Turn
from skillc.execute.reply import read_reply
from skillc.execute.schedule import RunTurn
from skillc.execute.settle import take
from skillc.execute.turn import Host, finish_turn, user_outputs
from skillc.execute.variables import take_changes
from skillc.execute.work import Work
from skillc.runtime.jsontext import is_encodable
from skillc.runtime.selection import bound
from skillc.runtime.tagnames import EDITS, LATEST_INPUT
from skillc.runtime.variables import USER, changes_in
from skillc.tags import matches

ANSWER = "用户.worker答复"
NOTES = ("用户.修改说明", "用户.修订说明")
"""Where notes on a rejection go: the second name for a package whose worker reads only that one."""

LONGEST_ID = 200
"""Characters of the id that a host gives an answer."""
Said = str | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of an action or a decision: `written`, `duplicate` (that id was delivered before) or `refused`.
    `decision` is the row that was kept of a decision, `found` what a look at the board gave."""

    status: str
    message: str = ""
    decision: DecisionRow | None = None
    found: Mapping[str, object] = field(default_factory=dict)

    @property
    def refused(self) -> bool:
        return self.status == "refused"


def answer_fault(name: object, said: object) -> str | None:
    """Why what a host passes on can be no answer, whatever the session waits for."""
    if name is not None and not (isinstance(name, str) and len(name) <= LONGEST_ID and is_encodable(name)):
        return f"the id of an answer is a text of at most {LONGEST_ID} characters"
    by_tag = isinstance(said, Mapping) and all(isinstance(part, str) for row in said.items() for part in row)
    return None if isinstance(said, str) or by_tag else "an answer is a text, or texts by tag"


def open_actions(progress: Progress) -> tuple[str, ...]:
    """What the user can do now, of answer, accept and reject. What is shown for review can be answered where it asks
    something."""
    pending, found = progress.pending, allowed_actions(progress.status)
    if pending is None or pending.reason != "review_artifact" or pending.questions:
        return found
    return tuple(action for action in found if action != "answer")


def deliver(work: Work, host: Host, action: str, said: Said) -> str | None:
    """Apply `action` to `work`; a sentence when it is refused, and then the work must be dropped."""
    pending = work.progress.pending
    status = apply_event(work.progress.status, Event(kind=action))
    if isinstance(status, Refused) or pending is None:
        return status.message if isinstance(status, Refused) else "the session waits for nothing"
    work.move(action)
    work.set(pending=None, failures=_failures_left(work, pending, action), loop=_anew(work.progress.loop))
    try:
        return _HANDLERS[pending.reason, action](work, host, pending, said)
    except ValueError as problem:
        return str(problem)


def _anew(mark: LoopMark) -> LoopMark:
    """The orchestrator may go on: the user did something."""
    return mark.model_copy(update={"burst": 0, "faults": 0})


def _failures_left(work: Work, pending: Pending, action: str) -> dict[str, int]:
    """A product whose course the user changed begins anew: after a rejection, and whatever is said to failed
    reviews. Accepting what a review then fails again changes nothing about it."""
    failures = work.progress.failures
    concerned = pending.turn.worker if pending.turn else None
    answered = action == "answer" and pending.reason == "review_artifact"
    changed = pending.reason == "revision" or action == "reject" or answered
    return {id: count for id, count in failures.items() if not (changed and id == concerned)}


def edit_variables(work: Work, values: Mapping[str, object] | Sequence[object]) -> str | None:
    """The user sets variables: values by key, or rows {key, value, rev?, visibility?}. A sentence when it is refused.

    What was set stands under 变量.用户 as well, so that it is known who set it.
    """
    if work.progress.status.phase == "done":
        return "the session is over: its variables stay as they are"
    if isinstance(values, Mapping):
        values = [{"key": key, "value": value} for key, value in values.items()]
    if isinstance(values, str) or not isinstance(values, Sequence):
        return "variables are set by a mapping of values or a list of {key, value}"
    rows = list(values)
    try:
        changes_in(rows)
        item = work.board.write(EDITS, canonical(rows).decode(), USER)
        take_changes(work, [item], USER)
    except (TypeError, ValueError, RecursionError) as problem:
        return str(problem) or "what is to be set is no JSON"
    work.board.set_status(item.id, "accepted")
    return None


def answer_row(answer_id: str, action: str, pending: Pending | None, said: Said) -> AnswerRow:
    """The trace of an action."""
    text = said if isinstance(said, str) else "\n".join(f"{tag}: {value}" for tag, value in said.items())
    return AnswerRow(id=answer_id, action=action, reason=pending.reason if pending else "", text=text)


def _intake(work: Work, _: Host, pending: Pending, said: Said) -> str | None:
    """A text answers the first open target, a mapping those that it names; what is left is asked for next."""
    texts = {pending.targets[0]: said} if isinstance(said, str) else dict(said)
    unknown = [tag for tag in texts if tag not in pending.targets]
    if unknown or not texts:
        return f"the answer is for {_names(unknown)}, but asked for was {_names(pending.targets)}"
    blank = [tag for tag, text in texts.items() if not text.strip()]
    if blank:
        return f"the answer for {_names(blank)} is blank, and the package cannot start without it"
    for tag, text in texts.items():
        work.board.write(tag, text, "user")
    work.tell("user", action="answer", tags=list(texts))
    left = tuple(tag for tag in pending.targets if tag not in texts)
    if left:
        work.wait("intake", prompt=pending.prompt, targets=left)
    return None


def _input(work: Work, _: Host, pending: Pending, said: Said) -> str | None:
    if not isinstance(said, str):
        return "the input is one text"
    if said.strip():
        work.board.write(LATEST_INPUT, said, "user")
    work.set(input_round=work.progress.round)
    work.tell("user", action="input", tags=[LATEST_INPUT] if said.strip() else [])
    return None


def _questions(work: Work, host: Host, pending: Pending, said: Said) -> str | None:
    """Answers to a worker that asked, or the turn of a user worker. The contract is that of the plan now."""
    turn = pending.turn
    if turn is None or turn.worker not in host.plan.workers:
        return f"worker `{turn.worker if turn else ''}` is no longer in the plan, so it cannot go on"
    changed = host.plan.workers[turn.worker].digest != pending.plan_digest
    if changed and not host.accept_change:
        return f"worker `{turn.worker}` was compiled anew since it asked; the change must be accepted first"
    if changed:
        work.note("accepted-change", f"worker `{turn.worker}` was compiled anew since it asked; accepted")
    if host.plan.workers[turn.worker].actor == "user":
        return _user_turn(work, host, turn, said)
    if not isinstance(said, str):
        return "the answer to the questions is one text"
    work.board.write(ANSWER, said, "user")
    work.set(resume=turn)
    work.tell("user", action="answer", tags=[ANSWER])
    return None


def _user_turn(work: Work, host: Host, turn: Turn, said: Said) -> str | None:
    worker = host.plan.workers[turn.worker]
    outputs = user_outputs(worker, turn.role)
    slot = slot_of(work.view, worker.id)
    context = host.plan.assemble(worker.id, work.board, role=turn.role, slot=slot)
    if isinstance(said, str):
        if len(outputs) != 1 or not outputs[0].is_tag:
            return f"`{worker.id}` writes {_names(p.text for p in outputs)}: say which text is for which tag"
        said = {outputs[0].text: said}
    reply = read_reply({"outputs": {**said}}, worker, turn.role)
    if isinstance(reply, ReplyError):
        return reply.message
    fault = document_fault(work, worker, reply.outputs)
    if fault is not None:
        return fault.message
    thoughts = [tag for tag in reply.outputs if not any(matches(pattern, tag) for pattern in outputs)]
    if thoughts:
        return f"a user's turn never writes {_names(thoughts)}"
    choices = legal_choices(context.items)
    wrong = [found for text in reply.outputs.values() if (found := choice_fault(text, choices)) is not None]
    if wrong:
        return wrong[0]
    revision = turn in work.progress.revisions
    finish_turn(work, worker, RunTurn(turn, revision), context, Answered(reply))
    return None


def _approve(work: Work, _: Host, pending: Pending, said: Said) -> str | None:
    work.set(approved=pending.turn)
    return None


def _decline(work: Work, _: Host, pending: Pending, said: Said) -> str | None:
    """The step is left out in this round."""
    if pending.turn is not None:
        work.mark_run(pending.turn, revision=False)
        _write_notes(work, pending.turn, said)
    return None


def _accept(work: Work, _: Host, pending: Pending, said: Said) -> str | None:
    take(work, work.items(pending.items), promoting=True)
    return None


def _reject(work: Work, _: Host, pending: Pending, said: Said) -> str | None:
    """With notes the products are to be revised and stay readable; without, nobody reads them any more."""
    items = [item for item in work.items(pending.items) if item.live]
    if isinstance(said, str) and said.strip():
        send_back(work.board, [item.id for item in items])
    else:
        reject_items(work.board, items)
    work.tell("rejected", tags=[item.tag for item in items])
    if pending.turn is not None:
        _write_notes(work, pending.turn, said)
        work.schedule_revision(pending.turn)
    return None


def _answer_card(work: Work, _: Host, pending: Pending, said: Said) -> str | None:
    """The answer to the question card of what is shown: its worker gets it and writes the artifact anew."""
    if not pending.questions or pending.turn is None:
        return "what is shown asks nothing: accept it, or reject it with notes"
    if not isinstance(said, str) or not said.strip():
        return "the answer to the questions is one text"
    tag = ANSWER if _reads(work, pending.turn, ANSWER) else _notes_tag(work, pending.turn)
    send_back(work.board, pending.items)
    work.board.write(tag, said, "user")
    work.tell("user", action="answer", tags=[tag])
    work.schedule_revision(pending.turn)
    return None


def _overrule(work: Work, _: Host, pending: Pending, said: Said) -> str | None:
    """The user takes a product in spite of its reviews."""
    worker_id = pending.turn.worker if pending.turn else ""
    take(work, work.items(pending.items), promoting=True)
    waived = {**work.progress.waived, worker_id: reviews.last_number(work.runs, worker_id)}
    revisions = tuple(turn for turn in work.progress.revisions if turn.worker != worker_id)
    work.set(waived=waived, revisions=revisions)
    return None


def _revise(work: Work, _: Host, pending: Pending, said: Said) -> str | None:
    """The worker, which is scheduled already, gets the user's notes."""
    if pending.turn is not None:
        _write_notes(work, pending.turn, said)
    return None


def _write_notes(work: Work, turn: Turn, said: Said) -> None:
    if not isinstance(said, str):
        raise ValueError("notes are one text")
    if not said.strip():
        return
    tag = _notes_tag(work, turn)
    work.board.write(tag, said, "user")
    work.tell("user", action="reject", tags=[tag])


def _notes_tag(work: Work, turn: Turn) -> str:
    return next((tag for tag in NOTES if _reads(work, turn, tag)), NOTES[0])


def _reads(work: Work, turn: Turn, tag: str) -> bool:
    """Whether the worker of `turn` may read `tag`."""
    worker = work.plan.workers.get(turn.worker)
    inputs = bound((entry.pattern for entry in worker.inputs), worker, turn.role) if worker else []
    return any(matches(pattern, tag) for pattern in inputs)


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "nothing"


_Handler = Callable[[Work, Host, Pending, Said], str | None]
_HANDLERS: Mapping[tuple[str, str], _Handler] = {
    ("intake", "answer"): _intake,
    ("input", "answer"): _input,
    ("worker_questions", "answer"): _questions,
    ("approve_step", "accept"): _approve,
    ("approve_step", "reject"): _decline,
    ("review_artifact", "answer"): _answer_card,
    ("review_artifact", "accept"): _accept,
    ("review_artifact", "reject"): _reject,
    ("revision", "accept"): _overrule,
    ("revision", "reject"): _revise,
    ("revision", "answer"): _revise,
}

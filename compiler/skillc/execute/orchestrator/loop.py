"""The loop of an orchestrator: one model turn is one step of the session, stored with all that came of it.

So a session that is killed at any point repeats no decision: either a turn is stored with its decision, or the
model is asked again what nobody has decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from skillc.execute.calling import OK, Calls, Failure
from skillc.execute.deciding import Beside, decide, refused_row
from skillc.execute.decision import Decision, read_decision
from skillc.execute.instance import declare_ready
from skillc.execute.models.parts import part_of_message
from skillc.execute.models.protocol import Completion, Request
from skillc.execute.orchestrator import looking, talk
from skillc.execute.orchestrator.ending import too_early
from skillc.execute.orchestrator.tools import LOOKS, MOST_TAGS, Call, read_call, tools_form
from skillc.execute.records import TalkRow
from skillc.execute.turn import Host
from skillc.execute.work import Work
from skillc.runtime.tagnames import LATEST_INPUT

NAME = "orchestrator"
"""For whom a request of the loop is; a script names it as the worker of its replies."""
BURST = 12
"""Model turns between two things that the user does."""
FAULTS = 2
"""Calls in a row that may be refused and told; the next one stops the session."""


def take_call(work: Work, host: Host) -> Failure | None:
    """Ask the model for one call, and do what it says. After a Failure the work is worthless and must be dropped."""
    if work.progress.loop.burst >= BURST:
        _wait(work)
        return None
    last = work.talk[-1] if work.talk else None
    if last is None or last.role == "assistant" or talk.told(work) != work.progress.loop:
        work.add_talk(talk.news(work))
        work.set(loop=talk.told(work))
    completion = _ask(work, host)
    if isinstance(completion, Failure):
        return completion
    _count(work, burst=work.progress.loop.burst + 1)
    call = read_call(completion.given)
    completion.judge(OK if isinstance(call, Call) else call.kind)
    if isinstance(call, Call):
        work.add_talk(TalkRow(role="assistant", kind="call", content=call.text))
        _do(work, call)
    else:
        work.add_talk(TalkRow(role="assistant", kind="call", content=_sent(completion.given)))
        _refuse(work, call.message)
    return None


class _Answer:
    """What the model gave, and how its worth is kept."""

    def __init__(self, given: Completion, judge: Callable[[str], None]) -> None:
        self.given = given
        self.judge = judge


def _ask(work: Work, host: Host) -> _Answer | Failure:
    told = work.plan.orchestrator
    if told is None:
        return Failure("the plan says nothing to a model that decides who runs; build it again")
    messages = talk.messages_of(told.system, work.talk)
    calls = Calls(host.client, NAME, None, work.add_call, host.tell, work.calls)
    fixed = len(told.system.encode())
    request = Request(
        NAME,
        None,
        messages,
        form=tools_form(),
        parts=tuple(map(part_of_message, messages)),
        attempt=work.progress.loop.faults + 1,
        fixed=fixed,
        static=fixed,
        observer=calls,
    )
    completion = calls.complete(request)
    if isinstance(completion, Failure):
        return completion
    return _Answer(completion, partial(calls.judged, completion))


def _wait(work: Work) -> None:
    """So many turns without the user: he says how to go on, or nothing to let it go on."""
    said = f"the orchestrator took {BURST} turns without you: say what to do, or nothing to let it go on"
    work.wait("input", prompt=said, targets=(LATEST_INPUT,))


def _count(work: Work, **fields: int) -> None:
    work.set(loop=work.progress.loop.model_copy(update=fields))


def _sent(completion: Completion) -> str:
    """What the model wrote, as it can be sent back: a message is never blank."""
    calls = " ".join(f"{call.name} {call.arguments}" for call in completion.calls)
    text = completion.text.strip() or calls.strip() or "…"
    return text.encode("utf-8", "replace").decode()[: talk.LONGEST_NEWS]


def _refuse(work: Work, message: str) -> None:
    """The model is told, at most twice in a row; then the session stops, and this call is kept all the same."""
    faults = work.progress.loop.faults + 1
    work.add_talk(talk.refusal(message))
    work.tell("refused", message=message)
    if faults > FAULTS:
        _count(work, faults=0)
        said = f"the orchestrator made {faults} calls in a row that were refused; the last: {message}"
        work.move("fail", message=said)
        return
    _count(work, faults=faults)


def _do(work: Work, call: Call) -> None:
    if call.tool in LOOKS:
        _look(work, call)
    else:
        _decide(work, call)


def _look(work: Work, call: Call) -> None:
    found = _LOOKS[call.tool](work, call.arguments)
    if isinstance(found, str):
        _refuse(work, found)
        return
    _count(work, faults=0)
    if call.tool != "declare_instance_ready":
        work.tell("looked", tool=call.tool)
    work.add_talk(talk.result(call.tool, found))


def _read(work: Work, arguments: Any) -> dict[str, object] | str:
    if len(arguments.tags) > MOST_TAGS:
        return f"`read_blackboard` shows at most {MOST_TAGS} tags at once"
    return looking.board_rows(work, arguments.tags)


def _ready(work: Work, _: Any) -> dict[str, object] | str:
    return declare_ready(work) or looking.state(work)


_LOOKS: Mapping[str, Callable[[Work, Any], dict[str, object] | str]] = {
    "read_blackboard": _read,
    "list_workers": lambda work, _: looking.workers(work),
    "list_artifacts": lambda work, _: looking.artifacts(work),
    "declare_instance_ready": _ready,
}


def _decide(work: Work, call: Call) -> None:
    decision = _decision(work, call)
    if isinstance(decision, str):
        _refuse(work, decision)
        return
    early = too_early(work) if decision.action == "finish" else None
    row = early or decide(work, decision, _beside(call.arguments), "model")
    if isinstance(row, str):
        work.add_decision(refused_row(decision, row, "model"))
        _refuse(work, row)
        return
    _count(work, faults=0)
    if row.action == "review_blackboard":
        work.add_talk(talk.result(call.tool, looking.review(work)))
    elif row.action == "create_temp_worker":
        work.add_talk(talk.result(call.tool, {"workerId": row.worker}))


def _decision(work: Work, call: Call) -> Decision | str:
    """A decision is made of what it may carry, and of nothing else."""
    arguments = call.arguments
    return read_decision(
        {
            "id": f"d{len(work.decisions) + 1}",
            "action": call.tool,
            "reason": arguments.reason,
            "workerId": getattr(arguments, "workerId", None) or getattr(arguments, "templateId", None),
            "roleId": getattr(arguments, "roleId", None),
            "requiresApproval": getattr(arguments, "requiresApproval", False),
        }
    )


def _beside(arguments: Any) -> Beside:
    return Beside(
        questions=tuple(getattr(arguments, "questions", ())),
        targets=tuple(getattr(arguments, "targets", ())),
        instructions=getattr(arguments, "instructions", ""),
    )

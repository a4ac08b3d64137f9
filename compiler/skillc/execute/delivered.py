"""From what a model delivered, by whichever way, to a reply: as text, as JSON in a given form, or by tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skillc.artifact.plan import WorkerPlan
from skillc.execute.envelope import LENGTH_LIMIT, ReplyError, find_object
from skillc.execute.models.form import ASK_USER, SUBMIT
from skillc.execute.models.protocol import Completion, ToolCall
from skillc.execute.reply import Reply, read_reply


def read_completion(completion: Completion, worker: WorkerPlan, role: str | None) -> Reply | ReplyError:
    """The reply of a run of `worker`, or why there is none (SPEC 12.3, 12.4). What the server promised of its form
    counts for nothing: everything is checked here.

    Beside the kinds of `parse_reply`: unknown-tool, no-arguments.
    """
    if completion.finish_reason == "length":
        return LENGTH_LIMIT
    found = reply_data(completion)
    return found if isinstance(found, ReplyError) else read_reply(found, worker, role)


def reply_data(completion: Completion) -> Mapping[str, object] | ReplyError:
    """The reply as data, generated names replaced by the tags that they stand for."""
    found = _of_calls(completion.calls) if completion.calls else find_object(completion.text)
    return found if isinstance(found, ReplyError) else _with_tags(found, completion.names)


def _of_calls(calls: Sequence[ToolCall]) -> dict[str, object] | ReplyError:
    """`submit` and `ask_user` mean what `outputs` and `askUser` do; each may be called once."""
    reply: dict[str, object] = {}
    names = [call.name for call in calls]
    for call in calls:
        if call.name not in (SUBMIT, ASK_USER):
            return ReplyError(
                "unknown-tool", f"there is no tool `{call.name}`; there are `{SUBMIT}` and `{ASK_USER}`"
            )
        if names.count(call.name) > 1:
            return ReplyError("ambiguous", f"`{call.name}` was called more than once")
        if not call.arguments.strip():
            return ReplyError("no-arguments", f"`{call.name}` was called without arguments")
        data = find_object(call.arguments)
        if isinstance(data, ReplyError):
            return data
        if call.name == ASK_USER:
            reply["askUser"] = data.get("questions")
        else:
            reply = {**data, **reply}
    return reply


def _with_tags(data: Mapping[str, object], names: Mapping[str, str]) -> Mapping[str, object]:
    """`outputs` as a list of {tag, text}, so that a name and its tag side by side are seen as twice the same."""
    outputs = data.get("outputs")
    if not names or not isinstance(outputs, Mapping):
        return data
    rows = [
        {"tag": names.get(name, name), "text": text}
        for name, text in outputs.items()
        if text is not None or name not in names
    ]
    return {**data, "outputs": rows}

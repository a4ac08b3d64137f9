"""One reply of a model with its retries: a bad one is told to the model, at most twice, never repaired."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from skillc.artifact.plan import WorkerPlan
from skillc.execute.calling import OK, Calls, Failure
from skillc.execute.delivered import read_completion
from skillc.execute.envelope import ReplyError
from skillc.execute.models.form import reply_form
from skillc.execute.models.parts import part_of_message, parts_of
from skillc.execute.models.protocol import Completion, Message, Request
from skillc.execute.reply import Reply, bound_outputs
from skillc.runtime import Context

__all__ = ["ATTEMPTS", "Answered", "Failure", "ask_model"]

ATTEMPTS = 3
_AGAIN = {
    "zh": "上一次回复无效（{kind}）：{message}。请重新回复：只输出一个符合输出协议的 JSON 对象，不要有其他文字。",
    "en": "The last reply was not valid ({kind}): {message}. Reply again with one JSON object of the output "
    "protocol and nothing else.",
}


@dataclass(frozen=True, slots=True)
class Answered:
    """A valid reply, and what it took to get it."""

    reply: Reply
    attempts: int = 1
    way: str = "host"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0


def ask_model(
    calls: Calls,
    worker: WorkerPlan,
    context: Context,
    role: str | None,
    profile: str | None,
    language: str,
    retried: Callable[[ReplyError], None],
    check: Callable[[Reply], ReplyError | None] = lambda _: None,
) -> Answered | Failure:
    """A valid reply of the model within three attempts, or the reason why there is none (SPEC 12.3).

    `check` says what else is wrong with a reply in due form.
    """
    first = _request(worker, context, role, profile)
    messages: list[Message] = list(first.messages)
    answers: list[Completion] = []
    error = ReplyError("empty", "the model was not asked")
    for attempt in range(1, ATTEMPTS + 1):
        completion = calls.complete(_again(first, messages, attempt, calls))
        if isinstance(completion, Failure):
            return completion
        answers.append(completion)
        found = read_completion(completion, worker, role)
        fault = check(found) if isinstance(found, Reply) else found
        calls.judged(completion, fault.kind if fault else OK)
        if isinstance(found, Reply) and fault is None:
            return _answered(found, answers)
        error = fault or error
        if attempt < ATTEMPTS:
            retried(error)
            messages = _told(messages, completion.text, error, language)
    return Failure(f"`{worker.id}` gave {ATTEMPTS} replies that cannot be used; the last: {error.message}")


def _request(worker: WorkerPlan, context: Context, role: str | None, profile: str | None) -> Request:
    outputs = bound_outputs(worker, role)
    prefix = context.prefix
    return Request(
        worker.id,
        role,
        tuple(context.messages),
        worker.reply,
        profile,
        form=reply_form(outputs, worker.aliases),
        parts=parts_of(context, _labels(worker)),
        fixed=prefix["fixed_bytes"],
        static=prefix["static_bytes"],
    )


def _labels(worker: WorkerPlan) -> Mapping[str, str | None]:
    """The labels of the worker's segments by their ids."""
    plans = [worker.segments or (), *worker.variants.values()]
    return {segment.id: segment.label for segments in plans for segment in segments}


def _again(first: Request, messages: list[Message], attempt: int, calls: Calls) -> Request:
    """The request with what was said since: behind the last of its messages, and in messages of its own."""
    count = len(first.messages)
    rest = messages[count - 1]["content"].removeprefix(first.messages[-1]["content"])
    added = [{**messages[count - 1], "content": rest}] if rest else []
    added += [dict(message) for message in messages[count:]]
    return Request(
        first.worker,
        first.role,
        tuple(messages),
        first.schema,
        first.profile,
        attempt,
        first.form,
        (*first.parts, *map(part_of_message, added)),
        first.fixed,
        first.static,
        calls,
    )


def _told(messages: list[Message], text: str, error: ReplyError, language: str) -> list[Message]:
    """The conversation goes on in turn: a reply that says nothing is no message, so the user adds to his last one."""
    again = _AGAIN.get(language, _AGAIN["zh"]).format(kind=error.kind, message=error.message)
    sent = text.encode("utf-8", "replace").decode()  # half a surrogate pair could not be sent
    if not text.strip():
        return [*messages[:-1], {"role": "user", "content": f"{messages[-1]['content']}\n\n{again}"}]
    return [*messages, {"role": "assistant", "content": sent}, {"role": "user", "content": again}]


def _answered(reply: Reply, calls: list[Completion]) -> Answered:
    return Answered(
        reply,
        len(calls),
        calls[-1].way,
        sum(call.prompt_tokens for call in calls),
        sum(call.completion_tokens for call in calls),
        sum(call.cached_tokens for call in calls),
    )

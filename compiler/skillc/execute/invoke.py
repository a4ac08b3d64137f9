"""One model call with its retries: a bad reply is told to the model, at most twice, never repaired."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from skillc.artifact.plan import WorkerPlan
from skillc.execute.envelope import ReplyError
from skillc.execute.models.protocol import Completion, Message, ModelClient, ModelError, Request
from skillc.execute.reply import Reply, parse_reply
from skillc.runtime import Context

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


@dataclass(frozen=True, slots=True)
class Failure:
    """No reply; one sentence why."""

    message: str


def ask_model(
    client: ModelClient,
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
    messages: list[Message] = list(context.messages)
    calls: list[Completion] = []
    error = ReplyError("empty", "the model was not asked")
    for attempt in range(1, ATTEMPTS + 1):
        request = Request(worker.id, role, tuple(messages), worker.reply, profile, attempt)
        completion = _call(client, request)
        if isinstance(completion, Failure):
            return completion
        calls.append(completion)
        found = parse_reply(completion.text, worker, role, completion.finish_reason)
        fault = check(found) if isinstance(found, Reply) else found
        if isinstance(found, Reply) and fault is None:
            return _answered(found, calls)
        error = fault or error
        if attempt < ATTEMPTS:
            retried(error)
            messages = _told(messages, completion.text, error, language)
    return Failure(f"`{worker.id}` gave {ATTEMPTS} replies that cannot be used; the last: {error.message}")


def _call(client: ModelClient, request: Request) -> Completion | Failure:
    """The border to whatever the host uses as a model: nothing it raises may damage the session."""
    try:
        return client.complete(request)
    except ModelError as problem:
        return Failure(str(problem))
    except Exception as problem:  # noqa: BLE001
        return Failure(f"the model of `{request.worker}` failed: {type(problem).__name__}")


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

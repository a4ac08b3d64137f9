"""Chat models behind an OpenAI-compatible server, through the official package.

The package is imported when a client is made: whoever runs scripts or reads plans does not need it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from skillc.execute.models.answer import BadAnswer, ServerSaid, read_answer
from skillc.execute.models.deadline import Overdue, call_within
from skillc.execute.models.protocol import Completion, Message, ModelError, Request

if TYPE_CHECKING:
    from openai import OpenAI

_ASK_FOR_JSON = "\n\n请只输出一个 JSON 对象。"


class OpenAIChat:
    """One model of one server. Retries are those of the official client; `timeout` is for all of them together.

    >>> client = OpenAIChat(model="m", base_url="http://127.0.0.1:1/v1", api_key="k", name="local")
    """

    def __init__(
        self,
        *,
        model: str,
        base_url: str | None,
        api_key: str,
        json_object: bool = False,
        timeout: float = 120,
        max_retries: int = 2,
        max_tokens: int | None = None,
        name: str = "default",
    ) -> None:
        self._model = model
        self._json_object = json_object
        self._name = name
        self._key = api_key
        self._limits: dict[str, Any] = {"max_tokens": max_tokens} if max_tokens else {}
        self._timeout = timeout
        self._connect: Callable[[], OpenAI] = partial(_connect, base_url, api_key, timeout, max_retries, name)
        self._client: OpenAI | None = self._connect()

    def complete(self, request: Request) -> Completion:
        """The model's answer; ModelError names what went wrong, never with the key in it."""
        import openai

        messages = [dict(message) for message in request.messages]
        options = dict(self._limits)
        if self._json_object:
            messages = _mentioning_json(messages)
            options["response_format"] = {"type": "json_object"}
        try:
            body = call_within(self._timeout, lambda: self._body(messages, options))
            return self._completion(body)
        except Overdue:
            self._client = None
            raise self._error("timed-out", "did not answer in time") from None
        except openai.APIError as problem:
            raise self._explained(problem) from None
        except BadAnswer as problem:
            raise self._error("bad-response", str(problem)) from None
        except ServerSaid as problem:
            raise self._error("refused", f"answered with an error: {self._safe(str(problem))}") from None

    def _body(self, messages: list[dict[str, str]], options: dict[str, Any]) -> bytes:
        """The bytes of the answer: what is in them is read here, not by the client's models."""
        if self._client is None:
            self._client = self._connect()
        raw = self._client.chat.completions.with_raw_response.create(
            model=self._model,
            messages=messages,  # type: ignore[arg-type]
            **options,
        )
        return raw.http_response.content

    def _completion(self, body: bytes) -> Completion:
        answer = read_answer(body)
        return Completion(
            text=answer.text,
            finish_reason=answer.finish_reason,
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            cached_tokens=answer.cached_tokens,
            way="json_object" if self._json_object else "text",
        )

    def _explained(self, problem: Exception) -> ModelError:
        import openai

        match problem:
            case openai.APITimeoutError():
                return self._error("timed-out", "did not answer in time")
            case openai.APIConnectionError():
                return self._error("unreachable", "cannot be reached")
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return self._error("refused-key", "refused the key")
            case openai.RateLimitError():
                return self._error("rate-limited", "takes no more requests for now (429)")
            case openai.InternalServerError():
                return self._error("server-error", f"failed ({problem.status_code})")
            case openai.APIStatusError():
                reason = self._safe(problem.message)
                return self._error("refused", f"refused the request ({problem.status_code}): {reason}")
        return self._error("bad-response", "sent an answer that cannot be read")

    def _safe(self, reason: str) -> str:
        """A server's own words, short and without the key in them."""
        return " ".join(reason.replace(self._key, "…").split())[:200]

    def _error(self, kind: str, what: str) -> ModelError:
        return ModelError(kind, f"the model server of profile `{self._name}` {what}")


def _connect(base_url: str | None, api_key: str, timeout: float, max_retries: int, name: str) -> OpenAI:
    try:
        import openai
    except ImportError:
        raise ModelError(
            "no-package", "model servers need the package `openai`: install skillc[openai]"
        ) from None
    try:
        return openai.OpenAI(base_url=base_url, api_key=api_key, timeout=timeout, max_retries=max_retries)
    except (openai.OpenAIError, ValueError):
        raise ModelError("bad-profile", f"the base address of profile `{name}` cannot be used") from None


def _mentioning_json(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """json_object mode is refused by servers when no message says `json`; then one line is added."""
    if any("json" in message["content"].lower() for message in messages):
        return messages
    last: Message = messages[-1]
    return [*messages[:-1], {**last, "content": last["content"] + _ASK_FOR_JSON}]

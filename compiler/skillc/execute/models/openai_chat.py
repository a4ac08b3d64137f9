"""Chat models behind an OpenAI-compatible server, through the official package.

The package is imported when a client is made: whoever runs scripts or reads plans does not need it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from skillc.execute.models.answer import EVENTS, Answer, read_answer, read_stream, whole
from skillc.execute.models.connection import Connection
from skillc.execute.models.form import Form
from skillc.execute.models.ladder import FORCED_TOOL, JSON_OBJECT, JSON_SCHEMA
from skillc.execute.models.protocol import Message, ModelError
from skillc.execute.models.sending import Sending, one_system_message
from skillc.execute.models.sse import event_data
from skillc.execute.models.wire import Wire

if TYPE_CHECKING:
    from openai import OpenAI

_ASK_FOR_JSON = "\n\n请只输出一个 JSON 对象。"


class OpenAIChat:
    """One model of one server; it tries once. `limits` are further fields of each request.

    >>> client = OpenAIChat(model="m", base_url="http://127.0.0.1:1/v1", api_key="k", name="local")
    """

    def __init__(
        self,
        *,
        model: str,
        base_url: str | None,
        api_key: str,
        limits: dict[str, Any] | None = None,
        name: str = "default",
    ) -> None:
        self._model = model
        self._limits = limits or {}
        self._wire = Wire(name, api_key)
        self._connection = Connection(partial(_connect, base_url, api_key, name))

    def send(self, sending: Sending, seen: Callable[[int], None]) -> Answer:
        """The model's answer; ModelError names what went wrong, never with the key in it."""
        import openai

        messages = one_system_message(sending.messages)
        if sending.way == JSON_OBJECT:
            messages = mentioning_json(messages)
        options = self._limits | asked_for(sending.way, sending.form)
        if sending.streaming:
            options |= {"stream": True, "stream_options": {"include_usage": True}}
        fields: dict[str, Any] = {"model": self._model, "messages": messages, **options}
        seconds = max(sending.seconds, 0.001)
        with (
            self._connection.client(sending.handle) as client,
            self._wire.told(openai),
            client.with_options(timeout=seconds).chat.completions.with_streaming_response.create(
                **fields
            ) as response,
        ):
            kind = response.headers.get("content-type", "")
            if EVENTS in kind:
                return read_stream(event_data(response.iter_lines()), seen)
            return whole(response.read(), kind, read_answer)


def asked_for(way: str, form: Form | None) -> dict[str, Any]:
    """The fields that ask for the form of a reply."""
    if way == JSON_SCHEMA and form is not None:
        schema = {"name": "reply", "strict": True, "schema": dict(form.schema)}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    if way == FORCED_TOOL and form is not None:
        tools = [
            {
                "type": "function",
                "function": {"name": t.name, "description": t.description, "parameters": t.parameters},
            }
            for t in form.tools
        ]
        return {"tools": tools, "tool_choice": "required"}
    return {"response_format": {"type": "json_object"}} if way == JSON_OBJECT else {}


def _connect(base_url: str | None, api_key: str, name: str) -> OpenAI:
    try:
        import openai
    except ImportError:
        raise ModelError(
            "no-package", "model servers need the package `openai`: install skillc[openai]"
        ) from None
    try:
        return openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0)
    except (openai.OpenAIError, ValueError):
        raise ModelError("bad-profile", f"the base address of profile `{name}` cannot be used") from None


def mentioning_json(messages: list[Message]) -> list[Message]:
    """json_object mode is refused by servers when no message says `json`; then one line is added (C70)."""
    if any("json" in message["content"].lower() for message in messages):
        return messages
    last = messages[-1]
    return [*messages[:-1], {**last, "content": last["content"] + _ASK_FOR_JSON}]

"""Anthropic's models, through their official package: forced tools for the form of a reply, marks for the cache.

The package is imported when a client is made.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from skillc.execute.models.answer import EVENTS, Answer, whole
from skillc.execute.models.anthropic_answer import read_message, read_message_stream
from skillc.execute.models.breakpoints import with_breakpoints
from skillc.execute.models.connection import Connection
from skillc.execute.models.form import Form
from skillc.execute.models.ladder import AUTO_TOOL, FORCED_TOOL
from skillc.execute.models.protocol import ModelError
from skillc.execute.models.sending import Sending, one_system_message
from skillc.execute.models.sse import event_data
from skillc.execute.models.wire import Wire

if TYPE_CHECKING:
    from anthropic import Anthropic

MAX_TOKENS = 8192
"""The protocol wants a limit; this one holds where the profile says none."""


class AnthropicChat:
    """One model; it tries once. `minimum` is from how many tokens on the provider caches, `thinking` turns that on
    with so many tokens."""

    def __init__(
        self,
        *,
        model: str,
        base_url: str | None,
        api_key: str,
        max_tokens: int | None = None,
        limits: dict[str, Any] | None = None,
        thinking: int | None = None,
        minimum: int = 0,
        name: str = "default",
    ) -> None:
        self._model = model
        self._limits = _limits(max_tokens or MAX_TOKENS, limits or {}, thinking)
        self._minimum = minimum
        self._wire = Wire(name, api_key)
        self._connection = Connection(partial(_connect, base_url, api_key, name))

    def send(self, sending: Sending, seen: Callable[[int], None]) -> Answer:
        """The model's answer; ModelError names what went wrong, never with the key in it."""
        import anthropic

        system, messages = with_breakpoints(
            one_system_message(sending.messages), sending.static, self._minimum
        )
        fields: dict[str, Any] = {"model": self._model, "messages": messages, **self._limits}
        fields |= ({"system": system} if system else {}) | asked_for(sending.way, sending.form)
        if sending.streaming:
            fields["stream"] = True
        seconds = max(sending.seconds, 0.001)
        with (
            self._connection.client(sending.handle) as client,
            self._wire.told(anthropic),
            client.with_options(timeout=seconds).messages.with_streaming_response.create(
                **fields
            ) as response,
        ):
            kind = response.headers.get("content-type", "")
            if EVENTS in kind:
                return read_message_stream(event_data(response.iter_lines()), seen)
            return whole(response.read(), kind, read_message)


def _limits(max_tokens: int, limits: dict[str, Any], thinking: int | None) -> dict[str, Any]:
    """Thoughts count as output, and who thinks has no temperature."""
    if thinking is None:
        return {"max_tokens": max_tokens, **limits}
    return {
        "max_tokens": max(max_tokens, 2 * thinking),
        "thinking": {"type": "enabled", "budget_tokens": thinking},
    }


def asked_for(way: str, form: Form | None) -> dict[str, Any]:
    """The tools, forced or, where the model thinks, only offered."""
    if form is None or way not in (FORCED_TOOL, AUTO_TOOL):
        return {}
    tools = [
        {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}
        for tool in form.tools
    ]
    return {"tools": tools, "tool_choice": {"type": "any" if way == FORCED_TOOL else "auto"}}


def _connect(base_url: str | None, api_key: str, name: str) -> Anthropic:
    try:
        import anthropic
    except ImportError:
        raise ModelError(
            "no-package", "provider `anthropic` needs the package `anthropic`: install skillc[anthropic]"
        ) from None
    try:
        return anthropic.Anthropic(base_url=base_url, api_key=api_key, max_retries=0)
    except (anthropic.AnthropicError, ValueError):
        raise ModelError("bad-profile", f"the base address of profile `{name}` cannot be used") from None

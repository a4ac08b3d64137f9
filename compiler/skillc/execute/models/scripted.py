"""A model that answers from a list: for demos, tests and rehearsals (SPEC 17.5).

It fails loudly: a reply that is missing, for somebody else, or never asked for is an error that says
what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from skillc.execute.models.protocol import Completion, ModelError, Request

ACTIONS = ("answer", "accept", "reject", "input")


class ScriptError(Exception):
    """The script cannot be read, or does not fit what happened; one sentence."""


class ScriptedReply(BaseModel):
    """One answer of the model: a reply in its JSON form, a raw text, or an error instead."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    worker: str
    role: str | None = None
    reply: dict[str, Any] | str | None = None
    text: str | None = None
    error: str | None = None
    finish_reason: str | None = None


class UserEntry(BaseModel):
    """One thing the user does: `action` and what was said with it."""

    model_config = ConfigDict(frozen=True)

    action: str
    value: str | dict[str, str]


class Script(BaseModel):
    """Replies of the model and entries of the user, each consumed in order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    replies: tuple[ScriptedReply, ...] = ()
    user: tuple[UserEntry, ...] = ()
    rounds: int | None = None

    @field_validator("user", mode="before")
    @classmethod
    def _entries(cls, value: object) -> object:
        return [_user_entry(entry) for entry in value] if isinstance(value, list) else value


def _user_entry(entry: object) -> dict[str, object]:
    """`{accept: true}`, `accept` alone, `{answer: text or mapping}`, `{reject: notes}`."""
    if isinstance(entry, str):
        entry = {entry: ""}
    if not isinstance(entry, Mapping) or len(entry) != 1 or next(iter(entry)) not in ACTIONS:
        raise ValueError(f"an entry of `user` is one of {', '.join(ACTIONS)} with its text")
    action, value = next(iter(entry.items()))
    if isinstance(value, Mapping):
        return {"action": action, "value": {str(tag): _said(text) for tag, text in value.items()}}
    said = "" if action in ("accept", "reject") and value == "true" else _said(value)
    if action == "accept" and said:
        raise ValueError("`accept` takes nothing but true")
    return {"action": action, "value": said}


def _said(value: object) -> str:
    if value is None or value is True:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def read_script(data: object) -> Script:
    """The script in `data`; refuses with ScriptError, naming the first place that does not fit."""
    try:
        return Script.model_validate(data)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        raise ScriptError(f"the script does not fit at `{place}`: {reason}") from None


class ScriptedClient:
    """Gives the replies of a script one after another; each must be for the worker that asks."""

    def __init__(self, replies: Sequence[ScriptedReply]) -> None:
        self._replies = tuple(replies)
        self._next = 0

    def complete(self, request: Request) -> Completion:
        asks = _who(request.worker, request.role)
        if self._next >= len(self._replies):
            raise ModelError("script", f"the script has no reply left, but {asks} asks for one")
        entry = self._replies[self._next]
        number = self._next + 1
        if entry.worker != request.worker or entry.role not in (None, request.role):
            here = _who(entry.worker, entry.role)
            raise ModelError("script", f"reply {number} of the script is for {here}, but {asks} asks")
        self._next += 1
        if entry.error is not None:
            raise ModelError("scripted", f"the model failed for {asks}: {entry.error}")
        return Completion(_text_of(entry), entry.finish_reason or "stop", way="scripted")

    @property
    def taken(self) -> int:
        """How many replies were given."""
        return self._next

    def skip(self, count: int) -> None:
        """The first `count` replies were given before."""
        self._next = count

    @property
    def left_over(self) -> tuple[str, ...]:
        """Whom the replies are for that nobody asked for."""
        return tuple(_who(entry.worker, entry.role) for entry in self._replies[self._next :])


def _who(worker: str, role: str | None) -> str:
    return f"`{worker}` as `{role}`" if role else f"`{worker}`"


def _text_of(entry: ScriptedReply) -> str:
    if isinstance(entry.reply, dict):
        return json.dumps(entry.reply, ensure_ascii=False)
    return entry.text or entry.reply or ""

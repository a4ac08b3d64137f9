"""A model that answers from a list: for demos, tests and rehearsals (SPEC 17.5).

It fails loudly: a reply that is missing, for somebody else, or never asked for is an error that says
what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from skillc.execute.misfit import misfit
from skillc.execute.models.protocol import Completion, ModelError, Request
from skillc.execute.reply import nearest

ACTIONS = ("answer", "accept", "reject", "input", "edit", "refused")


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

    @model_validator(mode="after")
    def _one_answer(self) -> ScriptedReply:
        if sum(value is not None for value in (self.reply, self.text, self.error)) != 1:
            raise ValueError("it needs exactly one of `reply`, `text`, `error`")
        return self


class UserEntry(BaseModel):
    """One thing the user does: `action` and what was said with it; for `edit` values by key, or rows. `refused` is an
    answer that the session must not take: it asks again."""

    model_config = ConfigDict(frozen=True)

    action: str
    value: str | dict[str, Any] | list[dict[str, Any]]

    @model_validator(mode="before")
    @classmethod
    def _written(cls, entry: object) -> object:
        return entry if isinstance(entry, Mapping) and {*entry} == {"action", "value"} else _user_entry(entry)


class Script(BaseModel):
    """Replies of the model and entries of the user, each consumed in order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    replies: tuple[ScriptedReply, ...] = ()
    user: tuple[UserEntry, ...] = ()
    rounds: int | None = None


def _user_entry(entry: object) -> dict[str, object]:
    """`{accept: true}`, `accept` alone, `{answer: text or mapping}`, `{reject: notes}`, `{edit: {variable: value}}`
    or `{edit: [{key, value, rev?, visibility?}]}`, `{refused: text or mapping}`."""
    if isinstance(entry, str):
        entry = {entry: ""}
    if not isinstance(entry, Mapping) or len(entry) != 1 or next(iter(entry)) not in ACTIONS:
        raise ValueError(f"it is one of {', '.join(ACTIONS)} with its text")
    action, value = next(iter(entry.items()))
    if action == "edit":
        return {"action": action, "value": _edited(value)}
    if isinstance(value, Mapping):
        return {"action": action, "value": {str(tag): _said(text) for tag, text in value.items()}}
    said = "" if action in ("accept", "reject") and value == "true" else _said(value)
    if action == "accept" and said:
        raise ValueError("`accept` takes nothing but true")
    return {"action": action, "value": said}


def _edited(value: object) -> object:
    """Values by key, or rows, as they are written: what a text means is for who edits."""
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, list | tuple) or not all(isinstance(row, Mapping) for row in value):
        raise ValueError("`edit` takes a mapping of variables to their values, or a list of {key, value}")
    return [dict(row) for row in value]


def _said(value: object) -> str:
    if value is None or value is True:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def read_script(data: object, name: str = "the script") -> Script:
    """The script in `data`; refuses with ScriptError, naming `name` and every place that does not fit."""
    try:
        return Script.model_validate(data)
    except ValidationError as problem:
        errors = problem.errors(include_url=False, include_input=False)
        sentences = dict.fromkeys(
            _fault(tuple(error["loc"]), error["type"], misfit(error)) for error in errors
        )
        raise ScriptError(f"{name} does not fit: {'; '.join(sentences)}") from None


_ENTRIES: Mapping[str, tuple[str, type[BaseModel]]] = {
    "replies": ("reply", ScriptedReply),
    "user": ("user entry", UserEntry),
}


def _fault(place: tuple[str | int, ...], kind: str, reason: str) -> str:
    """What is wrong at `place`, in the words of who writes scripts."""
    what, keys = "a script", place
    model: type[BaseModel] = Script
    if len(place) > 1 and isinstance(place[1], int) and place[0] in _ENTRIES:
        noun, model = _ENTRIES[str(place[0])]
        what, keys = f"{noun} {place[1] + 1}", place[2:]
    key = str(keys[0]) if keys else ""
    if kind == "extra_forbidden":
        return f"{what} has no key `{key}`; the nearest is `{nearest(key, model.model_fields)}`"
    if kind == "missing":
        return f"{what} needs `{key}`"
    return f"{what}, `{key}`: {reason}" if key else f"{what}: {reason}"


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
            said = f"reply {number} of the script is for {here}, but {asks} asks"
            if entry.worker == "orchestrator":
                said = f"{said}; replies of the orchestrator are for --driver model"
            raise ModelError("script", said)
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
    return entry.text if entry.text is not None else str(entry.reply)

"""What the executor asks of a model, and what can go wrong, said without the provider's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

Message = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Request:
    """One call: for whom, the messages, the JSON Schema of a valid reply, the profile (None: the session's)."""

    worker: str
    role: str | None
    messages: Sequence[Message]
    schema: Mapping[str, object] = field(default_factory=dict)
    profile: str | None = None
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back. `way` is how the reply's form was asked for: json_object, text, scripted…"""

    text: str
    finish_reason: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    way: str = "text"


class ModelError(Exception):
    """The call failed. `kind` tells cases apart; the message is one sentence without any secret."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class ModelClient(Protocol):
    """Answers one request, or raises ModelError."""

    def complete(self, request: Request) -> Completion: ...


class NoModel:
    """Stands where no model was configured: the first worker that needs one says so."""

    def complete(self, request: Request) -> Completion:
        raise ModelError("no-model", f"worker `{request.worker}` needs a model, and none was given")

"""What the executor asks of a model, and what can go wrong, said without the provider's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from skillc.execute.models.form import Form
from skillc.execute.models.parts import Part

Message = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FailedCall:
    """A call that gave no answer: `kind` of the failure, the way that was tried, whom it was sent to."""

    kind: str
    way: str
    profile: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class StepDown:
    """A way to ask for the form of a reply that is used no more: the next one is, and why."""

    profile: str
    way: str
    to: str
    why: str


class Observer:
    """Is told what happens during one request; this one does not care."""

    def failed(self, call: FailedCall) -> None:
        """One call failed; there may be another."""

    def stepped_down(self, step: StepDown) -> None:
        """The client asks in another way from now on."""

    def progress(self, characters: int) -> None:
        """So much of the answer is there."""


SILENT = Observer()


@dataclass(frozen=True, slots=True)
class Request:
    """One request: for whom, the messages, the JSON Schema of a valid reply, the profile (None: the session's).

    `form` is the reply as providers are asked for it (None: as text), `parts` what the messages consist of,
    `static` how many bytes of them are the same in every context of the worker, and of those `fixed` the system
    message. `attempt` counts the replies of one turn.
    """

    worker: str
    role: str | None
    messages: Sequence[Message]
    schema: Mapping[str, object] = field(default_factory=dict)
    profile: str | None = None
    attempt: int = 1
    form: Form | None = None
    parts: Sequence[Part] = ()
    fixed: int = 0
    static: int = 0
    observer: Observer = SILENT


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model called, with its arguments as they were written."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back. `way` is how the reply's form was asked for: json_schema, forced_tool, auto_tool, json_object,
    text, scripted…; `names` are the tags by the property names that were sent, where some were."""

    text: str
    finish_reason: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    way: str = "text"
    calls: tuple[ToolCall, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    cache_written_tokens: int = 0
    profile: str | None = None
    model: str | None = None


class ModelError(Exception):
    """The call failed. `kind` tells cases apart; the message is one sentence without any secret. `again`: it may
    succeed when it is tried again, `wait` seconds later where the server says when. `reported`: an observer was told."""

    def __init__(self, kind: str, message: str, *, again: bool = False, wait: float | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.again = again
        self.wait = wait
        self.reported = False


class ModelClient(Protocol):
    """Answers one request, or raises ModelError."""

    def complete(self, request: Request) -> Completion: ...


class NoModel:
    """Stands where no model was configured: the first worker that needs one says so."""

    def complete(self, request: Request) -> Completion:
        raise ModelError("no-model", f"worker `{request.worker}` needs a model, and none was given")

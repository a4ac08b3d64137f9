"""What one call sends, and who sends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from skillc.execute.models.answer import Answer
from skillc.execute.models.connection import Handle
from skillc.execute.models.form import Form
from skillc.execute.models.protocol import Message


@dataclass(frozen=True, slots=True)
class Sending:
    """One call: the messages, the way in which the form is asked for, the form, in how many seconds an answer is
    wanted, after how many bytes of the messages ends what stays the same, whether the answer may come in pieces, and a
    handle to give the call up by."""

    messages: Sequence[Message]
    way: str
    form: Form | None
    seconds: float
    static: int = 0
    streaming: bool = True
    handle: Handle = field(default_factory=Handle)


class Transport(Protocol):
    """Speaks the protocol of a provider. It tries once."""

    def send(self, sending: Sending, seen: Callable[[int], None]) -> Answer:
        """The answer, or ModelError; `seen` is told how many characters of it came. Called in a thread of its own."""
        ...


def one_system_message(messages: Sequence[Message]) -> list[Message]:
    """One system message, and it is first: some chat templates take no other (C73).

    >>> one_system_message([{"role": "user", "content": "a"}, {"role": "system", "content": "b"}])
    [{'role': 'system', 'content': 'b'}, {'role': 'user', 'content': 'a'}]
    """
    system = [message["content"] for message in messages if message["role"] == "system"]
    others = [message for message in messages if message["role"] != "system"]
    return [{"role": "system", "content": "\n\n".join(system)}, *others] if system else others

"""The answer of a chat server, read as what it is: data from outside, in which anything may be missing or odd."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

_MOST = 2**53
"""What is counted beyond this is no count of tokens."""


class BadAnswer(Exception):
    """The answer cannot be used; the message says what the server did, as in `sent an answer that is no JSON`."""


class ServerSaid(Exception):
    """The server reports an error in an answer that calls itself a success."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The text that the model wrote, why it ended, and what it cost; a count that makes no sense is 0."""

    text: str
    finish_reason: str | None
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int


def read_answer(body: bytes) -> Answer:
    """The first choice of a chat completion. Refuses with BadAnswer or ServerSaid.

    >>> read_answer(b'{"choices": [{"message": {"content": "ja"}}], "usage": {"prompt_tokens": null}}').text
    'ja'
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise BadAnswer("sent an answer that is no JSON") from None
    if not isinstance(data, Mapping):
        raise BadAnswer("sent an answer that is no chat completion")
    if data.get("error"):
        raise ServerSaid(_reason(data["error"]))
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise BadAnswer("sent an answer without a choice in it")
    message = choices[0].get("message")
    if not isinstance(message, Mapping):
        raise BadAnswer("sent an answer without a message in it")
    finish = choices[0].get("finish_reason")
    usage = _mapping(data.get("usage"))
    return Answer(
        text=_text(message.get("content")),
        finish_reason=finish if isinstance(finish, str) else None,
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        cached_tokens=_count(_mapping(usage.get("prompt_tokens_details")).get("cached_tokens")),
    )


def _text(content: object) -> str:
    """A text, or the texts of a list of parts; nothing is the empty text."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise BadAnswer("sent a message whose content is no text")
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
    return "".join(text for text in texts if isinstance(text, str))


def _reason(error: object) -> str:
    message = error.get("message") if isinstance(error, Mapping) else error
    return message if isinstance(message, str) and message.strip() else "it does not say which"


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _count(value: object) -> int:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0
    return int(value) if 0 <= value < _MOST else 0

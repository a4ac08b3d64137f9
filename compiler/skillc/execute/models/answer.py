"""The answer of a chat server, read as what it is: data from outside, in which anything may be missing or odd."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from skillc.execute.models.protocol import ToolCall

_MOST = 2**53
"""What is counted beyond this is no count of tokens."""
DONE = "[DONE]"
EVENTS = "text/event-stream"
"""What an answer that comes in pieces calls itself."""
Seen = Callable[[int], None]
"""Is told how many characters came."""


class BadAnswer(Exception):
    """The answer cannot be used; the message says what the server did, as in `sent an answer that is no JSON`."""


class CutOff(Exception):
    """The answer ended in the middle."""


class ServerSaid(Exception):
    """The server reports an error in an answer that calls itself a success."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The text that the model wrote or the tools that it called, why it ended, and what it cost; a count that makes no
    sense is 0. What it thought is no part of it."""

    text: str
    finish_reason: str | None
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    calls: tuple[ToolCall, ...] = ()
    cache_written_tokens: int = 0


def read_answer(body: bytes) -> Answer:
    """The first choice of a chat completion. Refuses with BadAnswer or ServerSaid.

    >>> read_answer(b'{"choices": [{"message": {"content": "ja"}}], "usage": {"prompt_tokens": null}}').text
    'ja'
    """
    data = read_json(body)
    if not isinstance(data, Mapping):
        raise BadAnswer("sent an answer that is no chat completion")
    if data.get("error"):
        raise ServerSaid(reason_of(data["error"]))
    choice = _choice(data)
    if choice is None:
        raise BadAnswer("sent an answer without a choice in it")
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise BadAnswer("sent an answer without a message in it")
    calls = [_call(entry) for entry in _list(message.get("tool_calls"))]
    return _answer(_text(message.get("content")), calls, choice.get("finish_reason"), data.get("usage"))


def read_stream(events: Iterable[str], seen: Seen) -> Answer:
    """The first choice of a chat completion that comes in pieces: the data of its events. Refuses with BadAnswer,
    ServerSaid, and CutOff when it neither says why it ended nor that it did.

    >>> pieces = ['{"choices": [{"delta": {"content": "j"}}]}', '{"choices": [{"delta": {"content": "a"}}]}', "[DONE]"]
    >>> read_stream(pieces, lambda count: None).text
    'ja'
    """
    texts: list[str] = []
    calls: dict[int, tuple[str, list[str]]] = {}
    finish: object = None
    usage: object = None
    characters, ended = 0, False
    for event in events:
        if event.strip() == DONE:
            ended = True
            break
        data = read_json(event.encode("utf-8", "replace"))
        if not isinstance(data, Mapping):
            raise BadAnswer("sent an answer that is no chat completion")
        if data.get("error"):
            raise ServerSaid(reason_of(data["error"]))
        usage = data.get("usage") or usage
        choice = _choice(data) or {}
        finish = choice.get("finish_reason") or finish
        delta = mapping(choice.get("delta"))
        texts.append(_text(delta.get("content")))
        characters += len(texts[-1]) + len(_said(delta.get("reasoning_content"))) + _take_calls(calls, delta)
        seen(characters)
    if not ended and finish is None:
        raise CutOff
    made = [ToolCall(name, "".join(parts)) for _, (name, parts) in sorted(calls.items())]
    return _answer("".join(texts), made, finish, usage)


def _take_calls(calls: dict[int, tuple[str, list[str]]], delta: Mapping[str, object]) -> int:
    """The pieces of tool calls in `delta` to the calls that they belong to; how many characters they are."""
    characters = 0
    for entry in map(mapping, _list(delta.get("tool_calls"))):
        place = entry.get("index")
        at = place if isinstance(place, int) else len(calls)
        call = _call(entry)
        name, parts = calls.get(at, ("", []))
        calls[at] = (name or call.name, [*parts, call.arguments])
        characters += len(call.arguments)
    return characters


def _answer(text: str, calls: Iterable[ToolCall], finish: object, stated: object) -> Answer:
    usage = mapping(stated)
    cached = count(mapping(usage.get("prompt_tokens_details")).get("cached_tokens"))
    return Answer(
        text=text,
        finish_reason=finish if isinstance(finish, str) else None,
        prompt_tokens=count(usage.get("prompt_tokens")),
        completion_tokens=count(usage.get("completion_tokens")),
        cached_tokens=cached or count(usage.get("prompt_cache_hit_tokens")),
        calls=tuple(calls),
    )


def whole(body: bytes, kind: str, read: Callable[[bytes], Answer]) -> Answer:
    """An answer in one piece; what calls itself something else is told by that name."""
    try:
        return read(body)
    except BadAnswer:
        name = kind.partition(";")[0].strip()
        if name and not name.endswith("json"):
            raise BadAnswer(f"sent `{name[:40]}` in place of JSON") from None
        raise


def read_json(body: bytes) -> object:
    """The JSON in `body`; BadAnswer where there is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise BadAnswer("sent an answer that is no JSON") from None


def _choice(data: Mapping[str, object]) -> Mapping[str, object] | None:
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return None
    return choices[0]


def _call(entry: object) -> ToolCall:
    function = mapping(mapping(entry).get("function"))
    arguments = function.get("arguments")
    written = arguments if isinstance(arguments, str) or arguments is None else json.dumps(arguments)
    return ToolCall(_said(function.get("name")), written or "")


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


def reason_of(error: object) -> str:
    """What a server says is wrong."""
    message = error.get("message") if isinstance(error, Mapping) else error
    return message if isinstance(message, str) and message.strip() else "it does not say which"


def mapping(value: object) -> Mapping[str, object]:
    """`value` where it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _said(value: object) -> str:
    return value if isinstance(value, str) else ""


def count(value: object) -> int:
    """`value` as a count of tokens."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0
    return int(value) if 0 <= value < _MOST else 0

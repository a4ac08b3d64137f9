"""The answer of Anthropic's Messages protocol, whole or in pieces, into the same Answer as that of a chat server."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from skillc.execute.models.answer import (
    Answer,
    BadAnswer,
    CutOff,
    Seen,
    ServerSaid,
    count,
    mapping,
    read_json,
    reason_of,
)
from skillc.execute.models.protocol import ToolCall

_ENDS = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refusal"}
"""Why an answer ended, in the words of chat servers; anything else is `stop`."""


@dataclass
class _Block:
    """A piece of the content: its kind, the name of a tool, what was written so far."""

    kind: str
    name: str = ""
    texts: list[str] = field(default_factory=list)


def read_message(body: bytes) -> Answer:
    """A message. Refuses with BadAnswer or ServerSaid.

    >>> read_message(b'{"content": [{"type": "text", "text": "ja"}], "stop_reason": "end_turn"}').text
    'ja'
    """
    data = mapping(read_json(body))
    if data.get("type") == "error":
        raise ServerSaid(reason_of(data.get("error")))
    content = data.get("content")
    if not isinstance(content, list):
        raise BadAnswer("sent an answer that is no message")
    return _answer(
        [_whole(mapping(entry)) for entry in content], data.get("stop_reason"), mapping(data.get("usage"))
    )


def _whole(entry: Mapping[str, object]) -> _Block:
    block = _begun(entry)
    if block.kind == "tool_use":
        block.texts = [json.dumps(entry.get("input"), ensure_ascii=False)]
    return block


def _begun(entry: Mapping[str, object]) -> _Block:
    """A block as it begins; the input of a tool comes behind."""
    text, name = entry.get("text"), entry.get("name")
    return _Block(
        str(entry.get("type")),
        name if isinstance(name, str) else "",
        [text] if isinstance(text, str) and text else [],
    )


def read_message_stream(events: Iterable[str], seen: Seen) -> Answer:
    """A message that comes in pieces. Refuses with BadAnswer, ServerSaid, and CutOff when it does not say why it
    ended."""
    blocks: dict[object, _Block] = {}
    stop: object = None
    usage: dict[str, object] = {}
    characters = 0
    for event in events:
        data = mapping(read_json(event.encode("utf-8", "replace")))
        match data.get("type"):
            case "error":
                raise ServerSaid(reason_of(data.get("error")))
            case "message_start":
                usage |= mapping(mapping(data.get("message")).get("usage"))
            case "content_block_start":
                blocks[data.get("index")] = _begun(mapping(data.get("content_block")))
            case "content_block_delta":
                characters += _take(blocks, data)
                seen(characters)
            case "message_delta":
                stop = mapping(data.get("delta")).get("stop_reason") or stop
                usage |= {
                    key: value for key, value in mapping(data.get("usage")).items() if value is not None
                }
            case "message_stop":
                break
    if stop is None:
        raise CutOff
    return _answer(list(blocks.values()), stop, usage)


def _take(blocks: dict[object, _Block], data: Mapping[str, object]) -> int:
    """A piece to the block that it belongs to; how many characters it is. Thoughts are counted, not kept."""
    delta = mapping(data.get("delta"))
    piece = next(
        (delta[key] for key in ("text", "partial_json", "thinking") if isinstance(delta.get(key), str)), ""
    )
    block = blocks.get(data.get("index"))
    if block is not None and block.kind in ("text", "tool_use"):
        block.texts.append(str(piece))
    return len(str(piece))


def _answer(blocks: list[_Block], stop: object, usage: Mapping[str, object]) -> Answer:
    """What was read from the cache and what was written to it is part of the prompt, and counted apart by the server."""
    read, written = (
        count(usage.get("cache_read_input_tokens")),
        count(usage.get("cache_creation_input_tokens")),
    )
    return Answer(
        text="".join(text for block in blocks if block.kind == "text" for text in block.texts),
        finish_reason=_ENDS.get(stop, "stop") if isinstance(stop, str) else None,
        prompt_tokens=count(usage.get("input_tokens")) + read + written,
        completion_tokens=count(usage.get("output_tokens")),
        cached_tokens=read,
        calls=tuple(
            ToolCall(block.name, "".join(block.texts)) for block in blocks if block.kind == "tool_use"
        ),
        cache_written_tokens=written,
    )

"""Where Anthropic is told to cache: behind the fixed prefix, behind the static part, behind the dialogue.

What comes after these places is new in every turn; a place in it would be written to the cache and never read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from skillc.execute.models.protocol import Message
from skillc.runtime.estimate import estimate_tokens

CACHE = {"type": "ephemeral"}
Block = dict[str, Any]


def with_breakpoints(
    messages: Sequence[Message], static: int, minimum: int
) -> tuple[list[Block], list[dict[str, Any]]]:
    """The blocks of the system message, and the messages behind it, their contents as blocks. `static` bytes of all are
    the same in every context of the worker; a place before which there are fewer than `minimum` (estimated) tokens
    is left out, since the provider caches nothing there.

    >>> system, said = with_breakpoints([{"role": "system", "content": "s"}, {"role": "user", "content": "abc"}], 3, 0)
    >>> [block["text"] for block in said[0]["content"]], "cache_control" in said[0]["content"][0]
    (['ab', 'c'], True)
    """
    system = [message["content"] for message in messages if message["role"] == "system"]
    others = [message for message in messages if message["role"] != "system"]
    blocks = [{"type": "text", "text": text} for text in system if text]
    tokens = sum(estimate_tokens(text) for text in system)
    _mark(blocks, tokens, minimum)
    left = static - sum(len(text.encode("utf-8")) for text in system)
    said: list[dict[str, Any]] = []
    for at, message in enumerate(others):
        parts = list(_cut(message["content"], left))
        content: list[Block] = []
        for part, ends_static in parts:
            content.append({"type": "text", "text": part})
            tokens += estimate_tokens(part)
            if ends_static or (part is parts[-1][0] and at == len(others) - 2):
                _mark(content, tokens, minimum)
        left -= len(message["content"].encode("utf-8"))
        said.append({"role": message["role"], "content": content})
    return blocks, said


def _cut(text: str, static: int) -> Iterator[tuple[str, bool]]:
    """`text` in one or two parts, and whether the static part ends with it."""
    data = text.encode("utf-8")
    if not 0 < static <= len(data):
        yield text, False
        return
    yield data[:static].decode("utf-8", "ignore"), True
    if static < len(data):
        yield data[static:].decode("utf-8", "ignore"), False


def _mark(blocks: list[Block], tokens: int, minimum: int) -> None:
    if blocks and tokens >= minimum:
        blocks[-1]["cache_control"] = CACHE

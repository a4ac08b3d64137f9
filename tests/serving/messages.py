"""A server of Anthropic's Messages protocol, `POST /<behaviour>…/v1/messages`: as the chat server has them, and `cached` and
`thinking` (what it thought comes first). It refuses what the real one refuses: no limit, more than four marks for the
cache, blank texts, a forced tool while thinking.
"""

from __future__ import annotations

import json
from typing import Any

from chat import ChatServer, Handler, faulty, pieces, reply_of, serve, shaped, tags_of


class Messages(Handler):
    """One request."""

    def _complete(self, behaviour: str, body: dict[str, Any]) -> None:
        fault = fault_of(body)
        if fault:
            said = {"type": "error", "error": {"type": "invalid_request_error", "message": fault}}
            self._send(400, json.dumps(said).encode())
            return
        content = content_of(behaviour, body)
        usage = {
            "input_tokens": 11,
            "output_tokens": 7,
            "cache_read_input_tokens": 40,
            "cache_creation_input_tokens": 20,
        }
        stop = "max_tokens" if behaviour == "length" else "end_turn"
        if not body.get("stream"):
            message = {
                "type": "message",
                "role": "assistant",
                "content": content,
                "stop_reason": stop,
                "usage": usage,
            }
            self._send(200, json.dumps(message).encode())
            return
        events = [
            {"type": "message_start", "message": {"usage": {**usage, "output_tokens": 1}}},
            {"type": "ping"},
        ]
        for at, block in enumerate(content):
            events += block_events(at, block)
        if behaviour in ("cut", "hang"):
            self._stream(events[: len(events) - 3])
            if behaviour == "hang":
                self.server.closing.wait()
            self.close_connection = True
            self._chunk(b"")
            return
        if behaviour == "overloaded":
            events.append({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
        else:
            events.append(
                {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 7}}
            )
            events.append({"type": "message_stop"})
        self._stream(events)
        self._chunk(b"")


def fault_of(body: dict[str, Any]) -> str | None:
    blocks = [
        *body.get("system", ()),
        *(block for message in body["messages"] for block in message["content"]),
    ]
    if "max_tokens" not in body:
        return "max_tokens: field required"
    if sum("cache_control" in block for block in blocks) > 4:
        return "at most 4 blocks with cache_control"
    if any(not block["text"] for block in blocks):
        return "text content blocks must be non-empty"
    if body.get("thinking") and body.get("tool_choice", {}).get("type") == "any":
        return "thinking may not be enabled when tool_choice forces tool use"
    if any(message["role"] == "system" for message in body["messages"]):
        return "system is a parameter"
    return None


def content_of(behaviour: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    reply = reply_of(tags_of([*body["messages"], {"content": body.get("system", "")}]))
    thought = [{"type": "thinking", "thinking": 'also {"outputs": {}}'}] if body.get("thinking") else []
    if "tools" in body and behaviour in ("ok", "cut", "hang"):
        schema = body["tools"][0]["input_schema"]
        arguments = {key: value for key, value in shaped(reply, schema).items() if key != "askUser"}
        return [*thought, {"type": "tool_use", "id": "t", "name": "submit", "input": arguments}]
    return [*thought, {"type": "text", "text": faulty(behaviour, json.dumps(reply, ensure_ascii=False))}]


def block_events(at: int, block: dict[str, Any]) -> list[dict[str, Any]]:
    kind = block["type"]
    key = {"text": "text", "thinking": "thinking", "tool_use": "input"}[kind]
    text = json.dumps(block[key], ensure_ascii=False) if kind == "tool_use" else block[key]
    names = {"text": ("text_delta", "text"), "thinking": ("thinking_delta", "thinking")}
    delta, field = names.get(kind, ("input_json_delta", "partial_json"))
    begun = {**block, key: {} if kind == "tool_use" else ""}
    found: list[dict[str, Any]] = [{"type": "content_block_start", "index": at, "content_block": begun}]
    for piece in pieces({"content": text})[1:]:
        said = {"type": delta, field: piece["content"]}
        found.append({"type": "content_block_delta", "index": at, "delta": said})
    return [*found, {"type": "content_block_stop", "index": at}]


if __name__ == "__main__":
    serve(ChatServer(Messages))

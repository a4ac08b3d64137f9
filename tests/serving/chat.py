"""A chat server of the OpenAI protocol that streams, takes schemas and tools, and has faults to choose from.

`POST /<behaviour>+<behaviour>…/chat/completions`: one behaviour for each request in turn, the last for all that come
behind. `GET /log` gives the requests so far. Run as a program it prints its port.

ok (in the form that is asked for), plain (whatever is asked for, as text), fenced, thinking (thoughts apart and in front),
blank, length (cut at the limit), truncated (half the JSON), invented (a tag of its own), duplicate (a key twice), two (two
objects), noargs (a tool without arguments), cut (the stream ends in the middle), torn (the connection does), html, slowly
(with a pause in the middle), hang (half an answer, then nothing), prefix (counts as cached what begins like the request
before), deepseek (its own name for cached tokens), noschema, notools, nojson (400 for that way of asking), nostream (400
for a stream); a number: that status; 429 tells to come back at once.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

REFUSES = {
    "noschema": lambda body: body.get("response_format", {}).get("type") == "json_schema",
    "notools": lambda body: "tools" in body,
    "nojson": lambda body: body.get("response_format", {}).get("type") == "json_object",
    "nostream": lambda body: body.get("stream"),
}
PIECE = 16


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    server: ChatServer

    def do_GET(self) -> None:
        self._send(200, json.dumps(self.server.log).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        course = self.path.split("/")[1]
        with self.server.lock:
            at = self.server.seen[course]
            self.server.seen[course] += 1
            key = self.headers.get("Authorization") or self.headers.get("x-api-key")
            self.server.log.append({"path": self.path, "body": body, "key": key})
        steps = course.split("+")
        behaviours = steps[min(at, len(steps) - 1)].split("-")
        self.answer(behaviours, body)

    def answer(self, behaviours: list[str], body: dict[str, Any]) -> None:
        status = next((int(one) for one in behaviours if one.isdigit()), None)
        if status is None and any(REFUSES[one](body) for one in behaviours if one in REFUSES):
            status = 400
        if status is not None:
            said = f"no for {self.headers.get('Authorization')}"
            wait = {"Retry-After": "0.01"} if status == 429 else {}
            self._send(status, json.dumps({"error": {"message": said}}).encode(), wait)
        elif "html" in behaviours:
            self._send(200, b"<html>welcome</html>", {"Content-Type": "text/html; charset=utf-8"})
        else:
            self._complete(behaviours[0], body)

    def _complete(self, behaviour: str, body: dict[str, Any]) -> None:
        message = message_of(behaviour, body)
        if behaviour == "parrot":
            message = parroted(message, self.headers.get("Authorization", ""))
        finish = "length" if behaviour == "length" else "tool_calls" if "tool_calls" in message else "stop"
        usage = usage_of(behaviour, body)
        if behaviour == "prefix":
            usage["prompt_tokens_details"] = {"cached_tokens": self._cached(body)}
        if not body.get("stream"):
            choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
            data = json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}).encode()
            self._send(200, data[: len(data) // 2] if behaviour == "torn" else data)
            return
        events = [{"choices": [{"index": 0, "delta": piece}]} for piece in pieces(message)]
        if behaviour in ("cut", "torn", "hang"):
            self._stream(events[: len(events) // 2])
            if behaviour == "hang":
                self.server.closing.wait()
            self.close_connection = True
            if behaviour == "torn":
                self.wfile.write(b"ffff\r\nda")
            else:
                self._chunk(b"")
            return
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        events.append({"choices": [], "usage": usage})
        self._stream(events, pause=1 if behaviour == "slowly" else 0)
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _cached(self, body: dict[str, Any]) -> int:
        """How much of the prompt begins like the one before, in the unit of the prompt."""
        before = [row["body"] for row in self.server.log if row["path"] == self.path][-2:-1]
        old, new = (written(one["messages"]) for one in (before[0] if before else {"messages": []}, body))
        return next(
            (at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
        )

    def _stream(self, events: list[dict[str, Any]], pause: float = 0) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for at, event in enumerate(events):
            if at == len(events) // 2:
                self.server.closing.wait(pause)
            self._chunk(b"data: " + json.dumps(event, ensure_ascii=False).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _send(self, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Silent: the log is fetched."""


class ChatServer(ThreadingHTTPServer):
    """The server and what it remembers."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler] = Handler) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.log: list[dict[str, Any]] = []
        self.seen: Counter[str] = Counter()
        self.lock = threading.Lock()
        self.closing = threading.Event()


def tags_of(messages: list[dict[str, Any]]) -> list[str]:
    """The tags that the task asks for: those of the JSON form, else those that the output protocol lists."""
    text = "\n".join(text_of(message["content"]) for message in messages)
    asked = re.search(r'"outputTags":\s*(\[[^\]]*\])', text)
    if asked:
        found: list[str] = json.loads(asked.group(1))
        return found
    return re.findall(r"^  - `([^`]+)`$", text, re.MULTILINE)


def written(messages: list[dict[str, Any]]) -> str:
    return "".join(text_of(message["content"]) for message in messages)


def text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)


def reply_of(tags: list[str]) -> dict[str, Any]:
    return {"outputs": {tag: f"为 {tag} 而写" for tag in tags}, "summary": "写好了", "askUser": None}


def shaped(reply: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The reply in the form of a schema, as a server that minds it gives it: the tag is in the description."""
    outputs = schema["properties"].get("outputs")
    if outputs is None:
        return {name: instance(entry) for name, entry in schema["properties"].items()}
    if outputs["type"] == "array":
        return {**reply, "outputs": [{"tag": tag, "text": text} for tag, text in reply["outputs"].items()]}
    named = {name: entry["description"].partition("；")[0] for name, entry in outputs["properties"].items()}
    texts = {name: reply["outputs"].get(tag) for name, tag in named.items()}
    return {**reply, "outputs": texts}


def instance(schema: dict[str, Any]) -> Any:
    """Something that fits a simple schema."""
    simple = {"boolean": True, "string": "x", "integer": 1}
    return schema["enum"][0] if "enum" in schema else simple.get(schema["type"], [])


def message_of(behaviour: str, body: dict[str, Any]) -> dict[str, Any]:
    reply = reply_of(tags_of(body["messages"]))
    if behaviour == "invented":
        reply["outputs"] = {"规则.乱写": "我自己想的"}
    kind = body.get("response_format", {}).get("type")
    if behaviour == "noargs":
        return {"content": None, "tool_calls": [tool_call("submit", "")]}
    if behaviour in (
        "ok",
        "parrot",
        "prefix",
        "deepseek",
        "nostream",
        "noschema",
        "notools",
        "nojson",
        "cut",
        "torn",
        "hang",
    ):
        if "tools" in body:
            schema = body["tools"][0]["function"]["parameters"]
            arguments = {key: value for key, value in shaped(reply, schema).items() if key != "askUser"}
            return {
                "content": None,
                "tool_calls": [tool_call("submit", json.dumps(arguments, ensure_ascii=False))],
            }
        if kind == "json_schema":
            reply = shaped(reply, body["response_format"]["json_schema"]["schema"])
    text = json.dumps(reply, ensure_ascii=False)
    if behaviour == "thinking":
        return {"content": f"<think>先想 {{想}}</think>{text}", "reasoning_content": '我想写 {"outputs": {}}'}
    return {"content": faulty(behaviour, text)}


def parroted(message: dict[str, Any], secret: str) -> dict[str, Any]:
    """The same message, in whose texts the server says what it was sent as a key."""
    found: dict[str, Any] = json.loads(json.dumps(message).replace("\\u4e3a", secret))
    return found


def faulty(behaviour: str, text: str) -> str:
    match behaviour:
        case "fenced":
            return f"好的：\n```json\n{text}\n```"
        case "blank":
            return " \n "
        case "truncated" | "length":
            return text[: len(text) // 2]
        case "duplicate":
            return text.replace('"summary"', '"outputs": {}, "summary"')
        case "two":
            return text + text
    return text


def tool_call(name: str, arguments: str) -> dict[str, Any]:
    return {"index": 0, "id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}


def pieces(message: dict[str, Any]) -> list[dict[str, Any]]:
    """A message in pieces, as deltas."""
    found: list[dict[str, Any]] = [{"role": "assistant"}]
    for key in ("reasoning_content", "content"):
        text = message.get(key) or ""
        found += [{key: text[at : at + PIECE]} for at in range(0, len(text), PIECE)]
    for call in message.get("tool_calls", ()):
        arguments = call["function"]["arguments"]
        found.append({"tool_calls": [{**call, "function": {**call["function"], "arguments": ""}}]})
        for at in range(0, len(arguments), PIECE):
            function = {"arguments": arguments[at : at + PIECE]}
            found.append({"tool_calls": [{"index": 0, "function": function}]})
    return found


def usage_of(behaviour: str, body: dict[str, Any]) -> dict[str, Any]:
    size = sum(len(text_of(message["content"])) for message in body["messages"])
    usage: dict[str, Any] = {"prompt_tokens": size, "completion_tokens": 7}
    if behaviour == "deepseek":
        return {**usage, "prompt_cache_hit_tokens": size // 2, "prompt_cache_miss_tokens": size - size // 2}
    return {**usage, "prompt_tokens_details": {"cached_tokens": size // 2}}


def serve(server: ChatServer) -> None:
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    serve(ChatServer())

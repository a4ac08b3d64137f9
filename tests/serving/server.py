"""An OpenAI-compatible chat server that behaves as the first part of the path says.

`POST /<behaviour>/chat/completions`: ok, fenced, thinking, blank, cut, refused (401), limited (429),
broken (500), flaky (500 once, then ok), slow (answers late), torn (half a JSON body), odd (JSON of
another shape), lagging (ok after a moment), together (ok as soon as two with different keys have asked),
spoken (the body is the last message), dripping (a byte now and then, for a minute), missing (404).
`GET /log` gives the requests so far. Run as a program it prints its port.
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LATE_SECONDS = 60
LAG_SECONDS = 0.3
FAULTS = {"refused": 401, "limited": 429, "broken": 500, "missing": 404}


class Handler(BaseHTTPRequestHandler):
    """One request. The server keeps the log, and which flaky path failed already."""

    protocol_version = "HTTP/1.1"
    server: ChatServer

    def do_GET(self) -> None:
        self._send(200, self.server.log)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        behaviour = self.path.split("/")[1]
        self.server.log.append(
            {"path": self.path, "body": body, "authorization": self.headers.get("Authorization")}
        )
        if behaviour == "slow":
            self.server.closing.wait(LATE_SECONDS)
        if behaviour == "lagging":
            self.server.closing.wait(LAG_SECONDS)
        if behaviour == "together":
            if len({row["authorization"] for row in self.server.log}) > 1:
                self.server.met.set()
            self.server.met.wait(LATE_SECONDS)
        if behaviour == "flaky" and not self.server.failed_once:
            self.server.failed_once = True
            self._send(500, _error("try again"), {"retry-after-ms": "1"})
        elif behaviour in FAULTS:
            key = self.headers.get("Authorization", "")
            self._send(FAULTS[behaviour], _error(f"the server says no to {key}"))
        else:
            self._answer(behaviour, body)

    def _answer(self, behaviour: str, body: dict[str, Any]) -> None:
        if behaviour == "odd":
            self._send(200, {"object": "error"})
            return
        if behaviour == "spoken":
            self._send_bytes(200, body["messages"][-1]["content"].encode())
            return
        if behaviour == "dripping":
            self._drip()
            return
        text = reply_text(behaviour, body["messages"])
        data = json.dumps(_completion(text, "length" if behaviour == "cut" else "stop")).encode()
        self._send_bytes(200, data[: len(data) // 2] if behaviour == "torn" else data)

    def _drip(self) -> None:
        """Never quite silent, not done for long."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Filler: ")
        for _ in range(LATE_SECONDS * 10):
            self.wfile.write(b"x")
            self.wfile.flush()
            if self.server.closing.wait(0.1):
                return

    def _send(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        self._send_bytes(status, json.dumps(value).encode(), headers)

    def _send_bytes(self, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
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

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.log: list[dict[str, Any]] = []
        self.failed_once = False
        self.closing = threading.Event()
        self.met = threading.Event()


def reply_text(behaviour: str, messages: list[dict[str, str]]) -> str:
    """A reply that writes every tag which the user message asks for."""
    if behaviour == "blank":
        return "  \n"
    asked = json.loads(next(m["content"] for m in messages if m["role"] == "user").partition("\n")[0])
    outputs = {tag: f"为 {tag} 而写" for tag in asked["outputTags"]}
    reply = json.dumps({"outputs": outputs, "summary": "写好了", "askUser": None}, ensure_ascii=False)
    return {"fenced": f"```json\n{reply}\n```", "thinking": f"先想想 {{…}}</think>\n{reply}"}.get(
        behaviour, reply
    )


def _completion(text: str, finish: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 7,
        "total_tokens": 107,
        "prompt_tokens_details": {"cached_tokens": 64},
    }
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "small",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage,
    }


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "error", "code": None, "param": None}}


if __name__ == "__main__":
    server = ChatServer()
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()

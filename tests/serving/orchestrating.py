"""A server that speaks the OpenAI protocol, whose model is an orchestrator and a worker: prints its port, then answers.

As orchestrator it makes the next call of a list, by how often it spoke; the paths say how calls are asked for: tools,
an object, or a schema. As worker it delivers a text. What was asked is given back at GET /asked.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_workers", {}),
    ("run_worker", {"workerId": "outline", "reason": "写大纲", "inputTags": ["需求.核心要点"]}),
    ("declare_instance_ready", {}),
    ("run_worker", {"workerId": "outline", "reason": "写大纲"}),
    ("finish", {"reason": "写完了"}),
]
asked: list[dict[str, Any]] = []


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """The message of the model."""
    system = body["messages"][0]["content"]
    if "总管规则" not in system:
        text = json.dumps({"outputs": {"大纲.草稿": "纲"}}, ensure_ascii=False)
        if "tools" in body:
            return calling("submit", {"outputs": {"t1": "纲"}, "summary": ""})
        return {"role": "assistant", "content": text}
    tool, arguments = CALLS[sum(message["role"] == "assistant" for message in body["messages"])]
    if "tools" in body:
        return calling(tool, arguments)
    return {
        "role": "assistant",
        "content": json.dumps({"tool": tool, "arguments": arguments}, ensure_ascii=False),
    }


def calling(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "type": "function", "function": function}],
    }


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._send(asked)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked.append(body)
        message = answer(body)
        finish = "tool_calls" if "tool_calls" in message else "stop"
        usage = {"prompt_tokens": 100, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 40}}
        self._send({"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage})

    def _send(self, data: object) -> None:
        text = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Nothing."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    server.serve_forever()

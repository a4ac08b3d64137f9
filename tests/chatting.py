"""A chat server in a process of its own for tests: where it is, what it was asked, profiles that lead to it."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

SERVING = Path(__file__).parent / "serving"
KEY = "sk-very-secret-canary-1234567890"


@dataclass(frozen=True)
class Server:
    """A running server. Its key is the canary: it may be in nothing that is written."""

    address: str

    def get(self, path: str) -> Any:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.address}{path}") as answer:
            return json.load(answer)

    def requests(self, course: str | None = None) -> list[dict[str, Any]]:
        """The requests so far, those of one course of behaviours."""
        log: list[dict[str, Any]] = self.get("/log")
        return [row for row in log if course is None or row["path"].split("/")[1] == course]

    def wait_for(self, course: str, count: int = 1) -> None:
        """Until so many requests came."""
        end = monotonic() + 60
        while len(self.requests(course)) < count:
            assert monotonic() < end, f"no request {count} of {course}"
            sleep(0.01)

    def profile(self, course: str, **more: Any) -> dict[str, Any]:
        return {
            "id": "p",
            "baseUrl": f"{self.address}/{course}",
            "model": "small",
            "apiKeyEnv": "CHAT_KEY",
            "maxRetries": 0,
            "timeoutSeconds": 120,
            **more,
        }


@contextmanager
def serving(program: str) -> Iterator[Server]:
    """The server of a program below serving/, until the end."""
    process = subprocess.Popen([sys.executable, str(SERVING / program)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield Server(f"http://127.0.0.1:{process.stdout.readline().strip()}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()

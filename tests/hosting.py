"""What hosts of sessions need around them: a model server, and patience."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from chatting import serving

PATIENCE = 90
"""Seconds until something that must happen is given up."""


@contextmanager
def chat_server(folder: Path, behaviour: str = "lagging") -> Iterator[str]:
    """A real server process, and a profiles.json in `folder` that names it and a key."""
    with serving("server.py") as server:
        address = f"{server.address}/{behaviour}"
        profile = {"id": "small", "baseUrl": address, "model": "small", "apiKeyEnv": "SMALL_KEY"}
        (folder / "profiles.json").write_text(json.dumps([profile]), encoding="utf-8")
        yield address


def until(true: Callable[[], bool], what: str) -> None:
    """Waits for what must become true."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.05)

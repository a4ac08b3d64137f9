"""What hosts of sessions need around them: a model server, and patience."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

SERVER = Path(__file__).parent / "serving" / "server.py"
PATIENCE = 90
"""Seconds until something that must happen is given up."""


@contextmanager
def chat_server(folder: Path, behaviour: str = "lagging") -> Iterator[str]:
    """A real server process, and a profiles.json in `folder` that names it and a key."""
    process = subprocess.Popen([sys.executable, str(SERVER)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        address = f"http://127.0.0.1:{process.stdout.readline().strip()}/{behaviour}"
        profile = {"id": "small", "baseUrl": address, "model": "small", "apiKeyEnv": "SMALL_KEY"}
        (folder / "profiles.json").write_text(json.dumps([profile]), encoding="utf-8")
        yield address
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def until(true: Callable[[], bool], what: str) -> None:
    """Waits for what must become true."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.05)

"""A `skillc … --watch` in a process of its own, and waiting for what it says: for a condition, never for a time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from cli import ROOT

LIMIT = 60.0
"""Seconds after which what does not happen is taken to never happen, on a machine that does much else."""
WAITING = "--- waiting for changes (Ctrl-C ends)\n"


class Watching:
    """The process, which is interrupted at the end of the block. It ends as Ctrl-C ends any command."""

    def __init__(self, *arguments: str, cwd: Path, **environment: str) -> None:
        self.said: list[str] = []
        self.printed: list[str] = []
        self._news = threading.Condition()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "skillc", *arguments, "--watch"],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT / "compiler"),
                "PYTHONIOENCODING": "utf-8",
                "LC_ALL": "C.UTF-8",
                "SKILLC_JOBS": "1",
                **environment,
            },
        )
        pairs = ((self._process.stderr, self.said), (self._process.stdout, self.printed))
        self._readers = [threading.Thread(target=self._read, args=pair, daemon=True) for pair in pairs]

    def __enter__(self) -> Watching:
        for reader in self._readers:
            reader.start()
        self.until(lambda: self.rounds >= 1)
        return self

    def __exit__(self, *error: object) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            code = self._process.wait(LIMIT)
        finally:
            self._process.kill()
        for reader in self._readers:
            reader.join()
        for stream in (self._process.stdout, self._process.stderr):
            assert stream
            stream.close()
        if error == (None, None, None):
            assert code == 130
            assert "Traceback" not in self.text and "internal error" not in self.text, self.text

    @property
    def text(self) -> str:
        return "".join(self.said)

    @property
    def rounds(self) -> int:
        return self.said.count(WAITING)

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until it holds, which is asked whenever something was said."""
        end = time.monotonic() + LIMIT
        with self._news:
            while not condition():
                assert self._process.poll() is None and time.monotonic() < end, self.text
                self._news.wait(0.2)

    def _read(self, stream: IO[str], lines: list[str]) -> None:
        for line in stream:
            with self._news:
                lines.append(line)
                self._news.notify_all()

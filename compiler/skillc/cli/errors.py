"""How a command stops: with a sentence for the user and an exit code (SPEC 16.3)."""

from __future__ import annotations

CLEAN, FINDINGS, USAGE, INTERNAL = 0, 1, 2, 3


class Stop(Exception):
    """Ends a command: `message` goes to standard error; usage and configuration errors by default."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.message = message
        self.code = code

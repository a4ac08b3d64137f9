"""Notes on a rejection that never reach who is to work them in."""

from __future__ import annotations

from skillc.checks.revisions import unreachable
from skillc.checks.rule import Rule

RULE = Rule(
    "unreachable-revision", "The notes on a rejection cannot reach the worker that reruns.", unreachable
)

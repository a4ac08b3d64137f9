"""Refusals of the runtime: no context is made, and one sentence says why."""

from __future__ import annotations


class AssemblyRefused(ValueError):
    """No context is made; the text says why in one sentence."""

"""Findings as text for people, as lines for tools, as JSON: one file per format (SPEC 16.2)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from skillc.diagnostic import Diagnostic
from skillc.report.counts import Counts

_FORMATS = {
    "text": "text_format",
    "concise": "concise",
    "json": "json_format",
    "sarif": "sarif",
    "github": "github",
    "junit": "junit",
}
"""The module of each; only the wanted one is loaded."""
FORMATS = tuple(_FORMATS)


def render(form: str, diagnostics: Sequence[Diagnostic], counts: Counts, color: bool = False) -> str:
    """All findings in the format `form` (one of `FORMATS`), ending with a line end."""
    rendered: str = import_module(f"skillc.report.{_FORMATS[form]}").render(diagnostics, counts, color)
    return rendered


__all__ = ["FORMATS", "Counts", "render"]

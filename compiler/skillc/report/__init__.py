"""Findings as text for people, as lines for tools, as JSON: one file per format (SPEC 16.2)."""

from __future__ import annotations

from collections.abc import Sequence

from skillc.diagnostic import Diagnostic
from skillc.report import concise, json_format, text_format
from skillc.report.counts import Counts

_FORMATS = {"text": text_format.render, "concise": concise.render, "json": json_format.render}
FORMATS = tuple(_FORMATS)


def render(form: str, diagnostics: Sequence[Diagnostic], counts: Counts, color: bool = False) -> str:
    """All findings in the format `form` (one of `FORMATS`), ending with a line end."""
    return _FORMATS[form](diagnostics, counts, color)


__all__ = ["FORMATS", "Counts", "render"]

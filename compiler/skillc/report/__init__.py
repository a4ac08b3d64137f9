"""Findings as text for people, as lines for tools, as JSON: one file per format (SPEC 16.2)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from skillc.diagnostic import Diagnostic
from skillc.report.counts import Counts
from skillc.report.language import translated, words_of

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
_WEIGHING = ("junit",)
"""Those that say themselves what passes and what fails."""


def render(
    form: str,
    diagnostics: Sequence[Diagnostic],
    counts: Counts,
    color: bool = False,
    language: str = "en",
    strict: bool = False,
) -> str:
    """All findings in the format `form` (one of `FORMATS`) and in `en` or `zh`, ending with a line end. `strict` tells
    the formats that say what fails that warnings do."""
    words = words_of(language)
    module = import_module(f"skillc.report.{_FORMATS[form]}")
    weighed = {"strict": strict} if form in _WEIGHING else {}
    rendered: str = module.render(translated(diagnostics, words), counts, color, words, **weighed)
    return rendered


__all__ = ["FORMATS", "Counts", "render"]

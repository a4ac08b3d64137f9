"""One line per finding: `path:line:column: CODE severity slug: message`."""

from __future__ import annotations

from collections.abc import Sequence

from skillc.diagnostic import Diagnostic
from skillc.report.counts import Counts
from skillc.report.language import ENGLISH, Words
from skillc.report.visible import visible


def line(diagnostic: Diagnostic) -> str:
    """The finding as one line, without a line end."""
    row, column = diagnostic.span.position
    code = diagnostic.code
    place = f"{visible(diagnostic.span.path)}:{row}:{column}"
    return f"{place}: {code.id} {diagnostic.severity.word} {code.slug}: {visible(diagnostic.message)}"


def render(diagnostics: Sequence[Diagnostic], counts: Counts, color: bool, words: Words = ENGLISH) -> str:
    return "".join(line(diagnostic) + "\n" for diagnostic in diagnostics)

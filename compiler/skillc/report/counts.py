"""The numbers under a report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from skillc.diagnostic import Diagnostic, Severity


@dataclass(frozen=True, slots=True)
class Counts:
    errors: int
    warnings: int
    infos: int
    packages: int
    workers: int


def count(diagnostics: Iterable[Diagnostic], packages: int, workers: int) -> Counts:
    """How many findings of each severity, beside how much was read."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    number = severities.count
    return Counts(number(Severity.ERROR), number(Severity.WARNING), number(Severity.INFO), packages, workers)


def plural(number: int, word: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"

"""The numbers under a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from skillc.diagnostic import Diagnostic, Severity
from skillc.value import value
from skillc.wording import Said, say


@value
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


def plural(number: int, word: str) -> Said:
    """`1 error`, `2 errors`; of the words that reports count.

    >>> plural(2, "error")
    '2 errors'
    """
    one, more = _COUNTED[word]
    return one(number) if number == 1 else more(number)


_COUNTED: Mapping[str, tuple[Callable[[int], Said], Callable[[int], Said]]] = {
    "error": (lambda n: say("{n} error", n=n), lambda n: say("{n} errors", n=n)),
    "warning": (lambda n: say("{n} warning", n=n), lambda n: say("{n} warnings", n=n)),
    "info": (lambda n: say("{n} info", n=n), lambda n: say("{n} infos", n=n)),
    "finding": (lambda n: say("{n} finding", n=n), lambda n: say("{n} findings", n=n)),
    "package": (lambda n: say("{n} package", n=n), lambda n: say("{n} packages", n=n)),
    "worker": (lambda n: say("{n} worker", n=n), lambda n: say("{n} workers", n=n)),
    "row": (lambda n: say("{n} row", n=n), lambda n: say("{n} rows", n=n)),
    "entry": (lambda n: say("{n} entry", n=n), lambda n: say("{n} entries", n=n)),
    "object": (lambda n: say("{n} object", n=n), lambda n: say("{n} objects", n=n)),
    "session": (lambda n: say("{n} session", n=n), lambda n: say("{n} sessions", n=n)),
    "call": (lambda n: say("{n} call", n=n), lambda n: say("{n} calls", n=n)),
    "file": (lambda n: say("{n} file", n=n), lambda n: say("{n} files", n=n)),
}

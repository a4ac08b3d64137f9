"""Findings that are new, and those that are gone: by what they are about, wherever they moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from skillc.diagnostic import Diagnostic, identity

LEAKS = (
    "blind-reads-hidden",
    "role-reads-others",
    "hidden-flow",
    "user-only-leak",
    "hidden-to-user",
)
"""Findings that say that a secret reaches somebody from whom it is kept."""
TOLD = "disclosure"
"""Told by the plans already."""


def compare_findings(
    base: Sequence[Diagnostic], head: Sequence[Diagnostic], moved: Callable[[str], str]
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """(new, gone), the weightiest first. `moved` gives the path that a file of the base has in the head."""
    return (
        _weighty(_beyond(head, base, str, moved)),
        _weighty(_beyond(base, head, moved, str)),
    )


def _beyond(
    found: Iterable[Diagnostic],
    others: Iterable[Diagnostic],
    place: Callable[[str], str],
    place_of_other: Callable[[str], str],
) -> Iterable[Diagnostic]:
    """Those of `found` that nothing in `others` stands for; each stands for one at most."""
    known = Counter((place_of_other(d.span.path), identity(d, with_path=False)) for d in others)
    for diagnostic in found:
        key = (place(diagnostic.span.path), identity(diagnostic, with_path=False))
        if known[key]:
            known[key] -= 1
        else:
            yield diagnostic


def _weighty(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda d: (-d.severity, d.sort_key)))

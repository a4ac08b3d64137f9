"""The numbers of a difference in words; what is zero is left out."""

from __future__ import annotations

from collections.abc import Iterable

from skillc.compare.difference import Difference
from skillc.compare.totals import counters_of, totals
from skillc.wording import say, series


def summary_rows(difference: Difference) -> list[tuple[str, str]]:
    """(what is counted, how many) for each number that is not zero."""
    n = totals(difference)
    rows: list[tuple[str, str]] = [
        (
            say("packages"),
            _counted(
                (
                    (n.packages_changed, say("{n} changed", n=n.packages_changed)),
                    (n.packages_added, say("{n} new", n=n.packages_added)),
                    (n.packages_removed, say("{n} gone", n=n.packages_removed)),
                    (n.packages_renamed, say("{n} renamed", n=n.packages_renamed)),
                    (n.packages_left_out, say("{n} left out", n=n.packages_left_out)),
                )
            ),
        ),
        (
            say("workers"),
            _counted(
                (
                    (n.workers_changed, say("{n} changed", n=n.workers_changed)),
                    (n.workers_added, say("{n} new", n=n.workers_added)),
                    (n.workers_removed, say("{n} gone", n=n.workers_removed)),
                    (n.workers_renamed, say("{n} renamed", n=n.workers_renamed)),
                )
            ),
        ),
        (say("prefix tokens read anew, once"), _tokens(difference, n.anew)),
        (say("workers for which no waiting session can go on"), _number(n.stranded)),
        (say("inputs that lose a producer"), _number(n.lost_producers)),
        (say("new disclosures"), _number(n.disclosures)),
        (say("new leaks"), _number(n.leaks)),
        (
            say("new findings"),
            _counted(
                (
                    (n.errors, say("{n} errors", n=n.errors)),
                    (n.warnings, say("{n} warnings", n=n.warnings)),
                    (n.infos, say("{n} infos", n=n.infos)),
                )
            ),
        ),
        (say("findings that are gone"), _number(n.gone)),
    ]
    return [(name, value) for name, value in rows if value]


def _counted(parts: Iterable[tuple[int | None, str]]) -> str:
    return series(said for number, said in parts if number)


def _number(number: int | None) -> str:
    return f"{number:,}" if number else ""


def _tokens(difference: Difference, anew: int) -> str:
    if not anew:
        return ""
    return say("{anew:,} ({counters})", anew=anew, counters=", ".join(counters_of(difference)))

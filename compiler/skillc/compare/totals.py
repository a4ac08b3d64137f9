"""The numbers of a difference, for the end of a report, the head of a comment and programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from skillc.compare.difference import Difference, WorkerDifference
from skillc.compare.findings import LEAKS
from skillc.diagnostic import Diagnostic, Severity
from skillc.value import value


@value
class Totals:
    """`packages_…` and `workers_…` count by status; `anew` are the tokens that are read anew once, in the layout of
    each worker that loses most; `stranded` the workers for which no waiting session can go on; `leaks` the new findings
    that are leaks. New and gone findings are None where one side knows none."""

    packages_changed: int
    packages_added: int
    packages_removed: int
    packages_renamed: int
    packages_left_out: int
    workers_changed: int
    workers_added: int
    workers_removed: int
    workers_renamed: int
    anew: int
    stranded: int
    lost_producers: int
    disclosures: int
    leaks: int | None
    errors: int | None
    warnings: int | None
    infos: int | None
    gone: int | None


def totals(difference: Difference) -> Totals:
    """All counted."""
    packages = difference.packages
    workers = [worker for one in packages for worker in one.workers]
    package = Counter(one.status for one in packages)
    worker = Counter(one.status for one in workers)
    new = difference.new
    return Totals(
        packages_changed=package["changed"],
        packages_added=package["added"],
        packages_removed=package["removed"],
        packages_renamed=package["renamed"],
        packages_left_out=len(difference.left_out),
        workers_changed=worker["changed"],
        workers_added=worker["added"],
        workers_removed=worker["removed"],
        workers_renamed=worker["renamed"],
        anew=sum(one.anew for one in workers if one.status in ("changed", "renamed")),
        stranded=sum(len(one.stranded) for one in packages),
        lost_producers=sum(len(one.lost) for one in packages),
        disclosures=sum(len(one.flows.disclosed) for one in packages),
        leaks=None if new is None else sum(d.code.slug in LEAKS for d in new),
        errors=_number(new, Severity.ERROR),
        warnings=_number(new, Severity.WARNING),
        infos=_number(new, Severity.INFO),
        gone=None if difference.gone is None else len(difference.gone),
    )


def _number(found: tuple[Diagnostic, ...] | None, severity: Severity) -> int | None:
    return None if found is None else sum(d.severity is severity for d in found)


def counters_of(difference: Difference) -> tuple[str, ...]:
    """The names of what counted the tokens, each once."""
    workers: Iterable[WorkerDifference] = (w for one in difference.packages for w in one.workers)
    return tuple(dict.fromkeys(str(w.counter.name) for w in workers if w.counter))

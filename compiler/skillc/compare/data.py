"""A difference as plain data, for `--format json`. Minor versions only add fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skillc.compare.difference import (
    Change,
    Difference,
    LeftOutDifference,
    LostProducer,
    PackageDifference,
    Prefix,
    WorkerDifference,
)
from skillc.compare.findings import LEAKS
from skillc.compare.side import Side
from skillc.compare.totals import totals
from skillc.diagnostic import Diagnostic
from skillc.value import asdict

FORMAT_VERSION = "1.0"
SCHEMA_ID = "urn:skillc:diff:1"
Tell = Callable[[str], str]


def data(difference: Difference, tell: Tell = str) -> dict[str, Any]:
    """All of a difference; sentences in the language of `tell`."""
    new, gone = difference.new, difference.gone
    return {
        "$schema": SCHEMA_ID,
        "format_version": FORMAT_VERSION,
        "base": side_data(difference.base),
        "head": side_data(difference.head),
        "different": difference.different,
        "packages": [_package(one, tell) for one in difference.packages],
        "left_out": [_left_out(one, tell) for one in difference.left_out],
        "same_plan": list(difference.same_plan),
        "findings": None
        if new is None or gone is None
        else {"new": [_finding(d, tell) for d in new], "gone": [_finding(d, tell) for d in gone]},
        "summary": asdict(totals(difference)),
    }


def side_data(side: Side) -> dict[str, Any]:
    """Which side it is: nothing in it depends on where the workspace lies."""
    return {
        "name": side.name,
        "kind": side.kind,
        "revision": side.revision,
        "compiler": side.compiler,
        "packages": len(side.packages),
        "left_out": len(side.left_out),
    }


def _package(one: PackageDifference, tell: Tell) -> dict[str, Any]:
    return {
        "path": one.path,
        "was": one.was,
        "status": one.status,
        "kinds": list(one.kinds),
        "changes": [change_data(change) for change in one.changes],
        "workers": [_worker(worker, tell) for worker in one.workers],
        "lost_producers": [_lost(lost) for lost in one.lost],
        "disclosures": {"new": list(one.flows.disclosed), "gone": list(one.flows.undisclosed)},
        "declassified": {"new": list(one.flows.declassified), "gone": list(one.flows.reclassified)},
        "stranded": list(one.stranded),
    }


def change_data(change: Change) -> dict[str, Any]:
    """One field that differs."""
    return {
        "kind": change.kind,
        "field": change.field,
        "added": list(change.added),
        "removed": list(change.removed),
        "was": change.was,
        "now": change.now,
    }


def _worker(one: WorkerDifference, tell: Tell) -> dict[str, Any]:
    counter = one.counter
    return {
        "id": one.id,
        "was": one.was,
        "status": one.status,
        "kinds": list(one.kinds),
        "changes": [change_data(change) for change in one.changes],
        "resumes": one.resumes,
        "counter": counter and {"name": counter.name, "exact": counter.exact, "why": tell(counter.why)},
        "tokens_anew": one.anew if one.status != "added" else 0,
        "prefixes": [_prefix(prefix) for prefix in one.prefixes or ()],
    }


def _prefix(prefix: Prefix) -> dict[str, Any]:
    return {
        "variant": prefix.variant,
        "slot": prefix.slot,
        "tokens": prefix.tokens,
        "fixed_anew": prefix.fixed_anew,
        "static_anew": prefix.static_anew,
        "fills": list(prefix.fills),
    }


def _lost(lost: LostProducer) -> dict[str, Any]:
    return {"worker": lost.worker, "pattern": lost.pattern, "lost": list(lost.lost), "left": lost.left}


def _left_out(one: LeftOutDifference, tell: Tell) -> dict[str, Any]:
    return {
        "path": one.path,
        "base": one.base,
        "head": one.head,
        "same": one.same,
        "detail": tell(one.detail) or None,
    }


def _finding(diagnostic: Diagnostic, tell: Tell) -> dict[str, Any]:
    line, column = diagnostic.span.position
    return {
        "code": diagnostic.code.id,
        "slug": diagnostic.code.slug,
        "severity": diagnostic.severity.word,
        "path": diagnostic.span.path,
        "line": line,
        "column": column,
        "message": tell(diagnostic.message),
        "leak": diagnostic.code.slug in LEAKS,
    }

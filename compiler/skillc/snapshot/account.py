"""What became of a case, in lines for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from skillc.report.visible import visible
from skillc.snapshot.assembling import Fault
from skillc.snapshot.comparing import Kind, Outcome
from skillc.wording import say, series

Line = tuple[str, str]
"""A mark and a sentence or text: `!` headline, `=` help, and the marks of a `Change`."""


def account(outcome: Outcome) -> Iterator[Line]:
    """The lines about one outcome; none about one that is the same."""
    if outcome.kind == "failed":
        for fault in outcome.faults:
            yield from _fault(fault)
    elif outcome.kind == "missing":
        yield "!", say("{path}: has no snapshot yet", path=outcome.path)
        yield (
            "=",
            _help(
                say(
                    "take it with `skillc snapshot --update`, read `{path}`, and commit it",
                    path=outcome.snapshot,
                )
            ),
        )
    elif outcome.kind == "unused":
        yield "!", say("{path}: belongs to no case any more", path=outcome.path)
        yield "=", _help(say("`skillc snapshot --update` removes it"))
    elif outcome.kind == "changed":
        where = series(change.where for change in outcome.changes)
        yield "!", say("{path}: another context: {where}", path=outcome.path, where=where)
        for change in outcome.changes:
            yield "@", change.where
            yield from change.lines


def _fault(fault: Fault) -> Iterator[Line]:
    line, column = fault.span.position
    place = f"{fault.span.path}:{line}:{column}"
    yield "!", say("{place}: {message}", place=place, message=fault.message)
    if fault.help:
        yield "=", _help(fault.help)


def _help(way: str) -> str:
    return say("help: {help}", help=way)


def plain(mark: str, text: str) -> str:
    """One line without colour. A snapshot may hold anything, so what would steer a terminal is shown by its number."""
    safe = visible(text)
    return {"!": safe, "=": f"  {safe}", "@": f"  {safe}"}.get(mark, f"    {mark} {safe}".rstrip())


def summary(kinds: Sequence[Kind], updated: bool) -> str:
    """How many cases and snapshots are of which kind, before an update or after one."""
    if not kinds:
        return say("no package here has a case: a case is a board `contexts/<case>.yaml` that names a worker")
    number = Counter(kinds)
    told = _DONE if updated else _FOUND
    parts = series(word(number[kind]) for kind, word in told.items() if kind == "same" or number[kind])
    if updated:
        return say("snapshots updated: {parts}", parts=parts)
    if number["changed"] or number["missing"] or number["unused"]:
        return say("snapshots: {parts}; `skillc snapshot --update` accepts what is meant", parts=parts)
    return say("snapshots: {parts}", parts=parts)


_FOUND: dict[Kind, Callable[[int], str]] = {
    "same": lambda n: say("{n} as before", n=n),
    "changed": lambda n: say("{n} changed", n=n),
    "missing": lambda n: say("{n} without a snapshot", n=n),
    "unused": lambda n: say("{n} unused", n=n),
    "failed": lambda n: say("{n} failed", n=n),
}
_DONE: dict[Kind, Callable[[int], str]] = {
    **_FOUND,
    "changed": lambda n: say("{n} rewritten", n=n),
    "missing": lambda n: say("{n} new", n=n),
    "unused": lambda n: say("{n} removed", n=n),
}

"""A difference in sentences: lines with a depth and a weight, for a terminal and for a comment alike."""

from __future__ import annotations

from collections.abc import Iterator

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
from skillc.compare.flowtelling import flow_lines
from skillc.compare.naming import about, kinds_named, side_named
from skillc.diagnostic import Diagnostic, Severity
from skillc.value import replace, value
from skillc.wording import Said, say, series

BROKEN, SECRET, LOST, STRANDED, CONTRACT, COLD, WORDS, MINOR = range(8)
"""What a line weighs; the smaller, the longer it stays where room is short."""
_CONTRACT = ("interface", "isolation", "acceptance", "readiness", "slots", "scheduling", "model")


@value
class Line:
    """`depth` 0 is a heading; a line belongs to the nearest one above it that is less deep."""

    depth: int
    weight: int
    text: str


def story(difference: Difference) -> list[Line]:
    """Everything that differs, in order: what could not be compared, packages, findings that are new and gone. A line
    weighs at least what the heaviest line below it weighs."""
    lines = [*_compilers(difference)]
    lines += [line for one in difference.left_out for line in _left_out(one, difference)]
    for one in difference.packages:
        lines += _package(one)
    lines += _findings(difference)
    for path in difference.same_plan:
        lines.append(Line(0, MINOR, say("`{path}`: other files, and it compiles to the same", path=path)))
    return _weighed(lines)


def _compilers(difference: Difference) -> Iterator[Line]:
    base, head = difference.base, difference.head
    if base.compiler != head.compiler:
        said = say(
            "{base} was compiled by skillc {was}, {head} by {now}: what these make differently shows too",
            base=side_named(base),
            was=base.compiler,
            head=side_named(head),
            now=head.compiler,
        )
        yield Line(0, CONTRACT, said)


def _weighed(lines: list[Line]) -> list[Line]:
    weighed: list[Line] = []
    below: dict[int, int] = {}
    for line in reversed(lines):
        weight = min([line.weight, *(heaviest for depth, heaviest in below.items() if depth > line.depth)])
        below = {depth: heaviest for depth, heaviest in below.items() if depth <= line.depth}
        below[line.depth] = min(weight, below.get(line.depth, weight))
        weighed.append(replace(line, weight=weight))
    return weighed[::-1]


def _left_out(one: LeftOutDifference, difference: Difference) -> Iterator[Line]:
    reasons = [
        _reason(why, side_named(side), one.detail)
        for why, side in ((one.base, difference.base), (one.head, difference.head))
        if why is not None
    ]
    said = say("`{path}` is left out: {reasons}", path=one.path, reasons=series(reasons))
    yield Line(0, MINOR if one.same else BROKEN, said)
    if one.same:
        yield Line(1, MINOR, say("its sources are the same on both sides"))


def _reason(why: str, side: str, detail: str) -> str:
    match why:
        case "errors":
            return say("it has errors in {side}", side=side)
        case "stale":
            return say("its plan in {side} is stale, since it had errors when that was built", side=side)
        case "damaged":
            return say("its plan in {side} cannot be used: {detail}", side=side, detail=detail)
    return say("there is no such package in {side}", side=side)


def _package(one: PackageDifference) -> Iterator[Line]:
    yield Line(0, MINOR, _heading(one))
    for change in one.changes:
        yield Line(1, _weight(change), told(change))
    if one.was:
        yield Line(1, STRANDED, say("sessions of `{path}` cannot go on: the path is theirs", path=one.was))
    if one.status == "removed":
        yield Line(1, STRANDED, say("its sessions cannot go on"))
    for worker in one.workers:
        yield from _worker(worker, one.status)
    yield from (Line(1, LOST, _lost(lost)) for lost in one.lost)
    yield from (Line(1, SECRET if news else MINOR, text) for news, text in flow_lines(one.flows))


def _heading(one: PackageDifference) -> str:
    match one.status:
        case "added":
            return say("new package `{path}`", path=one.path)
        case "removed":
            return say("package `{path}` is gone", path=one.path)
        case "renamed":
            return say("package `{was}` is now `{path}`", was=one.was, path=one.path)
    return say("package `{path}`", path=one.path)


def _weight(change: Change) -> int:
    return CONTRACT if change.kind in _CONTRACT else WORDS


def told(change: Change) -> str:
    """One change in a line.

    >>> told(Change("interface", "outputTags", added=("规则.草稿",)))
    'outputTags: + `规则.草稿`'
    """
    if change.added or change.removed:
        parts = [*(f"+ `{text}`" for text in change.added), *(f"- `{text}`" for text in change.removed)]
        return say("{name}: {value}", name=change.field, value=", ".join(parts))
    if change.was is None and change.now is None:
        return say("{field}: other words", field=change.field)
    was, now = map(_value, (change.was, change.now))
    return say("{field}: {was} → {now}", field=change.field, was=was, now=now)


def _value(text: str | None) -> str:
    """What an author wrote stands in backticks, a word of ours does not."""
    if text is None:
        return say("nothing")
    return text if isinstance(text, Said) else f"`{text}`"


def _worker(one: WorkerDifference, status: str) -> Iterator[Line]:
    yield Line(1, STRANDED if one.status == "removed" and status != "removed" else MINOR, _named(one))
    for change in one.changes:
        yield Line(2, _weight(change), told(change))
    for prefix in one.prefixes or ():
        if prefix.anew or prefix.fills:
            yield Line(2, COLD if one.status != "added" else MINOR, _cold(prefix, one))
    if not one.resumes and status != "removed":
        yield Line(2, STRANDED, say("a session that waits for it cannot go on"))


def _named(one: WorkerDifference) -> str:
    match one.status:
        case "added":
            return say("new worker `{id}`", id=one.id)
        case "removed":
            return say("worker `{id}` is gone", id=one.id)
        case "renamed":
            return say("worker `{was}` is now `{id}`{kinds}", was=one.was, id=one.id, kinds=_kinds(one))
    return say("worker `{id}`{kinds}", id=one.id, kinds=_kinds(one))


def _kinds(one: WorkerDifference) -> str:
    return say(": {kinds}", kinds=kinds_named(one.kinds)) if one.kinds else ""


def _cold(prefix: Prefix, one: WorkerDifference) -> str:
    fills = series(f"`{id}`" for id in prefix.fills)
    values = {
        "layout": _layout(prefix),
        "anew": prefix.anew,
        "tokens": prefix.tokens,
        "fixed": prefix.fixed_anew,
        "static": prefix.static_anew,
        "fills": say(", and what the board puts into {segments}", segments=fills) if fills else "",
        "counter": about(one.counter) if one.counter else "",
    }
    if one.status == "added":
        return say("{layout}a prefix of {tokens:,} tokens{fills} ({counter})", **values)
    return say(
        "{layout}cold prefix: {anew:,} of {tokens:,} tokens are read anew, {fixed:,} in the fixed prefix and {static:,} in "
        "static segments{fills} ({counter})",
        **values,
    )


def _layout(prefix: Prefix) -> str:
    if prefix.slot:
        return say("in its slot: ")
    return say("variant `{variant}`: ", variant=prefix.variant) if prefix.variant else ""


def _lost(one: LostProducer) -> str:
    values = {
        "worker": one.worker,
        "pattern": one.pattern,
        "lost": series(f"`{who}`" for who in one.lost),
        "left": one.left,
    }
    if not one.left:
        return say(
            "`{worker}` reads `{pattern}`, which nobody writes any more; it came from {lost}", **values
        )
    return say(
        "`{worker}` reads `{pattern}`, which no longer comes from {lost}; others write it: {left}", **values
    )


def _findings(difference: Difference) -> Iterator[Line]:
    if difference.new is None or difference.gone is None:
        yield Line(0, MINOR, say("findings are not compared: a build output has none"))
        return
    if difference.new:
        yield Line(0, MINOR, say("new findings: {n}", n=len(difference.new)))
        yield from (Line(1, _gravity(d), _new_line(d)) for d in difference.new)
    if difference.gone:
        yield Line(0, MINOR, say("findings that are gone: {n}", n=len(difference.gone)))
        yield from (Line(1, MINOR, finding_line(d)) for d in difference.gone)


def _gravity(diagnostic: Diagnostic) -> int:
    if diagnostic.severity is Severity.ERROR:
        return BROKEN
    if diagnostic.code.slug in LEAKS:
        return SECRET
    return CONTRACT if diagnostic.severity is Severity.WARNING else MINOR


def _new_line(diagnostic: Diagnostic) -> str:
    """A new finding, marked where it counts as a leak."""
    line = finding_line(diagnostic)
    return say("new leak: {finding}", finding=line) if diagnostic.code.slug in LEAKS else line


def finding_line(diagnostic: Diagnostic) -> str:
    """A finding as the concise format has it."""
    line, column = diagnostic.span.position
    return say(
        "`{path}:{line}:{column}` {code} {severity} {slug}: {message}",
        path=diagnostic.span.path,
        line=line,
        column=column,
        code=diagnostic.code.id,
        severity=diagnostic.severity.word,
        slug=diagnostic.code.slug,
        message=diagnostic.message,
    )

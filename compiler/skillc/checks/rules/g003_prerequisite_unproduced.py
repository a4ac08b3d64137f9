"""A prerequisite, or the tag of a readiness condition, that nobody makes before play."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.gaps import COMPARED, gaps
from skillc.checks.rule import Rule
from skillc.checks.wording import listed, nearest_written
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import PatternIndex, TagGraph, drafts_of
from skillc.graph.goals import Goal, contradiction
from skillc.graph.readiness import Blocked, blocked
from skillc.model.package import Readiness
from skillc.wording import say

HELP = say(
    "the user gives it when 写入目标 or 询问策略 names it, a Book when `sources` in tags.yaml does; else let a design "
    "worker write it"
)


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a tag that nobody makes, one for all tags that the same workers write too late or hold up,
    one a condition that holds on no board. Silent where an input without a producer says the same, and where
    a loop keeps a worker that makes the tag from running: that has a finding of its own."""
    manifest = graph.package.manifest
    if manifest is None or manifest.broken:
        return
    never = [ready for ready in manifest.ready if ready.condition and contradiction(ready.condition)]
    yield from (_contradiction(ready) for ready in never)
    causes: dict[object, list[Blocked]] = {}
    for found in blocked(graph):
        if found.goal.readiness not in never:
            causes.setdefault((found.late, found.waiting) if found.late else found.goal.pattern, []).append(
                found
            )
    if not causes:
        return
    told = PatternIndex((gap.pattern, True) for gap in gaps(graph))
    writers = PatternIndex(
        (ref.pattern, worker.id) for worker in graph.package.workers for ref in worker.outputs
    )
    for number, group in enumerate(causes.values()):
        first = group[0]
        if first.waiting:
            yield _held_up(graph, group)
        elif first.late:
            yield _too_late(graph, group)
        elif not first.producers and not told.overlapping(first.goal.pattern):
            draft = drafts_of(first.goal.pattern)
            drafters = writers.overlapping(draft) if draft else []
            yield _unconfirmed(group, drafters) if drafters else _unmade(graph, group, number < COMPARED)


def _unconfirmed(group: list[Blocked], drafters: list[str]) -> Diagnostic:
    writers = listed(dict.fromkeys(drafters))
    why = say("no_confirmation leaves the draft of {writers} a draft", writers=writers)
    way = say("give {writers} the acceptance user_confirmed, or ask for the draft", writers=writers)
    return _finding(group, say("{what}, but {why}", what=_asks(group[0].goal), why=why), way)


def _unmade(graph: TagGraph, group: list[Blocked], compare: bool) -> Diagnostic:
    goal = group[0].goal
    near = nearest_written(graph, goal.pattern.text) if compare else None
    way = say("did you mean `{near}`? Else {help}", near=near, help=HELP) if near else HELP
    why = say("no worker writes it and no source gives it")
    return _finding(group, say("{what}, but {why}", what=_asks(goal), why=why), way)


def _too_late(graph: TagGraph, group: list[Blocked]) -> Diagnostic:
    late = group[0].late
    message = say(
        "{what}, but it is written in play only, by {workers}, and play begins after that",
        what=_asks(group[0].goal),
        workers=listed(late),
    )
    way = say(
        "give {workers} `stage: design`, or take the tag out of the prerequisites", workers=listed(late)
    )
    labels = [Label(graph.workers[id].span, say("`{id}` runs in play", id=id)) for id in late]
    return _finding(group, message, way, labels)


def _held_up(graph: TagGraph, group: list[Blocked]) -> Diagnostic:
    """What design workers would make, if they did not wait for play."""
    first = group[0]
    reader, late = first.waiting[0][0], listed(first.late)
    message = say(
        "{what}, but before that `{reader}` needs `{tag}`, which is written in play only, by {workers}",
        what=_asks(first.goal),
        reader=reader,
        tag=graph.input(first.waiting[0]).pattern.text,
        workers=late,
    )
    way = say(
        "give {workers} `stage: design`, or mark the input with `?` if `{reader}` can do without it",
        workers=late,
        reader=reader,
    )
    labels = [
        Label(graph.input(key).span, say("`{id}` waits for it in design", id=key[0])) for key in first.waiting
    ]
    labels += [Label(graph.workers[id].span, say("`{id}` runs in play", id=id)) for id in first.late]
    return _finding(group, message, way, labels)


def _finding(group: list[Blocked], message: str, way: str, more: list[Label] | None = None) -> Diagnostic:
    first, *others = [blocked.goal for blocked in group]
    labels = [Label(goal.span, say("asked for here too")) for goal in others]
    return finding("prerequisite-unproduced", first.span, message, way, [*labels, *(more or ())])


def _asks(goal: Goal) -> str:
    if goal.readiness is None:
        return say("`{tag}` is a prerequisite of the package", tag=goal.pattern.text)
    return say("the package is ready only with `{tag}`", tag=goal.pattern.text)


def _contradiction(ready: Readiness) -> Diagnostic:
    return finding(
        "prerequisite-unproduced",
        ready.text.span,
        say(
            "the condition `{text}` can never hold, so the package never becomes ready", text=ready.text.value
        ),
        say("take out one of the parts that exclude each other; the startup is over before it is asked"),
    )


RULE = Rule(
    "prerequisite-unproduced", "Nobody makes before play what the package must have to become ready.", check
)

"""Leaks as findings: what a secret is, whom it reaches, by which way (SPEC 8.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, Severity, finding
from skillc.graph import TagGraph
from skillc.graph.flow_types import DENIED, HISTORY, USER, Leak, Step, Way
from skillc.text import Span
from skillc.wording import say

SHOWN = 24
"""How many places of a long way, and how many other ends, are pointed at."""


STRICT = frozenset(("hidden-flow", "user-only-leak", "hidden-to-user", "disclosure"))
"""What `flow = "strict"` makes errors: indirect flows and disclosures."""


def strictly(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings under `flow = "strict"` (SPEC 8.4)."""
    return [replace(d, severity=Severity.ERROR) if d.code.slug in STRICT else d for d in diagnostics]


def found(graph: TagGraph, slug: str) -> Iterator[Diagnostic]:
    """The findings of one code about the leaks of a package."""
    for leak in graph.flows.leaks:
        if leak.slug == slug:
            yield finding(slug, _place(graph, leak), _message(leak), _help(leak), _related(graph, leak))


def _place(graph: TagGraph, leak: Leak) -> Span:
    """The input that must not have it; of a disclosure, and of what the user reads, the output (or the answer's
    input, where a worker asks)."""
    way = leak.way
    if leak.created and way.steps and way.steps[0].wrote:
        return way.steps[0].wrote.span
    if way.end.read is not None:
        return way.end.read.span
    for step in reversed(way.steps):
        if step.wrote is not None:
            return step.wrote.span if way.steps[-1] is step else _answer(graph, way.steps[-1])
    if way.steps:
        return _answer(graph, way.steps[-1])
    return way.secret.ref.span if way.secret.ref else graph.package.workers[0].span


def _answer(graph: TagGraph, step: Step) -> Span:
    worker = graph.workers[step.worker]
    return next((ref.span for ref in worker.inputs if ref.text == "用户.worker答复"), worker.span)


def _message(leak: Leak) -> str:
    way = leak.way
    if leak.created:
        return _disclosed(way)
    if not way.steps:
        return say("`{tag}` is hidden and is delivered to the user all the same", tag=way.end.pattern.text)
    if way.end.reader == USER:
        return _to_user(way)
    return _to_worker(way)


def _to_user(way: Way) -> str:
    secret, through = way.secret.pattern.text, listed(_names(way.steps))
    if way.steps[-1].wrote is None:
        return say(
            "`{secret}` is hidden and may reach the user in what {through} asks",
            secret=secret,
            through=through,
        )
    return say(
        "`{secret}` is hidden and reaches the user in `{tag}` through {through}",
        secret=secret,
        tag=way.end.pattern.text,
        through=through,
    )


def _to_worker(way: Way) -> str:
    values = {
        "secret": way.secret.pattern.text,
        "reader": way.end.reader,
        "tag": way.end.pattern.text,
        "through": listed(_names(way.steps)),
    }
    label = way.secret.label
    if label == "hidden":
        return say(
            "`{secret}` is hidden from `{reader}` and reaches it in `{tag}` through {through}", **values
        )
    if label == "user_only":
        return say(
            "`{secret}` is for the user only and reaches `{reader}` in `{tag}` through {through}", **values
        )
    if label == DENIED:
        return say(
            "`{secret}` is forbidden to `{reader}` by the manifest and reaches it in `{tag}` through {through}",
            **values,
        )
    return say(
        "`{secret}` is private to a role and reaches `{reader}`, which may run as another, in `{tag}` through {through}",
        **values,
    )


def _disclosed(way: Way) -> str:
    start = way.steps[0]
    values = {
        "worker": start.worker,
        "secret": way.secret.pattern.text,
        "tag": start.wrote.text if start.wrote else way.end.pattern.text,
        "reader": say("the user") if way.end.reader == USER else say("`{worker}`", worker=way.end.reader),
        "later": listed(_names(way.steps[1:])),
    }
    if len(way.steps) > 1:
        return say(
            "`{worker}` makes `{secret}`, kept from {reader}, and beside it writes `{tag}`, which goes on to {reader} "
            "through {later}",
            **values,
        )
    return say(
        "`{worker}` makes `{secret}`, kept from {reader}, and beside it writes `{tag}`, which {reader} reads",
        **values,
    )


def _help(leak: Leak) -> str:
    way = leak.way
    if not way.steps:
        return say("give it a name that does not hide it, or take it out of what is delivered")
    start = way.steps[0]
    labels = listed("hidden" if label == DENIED else label for label in leak.labels)
    tags = listed(
        dict.fromkeys(w.steps[0].wrote.text if w.steps[0].wrote else "用户.worker答复" for w in leak.ways)
    )
    if leak.created:
        return say(
            "if that is meant, say so under `declassify` in tags.yaml: worker `{worker}`, tags {tags}, label {labels}, "
            "and the reason; else let another worker write one of them",
            worker=start.worker,
            tags=tags,
            labels=labels,
        )
    return say(
        "take `{read}` out of inputTags of `{worker}`; if what it writes is meant to be known, say so under "
        "`declassify` in tags.yaml: worker `{worker}`, tags {tags}, label {labels}, and the reason",
        read=start.read.text if start.read else way.secret.pattern.text,
        worker=start.worker,
        tags=tags,
        labels=labels,
    )


def _names(steps: tuple[Step, ...]) -> list[str]:
    """The workers on a way; the history between two of them is named too, at the end it is the tag itself."""
    between = steps[:-1] if steps and steps[-1].worker == HISTORY else steps
    return list(dict.fromkeys("对话.历史" if step.worker == HISTORY else step.worker for step in between))


def _related(graph: TagGraph, leak: Leak) -> list[Label]:
    """Each hop of the way in order, then where else the same cause leads."""
    hops = [*_begin(leak), *_hops(leak)]
    ends = {way.end: True for way in leak.ways if way.end != leak.way.end}
    also = [
        Label(end.read.span, say("`{reader}` reads `{tag}` too", reader=end.reader, tag=end.read.text), True)
        for end in ends
        if end.read is not None
    ]
    return [*hops[:SHOWN], *also[:SHOWN]]


def _begin(leak: Leak) -> Iterator[Label]:
    secret = leak.way.secret
    if secret.ref is None or not leak.way.steps:
        return
    if secret.writer is None:
        yield Label(secret.ref.span, say("the user is asked for `{tag}`", tag=secret.ref.text))
    else:
        values = {"worker": secret.writer, "tag": secret.ref.text}
        yield Label(secret.ref.span, say("`{worker}` writes `{tag}` here", **values))


def _hops(leak: Leak) -> Iterator[Label]:
    way = leak.way
    for step in way.steps:
        if step.read is not None:
            values = {"worker": step.worker, "tag": step.read.text}
            yield Label(step.read.span, say("`{worker}` reads `{tag}`", **values))
        last = step is way.steps[-1] and way.end.reader == USER
        if step.wrote is not None and not last and not (leak.created and step is way.steps[0]):
            values = {"worker": step.worker, "tag": step.wrote.text}
            yield Label(step.wrote.span, say("`{worker}` writes `{tag}`", **values))
    if leak.created and way.end.read is not None:
        values = {"worker": way.end.reader, "tag": way.end.read.text}
        yield Label(way.end.read.span, say("`{worker}` reads `{tag}`", **values))

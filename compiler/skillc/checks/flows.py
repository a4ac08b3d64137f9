"""Leaks as findings: what a secret is, whom it reaches, by which way (SPEC 8.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, Severity, finding
from skillc.graph import TagGraph
from skillc.graph.flow import flows_of
from skillc.graph.flow_types import DENIED, HISTORY, USER, Leak, Step
from skillc.model.package import TagRef
from skillc.text import Span
from skillc.value import replace
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
    leaks = [leak for leak in flows_of(graph).leaks if leak.slug == slug]
    for leak in _roots(leaks) if leaks else ():
        yield finding(slug, _place(graph, leak), _message(leak), _help(leak), _related(graph, leak))


def _roots(leaks: list[Leak]) -> Iterator[Leak]:
    """Without those whose way goes on as another one begins: what is kept in another secret of the same label
    leaks with it, and stays where it is when that one does."""
    begins: dict[tuple[object, ...], list[Leak]] = {}
    for leak in leaks:
        if leak.steps and not leak.created:
            begins.setdefault(_step(leak, leak.steps[0]), []).append(leak)
    for leak in leaks:
        ends = {end.arrival for end in leak.ends}
        later = (other for step in leak.steps[1:] for other in begins.get(_step(leak, step), ()))
        if not any(ends <= {end.arrival for end in other.ends} for other in later if other is not leak):
            yield leak


def _step(leak: Leak, step: Step) -> tuple[object, ...]:
    return (leak.secret.label, step.worker, step.read)


def _place(graph: TagGraph, leak: Leak) -> Span:
    """The input that must not have it; of a disclosure, and of what the user reads, the output (or the answer's
    input, where a worker asks)."""
    if leak.created and leak.steps[0].wrote:
        return leak.steps[0].wrote.span
    if leak.end.arrival.read is not None:
        return leak.end.arrival.read.span
    if leak.steps:
        last = leak.steps[-1]
        return last.wrote.span if last.wrote else _answer(graph, last)
    return leak.secret.ref.span if leak.secret.ref else graph.package.workers[0].span


def _answer(graph: TagGraph, step: Step) -> Span:
    worker = graph.workers[step.worker]
    return next((ref.span for ref in worker.inputs if ref.text == "用户.worker答复"), worker.span)


def _message(leak: Leak) -> str:
    if leak.created:
        return _disclosed(leak)
    if not leak.steps:
        return say(
            "`{tag}` is hidden and is delivered to the user all the same", tag=leak.end.arrival.pattern.text
        )
    return _to_user(leak) if leak.end.arrival.reader == USER else _to_worker(leak)


def _to_user(leak: Leak) -> str:
    secret, last = leak.secret.pattern.text, leak.steps[-1]
    if last.wrote is not None:
        return say(
            "`{secret}` is hidden and reaches the user in `{tag}` through {through}",
            secret=secret,
            tag=leak.end.arrival.pattern.text,
            through=listed(_names(leak.steps)),
        )
    between = [name for name in _names(leak.steps[:-1]) if name != last.worker]
    if not between:
        return say(
            "`{secret}` is hidden and may reach the user in what `{worker}` asks",
            secret=secret,
            worker=last.worker,
        )
    return say(
        "`{secret}` is hidden and may reach the user through {through}, in what `{worker}` asks",
        secret=secret,
        through=listed(between),
        worker=last.worker,
    )


def _to_worker(leak: Leak) -> str:
    values = {
        "secret": leak.secret.pattern.text,
        "reader": leak.end.arrival.reader,
        "tag": leak.end.arrival.pattern.text,
        "through": listed(_names(leak.steps)),
    }
    label = leak.secret.label
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


def _disclosed(leak: Leak) -> str:
    start = leak.steps[0]
    values = {
        "worker": start.worker,
        "secret": leak.secret.pattern.text,
        "tag": start.wrote.text if start.wrote else leak.end.arrival.pattern.text,
        "reader": say("the user")
        if leak.end.arrival.reader == USER
        else say("`{worker}`", worker=leak.end.arrival.reader),
        "later": listed(_names(leak.steps[1:])),
    }
    if len(leak.steps) > 1:
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
    if not leak.steps:
        return say("give it a name that does not hide it, or take it out of what is delivered")
    start = leak.steps[0]
    labels = listed("hidden" if label == DENIED else label for label in leak.labels)
    tags = listed(dict.fromkeys(end.wrote.text if end.wrote else "用户.worker答复" for end in leak.ends))
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
        read=start.read.text if start.read else leak.secret.pattern.text,
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
    ends = dict.fromkeys(end.arrival for end in leak.ends if end.arrival != leak.end.arrival)
    also = [
        Label(end.read.span, say("`{reader}` reads `{tag}` too", reader=end.reader, tag=end.read.text))
        for end in ends
        if end.read is not None
    ]
    return [*[*_begin(leak), *_hops(leak)][:SHOWN], *also[:SHOWN]]


def _begin(leak: Leak) -> Iterator[Label]:
    secret = leak.secret
    if secret.ref is None or not leak.steps:
        return
    if secret.writer is None:
        yield Label(secret.ref.span, say("the user is asked for `{tag}`", tag=secret.ref.text))
    else:
        yield Label(
            secret.ref.span, say("`{worker}` writes `{tag}` here", worker=secret.writer, tag=secret.ref.text)
        )


def _hops(leak: Leak) -> Iterator[Label]:
    """What each worker on the way reads and writes, without the place of the finding itself."""
    last = leak.steps[-1] if leak.steps else None
    to_user = leak.end.arrival.reader == USER
    for step in leak.steps:
        if step.read is not None:
            yield _reads(step.worker, step.read)
        here = (leak.created and step is leak.steps[0]) or (to_user and not leak.created and step is last)
        if step.wrote is not None and not here:
            yield Label(
                step.wrote.span, say("`{worker}` writes `{tag}`", worker=step.worker, tag=step.wrote.text)
            )
    if leak.created and leak.end.arrival.read is not None:
        yield _reads(leak.end.arrival.reader, leak.end.arrival.read)


def _reads(worker: str, ref: TagRef) -> Label:
    return Label(ref.span, say("`{worker}` reads `{tag}`", worker=worker, tag=ref.text))

"""An input that nobody gives."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.gaps import Gap, gaps
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, Severity, finding
from skillc.graph import TagGraph

WHERE = (
    "sources are declared in 写入目标 of 启动询问 or in 询问策略 (the user), or under `sources` in tags.yaml "
    "(user, runtime, book, rag); an input that may be missing ends in `?`"
)


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a tag, at its first reader. Silent where a producer is unknown, where the input is marked
    optional, and where only the acceptance of a draft is missing (never-promoted). Info where a worker with
    an injected contract may write it (SPEC 5)."""
    for gap in gaps(graph):
        if not gap.drafts:
            yield _unproduced(graph, gap)


def _unproduced(graph: TagGraph, gap: Gap) -> Diagnostic:
    first, *others = gap.readers
    tag = gap.pattern.text
    maybe = f"; `{gap.injected}`, whose contract is injected, may" if gap.injected else ""
    return finding(
        "unproduced-input",
        graph.input(first).span,
        f"`{first[0]}` reads `{tag}`, which no worker writes and no source gives{maybe}",
        _way_out(graph, gap),
        [Label(graph.input(key).span, f"`{key[0]}` reads it too") for key in others],
        severity=Severity.INFO if gap.injected else None,
    )


def _way_out(graph: TagGraph, gap: Gap) -> str:
    new = graph.names.get(gap.pattern.text)
    if new:
        return f"the tag is called `{new}` now; {WHERE}"
    if gap.near is None:
        return f"let a worker write it; {WHERE}"
    return f"did you mean {_named(graph, gap.near)}? Else let a worker write it; {WHERE}"


def _named(graph: TagGraph, tag: str) -> str:
    writers = (
        worker.id for worker in graph.package.workers if any(ref.text == tag for ref in worker.outputs)
    )
    writer = next(writers, None)
    return f"`{tag}`, which `{writer}` writes" if writer else f"`{tag}`, which the user is asked for"


RULE = Rule("unproduced-input", "A worker reads a tag that no worker writes and no source gives.", check)

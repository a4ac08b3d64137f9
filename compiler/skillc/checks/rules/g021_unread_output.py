"""An output that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.confusions import confused_tags
from skillc.checks.gaps import gaps
from skillc.checks.labels import labelled
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import OutputKey, PatternIndex, TagGraph, drafts_of, patterns_of, promoted
from skillc.graph.table import CHANGES
from skillc.model.package import TagRef, Worker
from skillc.tags import Pattern, literal
from skillc.wording import say

HOST_READS = (literal("设计.worker集"), literal("设计.上下文投影排序"), *CHANGES)
"""An order written in mid-session (SPEC 11.5), and the changes that become `变量.当前`."""


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Silent where a reader, or what people read, is unknown; for what people or the runtime read (SPEC 4.3), for what a condition
    asks about, and for an output that a mistyped input is near, or that looks like another tag: that is one cause, and has its finding."""
    if graph.unknowns.readers or graph.unknowns.sources:
        return
    unread = [(key, ref.pattern) for key, ref in _outputs(graph) if not _is_read(graph, key)]
    if not unread:
        return
    asked, delivered = (
        _asked_about(graph),
        PatternIndex((p, True) for p in graph.package.catalogue.deliverables),
    )
    near = {*_meant(graph), *confused_tags(graph)}
    for key, pattern in unread:
        worker = graph.workers[key[0]]
        people = _people_read(graph, worker, pattern, delivered)
        if not (people or pattern.text in near or _is_asked(pattern, asked) or _reviewed(graph, key)):
            yield _unread(graph, key)


def _meant(graph: TagGraph) -> Iterator[str]:
    """What mistyped inputs are near, with the drafts that become it."""
    for gap in gaps(graph):
        if gap.near:
            draft = drafts_of(literal(gap.near))
            yield from (gap.near, draft.text) if draft else (gap.near,)


def _is_read(graph: TagGraph, key: OutputKey) -> bool:
    return bool(graph.consumers[key]) or key in graph.read_on_demand


def _outputs(graph: TagGraph) -> Iterator[tuple[OutputKey, TagRef]]:
    for worker in graph.package.workers:
        for number, ref in enumerate(worker.outputs):
            yield (worker.id, number), ref


def _asked_about(graph: TagGraph) -> PatternIndex[bool]:
    """What the runtime reads: what it writes itself, what a condition asks about, where roles come from."""
    patterns = [source.pattern for source in graph.package.catalogue.sources if source.origin == "runtime"]
    manifest = graph.package.manifest
    if manifest:
        patterns += [ref.pattern for ref in manifest.prerequisites]
        patterns += [p for ready in manifest.ready for p in patterns_of(ready.condition)]
        patterns += [manifest.roles_from.pattern] if manifest.roles_from else []
    return PatternIndex((pattern, True) for pattern in (*patterns, *HOST_READS))


def _is_asked(pattern: Pattern, asked: PatternIndex[bool]) -> bool:
    confirmed = promoted(pattern)
    return bool(asked.overlapping(pattern) or (confirmed and asked.overlapping(confirmed)))


def _people_read(graph: TagGraph, worker: Worker, pattern: Pattern, delivered: PatternIndex[bool]) -> bool:
    """Whether people read it: never what is hidden; what only the user may see; what is delivered; and what
    the user confirms because somebody said so."""
    if labelled(graph, "hidden", pattern):
        return False
    entry = graph.acceptance.get(worker.id)
    confirms = entry is not None and entry.explicit and entry.mode == "user_confirmed"
    return confirms or _is_asked(pattern, delivered) or labelled(graph, "user_only", pattern) is not None


def _reviewed(graph: TagGraph, key: OutputKey) -> bool:
    return graph.acceptance_of(key[0]).mode == "programmatic_review"


def _unread(graph: TagGraph, key: OutputKey) -> Diagnostic:
    ref = graph.output(key)
    return finding(
        "unread-output",
        ref.span,
        say("nobody reads `{tag}`, which `{worker}` writes", tag=ref.text, worker=key[0]),
        say(
            "add it to inputTags of the worker that needs it; if people read it, name it under "
            "`deliverables` in tags.yaml; else remove it from outputTags"
        ),
    )


RULE = Rule("unread-output", "A worker writes a tag that nobody reads.", check)

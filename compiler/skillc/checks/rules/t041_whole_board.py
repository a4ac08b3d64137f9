"""`**`: a worker that reads, or may write, the whole board."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, Severity, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef, Worker
from skillc.tags import WHOLE
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """An info for reading everything; an error for writing it, or for reading it blind (SPEC 3.2)."""
    for worker in graph.package.workers:
        for ref in worker.inputs:
            if ref.pattern.parts[0] == WHOLE:
                yield _blind(worker, ref) if worker.isolation == "blind_review" else _reads(worker, ref)
        for ref in worker.outputs:
            if ref.pattern.parts[0] == WHOLE:
                yield _writes(worker, ref)


def _reads(worker: Worker, ref: TagRef) -> Diagnostic:
    return finding(
        "whole-board",
        ref.span,
        say("`{worker}` reads the whole board", worker=worker.id),
        say("fine for a package that gives everything to one worker; else name the tags that it needs"),
    )


def _blind(worker: Worker, ref: TagRef) -> Diagnostic:
    return finding(
        "whole-board",
        ref.span,
        say("`{worker}` has blind_review and reads the whole board, hidden tags and all", worker=worker.id),
        say("name the tags that the reviewer may see"),
        [Label(worker.span, say("contextIsolation of this worker is blind_review"))],
        severity=Severity.ERROR,
    )


def _writes(worker: Worker, ref: TagRef) -> Diagnostic:
    return finding(
        "whole-board",
        ref.span,
        say("outputTags of `{worker}` let it write every tag there is", worker=worker.id),
        say("name the tags, or the families (`角色.{{id}}.*`), that it writes"),
        severity=Severity.ERROR,
    )


RULE = Rule("whole-board", "A worker reads or writes every tag of the board.", check)

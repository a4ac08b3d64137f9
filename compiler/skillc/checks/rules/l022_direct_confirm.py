"""A worker that writes a confirmed text itself."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.confirming import direct_confirms, is_cause_of
from skillc.checks.gaps import gaps
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef, Worker
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Once an output. Silent where the draft is read and nobody writes it: unproduced-input tells it there."""
    found = list(direct_confirms(graph))
    missing = list(gaps(graph)) if found else []
    for worker, ref, draft in found:
        if not any(is_cause_of(draft, gap) for gap in missing):
            yield _direct(worker, ref, draft)


def _direct(worker: Worker, ref: TagRef, draft: str) -> Diagnostic:
    return finding(
        "direct-confirm",
        ref.span,
        say(
            "`{id}` writes the confirmed text `{tag}` itself, so nobody confirms it",
            id=worker.id,
            tag=ref.text,
        ),
        say(
            "let it write `{draft}`: acceptance makes the confirmed text of it",
            draft=draft,
        ),
    )


RULE = Rule("direct-confirm", "A worker writes a confirmed text directly.", check)

"""A reviewer that is never told to give a verdict."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.later import later
from skillc.model.package import Worker
from skillc.runtime.verdict import FAIL, NAMES, PASS
from skillc.source.document import Document, Section
from skillc.text import Span
from skillc.wording import say

_SAYS_OUTPUT = later("^[^不禁勿非别]*输出")
SPEAKS = (*NAMES, *PASS, *FAIL)
"""What the executor reads as a verdict, and nothing else."""


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """A programmatic_review worker in whose output sections nothing speaks of a verdict; without one, every
    review fails (SPEC 7.3). A host program knows its own form."""
    for worker in graph.package.workers:
        reviews = graph.acceptance_of(worker.id).mode == "programmatic_review"
        if reviews and worker.document and not worker.broken and worker.actor != "program":
            where = _where(worker.document)
            said = [span.text.lower() for span in where]
            if not any(word in text for text in said for word in SPEAKS):
                yield _no_verdict(graph, worker, where)


def _where(document: Document) -> list[Span]:
    """The titles and texts of the output sections and of all below them; else the whole body."""
    sections = [section for section in document.sections if section.level and _is_output(section)]
    return [span for section in sections for span in (section.title.span, section.body)] or [document.body]


def _is_output(section: Section) -> bool:
    """Whether it, or a section around it, tells what is put out, and not what is not: `不输出什么`."""
    return any(_SAYS_OUTPUT.search(title) for title in (section.title.value, *section.outline))


def _no_verdict(graph: TagGraph, worker: Worker, where: list[Span]) -> Diagnostic:
    has_section = len(where) > 1
    place = where[0] if has_section else worker.span
    said = say("its output section") if has_section else say("its body")
    return finding(
        "no-verdict-output",
        place,
        say(
            "`{worker}` is accepted by programmatic_review, but {said} says nothing of a verdict, so every "
            "review fails",
            worker=worker.id,
            said=said,
        ),
        say('let the output carry `"verdict": "pass"` or `"fail"`, or a line `verdict: pass`'),
        [Label(graph.acceptance_of(worker.id).span, say("programmatic_review is set here"))],
    )


RULE = Rule("no-verdict-output", "A reviewer is never told to give a verdict.", check)

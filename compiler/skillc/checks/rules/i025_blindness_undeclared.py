"""A worker that is not to see something hidden, and has no blind_review that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillc.checks.labels import labelled, words_of_hidden
from skillc.checks.prohibition import sentence_around
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.grammar import parse_pattern
from skillc.graph import PatternIndex, TagGraph, promoted
from skillc.later import later
from skillc.model.package import TagRef, Worker
from skillc.tags import Pattern
from skillc.text import Span
from skillc.wording import say

_NOT_READ = later(
    r"(?:禁止|不得|不可以?|不能|不准|不许|不应|不会|从不|永远不|绝不|严禁|勿|不|never|not|n't)\s*"
    r"(?:被)?(?:读|看|查|接触|知|收|获|引用|参考|注入|read|see|receive|know|look)|[读看查收见拿]不[到见]",
    re.IGNORECASE,
)
"""What a body says of a tag that its worker is not to read; not what it must not tell."""
_TELLS = later(r"泄|透露|说破|写出|写进|写入|输出|告诉|提及|复述|reveal|leak|tell|write", re.IGNORECASE)


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a worker with isolation none that is forbidden a hidden tag that somebody writes: by the manifest,
    or, where it reviews, by its own body. What is forbidden and not hidden counts for reviewers only: others are
    often spared what they do not need."""
    written: PatternIndex[bool] | None = None
    for worker in graph.package.workers:
        if (
            worker.isolation == "none"
            and not worker.broken
            and not worker.inputs_missing
            and not worker.injected
        ):
            for ref, said in _forbidden(graph, worker):
                written = written or _written(graph)
                if _counts(graph, worker, ref.pattern, written):
                    yield _undeclared(worker, ref, said)
                    break


def _forbidden(graph: TagGraph, worker: Worker) -> Iterator[tuple[TagRef, str]]:
    manifest = graph.package.manifest
    for who, ref in manifest.forbidden if manifest else ():
        if who.value == worker.id:
            yield ref, say("the manifest forbids `{tag}` to it here", tag=ref.text)
    if _reviews(graph, worker) and _names_hidden(graph, worker):
        for ref in _denied_in_body(worker):
            if labelled(graph, "hidden", ref.pattern) is not None:
                yield ref, say("its body says here that it does not read `{tag}`", tag=ref.text)


def _names_hidden(graph: TagGraph, worker: Worker) -> bool:
    """Whether the text may name something hidden: most do not, and are not looked at closely."""
    text = worker.document.source.text if worker.document else ""
    return any(word in text for word in words_of_hidden(graph.package.catalogue))


def _denied_in_body(worker: Worker) -> Iterator[TagRef]:
    for mention in worker.document.mentions if worker.document else ():
        text = mention.text.span.source.text
        start, end = sentence_around(text, mention.text.span.start, mention.text.span.end)
        sentence = text[start:end]
        if _NOT_READ.search(sentence) and not _TELLS.search(sentence):
            pattern = parse_pattern(mention.text)[0]
            if pattern is not None and not any(ref.pattern == pattern for ref in worker.inputs):
                yield TagRef(pattern, mention.text.span)


def _counts(graph: TagGraph, worker: Worker, pattern: Pattern, written: PatternIndex[bool]) -> bool:
    if not written.overlapping(pattern):
        return False
    return labelled(graph, "hidden", pattern) is not None or _reviews(graph, worker)


def _reviews(graph: TagGraph, worker: Worker) -> bool:
    """Whether the worker judges: by its acceptance, or by writing 验收.*."""
    judged = graph.acceptance_of(worker.id).mode == "programmatic_review"
    return judged or any(ref.pattern.parts[0] == "验收" for ref in worker.outputs)


def _written(graph: TagGraph) -> PatternIndex[bool]:
    outputs = [ref.pattern for worker in graph.package.workers for ref in worker.outputs]
    confirmed = [pattern for output in outputs if (pattern := promoted(output))]
    return PatternIndex((pattern, True) for pattern in (*outputs, *confirmed))


def _undeclared(worker: Worker, ref: TagRef, said: str) -> Diagnostic:
    return finding(
        "blindness-undeclared",
        _place(worker),
        say("`{worker}` is not to see `{tag}` and has no blind_review", worker=worker.id, tag=ref.text),
        say(
            "write `contextIsolation: blind_review`: then the runtime keeps what is hidden away, and what reaches "
            "it through others is checked; or take the prohibition back"
        ),
        [Label(ref.span, said)],
    )


def _place(worker: Worker) -> Span:
    front = worker.document.front if worker.document else None
    node = front.get("contextIsolation") if front else None
    return node.span if node else worker.span


RULE = Rule("blindness-undeclared", "A worker is forbidden what is hidden, and has no blind_review.", check)

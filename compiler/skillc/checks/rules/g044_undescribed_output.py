"""An output whose format the worker's text never gives."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.mentions import dotted_names, names_in
from skillc.checks.mistyped import slipped_outputs
from skillc.checks.prose import is_among, speaking
from skillc.checks.rule import Rule
from skillc.checks.uses import texts_of
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef, Worker
from skillc.source.document import Document
from skillc.tags import WHOLE
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Speaks only where the text names one of several outputs, so that its author means to describe them; an output
    counts as described by its tag anywhere in the text, by its last word, or by one of its aliases. Silent where the text has the tag as it should be: it has its finding."""
    slipped = {(slip.worker.id, slip.ref.text): slip.meant for slip in slipped_outputs(graph).values()}
    for worker, document in speaking(graph):
        if texts_of(graph)[worker.id].writes <= names_in(document):
            continue
        left = [ref for ref in worker.outputs if not _is_described(graph, worker, ref, document)]
        if left and any(_is_named(graph, ref, document) for ref in worker.outputs if ref not in left):
            for ref in left:
                meant = slipped.get((worker.id, ref.text))
                if not (meant and meant in document.body.text):
                    yield _undescribed(worker, ref)


def _is_described(graph: TagGraph, worker: Worker, ref: TagRef, document: Document) -> bool:
    from skillc.checks.spoken import last_words

    if _is_named(graph, ref, document) or ref.pattern.parts[0] == WHOLE:
        return True
    aliases = (alias for alias, tag in worker.aliases if tag == ref.text)
    return any(word in document.body.text for word in (*last_words(graph, ref.pattern), *aliases))


def _is_named(graph: TagGraph, ref: TagRef, document: Document) -> bool:
    if ref.text in names_in(document) or ref.text in document.body.text:
        return True
    return any(is_among(graph, name.pattern, (ref.pattern,)) for name in dotted_names(document))


def _undescribed(worker: Worker, ref: TagRef) -> Diagnostic:
    return finding(
        "undescribed-output",
        ref.span,
        say(
            "`{worker}` may write `{tag}`, but its text never says what stands there",
            worker=worker.id,
            tag=ref.text,
        ),
        say("give `{tag}` a place in the output format, or take it out of outputTags", tag=ref.text),
    )


RULE = Rule(
    "undescribed-output", "The text of a worker never says what stands under one of its outputs.", check
)

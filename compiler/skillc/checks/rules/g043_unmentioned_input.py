"""An input that the worker's text never speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillc.checks.mentions import Mention, dotted_names, names_in
from skillc.checks.prose import is_among, speaking
from skillc.checks.rule import Rule
from skillc.checks.secrets import secrets_of
from skillc.checks.slips import Slips, slips_of
from skillc.checks.uses import texts_of
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef, Worker
from skillc.source.document import Document
from skillc.tags import WHOLE, Pattern, covers, literal, overlaps
from skillc.wording import say

CONVENTIONS = tuple(
    map(literal, ("用户.worker答复", "用户.修改说明", "用户.修订说明", "用户.最新输入", "用户.原始输入"))
)
"""What these mean is the format's own matter (SPEC 7.6)."""
OWN = ("runtime", "pseudo")


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Speaks only where the text does name inputs, so that its author means to explain them; an input counts as
    named by its tag, by a wider input (redundant-pattern speaks of those), by its last word (`核心要点`), or by the label of
    a segment that shows it. Silent about an input that is another tag but for a slip: it has its finding,
    and so has one that the worker must not see."""
    slips = slips_of(graph)
    for worker, document in speaking(graph):
        if texts_of(graph)[worker.id].reads <= names_in(document):
            continue
        names, texts = dotted_names(document), names_in(document)
        left = [number for number, ref in enumerate(worker.inputs) if ref.pattern.text not in texts]
        left = [number for number in left if not _is_named(graph, worker, number, document, names)]
        if left and any(_explains(name, worker) for name in names):
            for number in left:
                ref = worker.inputs[number]
                if not (_is_slip(slips, worker, ref, names) or secrets_of(graph, worker, number)):
                    yield _unmentioned(worker, ref)


def _is_slip(slips: Slips, worker: Worker, ref: TagRef, names: tuple[Mention, ...]) -> bool:
    return slips.has_finding(worker, ref.text) or ref.text in slips.slipped(worker, (n.name for n in names))


def _explains(name: Mention, worker: Worker) -> bool:
    if name.why_not or _is_conventional(name.pattern):
        return False
    return any(overlaps(name.pattern, ref.pattern) for ref in worker.inputs)


def _is_conventional(pattern: Pattern) -> bool:
    return any(overlaps(pattern, known) for known in CONVENTIONS)


def _is_named(
    graph: TagGraph, worker: Worker, number: int, document: Document, names: tuple[Mention, ...]
) -> bool:
    from skillc.checks.spoken import last_words

    ref, body = worker.inputs[number], document.body.text
    if ref.text in body or _is_conventional(ref.pattern) or ref.pattern.parts[0] == WHOLE:
        return True
    given = any(producer.origin in OWN for producer in graph.producers[worker.id, number])
    within = any(
        covers(other.pattern, ref.pattern) for other in worker.inputs if other.pattern != ref.pattern
    )
    if given or within or any(is_among(graph, name.pattern, (ref.pattern,)) for name in names):
        return True
    return any(word in body for word in (*last_words(graph, ref.pattern), *_labels(worker, ref)))


def _labels(worker: Worker, ref: TagRef) -> Iterator[str]:
    """The words of the labels under which the input is shown."""
    for segment in worker.segments or ():
        if segment.label and any(overlaps(tag.pattern, ref.pattern) for tag in segment.tags):
            words = re.split(r"[\s#*`（）()：:，、]+", segment.label)
            yield from (word for word in words if len(word) > 1)


def _unmentioned(worker: Worker, ref: TagRef) -> Diagnostic:
    return finding(
        "unmentioned-input",
        ref.span,
        say("`{worker}` reads `{tag}`, but its text never speaks of it", worker=worker.id, tag=ref.text),
        say("say in the body what `{tag}` is for, or take it out of inputTags", tag=ref.text),
    )


RULE = Rule("unmentioned-input", "The text of a worker never speaks of one of its inputs.", check)

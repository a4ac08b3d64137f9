"""A text that says it writes a tag which the contract does not let it write."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set

from skillc.checks.gaps import missed
from skillc.checks.mentions import Mention, mentions, names_in
from skillc.checks.mistyped import slipped_outputs
from skillc.checks.prose import given, inputs_of, is_among, outputs_of, speaking, staff_of
from skillc.checks.rule import Rule
from skillc.checks.uses import texts_of
from skillc.checks.vocabulary import vocabulary_of
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph, outputs_index
from skillc.model.package import Worker
from skillc.source.document import Document
from skillc.tags import Pattern
from skillc.wording import say

GIVEN = ("用户",)
"""First segments of tags that users write, whatever a worker's text says of them."""


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Once for each worker and tag. A tag is said to be written where it heads an output section, stands in an
    output column or at the head of an output item, or behind a verb of writing that is the worker's own. Silent for
    what the user gives, for what is told of another worker, for speech (`「北平.宛平城」`) under a head that no tag has, and for what unknown-tag and unproduced-input report."""
    for worker, document in speaking(graph):
        declared = texts_of(graph)[worker.id].reads | texts_of(graph)[worker.id].writes
        if not names_in(document) <= declared:
            yield from (
                _undeclared(worker, places) for places in _undeclared_in(graph, worker, document, declared)
            )


def _undeclared_in(
    graph: TagGraph, worker: Worker, document: Document, declared: Set[str]
) -> Collection[list[Mention]]:
    """The places of each tag that a text says it writes and that is another one."""
    words, staff, asked, slipped = vocabulary_of(graph), staff_of(graph), given(graph), slipped_outputs(graph)
    outputs, inputs = outputs_of(graph, worker), inputs_of(worker)
    found: dict[str, list[Mention]] = {}
    for mention in mentions(document, words.heads, declared):
        if mention.role != "writes" or mention.pattern.parts[0] in GIVEN:
            continue
        if mention.cited and mention.pattern.parts[0] not in words.heads:
            continue
        if asked.overlapping(mention.pattern) or staff.speaks_of_another(worker, mention):
            continue
        if is_among(graph, mention.pattern, outputs) or _may_be_anothers(graph, mention, inputs):
            continue
        if missed(graph).overlapping(mention.pattern) or words.is_slip(mention):
            continue
        if mention.name not in slipped:
            found.setdefault(mention.name, []).append(mention)
    return found.values()


def _may_be_anothers(graph: TagGraph, mention: Mention, inputs: tuple[Pattern, ...]) -> bool:
    """Whether the tag is one that the worker reads, named among its outputs to say how it is used; or one that
    another worker writes, where neither the place is surely this one's nor the sentence an order to it."""
    if is_among(graph, mention.pattern, inputs):
        return True
    return not mention.firm and bool(outputs_index(graph).overlapping(mention.pattern))


def _undeclared(worker: Worker, places: list[Mention]) -> Diagnostic:
    from skillc.checks.edits import with_entry

    tag = places[0].name
    return finding(
        "undeclared-write",
        places[0].span,
        say(
            "the text of `{worker}` writes `{tag}`, which is not among its outputTags",
            worker=worker.id,
            tag=tag,
        ),
        say("add `{tag}` to outputTags, or take it out of the text: a reply with it is refused", tag=tag),
        [Label(place.span, say("`{tag}` stands here, too", tag=tag)) for place in places[1:]],
        with_entry(tag, worker.outputs),
    )


RULE = Rule("undeclared-write", "The text of a worker writes a tag that is not among its outputTags.", check)

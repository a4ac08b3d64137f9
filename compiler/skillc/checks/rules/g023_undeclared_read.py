"""A worker's own table of inputs that names a tag which its contract does not let it read."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.edits import with_entry
from skillc.checks.mentions import Mention, mentions
from skillc.checks.prose import Staff, inputs_of, is_among, speaking
from skillc.checks.rule import Rule
from skillc.checks.vocabulary import Vocabulary, vocabulary_of
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import Worker
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Once for each worker and tag, in cells of the tag column of an input table; never from prose, where a tag may
    be named for many reasons, nor from a table of the whole pipeline. Silent for what unknown-tag reports."""
    words: Vocabulary | None = None
    staff = Staff(graph)
    for worker, document in speaking(graph):
        if not any(section.tables for section in document.sections):
            continue
        words = words or vocabulary_of(graph)
        found: dict[str, list[Mention]] = {}
        for mention in mentions(document, words.heads):
            if not _is_listed(mention) or is_among(graph, mention.pattern, inputs_of(worker)):
                continue
            if not staff.speaks_of_another(worker, mention):
                found.setdefault(mention.name, []).append(mention)
        yield from (_undeclared(worker, places) for places in found.values() if not words.is_slip(places[0]))


def _is_listed(mention: Mention) -> bool:
    place = mention.place
    return place.kind == "cell" and place.said == "reads" and place.alone


def _undeclared(worker: Worker, places: list[Mention]) -> Diagnostic:
    tag = places[0].name
    return finding(
        "undeclared-read",
        places[0].span,
        say("`{worker}` lists `{tag}` among what it reads, but not in inputTags", worker=worker.id, tag=tag),
        say(
            "add `{tag}` to inputTags, or take the row out: what is not declared never reaches the worker",
            tag=tag,
        ),
        [Label(place.span, say("`{tag}` stands here, too", tag=tag)) for place in places[1:]],
        with_entry(tag, worker.inputs),
    )


RULE = Rule(
    "undeclared-read", "A worker's own table of inputs names a tag that is not among its inputTags.", check
)

"""A worker's own table of inputs that names a tag which its contract does not let it read."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.asking import ANSWER, unanswered
from skillc.checks.mentions import Mention, mentions
from skillc.checks.prose import inputs_of, is_among, speaking, staff_of
from skillc.checks.revisions import NOTES, unreachable
from skillc.checks.rule import Rule
from skillc.checks.slips import slips_of
from skillc.checks.uses import texts_of
from skillc.checks.vocabulary import vocabulary_of
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import Worker
from skillc.tags import literal
from skillc.wording import say

USER = "用户."


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Once for each worker and tag, in cells of the tag column of an input table; never from prose, where a tag may
    be named for many reasons, nor from a table of the whole pipeline. Silent for what unknown-tag reports, and
    where unreachable-revision or undeclared-answer say that the very tag is missing."""
    for worker, document in speaking(graph):
        if not document.has_tables:
            continue
        words, staff = vocabulary_of(graph), staff_of(graph)
        found: dict[str, list[Mention]] = {}
        for mention in mentions(document, words.heads, texts_of(graph)[worker.id].reads):
            if not _is_listed(mention) or is_among(graph, mention.pattern, inputs_of(worker)):
                continue
            if not staff.speaks_of_another(worker, mention):
                found.setdefault(mention.name, []).append(mention)
        for places in found.values():
            if not (words.is_slip(places[0]) or _is_told_elsewhere(graph, worker, places[0])):
                yield _undeclared(graph, worker, places)


def _is_listed(mention: Mention) -> bool:
    place = mention.place
    return place.kind == "cell" and place.said == "reads" and place.alone


def _is_told_elsewhere(graph: TagGraph, worker: Worker, mention: Mention) -> bool:
    if mention.name == ANSWER:
        return any(asking is worker for asking, _ in unanswered(graph))
    if slips_of(graph).meant(worker, (mention.name,)):
        return True
    told = (d for d in unreachable(graph) if d.span.path == mention.span.path)
    if mention.name in NOTES:
        return any(NOTES[0] in (d.help or "") for d in told)
    return any(label.span.text == mention.name for d in told for label in d.related)


def _entry(graph: TagGraph, tag: str) -> str:
    """The entry to add: what the user says is there only when he said it, but for the answer to the start."""
    manifest = graph.package.manifest
    targets = manifest.startup.targets if manifest and manifest.startup else ()
    demanded = any(target.pattern == literal(tag) for target in targets)
    return tag if demanded or not tag.startswith(USER) else tag + "?"


def _undeclared(graph: TagGraph, worker: Worker, places: list[Mention]) -> Diagnostic:
    from skillc.checks.edits import with_entry

    tag = places[0].name
    entry = _entry(graph, tag)
    return finding(
        "undeclared-read",
        places[0].span,
        say("`{worker}` lists `{tag}` among what it reads, but not in inputTags", worker=worker.id, tag=tag),
        say(
            "add `{tag}` to inputTags, or take the row out: what is not declared never reaches the worker",
            tag=entry,
        ),
        [Label(place.span, say("`{tag}` stands here, too", tag=tag)) for place in places[1:]],
        with_entry(entry, worker.inputs),
    )


RULE = Rule(
    "undeclared-read", "A worker's own table of inputs names a tag that is not among its inputTags.", check
)

"""A name in the text that is nearly a declared tag."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from skillc.checks.boarded import misnamed
from skillc.checks.gaps import gaps
from skillc.checks.mentions import Mention, candidates, names_in
from skillc.checks.mistyped import meant_by, mistyped, slipped_outputs
from skillc.checks.prose import speaking
from skillc.checks.rule import Rule
from skillc.checks.uses import texts_used
from skillc.checks.vocabulary import Near, Vocabulary, vocabulary_of
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Edit, Fix, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef, Worker
from skillc.source.document import Document
from skillc.text import Span, Text
from skillc.wording import Said, say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Once for each name and document, at its first place, at optional inputs that nobody gives, and once for each
    name on boards. Silent where the tag may exist all the same: a worker
    may write unknown tags, or the catalogue cannot be read."""
    if graph.unknowns.writers or graph.unknowns.sources:
        return
    slips = _Slips(graph)
    for key, meant in mistyped(graph).items():
        if not slips.take(graph.input(key).text, graph.input(key).span, meant):
            yield _mistyped(graph.input(key), meant)
    yield from (_on_boards(places, near) for places, near in misnamed(graph))
    known = texts_used(graph).difference(slips.meant)
    for worker, document in _documents(graph):
        strange = {name for name in names_in(document) - known if not _holds_one(name, known)}
        if strange:
            yield from _unknown_in(graph, worker, document, strange, slips)
    yield from slips.findings()


def _holds_one(name: str, tags: Collection[str]) -> bool:
    """Whether a name is a family of which there are tags: `设定.*` beside `设定.世界.草稿`."""
    head = name.removesuffix("*")
    is_plain = name.endswith(".*") and not ("*" in head or "{" in head)
    return is_plain and any(tag.startswith(head) for tag in tags)


def _unknown_in(
    graph: TagGraph, worker: Worker | None, document: Document, strange: Collection[str], slips: _Slips
) -> Iterator[Diagnostic]:
    words = vocabulary_of(graph)
    own = frozenset(ref.text for ref in (*worker.inputs, *worker.outputs)) if worker else frozenset[str]()
    found: dict[str, list[Mention]] = {}
    for mention in candidates(document, words.heads, frozenset()):
        if mention.name not in strange or mention.why_not:
            continue
        if _is_unknown(graph, mention, words) or slips.is_written(mention):
            found.setdefault(mention.name, []).append(mention)
    for name, places in found.items():
        near = words.near(name, glued=not any(place.quoted for place in places))
        if near and not slips.take(name, places[0].span, near):
            yield _unknown(name, places, near, own)


class _Slips:
    """Outputs whose stage is misspelt: names that are right but for them are told at the output, once; not at all
    where unproduced-input tells of it."""

    def __init__(self, graph: TagGraph) -> None:
        self._outputs = slipped_outputs(graph)
        missing = (gap for gap in gaps(graph) if not gap.drafts) if self._outputs else ()
        self._told = {meant_by(gap, self._outputs) for gap in missing}
        self._places: dict[str, list[Span]] = {}

    @property
    def meant(self) -> Collection[str]:
        """What misspelt outputs should be called."""
        return self._outputs.keys()

    def is_written(self, mention: Mention) -> bool:
        """Whether a text writes what a misspelt output should be called, known as the name may be for other reasons."""
        return mention.name in self._outputs and mention.role == "writes"

    def take(self, name: str, place: Span, near: Near) -> bool:
        """Whether `name` is what a misspelt output should be called."""
        slip = self._outputs.get(name)
        if slip is None or near.tags != (slip.ref.text,):
            return False
        self._places.setdefault(name, []).append(place)
        return True

    def findings(self) -> Iterator[Diagnostic]:
        for name, places in self._places.items():
            if name not in self._told:
                ref = self._outputs[name].ref
                labels = [Label(place, say("here it is `{tag}`", tag=name)) for place in places]
                yield _mistyped(ref, Near((name,), False), labels)


def _documents(graph: TagGraph) -> Iterator[tuple[Worker | None, Document]]:
    """The texts that may name tags, with the worker whose text it is."""
    yield from speaking(graph)
    if graph.package.manifest and not graph.package.manifest.broken:
        yield None, graph.package.manifest.document
    if graph.package.shared_context:
        yield None, graph.package.shared_context


def _is_unknown(graph: TagGraph, mention: Mention, words: Vocabulary) -> bool:
    injected, heads = graph.unknowns.injected, graph.unknowns.heads
    if injected and (not heads or mention.pattern.parts[0] in heads):
        return False
    is_plain = not set(mention.name) & set("．｡﹒。")
    return not (is_plain and (words.knows(mention.pattern) or words.begins(mention.pattern)))


def _unknown(name: str, places: list[Mention], near: Near, own: frozenset[str]) -> Diagnostic:
    meant = [tag for tag in near.tags if tag in own] or list(near.tags)
    return finding(
        "unknown-tag",
        places[0].span,
        _message(name, near, meant),
        say("write {meant}", meant=listed(meant)) if len(meant) == 1 else say("write the one that is meant"),
        [Label(place.span, say("`{name}` stands here, too", name=name)) for place in places[1:]],
        _fix(places, meant),
    )


def _on_boards(places: list[Text], near: Near) -> Diagnostic:
    name, meant = places[0].value, list(near.tags)
    one = len(meant) == 1
    edits = tuple(Edit(place.span, meant[0]) for place in places)
    return finding(
        "unknown-tag",
        places[0].span,
        _message(name, near, meant),
        say("write {meant}", meant=listed(meant)) if one else say("write the one that is meant"),
        [Label(place.span, say("`{name}` stands here, too", name=name)) for place in places[1:]],
        Fix(say("write `{tag}`", tag=meant[0]), edits, safe=False) if one else None,
    )


def _mistyped(ref: TagRef, near: Near, labels: list[Label] | None = None) -> Diagnostic:
    meant = list(near.tags)
    one = len(meant) == 1
    return finding(
        "unknown-tag",
        ref.span,
        _message(ref.text, near, meant),
        say("write {meant}", meant=listed(meant)) if one else say("write the one that is meant"),
        labels or [],
        fix=Fix(say("write `{tag}`", tag=meant[0]), (Edit(ref.span, meant[0]),), safe=False) if one else None,
    )


def _message(name: str, near: Near, meant: list[str]) -> Said:
    if near.stage:
        return (
            say(
                "`{name}` is no tag of this package: {meant} is, with its stage",
                name=name,
                meant=listed(meant),
            )
            if len(meant) == 1
            else say(
                "`{name}` is no tag of this package: {meant} are, with their stages",
                name=name,
                meant=listed(meant),
            )
        )
    return say("`{name}` is no tag of this package, and nearly {meant}", name=name, meant=listed(meant))


def _fix(places: list[Mention], meant: list[str]) -> Fix | None:
    if len(meant) > 1:
        return None
    edits = tuple(Edit(place.span, meant[0]) for place in places)
    return Fix(say("write `{tag}`", tag=meant[0]), edits, safe=False)


RULE = Rule("unknown-tag", "A name in the text is nearly a declared tag.", check)

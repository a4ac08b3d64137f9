"""Where tags come from and what labels they carry: built-in data, workspace and package `tags.yaml` (SPEC 4)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any, ClassVar

from skillc.diagnostic import Diagnostic, Label, Severity, finding
from skillc.grammar import parse_tag
from skillc.model.fields import Reading, read_fields
from skillc.model.package import Catalogue, CatalogueSource, Declassify, LabelRule
from skillc.model.refs import read_patterns
from skillc.model.scalars import Before, Word, Words, one_of
from skillc.model.schema import Fields, Key
from skillc.source.document import YamlFile
from skillc.source.node import Mapping, Scalar
from skillc.tags import REST, Pattern, literal, matches
from skillc.text import Text
from skillc.value import replace
from skillc.wording import say

LABELS = ("hidden", "user_only", "role_private", "public")


class EntryFields(Fields):
    """One entry of a label: a pattern, or the text that a segment is or begins with."""

    noun: ClassVar[str] = say("a label entry")
    pattern: Word | None = None
    segment: Word | None = None
    exceptions: Annotated[Words | None, Key("except")] = None


def _as_entry(value: object) -> object:
    return {"pattern": value} if isinstance(value, Scalar) and not value.is_null else value


Entries = list[Annotated[EntryFields, Before(_as_entry)]]


class LabelFields(Fields):
    """The labels and their entries."""

    noun: ClassVar[str] = "`labels`"
    hidden: Entries | None = None
    user_only: Annotated[Entries | None, Key("user_only")] = None
    role_private: Annotated[Entries | None, Key("role_private")] = None
    public: Entries | None = None


class SourceFields(Fields):
    """Tags that come from outside the workers."""

    noun: ClassVar[str] = "`sources`"
    user: Words | None = None
    runtime: Words | None = None
    book: Words | None = None
    rag: Words | None = None


class DeclassifyFields(Fields):
    """One deliberate disclosure."""

    noun: ClassVar[str] = say("a declassify entry")
    worker: Word
    tags: Words
    label: Annotated[Text, one_of(*LABELS)]
    reason: Word


class CatalogueFields(Fields):
    """A tags.yaml."""

    noun: ClassVar[str] = say("a tags.yaml")
    sources: SourceFields | None = None
    labels: LabelFields | None = None
    deliverables: Words | None = None
    declassify: list[DeclassifyFields] | None = None
    moved: dict[str, Word] | None = None
    docs: dict[str, Word] | None = None


def read_catalogue(base: Catalogue, file: YamlFile | None) -> tuple[Catalogue, list[Diagnostic]]:
    """`base` with a tags.yaml on top: the workspace's on the built-in one, a package's on the workspace's.

    Broken when the file or its sources cannot be read. Codes: those of fields and tags.
    """
    if file is None:
        return base, []
    added, found = _read(file)
    joined = Catalogue(
        sources=base.sources + added.sources,
        labels=base.labels + added.labels,
        deliverables=base.deliverables + added.deliverables,
        declassify=base.declassify + added.declassify,
        moved=base.moved + added.moved,
        docs=base.docs + added.docs,
        legacy=base.legacy,
        broken=base.broken or added.broken,
        labels_broken=base.labels_broken or added.labels_broken,
        above=base.above,
    )
    return replace(joined, labels=_following(joined)), found


def tags_named(catalogue: Catalogue) -> frozenset[str]:
    """Every concrete tag that an entry of a catalogue speaks of; those of `moved` speak of names only."""
    patterns = [
        *(source.pattern for source in catalogue.sources),
        *(rule.pattern for rule in catalogue.labels if rule.pattern),
        *(exception for rule in catalogue.labels for exception in rule.exceptions),
        *(ref.pattern for entry in catalogue.declassify for ref in entry.tags),
        *catalogue.deliverables,
        *(pattern for pattern, _ in catalogue.docs),
    ]
    return frozenset(pattern.exact for pattern in patterns if pattern.exact is not None)


def _following(catalogue: Catalogue) -> tuple[LabelRule, ...]:
    """The label rules; what labelled a tag under its old name labels it under the new one too. A secret that
    was renamed must not become public in silence."""
    followed = [
        replace(rule, pattern=literal(new.value), segment=None, exceptions=())
        for old, new in catalogue.moved
        for rule in catalogue.labels
        if rule.pattern is not None
        and matches(rule.pattern, old.value)
        and not any(matches(exception, old.value) for exception in rule.exceptions)
    ]
    return tuple(dict.fromkeys((*catalogue.labels, *followed)))


def _read(file: YamlFile) -> tuple[Catalogue, list[Diagnostic]]:
    if file.root is None:
        return Catalogue(broken=file.broken, labels_broken=file.broken), []
    reading = read_fields(CatalogueFields, file.root, file.source.span())
    found = list(reading.diagnostics)
    fields = reading.value
    sources, wrong_sources = _sources(fields.sources)
    labels, wrong_labels = _labels(fields.labels)
    deliverables, wrong_deliverables = read_patterns(fields.deliverables or ())
    declassify, wrong_declassify = _declassify(fields.declassify or [])
    moved, wrong_moved = _moved(reading, file.root)
    docs, wrong_docs = _docs(reading, file.root)
    found += [
        *wrong_sources,
        *wrong_labels,
        *wrong_deliverables,
        *wrong_declassify,
        *wrong_moved,
        *wrong_docs,
    ]
    unknown = (
        file.broken or "sources" in reading.faults or any(d.severity is Severity.ERROR for d in wrong_sources)
    )
    unlabelled = (
        file.broken
        or not reading.faults.isdisjoint(("labels", "declassify", "deliverables"))
        or any(d.severity is Severity.ERROR for d in (*wrong_labels, *wrong_declassify, *wrong_deliverables))
    )
    return (
        Catalogue(
            sources=sources,
            labels=labels,
            deliverables=tuple(ref.pattern for ref in deliverables),
            declassify=declassify,
            moved=moved,
            docs=docs,
            broken=unknown,
            labels_broken=unlabelled,
        ),
        found,
    )


def _sources(fields: SourceFields | None) -> tuple[tuple[CatalogueSource, ...], list[Diagnostic]]:
    sources: list[CatalogueSource] = []
    found: list[Diagnostic] = []
    for origin in ("user", "runtime", "book", "rag") if fields else ():
        refs, said = read_patterns(getattr(fields, origin) or ())
        found += said
        sources += [CatalogueSource(origin, ref.pattern, ref.span) for ref in refs]
    return tuple(sources), found


def _labels(fields: LabelFields | None) -> tuple[tuple[LabelRule, ...], list[Diagnostic]]:
    rules: list[LabelRule] = []
    found: list[Diagnostic] = []
    for label in LABELS if fields else ():
        for entry in getattr(fields, label) or ():
            rule = _label(label, entry, found)
            if rule:
                rules.append(rule)
    return tuple(rules), found


def _label(label: str, entry: EntryFields, found: list[Diagnostic]) -> LabelRule | None:
    refs, said = read_patterns([entry.pattern] if entry.pattern else ())
    exceptions, more = read_patterns(entry.exceptions or ())
    found += said + more
    place = entry.pattern or entry.segment
    if place is None or (entry.pattern and not refs):
        return None
    return LabelRule(
        label=label,
        pattern=refs[0].pattern if refs else None,
        segment=None if refs or entry.segment is None else entry.segment.value,
        exceptions=tuple(ref.pattern for ref in exceptions),
        span=place.span,
    )


def _declassify(entries: list[DeclassifyFields]) -> tuple[tuple[Declassify, ...], list[Diagnostic]]:
    cuts: list[Declassify] = []
    found: list[Diagnostic] = []
    for entry in entries:
        tags, said = read_patterns(entry.tags)
        found += said
        cuts.append(Declassify(entry.worker, tags, entry.label.value, entry.reason.value, entry.worker.span))
    return tuple(cuts), found


def _moved(
    reading: Reading[CatalogueFields], root: object
) -> tuple[tuple[tuple[Text, Text], ...], list[Diagnostic]]:
    pairs: list[tuple[Text, Text]] = []
    found: list[Diagnostic] = []
    for key, new in _pairs(root, "moved", reading.value.moved):
        old_tag, wrong_old = parse_tag(key)
        new_tag, wrong_new = parse_tag(new)
        found += wrong_old + wrong_new
        if old_tag is not None and new_tag is not None:
            pairs.append((key, new))
    circles = list(_circles(pairs))
    lost = {key.value for circle in circles for key in circle}
    found += [_in_a_circle(circle) for circle in circles]
    return tuple(pair for pair in pairs if pair[0].value not in lost), found


def _circles(pairs: list[tuple[Text, Text]]) -> Iterator[list[Text]]:
    """The entries whose new names lead back to them, each circle once, from its first entry on."""
    by_name = {key.value: (key, new.value) for key, new in pairs}
    seen: set[str] = set()
    for key, _ in pairs:
        way: dict[str, Text] = {}
        name = key.value
        while name in by_name and name not in seen:
            seen.add(name)
            way[name], name = by_name[name]
        if name in way:
            names = list(way)
            yield [way[each] for each in names[names.index(name) :]]


def _in_a_circle(circle: list[Text]) -> Diagnostic:
    first, *others = circle
    way = " → ".join(f"`{key.value}`" for key in (*circle, first))
    return finding(
        "field-type",
        first.span,
        say("`{tag}` is moved to itself", tag=first.value)
        if not others
        else say("the new names lead in a circle: {way}", way=way),
        say("name the tag that it is called now, or take the entry out"),
        [Label(key.span, say("`{tag}` is moved here", tag=key.value)) for key in others],
    )


def _docs(
    reading: Reading[CatalogueFields], root: object
) -> tuple[tuple[tuple[Pattern, str], ...], list[Diagnostic]]:
    docs: list[tuple[Pattern, str]] = []
    found: list[Diagnostic] = []
    for key, text in _pairs(root, "docs", reading.value.docs):
        refs, said = read_patterns([key])
        found += said
        docs += [(ref.pattern, text.value) for ref in refs]
    return tuple(docs), found


def _pairs(root: object, field: str, values: dict[str, Text] | None) -> list[tuple[Text, Text]]:
    """The entries of a mapping field with the places of their keys."""
    node = root.get(field) if isinstance(root, Mapping) else None
    keys = [key for key, _ in node] if isinstance(node, Mapping) else []
    return [(key, (values or {})[key.value]) for key in keys if key.value in (values or {})]


@lru_cache(maxsize=1)
def builtin_catalogue() -> Catalogue:
    """What holds in every workspace (SPEC 4.1, 4.3), from the one data file `builtin.json`."""
    with open(os.path.join(os.path.dirname(__file__), "builtin.json"), encoding="utf-8") as file:
        data: dict[str, Any] = json.load(file)
    return Catalogue(
        sources=tuple(
            CatalogueSource(origin, _pattern(text))
            for origin, texts in data["sources"].items()
            for text in texts
        ),
        labels=tuple(
            _builtin_label(label, entry) for label, entries in data["labels"].items() for entry in entries
        ),
        deliverables=tuple(_pattern(text) for text in data["deliverables"]),
        legacy=tuple(data["legacy"].items()),
    )


def _builtin_label(label: str, entry: dict[str, Any]) -> LabelRule:
    return LabelRule(
        label=label,
        pattern=_pattern(entry["pattern"]) if "pattern" in entry else None,
        segment=entry.get("segment"),
        exceptions=tuple(_pattern(text) for text in entry.get("except", ())),
    )


def _pattern(text: str) -> Pattern:
    """A pattern of the compiler's own data, which needs no checks."""
    parts = text.split(".")
    return Pattern((*parts[:-1], REST) if parts[-1] == "*" else tuple(parts))

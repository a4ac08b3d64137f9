"""A manifest whose frontmatter and body say two things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.graph.goals import contradiction, parts
from skillc.graph.readiness import blocked
from skillc.model.package import Condition, Manifest, Readiness, TagRef
from skillc.tags import overlaps
from skillc.text import Span, Text
from skillc.wording import say

Part = TypeVar("Part", TagRef, Text)


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding for each of prerequisites, conditions, startup targets and workers of which both speak and say
    different things: different sets, in any order and with any remarks. Silent where a worker is missing or a
    prerequisite is made by nobody: a slip that is told where it stands."""
    manifest = graph.package.manifest
    if manifest is None or manifest.broken or manifest.document.front is None:
        return
    yield from _targets(manifest)
    yield from _workers(graph, manifest)
    differing = [*_prerequisites(manifest), *_conditions(manifest)]
    if differing and not _told(graph, manifest):
        yield from differing


def _told(graph: TagGraph, manifest: Manifest) -> bool:
    never = any(ready.condition and contradiction(ready.condition) for ready in manifest.ready)
    return never or bool(blocked(graph))


def _speaks(manifest: Manifest, *fields: str) -> Span | None:
    """The key in the frontmatter of the first of `fields` that is there."""
    front = manifest.document.front
    keys = (front.key(field) for field in fields) if front else ()
    return next((key.span for key in keys if key), None)


def _prerequisites(manifest: Manifest) -> Iterator[Diagnostic]:
    body = manifest.body.prerequisites
    field = _speaks(manifest, "prerequisiteTags") if body else None
    if field:
        front = manifest.prerequisites
        more = [ref for ref in body if not _among(ref, front)]
        less = [ref for ref in front if not _among(ref, body)]
        yield from _difference("prerequisiteTags", field, body, more, less)


def _targets(manifest: Manifest) -> Iterator[Diagnostic]:
    """A body that names the target of the frontmatter and others says more, not otherwise: all are filled in."""
    body = manifest.body.targets
    field = _speaks(manifest, "demandTag") if body else None
    if field and manifest.startup:
        end = manifest.document.body.start
        front = [ref for ref in manifest.startup.targets if ref.span.start < end]
        less = [ref for ref in front if not _among(ref, body)]
        more = [ref for ref in body if not _among(ref, front)]
        if less:
            yield from _difference("demandTag", field, body, more, less)


def _workers(graph: TagGraph, manifest: Manifest) -> Iterator[Diagnostic]:
    """`suggestedWorkers` only suggests: tables may name more. A table of one stage alone leaves out none."""
    rows = manifest.body.registered
    field = _speaks(manifest, "workers", "suggestedWorkers") if rows else None
    if field is None:
        return
    body = [row.worker for row in rows]
    front = _front_words(manifest)
    ids, written = {word.value for word in body}, {word.value for word in front}
    if not body or not front or not ids | written <= graph.workers.keys():
        return
    of_stages = {row.stage for row in rows}
    more = [word for word in body if word.value not in written] if field.text == "workers" else []
    less = [word for word in front if word.value not in ids]
    if len(of_stages) == 1 and None not in of_stages:
        less = [word for word in less if graph.stage_of(word.value) in of_stages]
    yield from _difference(field.text, field, body, more, less)


def _front_words(manifest: Manifest) -> list[Text]:
    end = manifest.document.body.start
    return [row.worker for row in manifest.registered if row.worker.span.start < end]


def _among(ref: TagRef, others: Sequence[TagRef]) -> bool:
    return any(overlaps(ref.pattern, other.pattern) for other in others)


def _difference(
    field: str, key: Span, body: Sequence[Part], more: Sequence[Part], less: Sequence[Part]
) -> Iterator[Diagnostic]:
    """At the first thing that only the body says, else where the body should say what it leaves out."""
    if not more and not less:
        return
    names = {
        "field": say("`{field}`", field=field),
        "more": listed(_texts(more)),
        "less": listed(_texts(less)),
    }
    if more and less:
        message = say("the body says {more} where {field} in the frontmatter says {less}", **names)
    elif more:
        message = say("the body says {more} too, and {field} in the frontmatter does not", **names)
    else:
        message = say("the body leaves out {less}, which {field} in the frontmatter says", **names)
    first = more[0] if more else body[0]
    labels = [Label(part.span, say("said in the frontmatter")) for part in less] or [
        Label(key, say("the frontmatter says it here"))
    ]
    way = say("make the two agree, or let the frontmatter alone say it: that is what counts")
    yield finding("manifest-conflict", first.span, message, way, labels)


def _texts(parts: Sequence[Part]) -> list[str]:
    return list(dict.fromkeys(part.text if isinstance(part, TagRef) else part.value for part in parts))


def _conditions(manifest: Manifest) -> Iterator[Diagnostic]:
    """The first condition of the body that the frontmatter does not say, what both mean anyway left aside."""
    front = [ready for ready in manifest.ready if ready.in_front]
    body = manifest.body.ready
    if not front or not body or any(ready.condition is None for ready in (*front, *body)):
        return
    if _meaning(front, manifest) != _meaning(body, manifest):
        yield finding(
            "manifest-conflict",
            body[0].text.span,
            say(
                "the body says `{body}` where `instanceReadyWhen` in the frontmatter says `{front}`",
                body=body[0].text.value,
                front=front[0].text.value,
            ),
            say("make the two agree, or let the frontmatter alone say it: that is what counts"),
            [Label(front[0].text.span, say("said in the frontmatter"))],
        )


def _meaning(ready_when: Sequence[Readiness], manifest: Manifest) -> frozenset[object]:
    """What conditions ask for together, in no order; without the startup, which is over by then, and without
    what prerequisites ask for themselves."""
    asked = [("has", ref.pattern) for ref in manifest.prerequisites]
    asked += [("has", ref.pattern) for ref in (manifest.startup.targets if manifest.startup else ())]
    conditions = [ready.condition for ready in ready_when if ready.condition is not None]
    return _joined(conditions, "and") - {("startupCompleted",), *asked}


def _joined(conditions: Sequence[Condition], kind: str) -> frozenset[object]:
    """What `kind` joins, however deep and in whatever order."""
    found: set[object] = set()
    for condition in conditions:
        found |= _joined(parts(condition), kind) if condition[0] == kind else {_normal(condition)}
    return frozenset(found)


def _normal(condition: Condition) -> object:
    kind = condition[0]
    if kind == "not":
        return ("not", _normal(parts(condition)[0]))
    return (kind, _joined(parts(condition), str(kind))) if kind in ("and", "or") else condition


RULE = Rule("manifest-conflict", "Frontmatter and body of a manifest say different things.", check)

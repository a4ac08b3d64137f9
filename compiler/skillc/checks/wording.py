"""How findings name things: lists, nearest tags, the place of a field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skillc.checks.lookalikes import look_alike
from skillc.graph import TagGraph, drafts_of, promoted
from skillc.graph.promotion import PROMOTING, under_new_name
from skillc.model.package import Manifest, Segment, TagRef, Worker
from skillc.resemblance import closest
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.tags import literal
from skillc.text import Span
from skillc.wording import say, series

COMPARED = 400
"""With how many tags a name is compared at most; those that share a segment with it come first."""


def listed(names: Iterable[str], limit: int = 8) -> str:
    """`` `a`, `b` and `c` ``; beyond the limit, how many more there are."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > limit:
        return say("{names} and {more} more", names=series(quoted[:limit]), more=len(quoted) - limit)
    if len(quoted) < 2:
        return "".join(quoted)
    return say("{names} and {last}", names=series(quoted[:-1]), last=quoted[-1])


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name most like `name`, if one is like it at all."""
    return closest(name, list(known)[:COMPARED], cutoff)


def nearest_written(graph: TagGraph, tag: str) -> str | None:
    """The tag that somebody writes or gives, or that acceptance makes, and that is most like `tag`; else the one
    most like its draft."""
    segments = set(tag.split("."))
    draft = drafts_of(literal(tag))
    written = dict.fromkeys(ref.text for worker in graph.package.workers for ref in worker.outputs)
    given = dict.fromkeys(ref.text for ref in _asked(graph.package.manifest))
    known = [text for text in dict.fromkeys((*_confirmed(graph), *written, *given)) if text != tag]
    known.sort(key=lambda text: segments.isdisjoint(text.split(".")))
    return _like(tag, known) or (_like(draft.text, known) if draft else None)


def _confirmed(graph: TagGraph) -> Iterator[str]:
    """What accepting the workers' drafts makes, where somebody accepts them."""
    for worker in graph.package.workers:
        if graph.acceptance_of(worker.id).mode in PROMOTING:
            for ref in worker.outputs:
                confirmed = promoted(under_new_name(ref.pattern, graph.names))
                if confirmed:
                    yield confirmed.text


def _like(tag: str, known: list[str]) -> str | None:
    return nearest(tag, (text for text in known[:COMPARED] if _could_be_meant(tag, text)))


def _could_be_meant(a: str, b: str) -> bool:
    """Not two things of the same stage: where tags are of equal length, unlike segments share a character.
    Chinese segments are so short that a common `草稿` alone would make any two tags alike."""
    pairs = list(zip(a.split("."), b.split("."), strict=False))
    same_length = a.count(".") == b.count(".")
    return not same_length or all(x == y or set(x) & set(y) or look_alike(x, y) for x, y in pairs)


def _asked(manifest: Manifest | None) -> tuple[TagRef, ...]:
    if manifest is None:
        return ()
    return (*(manifest.startup.targets if manifest.startup else ()), *manifest.asks)


def front_value(manifest: Manifest, *keys: str) -> Span:
    """The place of the first of these frontmatter fields that is there, else the manifest's own."""
    front = manifest.document.front
    nodes = (front.get(key) for key in keys) if front else ()
    return next((node.span for node in nodes if isinstance(node, Scalar)), manifest.span)


def tier_span(worker: Worker, segment: Segment) -> Span:
    """The tier of a segment where it is written, else the segment's id."""
    front = worker.document.front if worker.document else None
    stack: list[Node] = [front] if front else []
    while stack:
        node = stack.pop()
        if isinstance(node, Sequence):
            stack += node.items
        elif isinstance(node, Mapping):
            stack += [value for _, value in node]
            id, tier = node.get("id"), node.get("tier")
            if id and tier and id.span == segment.id.span:
                return tier.span
    return segment.id.span

"""A segment that calls itself static and shows what play rewrites."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import tier_span
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.graph.stability import Rewrite, rewrites
from skillc.wording import Said, say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a segment, at its tier, with the first writer that contradicts it (SPEC 9.2, 16.5)."""
    for rewrite in rewrites(graph):
        yield finding(
            "static-but-rewritten",
            tier_span(rewrite.reader, rewrite.segment),
            _message(rewrite),
            say(
                "call `{segment}` dynamic and put it behind the static segments, or show what does not change in play",
                segment=rewrite.segment.id.value,
            ),
            list(_labels(rewrite)),
        )


def _message(rewrite: Rewrite) -> Said:
    values = {
        "segment": rewrite.segment.id.value,
        "reader": rewrite.reader.id,
        "tag": rewrite.shown.text,
        "writer": rewrite.producer.worker,
    }
    if rewrite.producer.worker is None:
        return say(
            "static segment `{segment}` of `{reader}` shows `{tag}`, which every turn of play brings anew",
            **values,
        )
    if rewrite.producer.worker == rewrite.reader.id:
        return say(
            "static segment `{segment}` of `{reader}` shows `{tag}`, which the worker itself rewrites in every run",
            **values,
        )
    return say(
        "static segment `{segment}` of `{reader}` shows `{tag}`, which `{writer}` rewrites in play", **values
    )


def _labels(rewrite: Rewrite) -> Iterator[Label]:
    yield Label(rewrite.shown.span, say("the segment shows it here"))
    if rewrite.producer.ref is not None:
        yield Label(
            rewrite.producer.ref.span,
            say(
                "`{writer}` writes `{tag}` in play",
                writer=rewrite.producer.worker,
                tag=rewrite.producer.ref.text,
            ),
        )


RULE = Rule("static-but-rewritten", "A static segment shows a tag that is rewritten in play.", check)

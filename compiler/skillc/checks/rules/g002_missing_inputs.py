"""A worker that does not say what it reads."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a worker without inputTags, with the tags that its body and the manifest's tables name;
    nothing else follows from what it may read (SPEC 5)."""
    for worker in graph.package.workers:
        if worker.inputs_missing and not worker.inputs_unread and not worker.injected:
            from skillc.checks.named import tags_named

            named = tags_named(graph, worker)
            tags = [text.value for text in named]
            said = say("; its text and the manifest name {tags}", tags=listed(tags)) if tags else ""
            yield finding(
                "missing-inputs",
                worker.span,
                say("`{worker}` has no inputTags{said}", worker=worker.id, said=said),
                _way_out(tags),
                [Label(text.span, say("names `{tag}`", tag=text.value)) for text in named],
            )


def _way_out(tags: list[str]) -> str:
    if not tags:
        return say("write `inputTags` with the tags that it reads, or `inputTags: []` if it reads nothing")
    quoted = ", ".join(f'"{tag}"' for tag in tags)
    return say("if it reads them all, write `inputTags: [{tags}]`", tags=quoted)


RULE = Rule("missing-inputs", "A worker does not say which tags it reads.", check)

"""An acceptance entry for a worker that the package does not have."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.staff import known_ids
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.resemblance import Known
from skillc.text import Text
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Entries, and their `reviews`, that name no worker; each id once, at its first place. Ids that the
    manifest names elsewhere too are missing workers and have that finding."""
    manifest = graph.package.manifest
    told: set[str] = set()
    meant = Known(graph.order)
    for entry in manifest.acceptance if manifest else ():
        for text in (entry.worker, *entry.reviews):
            if text.value in graph.workers:
                continue
            if text.value not in known_ids(graph) and text.value not in told:
                told.add(text.value)
                what = say("an acceptance") if text is entry.worker else "`reviews`"
                yield _unknown(graph, text, what, meant.nearest(text.value))


def _unknown(graph: TagGraph, text: Text, what: str, near: str | None) -> Diagnostic:
    return finding(
        "unknown-acceptance",
        text.span,
        say(
            "{what} names `{worker}`, which is no worker of `{package}`",
            what=what,
            worker=text.value,
            package=graph.package.name,
        ),
        say("did you mean `{near}`?", near=near)
        if near
        else say("name one of {workers}, or remove the entry", workers=listed(graph.order)),
    )


RULE = Rule("unknown-acceptance", "An acceptance entry names no worker of the package.", check)

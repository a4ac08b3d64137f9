"""A worker that the manifest names and that has no folder."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.staff import Meant, missing
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding an id, at its first mention. What it would have written and read is unknown, so nothing
    else follows from it."""
    meant = Meant(graph)
    folder = graph.package.folder
    for id, places in missing(graph).items():
        near = meant.worker(id)
        hint = f"did you mean `{near}`? Else add" if near else "add"
        yield finding(
            "missing-worker",
            places[0].span,
            f"the manifest names worker `{id}`, but there is no {folder}/workers/{id}/SKILL.md",
            f"{hint} the worker, or take it out of the manifest",
            [Label(place.span, f"names `{id}` too") for place in places[1:]],
        )


RULE = Rule("missing-worker", "The manifest names a worker that has no folder.", check)

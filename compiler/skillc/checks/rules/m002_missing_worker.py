"""A worker that the manifest names and that has no folder."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.staff import Meant, known_ids, missing
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding an id, at its first mention. What it would have written and read is unknown, so nothing
    else follows from it."""
    meant = Meant(graph)
    folder = graph.package.folder
    for id, places in missing(graph).items():
        near = meant.worker(id)
        yield finding(
            "missing-worker",
            places[0].span,
            say(
                "the manifest names worker `{id}`, but there is no {folder}/workers/{id}/SKILL.md",
                id=id,
                folder=folder,
            ),
            say("did you mean `{near}`? Else add the worker, or take it out of the manifest", near=near)
            if near
            else say("add the worker, or take it out of the manifest"),
            [Label(place.span, say("names `{id}` too", id=id)) for place in places[1:]],
        )
    yield from _of_boards(graph, meant)


def _of_boards(graph: TagGraph, meant: Meant) -> Iterator[Diagnostic]:
    """The workers that boards ask for; one that the manifest misses, too, has its finding there."""
    for case in graph.package.boards:
        if case.worker and case.worker.value not in known_ids(graph):
            id = case.worker.value
            near = meant.worker(id)
            message = (
                say(
                    "the board names worker `{id}`, but the package has none; did you mean `{near}`?",
                    id=id,
                    near=near,
                )
                if near
                else say("the board names worker `{id}`, but the package has none", id=id)
            )
            yield finding("missing-worker", case.worker.span, message, say("name a worker of the package"))


RULE = Rule("missing-worker", "The manifest names a worker that has no folder.", check)

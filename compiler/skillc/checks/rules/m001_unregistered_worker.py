"""A worker's folder that the manifest does not list."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.staff import Meant, missing, unregistered
from skillc.checks.wording import front_value
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.source.names import id_problems
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Only where the manifest has a list of workers, be it empty. Silent about a folder that a missing id most likely
    means: missing-worker says so there; and about one whose name is no id, which no list could name."""
    manifest = graph.package.manifest
    ids = unregistered(graph)
    if manifest is None or not ids:
        return
    meant = Meant(graph)
    mistyped = {meant.worker(id) for id in missing(graph)}
    for id in ids:
        if id not in mistyped and not any(id_problems(id, "worker", graph.workers[id].span)):
            yield finding(
                "unregistered-worker",
                graph.workers[id].span,
                say(
                    "worker `{id}` has a folder, but the manifest of `{package}` does not register it",
                    id=id,
                    package=graph.package.name,
                ),
                say("add `{id}` to `workers` or to a table of the Skill 注册表, or remove the folder", id=id),
                [Label(front_value(manifest, "workers", "suggestedWorkers", "name"), say("the manifest"))],
            )


RULE = Rule("unregistered-worker", "A worker's folder is there, but the manifest does not list it.", check)

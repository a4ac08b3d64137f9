"""A worker of a stage that nobody knows."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import listed, nearest
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import Worker
from skillc.model.worker import STAGE_ALIASES
from skillc.text import Text
from skillc.wording import say

BUILT_IN = ("design", "play")


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """A `stage` that is neither built in nor an id of the manifest's stage table. Silent without a manifest that
    can be read."""
    manifest = graph.package.manifest
    if manifest is None or manifest.broken:
        return
    table = [id.value for id, _ in manifest.stages]
    for worker in graph.package.workers:
        written = worker.stage_written
        if written and worker.stage is None and written.value not in table:
            yield _unknown(graph, worker, written, table)


def _unknown(graph: TagGraph, worker: Worker, written: Text, table: list[str]) -> Diagnostic:
    near = nearest(written.value, (*table, *STAGE_ALIASES))
    known = listed(dict.fromkeys((*BUILT_IN, *table)))
    choose = say("write one of {known}, or add it to the table of 阶段定义", known=known)
    labels = []
    if graph.package.manifest and graph.package.manifest.stages:
        place = graph.package.manifest.stages[0][0].span
        labels = [Label(place, say("the stages of the package begin here"))]
    return finding(
        "unknown-stage",
        written.span,
        say(
            "`{stage}` is no stage that the package knows, so `{id}` counts as a worker of {taken}",
            stage=written.value,
            id=worker.id,
            taken=graph.stage_of(worker.id),
        ),
        say("did you mean `{near}`? Else {choose}", near=near, choose=choose) if near else choose,
        labels,
    )


RULE = Rule("unknown-stage", "A worker's stage is neither built in nor in the package's stage table.", check)

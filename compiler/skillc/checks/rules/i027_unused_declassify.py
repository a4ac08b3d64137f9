"""A declassify entry that cuts nothing: a permission that nobody needs any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skillc.checks.gaps import gaps
from skillc.checks.rule import Rule
from skillc.checks.wording import listed, nearest
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph, build_graph
from skillc.model.package import Declassify, Package, TagRef, Workspace
from skillc.tags import overlaps
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """The entries of a package's own tags.yaml: one finding an entry, or one a tag where others of its tags cut
    something. Silent where a worker that cannot be read might write what they cut."""
    if _unknown(graph):
        return
    for number, entry in enumerate(graph.package.catalogue.declassify):
        if _is_own(graph.package, entry):
            idle = [at for of, at in graph.flows.idle if of == number and not _is_gap(graph, entry.tags[at])]
            yield from _unused(graph.package, entry, idle)


def workspace(workspace: Workspace) -> Iterator[Diagnostic]:
    """The entries of the workspace's tags.yaml: those that cut nothing in any package."""
    shared = {
        entry.span: entry
        for package in workspace.packages
        for entry in package.catalogue.declassify
        if not _is_own(package, entry)
    }
    if not shared:
        return
    graphs = [build_graph(package) for package in workspace.packages]
    if any(_unknown(graph) for graph in graphs):
        return
    for entry in shared.values():
        if all(len(_idle_in(graph, entry)) == len(entry.tags) for graph in graphs):
            having = (graph.package for graph in graphs if entry.worker.value in graph.workers)
            yield _nothing(next(having, None), entry)


def _idle_in(graph: TagGraph, entry: Declassify) -> list[int]:
    entries = graph.package.catalogue.declassify
    numbers = [number for number, other in enumerate(entries) if other.span == entry.span]
    return [at for number, at in graph.flows.idle if number in numbers]


def _unknown(graph: TagGraph) -> bool:
    return graph.unknowns.feed or graph.package.catalogue.labels_broken


def _is_gap(graph: TagGraph, tag: TagRef) -> bool:
    """Whether unproduced-input says of this tag that nobody writes it."""
    return any(overlaps(tag.pattern, gap.pattern) for gap in gaps(graph))


def _is_own(package: Package, entry: Declassify) -> bool:
    return entry.span.path.startswith(package.folder + "/")


def _unused(package: Package, entry: Declassify, idle: Sequence[int]) -> Iterator[Diagnostic]:
    if idle and len(idle) == len(entry.tags):
        yield _nothing(package, entry)
        return
    worker = package.worker(entry.worker.value)
    for at in idle:
        tag = entry.tags[at]
        if worker and not any(overlaps(tag.pattern, ref.pattern) for ref in worker.outputs):
            yield finding(
                "unused-declassify",
                tag.span,
                say(
                    "`{worker}` does not write `{tag}`, so nothing is declassified there",
                    worker=worker.id,
                    tag=tag.text,
                ),
                say(
                    "take it out of the entry, or name the tag that is meant; it writes {tags}",
                    tags=listed(r.text for r in worker.outputs),
                ),
            )
        else:
            yield finding(
                "unused-declassify",
                tag.span,
                say(
                    "nothing {label} comes to `{tag}` of `{worker}`, so the entry cuts nothing there",
                    label=entry.label,
                    tag=tag.text,
                    worker=entry.worker.value,
                ),
                say("take it out of the entry: an unused permission hides a later leak"),
            )


def _nothing(package: Package | None, entry: Declassify) -> Diagnostic:
    worker = package.worker(entry.worker.value) if package else None
    if worker is None:
        near = nearest(entry.worker.value, (w.id for w in package.workers)) if package else None
        message = say(
            "the entry declassifies what `{worker}` writes, and there is no such worker",
            worker=entry.worker.value,
        )
        advice = (
            say("did you mean `{near}`? Else remove the entry", near=near)
            if near
            else say("remove the entry")
        )
        return finding("unused-declassify", entry.worker.span, message, advice)
    return finding(
        "unused-declassify",
        entry.worker.span,
        say(
            "the entry cuts nothing: nothing {label} comes to {tags} of `{worker}`",
            label=entry.label,
            tags=listed(ref.text for ref in entry.tags),
            worker=worker.id,
        ),
        say(
            "remove the entry, or name the worker, tags and label that are meant: an unused permission hides a later leak"
        ),
    )


RULE = Rule("unused-declassify", "A declassify entry cuts nothing.", check, workspace)

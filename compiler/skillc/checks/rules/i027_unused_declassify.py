"""A declassify entry that cuts nothing: a permission that nobody needs any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skillc.checks.gaps import gaps
from skillc.checks.rule import Rule
from skillc.checks.wording import listed, nearest
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.graph.brief import Overview
from skillc.graph.flow import flows_of
from skillc.model.package import Declassify, Package, TagRef
from skillc.tags import overlaps
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """The entries of a package's own tags.yaml: one finding an entry, or one a tag where others of its tags cut
    something. Silent where a worker that cannot be read might write what they cut."""
    if _unknown(graph):
        return
    for number, entry in enumerate(graph.package.catalogue.declassify):
        if _is_own(graph.package, entry):
            idle = [
                at for of, at in flows_of(graph).idle if of == number and not _is_gap(graph, entry.tags[at])
            ]
            yield from _unused(graph.package, entry, idle)


def workspace(workspace: Overview) -> Iterator[Diagnostic]:
    """The entries of the workspace's tags.yaml: those that cut nothing in any package."""
    if any(package.unknown for package in workspace.packages):
        return
    cuts: dict[Declassify, bool] = {}
    for package in workspace.packages:
        for entry, cut in package.shared:
            cuts[entry] = cuts.get(entry, False) or cut
    for entry in (entry for entry, cut in cuts.items() if not cut):
        having = ([worker.value for worker in package.workers] for package in workspace.packages)
        yield _nothing(next((ids for ids in having if entry.worker.value in ids), []), entry)


def _unknown(graph: TagGraph) -> bool:
    return graph.unknowns.feed or graph.package.catalogue.labels_broken


def _is_gap(graph: TagGraph, tag: TagRef) -> bool:
    """Whether unproduced-input says of this tag that nobody writes it."""
    return any(overlaps(tag.pattern, gap.pattern) for gap in gaps(graph))


def _is_own(package: Package, entry: Declassify) -> bool:
    return entry.span.path.startswith(package.folder + "/")


def _unused(package: Package, entry: Declassify, idle: Sequence[int]) -> Iterator[Diagnostic]:
    if idle and len(idle) == len(entry.tags):
        yield _nothing([worker.id for worker in package.workers], entry)
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


def _nothing(workers: Sequence[str], entry: Declassify) -> Diagnostic:
    """The entry cuts nothing; `workers` are those of a package that has its worker, where one has."""
    if entry.worker.value not in workers:
        near = nearest(entry.worker.value, workers)
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
            worker=entry.worker.value,
        ),
        say(
            "remove the entry, or name the worker, tags and label that are meant: an unused permission hides a later leak"
        ),
    )


RULE = Rule("unused-declassify", "A declassify entry cuts nothing.", check, workspace)

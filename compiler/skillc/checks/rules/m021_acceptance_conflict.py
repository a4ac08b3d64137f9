"""A product that is accepted in two ways."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import Acceptance
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a worker whose entries give more than one mode, at the first entry that differs from the one
    in force: the machine form, else the first row. An entry without a mode that is in force means the default. And one
    for an entry in force that names whom the worker reviews, under a mode in which nobody reviews (SPEC 7.3)."""
    manifest = graph.package.manifest
    entries: dict[str, list[Acceptance]] = {}
    for entry in manifest.acceptance if manifest and not manifest.broken else ():
        entries.setdefault(entry.worker.value, []).append(entry)
    for id, (force, *others) in entries.items():
        differing = [entry for entry in others if entry.explicit and entry.mode != force.mode]
        if differing and id in graph.workers:
            yield _conflict(id, force, differing)
        if force.reviews and force.mode != "programmatic_review" and id in graph.workers:
            yield _no_review(id, force)


def _conflict(id: str, force: Acceptance, differing: list[Acceptance]) -> Diagnostic:
    first = differing[0]
    where = say("the frontmatter") if force.in_front else say("an earlier table")
    labels = [Label(force.span, say("`{mode}` is in force", mode=force.mode))]
    labels += [Label(entry.span, say("`{mode}` once more", mode=entry.mode)) for entry in differing[1:]]
    return finding(
        "acceptance-conflict",
        first.span,
        say(
            "`{id}` is accepted by `{mode}` here, and by `{force}` in {where}, which is what counts",
            id=id,
            mode=first.mode,
            force=force.mode,
            where=where,
        ),
        say("make the two agree; a worker has one mode for all that it writes"),
        labels,
    )


def _no_review(id: str, force: Acceptance) -> Diagnostic:
    reviewed = listed(review.value for review in force.reviews)
    label = (
        say("`{mode}` is in force", mode=force.mode)
        if force.explicit
        else say("the mode is left at its default")
    )
    return finding(
        "acceptance-conflict",
        force.reviews[0].span,
        say(
            "`{id}` reviews {reviewed}, but is accepted by `{mode}`, under which nobody reads its verdict",
            id=id,
            reviewed=reviewed,
            mode=force.mode,
        ),
        say("write `mode: programmatic_review`, or remove `reviews`"),
        [Label(force.span, label)],
    )


RULE = Rule("acceptance-conflict", "The same product has two modes of acceptance.", check)

"""A package that may play before the design workers have run that play waits for."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph, any_role
from skillc.graph.readiness import Skipped, skipped
from skillc.model.package import Manifest
from skillc.tags import Pattern, stage
from skillc.text import Span
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Once a package, at the condition (else the first prerequisite) that lets it begin too early; each tag that
    play waits for is a label, at one reader, by name."""
    manifest = graph.package.manifest
    found: dict[Pattern, Skipped] = {}
    for case in sorted(skipped(graph), key=lambda case: (case.key[0], graph.input(case.key).text)):
        found.setdefault(any_role(graph.input(case.key).pattern), case)
    if manifest and found:
        yield _early(graph, manifest, found)


def _early(graph: TagGraph, manifest: Manifest, found: dict[Pattern, Skipped]) -> Diagnostic:
    tag, first = next(iter(found.items()))
    return finding(
        "early-readiness",
        _place(manifest),
        say(
            "the package may play without {writers}, so `{reader}` waits in vain for `{tag}`, "
            "which nobody else writes",
            writers=listed(first.writers),
            reader=first.key[0],
            tag=tag.text,
        ),
        say(
            "add {conditions} to {field}; mark the input with `?` if it may be missing",
            conditions=listed(_wanted(manifest, found)),
            field="instanceReadyWhen" if manifest.ready else "prerequisiteTags",
        ),
        [_label(graph, case) for case in found.values()],
    )


def _wanted(manifest: Manifest, found: dict[Pattern, Skipped]) -> list[str]:
    """What is to be asked for, in the words of the field that asks."""
    if not manifest.ready:
        return [tag.text for tag in found]
    return [f"{'accepted' if stage(tag.text) == '确认稿' else 'has'}({tag.text})" for tag in found]


def _label(graph: TagGraph, case: Skipped) -> Label:
    text = say(
        "`{reader}` waits for this; {writers} writes it", reader=case.key[0], writers=listed(case.writers)
    )
    return Label(graph.input(case.key).span, text)


def _place(manifest: Manifest) -> Span:
    return manifest.ready[0].text.span if manifest.ready else manifest.prerequisites[0].span


RULE = Rule("early-readiness", "Play can begin without what only a design worker writes.", check)

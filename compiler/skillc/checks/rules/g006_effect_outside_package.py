"""A side effect on a board that no session would use: it goes beyond what the package declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skillc.artifact.plan import LabelRule
from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.graph.table import CHANGES, TABLE
from skillc.runtime.history import HISTORY
from skillc.runtime.slots import slot_named
from skillc.runtime.tagnames import CURRENT_ROLE
from skillc.tags import family, matches
from skillc.text import Text
from skillc.wording import say

if TYPE_CHECKING:
    from skillc.model.effects import EffectWrite

KEPT = frozenset((HISTORY, CURRENT_ROLE, *(pattern.text for pattern in (TABLE, *CHANGES))))
"""What the runtime itself keeps."""


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """The side effects of live designs on boards, as a session judges them: texts go under an output of a play
    worker or a runtime source, none with a label under a tag without it or of one role under another's, and who is
    queued plays when called.
    Silent on writers where somebody may write what nobody knows, and on slots that the package turns off or an
    order on a board may."""
    for case in graph.package.boards:
        for item in case.items:
            for write in item.effects.writes:
                yield from _write(graph, write)
            for id, worker in item.effects.queued:
                yield from _queue(graph, id, worker)


def _write(graph: TagGraph, write: EffectWrite) -> Iterator[Diagnostic]:
    tag = write.tag.value
    unknown = graph.unknowns.writers or graph.unknowns.injected or graph.package.catalogue.broken
    if family(tag) in KEPT:
        yield finding(
            "effect-outside-package",
            write.tag.span,
            say("side effect `{id}` writes `{tag}`, which the runtime itself keeps", id=write.id, tag=tag),
            say("write another tag; variables are changed by workers, with an output `变量.更新`"),
        )
    elif not unknown and not _may_be_written(graph, tag):
        yield finding(
            "effect-outside-package",
            write.tag.span,
            say(
                "side effect `{id}` writes `{tag}`, which no play worker has in its outputs",
                id=write.id,
                tag=tag,
            ),
            say(
                "write what a play worker writes, or list `{tag}` under `sources: runtime` in tags.yaml",
                tag=tag,
            ),
        )
    if write.source is not None:
        yield from _brought(graph, write, write.source)


def _brought(graph: TagGraph, write: EffectWrite, source: Text) -> Iterator[Diagnostic]:
    """What is wrong with a text that is taken from another tag."""
    words = {"id": write.id, "source": source.value, "tag": write.tag.value}
    if family(source.value) in KEPT:
        yield finding(
            "effect-outside-package",
            source.span,
            say(
                "side effect `{id}` takes its text from `{source}`, which the runtime itself keeps",
                **words,
            ),
            say("give the text itself, or take one that a worker writes"),
        )
        return
    if graph.package.catalogue.labels_broken:
        return
    from skillc.runtime.isolation import lost

    labels, foreign = lost(_rules(graph), graph.names, source.value, write.tag.value)
    if labels:
        yield finding(
            "effect-outside-package",
            source.span,
            say(
                "side effect `{id}` brings `{source}`, which is {labels}, under `{tag}`, which is not",
                labels=listed(sorted(labels)),
                **words,
            ),
            say("give the text itself, or write under a tag with the same label"),
        )
    if foreign:
        yield finding(
            "effect-outside-package",
            source.span,
            say(
                "side effect `{id}` brings `{source}`, which is private to a role, under `{tag}`, which is not of "
                "the same role",
                **words,
            ),
            say("give the text itself, or write under a tag of the same role"),
        )


def _may_be_written(graph: TagGraph, tag: str) -> bool:
    played = (w for w in graph.package.workers if graph.stage_of(w.id) == "play")
    given = (s.pattern for s in graph.package.catalogue.sources if s.origin == "runtime")
    return any(matches(p, tag) for p in (*(ref.pattern for w in played for ref in w.outputs), *given))


def _rules(graph: TagGraph) -> list[LabelRule]:
    return [
        LabelRule(label=r.label, pattern=r.pattern, segment=r.segment, exceptions=r.exceptions)
        for r in graph.package.catalogue.labels
    ]


def _queue(graph: TagGraph, id: str, worker: Text) -> Iterator[Diagnostic]:
    known = graph.workers.get(worker.value)
    if known is None or graph.stage_of(known.id) != "play":
        if known is None and worker.value in graph.unknowns.writers:
            return
        players = [w.id for w in graph.package.workers if graph.stage_of(w.id) == "play"]
        yield finding(
            "effect-outside-package",
            worker.span,
            say(
                "side effect `{id}` queues `{worker}`, which is no worker of play", id=id, worker=worker.value
            ),
            say("there are {workers}", workers=listed(players)) if players else "",
        )
    elif _plays_every_turn(graph, worker.value):
        yield finding(
            "effect-outside-package",
            worker.span,
            say(
                "side effect `{id}` queues `{worker}`, which plays in every turn anyway",
                id=id,
                worker=worker.value,
            ),
            say("queue a worker that is no slot of the turn"),
        )


def _plays_every_turn(graph: TagGraph, worker: str) -> bool:
    """Whether it fills a slot that is on where nobody says anything, and of which nobody does."""
    slot = slot_named(worker)
    if slot is None or not slot.on or slot.worker != worker or graph.package.order is not None:
        return False
    manifest = graph.package.manifest
    said = [slot_named(name) for name in manifest.play_slots] if manifest else []
    return slot.key not in [other.key for other in said if other]


RULE = Rule("effect-outside-package", "A side effect goes beyond what the package declares.", check)

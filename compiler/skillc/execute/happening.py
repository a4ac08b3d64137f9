"""What a session tells while it works, for a terminal or another face to show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened. `kind` and what `data` then holds:

    session: id, package, resumed · phase: phase, reason, stage, message · round: stage, round ·
    run: worker, name, actor, role, reads, revision · retry: worker, role, kind, message ·
    written: worker, role, items [{tag, content}] · summary: worker, text · note: text ·
    verdict: worker, role, verdict, reason · accepted: tags · promoted: pairs [(draft, confirmed)] ·
    rejected: tags · revision: worker, tags · question: worker, role, questions · user: action, tags ·
    progress: worker, role, characters (so far; told while the model writes) ·
    stepped_down: worker, role, profile, way, to, why ·
    queued: worker, role (None: all of them, or none where it has none) ·
    decision: the row of it · looked: tool · refused: message · declared: tag, workers ·
    never_ran: worker, missing, filtered [(tag, why)], skipped (ready before its turn)
    """

    kind: str
    data: Mapping[str, object] = field(default_factory=dict)


Listener = Callable[[Happening], None]


def silent(_: Happening) -> None:
    """Nobody listens."""

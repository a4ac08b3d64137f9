"""Which rows of an order change from turn to turn, and which stay as they are in play."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from skillc.graph import TagGraph, under_new_name
from skillc.graph.stability import PER_TURN, stage_of_write, writer_index
from skillc.runtime.order import is_history, normal_positions, number
from skillc.tags import Pattern

if TYPE_CHECKING:
    from skillc.model.order import Insert


def early_row(graph: TagGraph, rows: Sequence[Insert]) -> tuple[Insert, Insert] | None:
    """The first row that every turn brings anew, with the first behind it that stays as it is, both before the dialogue.

    Where the dialogue stands the cached beginning ends in any case, so what comes behind it may stand as it likes.
    Whether a worker of play writes its tag once or in every turn nobody knows; such rows are neither of the two.
    """
    written = [(number(row.number.value) if row.number else None, row.pattern.text) for row in rows]
    shown = (rows[at] for at in normal_positions(written))
    before = list(takewhile(lambda row: not is_history(row.pattern.text), shown))
    patterns = [under_new_name(row.pattern, graph.names) for row in before]
    early = next((at for at, pattern in enumerate(patterns) if pattern.text in PER_TURN), None)
    if early is None:
        return None
    stays = _Staying(graph)
    behind = (at for at in range(early + 1, len(before)) if stays.as_it_is(patterns[at]))
    found = next(behind, None)
    return None if found is None else (before[early], before[found])


class _Staying:
    def __init__(self, graph: TagGraph) -> None:
        self._graph = graph
        self._index = writer_index(graph)
        startup = graph.package.manifest.startup if graph.package.manifest else None
        self._told = {ref.text for ref in startup.targets} if startup else set()

    def as_it_is(self, pattern: Pattern) -> bool:
        """Whether somebody writes it, and nobody in play; the answer to the startup inquiry stays."""
        writers = self._index.overlapping(pattern)
        return pattern.text in self._told or (
            bool(writers) and all(stage_of_write(self._graph, writer) == "design" for writer in writers)
        )

"""The context fragments that stand on a package's boards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skillc.graph import TagGraph

if TYPE_CHECKING:
    from skillc.model.boards import BoardFragment
    from skillc.runtime.fragment import Fault


def fragments(graph: TagGraph) -> Iterator[tuple[str, BoardFragment]]:
    """Each fragment of a live item with its tag; an item whose tag cannot be read has its finding."""
    for case in graph.package.boards:
        for item in case.items:
            if item.fragment and item.live and item.tag:
                yield item.tag.value, item.fragment


def faults(graph: TagGraph, kind: str) -> Iterator[tuple[str, BoardFragment, list[Fault]]]:
    """The fragments that have faults of a kind, with all of them."""
    for tag, fragment in fragments(graph):
        found = [fault for fault in fragment.said.faults if fault.kind == kind]
        if found:
            yield tag, fragment, found
